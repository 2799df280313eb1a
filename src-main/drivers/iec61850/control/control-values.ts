/** From a command to what a control carries: its value by the type of the device, and its options. */

import { z } from 'zod';
import { FrameType } from '#shared/domain/enums.ts';
import { AppError, invalidInput } from '#shared/domain/errors.ts';
import { ON_CLIENT, type SettingMeta } from '#shared/domain/setting-meta.ts';
import { FieldWords } from '#shared/messages/field-words.ts';
import { say } from '#shared/messages/index.ts';
import type { Command, PointConfig } from '../../spi/index.ts';
import type { MmsType, MmsValue } from '../mms/types.ts';
import { valueWithin } from '../model/cdc.ts';
import { typeAt } from '../model/types.ts';
import { misfit, numberValue, rawNumber } from '../model/values.ts';
import type { ControlFields } from './structure.ts';

/** Octets of orIdent at most; relays have been seen to fail at longer ones. */
const MOST_IDENTIFIER = 64;

/** Meant for control objects of a device; a reference that names no functional constraint may be one. */
const ON_CONTROLS = { ...ON_CLIENT, references: '^[^[]*(\\[CO\\])?$' } satisfies SettingMeta;

/** Options of a control, by name as commands carry them. */
export const CONTROL_OPTIONS = {
  test: z
    .boolean()
    .default(false)
    .describe('test bit: a device in operation carries nothing out; one whose behaviour is test operates its outputs')
    .meta({ ...ON_CONTROLS, is_test: true } satisfies SettingMeta),
  interlock_check: z.boolean().default(false).describe('ask the device to check the interlocking').meta(ON_CONTROLS),
  synchro_check: z.boolean().default(false).describe('ask the device to check the synchronism').meta(ON_CONTROLS),
  originator_category: z
    .literal([1, 2, 3, 4, 5, 6, 7, 8])
    .default(2)
    .describe('who commands (orCat): 1 bay, 2 station, 3 remote, 4 to 6 the same automatic, 7 maintenance, 8 process')
    .meta(ON_CONTROLS),
  originator_identifier: z
    .string()
    .max(MOST_IDENTIFIER)
    .default('LC')
    .describe('name of who commands (orIdent), at most 64 octets')
    .meta({ ...ON_CONTROLS, max_octets: MOST_IDENTIFIER } satisfies SettingMeta),
  control_number: z
    .int()
    .min(0)
    .max(255)
    .optional()
    .describe('number of the command (ctlNum); left out: one more than that of the command before')
    .meta(ON_CONTROLS),
  operate_at: z.iso.datetime().optional().describe('time at which the device is to operate, where it can').meta(ON_CONTROLS),
};

/** Throws `CONFIG_INVALID` for options that only a control carries: a plain setting would be written in spite of them. */
export function refuseControlOptions(given: Readonly<Record<string, unknown>>): void {
  const meant = (['test', 'interlock_check', 'synchro_check'] as const).filter((name) => given[name] === true);
  const named = given.operate_at === undefined ? meant : [...meant, 'operate_at'];
  if (named.length > 0) throw new AppError('CONFIG_INVALID', say('control.setting_option', { name: named[0] ?? '' }));
}

const options = z.object(CONTROL_OPTIONS);

/** Options of a command with their defaults. Throws `CONFIG_INVALID` for options out of their bounds. */
export function optionsOf(given: Readonly<Record<string, unknown>>): z.output<typeof options> {
  const words = new FieldWords();
  const parsed = options.safeParse(given, words.options);
  if (parsed.success) return parsed.data;
  throw invalidInput(parsed.error.issues.map((issue) => words.issue(['options', ...issue.path].join('.'), issue)));
}

/** What a command carries in each of its services; `number` is that of the next command. Throws as `optionsOf`. */
export function fieldsOf(command: Command, value: MmsValue, number: number, at: number): ControlFields {
  const given = optionsOf(command.options);
  const identifier = new TextEncoder().encode(given.originator_identifier);
  if (identifier.length > MOST_IDENTIFIER) {
    throw new AppError('CONFIG_INVALID', say('control.identifier_long', { most: MOST_IDENTIFIER, count: identifier.length }));
  }
  return {
    value,
    category: given.originator_category,
    identifier,
    number: given.control_number ?? number,
    at,
    operateAt: given.operate_at === undefined ? null : Date.parse(given.operate_at),
    isTest: given.test,
    checksSynchronism: given.synchro_check,
    checksInterlocking: given.interlock_check,
  };
}

/**
 * The value of a command as `ctlVal` of this type: 0 and 1 of single and double points, the step of a step command (0 stop, 1 lower, 2 higher), a number
 * of an enumeration or a setpoint, scaled. Throws `CONFIG_RANGE`.
 */
export function controlValue(point: PointConfig, value: number | undefined, type: MmsType): MmsValue {
  if (value === undefined) throw new AppError('CONFIG_INVALID', say('control.needs_value'));
  const path = valueWithin(type);
  const leaf = path && typeAt(type, path);
  if (!path || !leaf) throw new AppError('CONFIG_INVALID', say('control.point_members', { point: point.code }));
  if (leaf.kind === 'bit-string' && Math.abs(leaf.size) === 2) return stepCommand(point, value);
  const raw = point.frame_type === FrameType.yt ? rawNumber(point, leaf, value) : value;
  const problem = misfit(leaf, raw);
  const made = problem === null ? numberValue(leaf, raw) : null;
  if (!made)
    throw new AppError('CONFIG_RANGE', say('iec61850.value_unfit', { point: point.code, reason: problem ?? say('iec61850.no_numbers') }));
  return within(type, path, made);
}

/** `mag.f` as a structure with one member. */
function within(type: MmsType, [first, ...rest]: readonly string[], value: MmsValue): MmsValue {
  if (first === undefined || type.kind !== 'structure') return value;
  const [component, other] = type.components;
  if (!component || other) throw new AppError('CONFIG_INVALID', say('control.value_members'));
  return { kind: 'structure', items: [within(component.type, rest, value)] };
}

/** Tcmd (IEC 61850-7-3): two bits, stop 00, lower 01, higher 10. */
function stepCommand(point: PointConfig, value: number): MmsValue {
  if (value !== 0 && value !== 1 && value !== 2) {
    const reason = say('control.step_value', { value });
    throw new AppError('CONFIG_RANGE', say('iec61850.value_unfit', { point: point.code, reason }));
  }
  return { kind: 'bit-string', size: 2, octets: Uint8Array.of(value << 6) };
}

/**
 * True when a command asks for nothing beside what was selected: an execute carries what its select carried, so an option that differs would be left
 * out silently, the test bit as well. Options that are left out are those of the selection.
 */
export function asksAsSelected(command: Command, { category, identifier, operateAt, ...selected }: ControlFields): boolean {
  const asked = fieldsOf(command, selected.value, selected.number, selected.at);
  const plain = fieldsOf({ ...command, options: {} }, selected.value, selected.number, selected.at);
  const name = (octets: Uint8Array) => octets.join();
  return (
    (!asked.isTest || selected.isTest) &&
    (!asked.checksSynchronism || selected.checksSynchronism) &&
    (!asked.checksInterlocking || selected.checksInterlocking) &&
    [category, plain.category].includes(asked.category) &&
    [name(identifier), name(plain.identifier)].includes(name(asked.identifier)) &&
    asked.number === selected.number &&
    [operateAt, plain.operateAt].includes(asked.operateAt)
  );
}
