/** The type identifications (IEC 60870-5-101, 7.2.1.1; IEC 60870-5-104, 9.5) with their elements and time tags. */
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
import { doubleElement } from './double.ts';
import type { ElementCodec } from './element.ts';
import { bareNormalizedElement, floatElement, normalizedElement, scaledElement } from './measured.ts';
import type { InfoObject } from './objects.ts';
import { packedElement } from './packed.ts';
import { activationElement, parameterFloatElement, parameterNormalizedElement, parameterScaledElement } from './parameters.ts';
import { protectionEventElement, protectionOutputElement, protectionStartElement } from './protection.ts';
import { singleElement } from './single.ts';
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
  readonly name: string;
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
  name: string,
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

define('single-point information', singleElement, { none: 'M_SP_NA_1', cp24: 'M_SP_TA_1', cp56: 'M_SP_TB_1' });
define('double-point information', doubleElement, { none: 'M_DP_NA_1', cp24: 'M_DP_TA_1', cp56: 'M_DP_TB_1' });
define('step position information', stepElement, { none: 'M_ST_NA_1', cp24: 'M_ST_TA_1', cp56: 'M_ST_TB_1' });
define('bitstring of 32 bits', bitsElement, { none: 'M_BO_NA_1', cp24: 'M_BO_TA_1', cp56: 'M_BO_TB_1' });
define('measured value, normalized', normalizedElement, { none: 'M_ME_NA_1', cp24: 'M_ME_TA_1', cp56: 'M_ME_TD_1' });
define('measured value, scaled', scaledElement, { none: 'M_ME_NB_1', cp24: 'M_ME_TB_1', cp56: 'M_ME_TE_1' });
define('measured value, short floating point', floatElement, { none: 'M_ME_NC_1', cp24: 'M_ME_TC_1', cp56: 'M_ME_TF_1' });
define('integrated totals', counterElement, { none: 'M_IT_NA_1', cp24: 'M_IT_TA_1', cp56: 'M_IT_TB_1' });
define('event of protection equipment', protectionEventElement, { cp24: 'M_EP_TA_1', cp56: 'M_EP_TD_1' });
define('packed start events of protection equipment', protectionStartElement, { cp24: 'M_EP_TB_1', cp56: 'M_EP_TE_1' });
define('packed output circuit information of protection equipment', protectionOutputElement, { cp24: 'M_EP_TC_1', cp56: 'M_EP_TF_1' });
define('packed single-point information with change detection', packedElement, { none: 'M_PS_NA_1' });
define('measured value, normalized, without quality', bareNormalizedElement, { none: 'M_ME_ND_1' });
define('single command', singleCommandElement, { none: 'C_SC_NA_1', cp56: 'C_SC_TA_1' });
define('double command', doubleCommandElement, { none: 'C_DC_NA_1', cp56: 'C_DC_TA_1' });
define('regulating step command', stepCommandElement, { none: 'C_RC_NA_1', cp56: 'C_RC_TA_1' });
define('set point command, normalized', setNormalizedElement, { none: 'C_SE_NA_1', cp56: 'C_SE_TA_1' });
define('set point command, scaled', setScaledElement, { none: 'C_SE_NB_1', cp56: 'C_SE_TB_1' });
define('set point command, short floating point', setFloatElement, { none: 'C_SE_NC_1', cp56: 'C_SE_TC_1' });
define('bitstring command of 32 bits', setBitsElement, { none: 'C_BO_NA_1', cp56: 'C_BO_TA_1' });
define('end of initialization', endOfInitElement, { none: 'M_EI_NA_1' });
define('interrogation command', interrogationElement, { none: 'C_IC_NA_1' });
define('counter interrogation command', counterInterrogationElement, { none: 'C_CI_NA_1' });
define('read command', readElement, { none: 'C_RD_NA_1' });
define('clock synchronization command', clockElement, { cp56: 'C_CS_NA_1' });
define('test command', testPatternElement, { none: 'C_TS_NA_1' });
define('reset process command', resetElement, { none: 'C_RP_NA_1' });
define('delay acquisition command', delayElement, { none: 'C_CD_NA_1' });
define('test command', testElement, { cp56: 'C_TS_TA_1' });
define('parameter of measured value, normalized', parameterNormalizedElement, { none: 'P_ME_NA_1' });
define('parameter of measured value, scaled', parameterScaledElement, { none: 'P_ME_NB_1' });
define('parameter of measured value, short floating point', parameterFloatElement, { none: 'P_ME_NC_1' });
define('parameter activation', activationElement, { none: 'P_AC_NA_1' });

const MNEMONICS: ReadonlyMap<number, string> = new Map(Object.entries(TypeId).map(([mnemonic, id]) => [id, mnemonic]));

/** The types whose objects are decoded, by id ascending. */
export const DECODED_TYPES: readonly TypeSpec[] = [...SPECS.values()].sort((a, b) => a.id - b.id);

/** What is known of a type identification 0 to 255; null when its objects stay raw. */
export function typeSpec(typeId: number): TypeSpec | null {
  return SPECS.get(typeId) ?? null;
}

/** `M_ME_NC_1 (13)`; for a type that has no name here `type 200`. */
export function typeText(typeId: number): string {
  const mnemonic = MNEMONICS.get(typeId);
  return mnemonic === undefined ? `type ${typeId}` : `${mnemonic} (${typeId})`;
}

/** How many objects of a type fit into one ASDU: at most 127, and 249 octets. 1 for types that carry one object. */
export function maxObjects(type: TypeSpec, isSequence: boolean, sizes: AsduSizes): number {
  if (!type.isList) return 1;
  const room = MAX_ASDU_LENGTH - headerLength(sizes);
  const count = isSequence ? (room - sizes.objectAddress) / type.length : room / (type.length + sizes.objectAddress);
  return Math.min(127, Math.floor(count));
}
