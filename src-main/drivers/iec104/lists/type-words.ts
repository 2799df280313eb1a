/** Type identifications in the words that lists use. */
import { TypeId, typeSpec } from '../codec/types.ts';

/** Words with the type they mean, without time tag; the longer before those they contain. */
const WORDS: readonly (readonly [RegExp, number])[] = [
  [/set ?-?point.*(float|short)|设点.*(浮点|短)|遥调.*浮点/, TypeId.C_SE_NC_1],
  [/set ?-?point.*scaled|设点.*标度/, TypeId.C_SE_NB_1],
  [/set ?-?point|设点|遥调/, TypeId.C_SE_NA_1],
  [/double (point )?command|双点遥控|双点命令|双命令/, TypeId.C_DC_NA_1],
  [/single (point )?command|单点遥控|单点命令|单命令/, TypeId.C_SC_NA_1],
  [/regulating step|步调节/, TypeId.C_RC_NA_1],
  [/double[- ]?point|双点|\bdpi?\b/, TypeId.M_DP_NA_1],
  [/single[- ]?point|单点|\bspi?\b|\bbool(ean)?\b/, TypeId.M_SP_NA_1],
  [/step position|步位置|档位/, TypeId.M_ST_NA_1],
  [/bit ?string|比特串|位串/, TypeId.M_BO_NA_1],
  [/integrated total|counter|累计量|电能脉冲|电度/, TypeId.M_IT_NA_1],
  [/scaled|标度化/, TypeId.M_ME_NB_1],
  [/normali[sz]ed|归一化/, TypeId.M_ME_NA_1],
  [/short floating|float|\breal\b|浮点|短浮/, TypeId.M_ME_NC_1],
];

/** The type identification of a text: its mnemonic, its number, or words for it; null for what nobody knows. */
export function parseTypeId(text: string): number | null {
  const written = text.normalize('NFKC').trim();
  const mnemonic = /[mcp]_[a-z]{2}_[a-z]{2}_1/i.exec(written)?.[0].toUpperCase();
  if (mnemonic && mnemonic in TypeId) return TypeId[mnemonic as keyof typeof TypeId];
  const [, digits] = /^(?:ti|type|asdu|类型标识)?\s*[<([:=]?\s*(\d{1,3})\s*[>)\]]?$/i.exec(written) ?? [];
  if (digits !== undefined) return typeSpec(Number(digits)) ? Number(digits) : null;
  const lower = written.toLowerCase();
  return WORDS.find(([pattern]) => pattern.test(lower))?.[1] ?? null;
}
