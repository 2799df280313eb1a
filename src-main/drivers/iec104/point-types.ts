/** Which type identifications a point of the table may have (IEC 60870-5-104, 9.5), and how the variants of one type belong together. */
import { FrameType } from '#shared/domain/enums.ts';
import { TypeId } from './codec/types.ts';

/** The variants of one kind of monitored object: without time tag, with CP24 (serial companion standard only), with CP56. */
interface Family {
  readonly plain: number | null;
  readonly short: number | null;
  readonly timed: number | null;
}

const FAMILIES: readonly Family[] = [
  { plain: TypeId.M_SP_NA_1, short: TypeId.M_SP_TA_1, timed: TypeId.M_SP_TB_1 },
  { plain: TypeId.M_DP_NA_1, short: TypeId.M_DP_TA_1, timed: TypeId.M_DP_TB_1 },
  { plain: TypeId.M_ST_NA_1, short: TypeId.M_ST_TA_1, timed: TypeId.M_ST_TB_1 },
  { plain: TypeId.M_BO_NA_1, short: TypeId.M_BO_TA_1, timed: TypeId.M_BO_TB_1 },
  { plain: TypeId.M_ME_NA_1, short: TypeId.M_ME_TA_1, timed: TypeId.M_ME_TD_1 },
  { plain: TypeId.M_ME_NB_1, short: TypeId.M_ME_TB_1, timed: TypeId.M_ME_TE_1 },
  { plain: TypeId.M_ME_NC_1, short: TypeId.M_ME_TC_1, timed: TypeId.M_ME_TF_1 },
  { plain: TypeId.M_IT_NA_1, short: TypeId.M_IT_TA_1, timed: TypeId.M_IT_TB_1 },
  { plain: null, short: TypeId.M_EP_TA_1, timed: TypeId.M_EP_TD_1 },
  { plain: null, short: TypeId.M_EP_TB_1, timed: TypeId.M_EP_TE_1 },
  { plain: null, short: TypeId.M_EP_TC_1, timed: TypeId.M_EP_TF_1 },
  { plain: TypeId.M_PS_NA_1, short: null, timed: null },
  { plain: TypeId.M_ME_ND_1, short: null, timed: null },
  { plain: TypeId.C_SC_NA_1, short: null, timed: TypeId.C_SC_TA_1 },
  { plain: TypeId.C_DC_NA_1, short: null, timed: TypeId.C_DC_TA_1 },
  { plain: TypeId.C_RC_NA_1, short: null, timed: TypeId.C_RC_TA_1 },
  { plain: TypeId.C_SE_NA_1, short: null, timed: TypeId.C_SE_TA_1 },
  { plain: TypeId.C_SE_NB_1, short: null, timed: TypeId.C_SE_TB_1 },
  { plain: TypeId.C_SE_NC_1, short: null, timed: TypeId.C_SE_TC_1 },
  { plain: TypeId.C_BO_NA_1, short: null, timed: TypeId.C_BO_TA_1 },
];

const FAMILY_OF = new Map<number, Family>();
for (const family of FAMILIES) {
  for (const id of [family.plain, family.short, family.timed]) if (id !== null) FAMILY_OF.set(id, family);
}

/** The variant without time tag; the type itself where there is none. */
export function plainType(typeId: number): number {
  return FAMILY_OF.get(typeId)?.plain ?? typeId;
}

/** The variant with CP56; the type itself where there is none. */
export function timedType(typeId: number): number {
  return FAMILY_OF.get(typeId)?.timed ?? typeId;
}

/** True when both are variants of one kind of object. */
export function isSameKind(a: number, b: number): boolean {
  return a === b || (FAMILY_OF.has(a) && FAMILY_OF.get(a) === FAMILY_OF.get(b));
}

/** Types of which a YX names one bit. */
const BIT_TYPES: readonly number[] = [TypeId.M_BO_NA_1, TypeId.M_BO_TB_1, TypeId.M_PS_NA_1, TypeId.M_EP_TE_1, TypeId.M_EP_TF_1];

/** Number of bits of a type of which a YX names one; 0 for all others. */
export function bitCount(typeId: number): number {
  if (!BIT_TYPES.includes(typeId)) return 0;
  if (typeId === TypeId.M_PS_NA_1) return 16;
  return typeId === TypeId.M_EP_TE_1 ? 6 : typeId === TypeId.M_EP_TF_1 ? 4 : 32;
}

/** Type identifications a point may have, the default first (decisions, "Points": 13, 1, 45, 50). */
export const POINT_TYPES: Readonly<Record<FrameType, readonly number[]>> = {
  [FrameType.yc]: [13, 9, 11, 21, 15, 5, 7, 36, 34, 35, 37, 32, 33],
  [FrameType.yx]: [1, 3, 30, 31, 20, 7, 33, 38, 39, 40],
  [FrameType.yk]: [45, 46, 47, 58, 59, 60],
  [FrameType.yt]: [50, 48, 49, 51, 63, 61, 62, 64],
};

/** True for integrated totals, which a counter interrogation brings and a station interrogation does not. */
export function isCounterType(typeId: number): boolean {
  return plainType(typeId) === TypeId.M_IT_NA_1;
}

/** The type that a point of our table has for objects of this type: without time tag where there is such a variant. */
export function servedType(typeId: number): number {
  const family = FAMILY_OF.get(typeId);
  return family?.plain ?? family?.timed ?? typeId;
}

/** The point type that suits a monitored type identification: YX for states, YC for numbers. Null for types that are no monitored point. */
export function frameTypeOf(typeId: number): FrameType | null {
  const plain = plainType(typeId);
  if ([1, 3, 20, 38, 39, 40].includes(plain) || [17, 18, 19].includes(typeId)) return FrameType.yx;
  return POINT_TYPES[FrameType.yc].includes(plain) ? FrameType.yc : null;
}
