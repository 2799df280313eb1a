import { DECODE_CODES, type DecodeCode, describeDecode, findDecode } from '#shared/domain/decode.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { type FieldIssue, fieldIssue } from '#shared/domain/errors.ts';
import { describeRegisters, registersOf } from '#shared/domain/registers.ts';
import { say } from '#shared/messages/index.ts';
import { names } from '#shared/messages/message.ts';
import { pointFieldsOf } from '../kit/point-fields.ts';
import { plainIssues, reverseIssues } from '../kit/point-issues.ts';
import type { DriverChannelSettings, NormalPoint, PointConfig, PointDraft } from '../spi/index.ts';
import { bitsOfType } from './registers/numbers.ts';
import { registerIssues } from './registers/rules.ts';
import type { RegisterSettings } from './settings.ts';

/** Highest address a Modbus PDU can name (MODBUS Application Protocol V1.1b3, 4.3: 0 to 65535). */
export const HIGHEST_ADDRESS = 65_535;

/** Functions 1 to 4 of MODBUS Application Protocol V1.1b3, 6.1 to 6.4: coils, discrete inputs, holding registers, input registers. */
export type ReadFunction = 1 | 2 | 3 | 4;

type AddressedPoint = Pick<PointConfig, 'frame_type' | 'func_code' | 'decode' | 'protocol'>;

const NAMES: Readonly<Record<FrameType, string>> = { 0: 'YC', 1: 'YX', 2: 'YK', 3: 'YT' };

const ALLOWED_FUNCTIONS: Readonly<Record<FrameType, readonly number[]>> = {
  [FrameType.yc]: [3, 4],
  [FrameType.yx]: [1, 2, 3, 4],
  [FrameType.yk]: [5, 15, 6, 16, 22],
  [FrameType.yt]: [6, 16],
};

/** Contract names of the point fields that mean something to Modbus, by frame type, in form order. */
export const POINT_FIELDS = pointFieldsOf(['code', 'name', 'slave_id', 'address', 'func_code', 'decode', 'bit'], ['reverse']);

/**
 * The function a point is read with: its own for YC and YX; a YK is read back as coil (1), or as holding register (3) when its command
 * writes a register; a YT by 3.
 */
export function readFunction(point: Pick<PointConfig, 'frame_type' | 'func_code'>): ReadFunction {
  const { frame_type: frameType, func_code: funcCode } = point;
  if (frameType === FrameType.yt) return 3;
  if (frameType === FrameType.yk) return funcCode === 6 || funcCode === 16 || funcCode === 22 ? 3 : 1;
  if (funcCode === 1 || funcCode === 2 || funcCode === 3 || funcCode === 4) return funcCode;
  return frameType === FrameType.yc ? 3 : 1;
}

/** Addresses a point covers: 1 for a coil or discrete input, otherwise the registers of its value. */
export function registerCount(point: AddressedPoint, functionCode = readFunction(point)): number {
  return functionCode <= 2 ? 1 : registersOf(point);
}

/** The registers or coils a point covers, by the data model its function reads (V1.1b3, 4.3). */
export function addressSpan(point: AddressedPoint): { readonly space: string; readonly length: number } {
  return { space: `function ${readFunction(point)}`, length: registerCount(point) };
}

/**
 * Fills in the defaults of decisions.md ("Points") and checks a point against Modbus and the channel's `address_base`. A decode code is
 * stored in the letter case of the table. Issue paths are contract names. Pure.
 */
export function normalizeModbusPoint(
  draft: PointDraft,
  settings: Pick<DriverChannelSettings, 'addressBase'>,
): { point: NormalPoint; issues: FieldIssue[] } {
  const isSignal = draft.frame_type === FrameType.yx || draft.frame_type === FrameType.yk;
  const written = draft.decode?.trim() || (isSignal ? '0x20' : '0x41');
  const decode = findDecode(written);
  const point: NormalPoint = {
    ...draft,
    name: draft.name || draft.code,
    address: draft.address ?? 0,
    slave_id: draft.slave_id ?? 1,
    func_code: draft.func_code ?? defaultFunction(draft, decode?.code ?? written),
    decode: decode?.code ?? written,
  };
  const issues = [
    ...checkDecode(written, decode),
    ...checkFunction(point),
    ...checkSlave(point),
    ...checkBit(point, decode),
    ...registerIssues(point, decode, readFunction(point) > 2),
    ...plainIssues(point),
    ...reverseIssues(point),
    ...(draft.address === undefined ? [fieldIssue('address', say('point.modbus_address'))] : checkAddress(point, settings.addressBase)),
  ];
  return { point, issues };
}

function defaultFunction({ frame_type: frameType, protocol }: PointDraft, decode: string): number {
  if (frameType === FrameType.yc) return 3;
  if (frameType === FrameType.yx) return 1;
  if (frameType === FrameType.yk) return 5;
  return registersOf({ decode, protocol }) === 1 ? 6 : 16;
}

function checkDecode(written: string, decode: DecodeCode | undefined): FieldIssue[] {
  if (decode) return [];
  const near = nearCodes(written.toLowerCase()).map((item) => describeDecode(item.code));
  return [fieldIssue('decode', say('point.modbus_decode', { written, near }))];
}

/** Codes somebody may have meant: of the type or byte order that was written, else of the same leading digit, else one of each type. */
function nearCodes(text: string): readonly DecodeCode[] {
  const words = DECODE_CODES.filter((item) => text.includes(item.type) || (item.order !== '' && text === item.order.toLowerCase()));
  if (words.length > 0) return words;
  const digits = text.replace(/^0?x/, '');
  const kin = DECODE_CODES.filter((item) => digits !== '' && item.code.toLowerCase().startsWith(`0x${digits[0]}`));
  if (kin.length > 0) return kin;
  return DECODE_CODES.filter((item, index) => DECODE_CODES.findIndex((other) => other.type === item.type) === index);
}

function checkFunction(point: NormalPoint): FieldIssue[] {
  const allowed = ALLOWED_FUNCTIONS[point.frame_type];
  const name = NAMES[point.frame_type];
  if (point.func_code === null || !allowed.includes(point.func_code)) {
    return [fieldIssue('func_code', say('point.modbus_function', { type: name, allowed, given: String(point.func_code) }))];
  }
  if (point.func_code === 22 && point.bit === null) {
    return [fieldIssue('bit', say('point.modbus_mask_bit'))];
  }
  return [];
}

function checkSlave(point: NormalPoint): FieldIssue[] {
  if (Number.isInteger(point.slave_id) && point.slave_id >= 0 && point.slave_id <= 255) return [];
  return [fieldIssue('slave_id', say('point.modbus_unit', { given: point.slave_id }))];
}

function checkAddress(point: NormalPoint, addressBase: number): FieldIssue[] {
  const highest = addressBase + HIGHEST_ADDRESS + 1 - registerCount(point);
  if (Number.isInteger(point.address) && point.address >= addressBase && point.address <= highest) return [];
  const params = { least: addressBase, most: highest, decode: describeRegisters(point), given: point.address };
  const said = addressBase === 0 ? say('point.modbus_range', params) : say('point.modbus_range_base', { ...params, base: addressBase });
  return [fieldIssue('address', said)];
}

function checkBit(point: NormalPoint, decode: DecodeCode | undefined): FieldIssue[] {
  if (point.bit === null || !decode) return [];
  const { width } = point.protocol as RegisterSettings;
  if (width === undefined && (point.frame_type === FrameType.yc || point.frame_type === FrameType.yt)) {
    return [fieldIssue('bit', say('point.modbus_bit_type', { type: NAMES[point.frame_type] }))];
  }
  if (readFunction(point) <= 2) {
    const right = point.frame_type === FrameType.yx ? names('3 or 4', '3 或 4') : names('6, 16 or 22', '6、16 或 22');
    return [fieldIssue('bit', say('point.modbus_bit_coil', { given: String(point.func_code), right }))];
  }
  if (decode.type.startsWith('float')) {
    return [fieldIssue('bit', say('point.modbus_bit_float', { decode: describeDecode(decode.code) }))];
  }
  const bits = bitsOfType(decode, registersOf(point));
  if (Number.isInteger(point.bit) && point.bit >= 0 && point.bit < bits) return [];
  return [fieldIssue('bit', say('point.bit_range_for', { most: bits - 1, what: describeRegisters(point), bit: point.bit }))];
}
