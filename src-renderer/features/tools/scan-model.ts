import type { InputOf } from '#shared/contract/index.ts';
import type { ScanRow } from '#shared/contract/jobs.ts';
import { type DecodeCode, findDecode } from '#shared/domain/decode.ts';
import { FrameType } from '#shared/domain/enums.ts';

/** Points one step adds. */
export const MAX_NEW_POINTS = 2000;

type NewPoint = InputOf<'addPoints'>['points'][number];

export interface MakeForm {
  readonly functionCode: number;
  readonly decode: string;
  readonly prefix: string;
  /** Addresses on the wire, both included. */
  readonly from: number;
  readonly to: number;
}

/** Decode codes offered for registers of a scan: each type and order once. */
export const SCAN_DECODES = [
  '0x20',
  '0x21',
  '0x22',
  '0x40',
  '0x41',
  '0x42',
  '0x43',
  '0x44',
  '0x45',
  '0xD2',
  '0xD3',
  '0x60',
  '0x61',
  '0x62',
  '0xE2',
];

/** Points over the scanned registers, one behind the other: a point begins where its decode finds all its registers, the next one after them. */
export function pointsFrom(rows: readonly ScanRow[], form: MakeForm, slaveId: number): NewPoint[] {
  const isBit = form.functionCode <= 2;
  const decode: DecodeCode | undefined = isBit ? undefined : findDecode(form.decode);
  const width = decode?.registers ?? 1;
  const present = rows.filter((row) => row.func_code === form.functionCode && row.address >= form.from && row.address <= form.to);
  const addresses = new Set(present.map((row) => row.address));
  const points: NewPoint[] = [];
  let next = Number.NEGATIVE_INFINITY;
  for (const row of present) {
    if (row.address < next) continue;
    if (!Array.from({ length: width }, (_, index) => row.address + index).every((address) => addresses.has(address))) continue;
    next = row.address + width;
    const code = `${form.prefix}${row.point_address}`;
    const common = { code, name: code, address: row.point_address, slave_id: slaveId, func_code: form.functionCode };
    points.push(isBit ? { frame_type: FrameType.yx, ...common } : { frame_type: FrameType.yc, ...common, decode: form.decode });
  }
  return points;
}

const scratch = new DataView(new ArrayBuffer(4));

function float(high: number, low: number): string {
  scratch.setUint16(0, high);
  scratch.setUint16(2, low);
  const value = scratch.getFloat32(0);
  return Number.isFinite(value) ? String(Number(value.toPrecision(6))) : String(value);
}

/** A register with the readings that may begin at it. */
export interface ScanLine extends ScanRow {
  readonly signed: number;
  readonly abcd: string;
  readonly cdab: string;
}

/** Rows with their pairs: the float of a register with the next one, in both orders of the words; empty without a next one. */
export function linesOf(rows: readonly ScanRow[]): ScanLine[] {
  return rows.map((row, index) => {
    const following = rows[index + 1];
    const hasPair = row.func_code > 2 && following?.func_code === row.func_code && following.address === row.address + 1;
    return {
      ...row,
      signed: (row.value << 16) >> 16,
      abcd: hasPair ? float(row.value, following.value) : '',
      cdab: hasPair ? float(following.value, row.value) : '',
    };
  });
}
