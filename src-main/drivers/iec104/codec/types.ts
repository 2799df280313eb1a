/** The type identifications (IEC 60870-5-101, 7.2.1.1; IEC 60870-5-104, 9.5) with their elements and time tags. */
import { type Names, names } from '#shared/messages/message.ts';
import { bitsElement } from './bitstring.ts';
import {
  doubleCommandElement,
  setBitsElement,
  setFloatElement,
  setNormalizedElement,
  setScaledElement,
  singleCommandElement,
  stepCommandElement,
} from './commands.ts';
import { counterElement } from './counters.ts';
import type { ElementCodec } from './element.ts';
import { bareNormalizedElement, floatElement, normalizedElement, scaledElement } from './measured.ts';
import type { InfoObject } from './objects.ts';
import { packedElement } from './packed.ts';
import { activationElement, parameterFloatElement, parameterNormalizedElement, parameterScaledElement } from './parameters.ts';
import { doubleElement, singleElement } from './points.ts';
import { protectionEventElement, protectionOutputElement, protectionStartElement } from './protection.ts';
import { type AsduSizes, headerLength, MAX_ASDU_LENGTH } from './sizes.ts';
import { stepElement } from './step.ts';
import {
  clockElement,
  counterInterrogationElement,
  delayElement,
  endOfInitElement,
  interrogationElement,
  readElement,
  resetElement,
  testElement,
  testPatternElement,
} from './system.ts';
import { TIME_TAG_LENGTH, type TimeTag } from './time-tags.ts';

/** Type identifications by mnemonic, for the code that branches on them. 120 to 127 have a name here, and stay raw. */
export const TypeId = {
  M_SP_NA_1: 1,
  M_SP_TA_1: 2,
  M_DP_NA_1: 3,
  M_DP_TA_1: 4,
  M_ST_NA_1: 5,
  M_ST_TA_1: 6,
  M_BO_NA_1: 7,
  M_BO_TA_1: 8,
  M_ME_NA_1: 9,
  M_ME_TA_1: 10,
  M_ME_NB_1: 11,
  M_ME_TB_1: 12,
  M_ME_NC_1: 13,
  M_ME_TC_1: 14,
  M_IT_NA_1: 15,
  M_IT_TA_1: 16,
  M_EP_TA_1: 17,
  M_EP_TB_1: 18,
  M_EP_TC_1: 19,
  M_PS_NA_1: 20,
  M_ME_ND_1: 21,
  M_SP_TB_1: 30,
  M_DP_TB_1: 31,
  M_ST_TB_1: 32,
  M_BO_TB_1: 33,
  M_ME_TD_1: 34,
  M_ME_TE_1: 35,
  M_ME_TF_1: 36,
  M_IT_TB_1: 37,
  M_EP_TD_1: 38,
  M_EP_TE_1: 39,
  M_EP_TF_1: 40,
  C_SC_NA_1: 45,
  C_DC_NA_1: 46,
  C_RC_NA_1: 47,
  C_SE_NA_1: 48,
  C_SE_NB_1: 49,
  C_SE_NC_1: 50,
  C_BO_NA_1: 51,
  C_SC_TA_1: 58,
  C_DC_TA_1: 59,
  C_RC_TA_1: 60,
  C_SE_TA_1: 61,
  C_SE_TB_1: 62,
  C_SE_TC_1: 63,
  C_BO_TA_1: 64,
  M_EI_NA_1: 70,
  C_IC_NA_1: 100,
  C_CI_NA_1: 101,
  C_RD_NA_1: 102,
  C_CS_NA_1: 103,
  C_TS_NA_1: 104,
  C_RP_NA_1: 105,
  C_CD_NA_1: 106,
  C_TS_TA_1: 107,
  P_ME_NA_1: 110,
  P_ME_NB_1: 111,
  P_ME_NC_1: 112,
  P_AC_NA_1: 113,
  F_FR_NA_1: 120,
  F_SR_NA_1: 121,
  F_SC_NA_1: 122,
  F_LS_NA_1: 123,
  F_AF_NA_1: 124,
  F_SG_NA_1: 125,
  F_DR_TA_1: 126,
  F_SC_NB_1: 127,
} as const;

type Mnemonic = keyof typeof TypeId;

/** What a type identification says about its information objects. */
export interface TypeSpec {
  readonly id: number;
  readonly mnemonic: string;
  /** What it is in the words of the standard, without the time tag. */
  readonly name: Names;
  readonly element: ElementCodec;
  readonly time: TimeTag['kind'] | null;
  /** Octets of elements and time tag, without object address. */
  readonly length: number;
  /** False for types that carry exactly one object with its own address: commands, system and parameter types, M_EI_NA_1. */
  readonly isList: boolean;
  /** True for the types of the companion standard 101 that 104 does not allow. */
  readonly isSerialOnly: boolean;
}

const SPECS = new Map<number, TypeSpec>();

function define<T extends InfoObject>(
  name: Names,
  element: ElementCodec<T>,
  mnemonics: Partial<Record<'none' | 'cp24' | 'cp56', Mnemonic>>,
): void {
  for (const tag of ['none', 'cp24', 'cp56'] as const) {
    const mnemonic = mnemonics[tag];
    if (mnemonic === undefined) continue;
    const id = TypeId[mnemonic];
    const time = tag === 'none' ? null : tag;
    SPECS.set(id, {
      id,
      mnemonic,
      name,
      element,
      time,
      length: element.length + (time === null ? 0 : TIME_TAG_LENGTH[time]),
      isList: element.read !== null,
      isSerialOnly: tag === 'cp24' || SERIAL_ONLY.includes(mnemonic),
    });
  }
}

const SERIAL_ONLY: readonly Mnemonic[] = ['C_TS_NA_1', 'C_CD_NA_1'];

define(names('single-point information', '单点信息'), singleElement, { none: 'M_SP_NA_1', cp24: 'M_SP_TA_1', cp56: 'M_SP_TB_1' });
define(names('double-point information', '双点信息'), doubleElement, { none: 'M_DP_NA_1', cp24: 'M_DP_TA_1', cp56: 'M_DP_TB_1' });
define(names('step position information', '步位置信息'), stepElement, { none: 'M_ST_NA_1', cp24: 'M_ST_TA_1', cp56: 'M_ST_TB_1' });
define(names('bitstring of 32 bits', '32 比特串'), bitsElement, { none: 'M_BO_NA_1', cp24: 'M_BO_TA_1', cp56: 'M_BO_TB_1' });
define(names('measured value, normalized', '测量值，归一化值'), normalizedElement, {
  none: 'M_ME_NA_1',
  cp24: 'M_ME_TA_1',
  cp56: 'M_ME_TD_1',
});
define(names('measured value, scaled', '测量值，标度化值'), scaledElement, { none: 'M_ME_NB_1', cp24: 'M_ME_TB_1', cp56: 'M_ME_TE_1' });
define(names('measured value, short floating point', '测量值，短浮点数'), floatElement, {
  none: 'M_ME_NC_1',
  cp24: 'M_ME_TC_1',
  cp56: 'M_ME_TF_1',
});
define(names('integrated totals', '累计量'), counterElement, { none: 'M_IT_NA_1', cp24: 'M_IT_TA_1', cp56: 'M_IT_TB_1' });
define(names('event of protection equipment', '继电保护装置事件'), protectionEventElement, { cp24: 'M_EP_TA_1', cp56: 'M_EP_TD_1' });
define(names('packed start events of protection equipment', '继电保护装置成组启动事件'), protectionStartElement, {
  cp24: 'M_EP_TB_1',
  cp56: 'M_EP_TE_1',
});
define(names('packed output circuit information of protection equipment', '继电保护装置成组输出电路信息'), protectionOutputElement, {
  cp24: 'M_EP_TC_1',
  cp56: 'M_EP_TF_1',
});
define(names('packed single-point information with change detection', '带变位检出的成组单点信息'), packedElement, { none: 'M_PS_NA_1' });
define(names('measured value, normalized, without quality', '测量值，不带品质描述词的归一化值'), bareNormalizedElement, {
  none: 'M_ME_ND_1',
});
define(names('single command', '单命令'), singleCommandElement, { none: 'C_SC_NA_1', cp56: 'C_SC_TA_1' });
define(names('double command', '双命令'), doubleCommandElement, { none: 'C_DC_NA_1', cp56: 'C_DC_TA_1' });
define(names('regulating step command', '步调节命令'), stepCommandElement, { none: 'C_RC_NA_1', cp56: 'C_RC_TA_1' });
define(names('set point command, normalized', '设点命令，归一化值'), setNormalizedElement, { none: 'C_SE_NA_1', cp56: 'C_SE_TA_1' });
define(names('set point command, scaled', '设点命令，标度化值'), setScaledElement, { none: 'C_SE_NB_1', cp56: 'C_SE_TB_1' });
define(names('set point command, short floating point', '设点命令，短浮点数'), setFloatElement, { none: 'C_SE_NC_1', cp56: 'C_SE_TC_1' });
define(names('bitstring command of 32 bits', '32 比特串命令'), setBitsElement, { none: 'C_BO_NA_1', cp56: 'C_BO_TA_1' });
define(names('end of initialization', '初始化结束'), endOfInitElement, { none: 'M_EI_NA_1' });
define(names('interrogation command', '召唤命令'), interrogationElement, { none: 'C_IC_NA_1' });
define(names('counter interrogation command', '计数量召唤命令'), counterInterrogationElement, { none: 'C_CI_NA_1' });
define(names('read command', '读命令'), readElement, { none: 'C_RD_NA_1' });
define(names('clock synchronization command', '时钟同步命令'), clockElement, { cp56: 'C_CS_NA_1' });
define(names('test command', '测试命令'), testPatternElement, { none: 'C_TS_NA_1' });
define(names('reset process command', '复位进程命令'), resetElement, { none: 'C_RP_NA_1' });
define(names('delay acquisition command', '延时获得命令'), delayElement, { none: 'C_CD_NA_1' });
define(names('test command', '测试命令'), testElement, { cp56: 'C_TS_TA_1' });
define(names('parameter of measured value, normalized', '测量值参数，归一化值'), parameterNormalizedElement, { none: 'P_ME_NA_1' });
define(names('parameter of measured value, scaled', '测量值参数，标度化值'), parameterScaledElement, { none: 'P_ME_NB_1' });
define(names('parameter of measured value, short floating point', '测量值参数，短浮点数'), parameterFloatElement, { none: 'P_ME_NC_1' });
define(names('parameter activation', '参数激活'), activationElement, { none: 'P_AC_NA_1' });

const MNEMONICS: ReadonlyMap<number, string> = new Map(Object.entries(TypeId).map(([mnemonic, id]) => [id, mnemonic]));

/** The types whose objects are decoded, by id ascending. */
export const DECODED_TYPES: readonly TypeSpec[] = [...SPECS.values()].sort((a, b) => a.id - b.id);

/** What is known of a type identification 0 to 255; null when its objects stay raw. */
export function typeSpec(typeId: number): TypeSpec | null {
  return SPECS.get(typeId) ?? null;
}

/** `M_ME_NC_1 (13)`; for a type that has no name here `type 200`. */
export function typeText(typeId: number): string {
  return mnemonicText(typeId) ?? `type ${typeId}`;
}

/** `M_ME_NC_1`; null for a type that has no name here. */
export function mnemonicOf(typeId: number): string | null {
  return MNEMONICS.get(typeId) ?? null;
}

/** `M_ME_NC_1 (13)`; null for a type that has no name here. */
export function mnemonicText(typeId: number): string | null {
  const mnemonic = MNEMONICS.get(typeId);
  return mnemonic === undefined ? null : `${mnemonic} (${typeId})`;
}

/** How many objects of a type fit into one ASDU: at most 127, and 249 octets. 1 for types that carry one object. */
export function maxObjects(type: TypeSpec, isSequence: boolean, sizes: AsduSizes): number {
  if (!type.isList) return 1;
  const room = MAX_ASDU_LENGTH - headerLength(sizes);
  const count = isSequence ? (room - sizes.objectAddress) / type.length : room / (type.length + sizes.objectAddress);
  return Math.min(127, Math.floor(count));
}
