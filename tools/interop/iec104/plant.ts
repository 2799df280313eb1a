import type { PointFields } from '../channel.ts';

const [YC, YX, YK, YT] = [0, 1, 2, 3];

/** Stations of the plant; both have objects with the same addresses. */
export const CA = 7;
export const OTHER_CA = 8;

/** A monitored object: how the peer names its type and value, and what our table shows. */
export interface Monitored {
  readonly code: string;
  readonly type: string;
  readonly typeId: number;
  readonly station: number;
  readonly address: number;
  /** Value of the wire: a double point is 0 intermediate, 1 off, 2 on, 3 bad. */
  readonly wire: number;
  readonly frameType: number;
  /** Value of our point: off 0, on 1, intermediate 2, bad 3. */
  readonly value: number;
  readonly bit?: number;
}

const BITS = 0x1234_5678;

function object(frameType: number, type: string, typeId: number, address: number, wire: number, value = wire, bit?: number): Monitored {
  const code = `${type}_${address}`;
  return { code, type, typeId, station: CA, address, wire, frameType, value, ...(bit === undefined ? {} : { bit }) };
}

/** Objects without time tag: read by interrogation and read command. */
export const PLAIN: readonly Monitored[] = [
  object(YX, 'M_SP_NA_1', 1, 1, 1),
  object(YX, 'M_SP_NA_1', 1, 2, 0),
  object(YX, 'M_DP_NA_1', 3, 10, 0, 2),
  object(YX, 'M_DP_NA_1', 3, 11, 1, 0),
  object(YX, 'M_DP_NA_1', 3, 12, 2, 1),
  object(YX, 'M_DP_NA_1', 3, 13, 3, 3),
  object(YC, 'M_ST_NA_1', 5, 20, -64),
  object(YC, 'M_ST_NA_1', 5, 21, 63),
  object(YC, 'M_BO_NA_1', 7, 30, BITS),
  object(YX, 'M_BO_NA_1', 7, 31, BITS, 1, 3),
  object(YC, 'M_ME_NA_1', 9, 0x4001, 0.5),
  object(YC, 'M_ME_NA_1', 9, 0x4002, -0.75),
  object(YC, 'M_ME_NB_1', 11, 0x4011, -32_768),
  object(YC, 'M_ME_NB_1', 11, 0x4012, 32_767),
  object(YC, 'M_ME_NC_1', 13, 0x4021, 220.5),
  object(YC, 'M_ME_ND_1', 21, 0x4031, -0.25),
  object(YX, 'M_PS_NA_1', 20, 40, 0b100, 1, 2),
  { ...object(YX, 'M_SP_NA_1', 1, 1, 0), station: OTHER_CA, code: 'OTHER_1' },
  { ...object(YC, 'M_ME_NC_1', 13, 0x4021, -7.5), station: OTHER_CA, code: 'OTHER_4021' },
];

/** Integrated totals: read by counter interrogation. */
export const TOTALS: readonly Monitored[] = [
  object(YC, 'M_IT_NA_1', 15, 0x6401, 123_456),
  object(YC, 'M_IT_NA_1', 15, 0x6402, -2_147_483_648),
];

/** Objects with CP56 time tag: sent spontaneously. */
export const TIMED: readonly Monitored[] = [
  object(YX, 'M_SP_TB_1', 30, 101, 1),
  object(YX, 'M_DP_TB_1', 31, 102, 2, 1),
  object(YC, 'M_ST_TB_1', 32, 103, -5),
  object(YC, 'M_BO_TB_1', 33, 104, BITS),
  object(YC, 'M_ME_TD_1', 34, 105, 0.25),
  object(YC, 'M_ME_TE_1', 35, 106, -1234),
  object(YC, 'M_ME_TF_1', 36, 107, 50.125),
  object(YC, 'M_IT_TB_1', 37, 108, 654_321),
  object(YX, 'M_EP_TD_1', 38, 109, 2, 1),
  object(YX, 'M_EP_TE_1', 39, 110, 0b11, 1, 1),
  object(YX, 'M_EP_TF_1', 40, 111, 0b1, 1, 0),
];

/** A command object: the value that our point writes, and the one that arrives. */
export interface Controlled {
  readonly code: string;
  readonly type: string;
  readonly typeId: number;
  readonly address: number;
  readonly frameType: number;
  readonly value: number;
  readonly wire: number;
  readonly hasSelect: boolean;
}

function control(
  frameType: number,
  type: string,
  typeId: number,
  address: number,
  value: number,
  wire = value,
  hasSelect = true,
): Controlled {
  return { code: type, type, typeId, address, frameType, value, wire, hasSelect };
}

/** Every command type. */
export const CONTROLS: readonly Controlled[] = [
  control(YK, 'C_SC_NA_1', 45, 0x6001, 1),
  control(YK, 'C_DC_NA_1', 46, 0x6002, 1, 2),
  control(YK, 'C_RC_NA_1', 47, 0x6003, 0, 1),
  control(YT, 'C_SE_NA_1', 48, 0x6201, -0.5),
  control(YT, 'C_SE_NB_1', 49, 0x6202, -1234),
  control(YT, 'C_SE_NC_1', 50, 0x6203, 220.5),
  control(YT, 'C_BO_NA_1', 51, 0x6204, BITS, BITS, false),
  control(YK, 'C_SC_TA_1', 58, 0x6011, 1),
  control(YK, 'C_DC_TA_1', 59, 0x6012, 0, 1),
  control(YK, 'C_RC_TA_1', 60, 0x6013, 1, 2),
  control(YT, 'C_SE_TA_1', 61, 0x6211, 0.75),
  control(YT, 'C_SE_TB_1', 62, 0x6212, 4321),
  control(YT, 'C_SE_TC_1', 63, 0x6213, -0.125),
  control(YT, 'C_BO_TA_1', 64, 0x6214, 0xdead_beef, 0xdead_beef, false),
];

/** A monitored object as a point of the table. */
export function asPoint(item: Monitored): PointFields {
  const { code, frameType, address, station, typeId, bit } = item;
  return { code, frame_type: frameType, address, slave_id: station, protocol: { type_id: typeId }, ...(bit === undefined ? {} : { bit }) };
}

/** A command object as a point of the table. */
export function asControl(item: Controlled, change: Readonly<Record<string, unknown>> = {}): PointFields {
  const { code, frameType, address, typeId } = item;
  return { code, frame_type: frameType, address, slave_id: CA, protocol: { type_id: typeId, ...change } };
}

/** A number without what the 16 bits of a normalized value and the single precision of others leave behind. */
export function tidy(value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 1000) / 1000 : value;
}
