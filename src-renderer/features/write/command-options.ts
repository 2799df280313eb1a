import type { Channel, ProtocolDescriptor } from '#shared/contract/channels.ts';
import type { Point } from '#shared/contract/points.ts';
import { isServing } from '#shared/domain/enums.ts';
import { collectSettings } from '../../ui/form/collect.ts';
import type { FormRecord } from '../../ui/form/record-form.ts';
import { type FieldSpec, fieldSpecs } from '../../ui/form/schema-field.ts';

/** Options of a command by name, as they are sent. */
export type CommandOptions = Readonly<FormRecord>;

/** The options that a command of this point may carry, as its protocol declares them; none on a channel that serves. */
export function optionSpecs(protocol: ProtocolDescriptor | undefined, channel: Channel, point: Point): readonly FieldSpec[] {
  if (!protocol?.command_options_schema || isServing(channel.conn_type)) return [];
  return fieldSpecs(protocol.command_options_schema).filter(
    ({ side, frameTypes, references }) =>
      side !== 'server' &&
      (frameTypes === null || frameTypes.includes(point.frame_type)) &&
      (references === null || new RegExp(references).test(point.reference)),
  );
}

/** What a form says, without what is the default anyway. */
export function optionsGiven(values: FormRecord, specs: readonly FieldSpec[]): CommandOptions {
  const defaults = new Map(specs.map(({ key, kind, defaultValue }) => [key, kind === 'boolean' ? (defaultValue ?? false) : defaultValue]));
  return Object.fromEntries(Object.entries(collectSettings(values, specs)).filter(([key, value]) => value !== defaults.get(key)));
}

/** True for a command with an option that makes it a test. */
export function isTest(specs: readonly FieldSpec[], options: CommandOptions): boolean {
  return specs.some(({ key, isTest: marks }) => marks && options[key] === true);
}

/** True for a command that the device carries out at a time of its own. */
export function isForLater(specs: readonly FieldSpec[], options: CommandOptions): boolean {
  return specs.some(({ key, kind }) => kind === 'moment' && options[key] !== undefined);
}
