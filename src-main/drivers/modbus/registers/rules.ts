/** What is wrong with the settings of a point that say what its registers hold. */
import { type DecodeCode, describeDecode } from '#shared/domain/decode.ts';
import { FrameType, isCommandType } from '#shared/domain/enums.ts';
import { type FieldIssue, fieldIssue } from '#shared/domain/errors.ts';
import {
  familyOf,
  isMoment,
  isWords,
  kindOf,
  MOST_REGISTERS,
  NUMBER_REGISTERS,
  REGISTER_KINDS,
  registersOf,
} from '#shared/domain/registers.ts';
import { say } from '#shared/messages/index.ts';
import type { NormalPoint } from '../../spi/index.ts';
import type { RegisterSettings } from '../settings.ts';
import { bitsOfType } from './numbers.ts';

/** Settings that mean nothing for coils and discrete inputs. */
const OF_REGISTERS = ['kind', 'registers', 'encoding', 'width', 'scale_address', 'absent', 'bit_texts'] as const;

/** Issues of the `protocol` settings of a point; `hasRegisters` false: it is a coil or discrete input. */
export function registerIssues(point: NormalPoint, decode: DecodeCode | undefined, hasRegisters: boolean): FieldIssue[] {
  const settings = point.protocol as RegisterSettings;
  if (!hasRegisters) {
    return OF_REGISTERS.filter((name) => settings[name] !== undefined).map((name) =>
      fieldIssue(`protocol.${name}`, say('point.modbus_registers_only', { given: String(point.func_code) })),
    );
  }
  if (!decode) return [];
  return [
    ...kindIssues(point, settings, decode),
    ...lengthIssues(point, settings, decode),
    ...encodingIssues(point, settings),
    ...widthIssues(point, settings, decode),
    ...scaleIssues(point, settings),
    ...absentIssues(point, settings),
  ];
}

function kindIssues(point: NormalPoint, { kind, width }: RegisterSettings, decode: DecodeCode): FieldIssue[] {
  if (kind === undefined) return [];
  const issue = (said: Parameters<typeof fieldIssue>[1]) => [fieldIssue('protocol.kind', said)];
  if (width !== undefined) return issue(say('point.modbus_kind_width'));
  if (decode.order === '') return issue(say('point.modbus_kind_octet', { decode: describeDecode(decode.code) }));
  if (isWords(kind) && point.frame_type !== FrameType.yc) return issue(say('point.modbus_words_type'));
  if (isMoment(kind) && !(point.frame_type === FrameType.yc || point.frame_type === FrameType.yt))
    return issue(say('point.modbus_moment_type'));
  if ((isWords(kind) || isMoment(kind)) && (point.mul_coe !== 1 || point.add_coe !== 0)) return issue(say('point.modbus_words_factor'));
  return [];
}

function lengthIssues(point: NormalPoint, { kind, registers }: RegisterSettings, decode: DecodeCode): FieldIssue[] {
  const issue = (said: Parameters<typeof fieldIssue>[1]) => [fieldIssue('protocol.registers', said)];
  const possible: readonly number[] | null = kind === undefined ? plainLengths(decode) : REGISTER_KINDS[kind];
  if (possible === null) {
    if (registers === undefined) return issue(say('point.modbus_registers_needed', { most: MOST_REGISTERS }));
    return [];
  }
  if (registers === undefined || possible.includes(registers)) return [];
  const allowed = possible.toSorted((a, b) => a - b);
  const what = kind ?? describeDecode(point.decode);
  return issue(say('point.modbus_registers', { what, allowed, given: registers }));
}

function plainLengths(decode: DecodeCode): readonly number[] {
  if (decode.order === '') return [1];
  return familyOf(decode) === 'float' ? [2, 4] : NUMBER_REGISTERS;
}

function encodingIssues(_point: NormalPoint, { kind, encoding }: RegisterSettings): FieldIssue[] {
  return encoding === undefined || kind === 'text' ? [] : [fieldIssue('protocol.encoding', say('point.modbus_encoding'))];
}

function widthIssues(point: NormalPoint, { width }: RegisterSettings, decode: DecodeCode): FieldIssue[] {
  if (width === undefined) return [];
  const issue = (said: Parameters<typeof fieldIssue>[1]) => [fieldIssue('protocol.width', said)];
  if (point.bit === null) return issue(say('point.modbus_width_bit'));
  if (point.reverse) return issue(say('point.modbus_width_reverse'));
  const bits = bitsOfType(decode, registersOf(point));
  if (point.bit + width > bits) return issue(say('point.modbus_width_range', { most: bits - point.bit, bit: point.bit, bits }));
  if (isCommandType(point.frame_type) && point.bit >> 4 !== (point.bit + width - 1) >> 4) {
    return issue(say('point.modbus_width_apart'));
  }
  return [];
}

function scaleIssues(point: NormalPoint, { scale_address, width }: RegisterSettings): FieldIssue[] {
  if (scale_address === undefined) return [];
  const issue = (said: Parameters<typeof fieldIssue>[1]) => [fieldIssue('protocol.scale_address', said)];
  const kind = kindOf(point);
  if (isWords(kind) || isMoment(kind) || width !== undefined) return issue(say('point.modbus_scale_number'));
  if (scale_address >= point.address && scale_address < point.address + registersOf(point)) return issue(say('point.modbus_scale_itself'));
  return [];
}

function absentIssues(point: NormalPoint, { absent }: RegisterSettings): FieldIssue[] {
  if (absent === undefined) return [];
  const octets = 2 * registersOf(point);
  return absent.length - '0x'.length <= 2 * octets
    ? []
    : [fieldIssue('protocol.absent', say('point.modbus_absent', { digits: 2 * octets }))];
}
