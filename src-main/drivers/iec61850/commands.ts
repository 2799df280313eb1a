/** Commands of points that are plain settings (functional constraints SP, SG, SE, SV, CF, BL, DC): one Write. */

import { FrameType } from '#shared/domain/enums.ts';
import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { isMessage } from '#shared/messages/message.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Command, CommandStage, DriverCommandResult, ExchangeContext, PointConfig } from '../spi/index.ts';
import { refusalOf } from './association/refusals.ts';
import { refuseControlOptions } from './control/control-values.ts';
import type { MmsType, MmsValue } from './mms/types.ts';
import { valueWithin } from './model/cdc.ts';
import { findPlace } from './model/places.ts';
import { formatReference, type Reference } from './model/references.ts';
import { misfit, numberValue, rawNumber } from './model/values.ts';
import { referenceOf, resolvePlace } from './point-rules.ts';
import {
  type Attribute,
  attributeOf,
  requireGoing,
  requireWritable,
  typeOfAttribute,
  type WritingOptions,
  writeAttribute,
} from './writing.ts';

export interface CommandOptions extends WritingOptions {
  readonly clock: Clock;
}

/** Runs one command. Throws `CONFIG_*` before anything is sent; a refusal is the result, a silence leaves it unknown. */
export async function runCommand(options: CommandOptions, command: Command, context: ExchangeContext): Promise<DriverCommandResult> {
  const { point, step } = command;
  if (step !== 'operate') throw new AppError('CONFIG_INVALID', say('iec61850.setting_step', { step }));
  refuseControlOptions(command.options);
  const reference = referenceOf(point);
  requireGoing(context);
  const named = attributeOf(resolved(options, reference, point));
  requireWritable(named);
  const { attribute, type } = await leafOf(options, named, context.signal);
  const value = valueFor(point, command.value, type);
  requireGoing(context);
  return send(options, attribute, value, context.signal);
}

/** The attribute a reference means, by the model where it knows it. */
function resolved({ memory }: CommandOptions, reference: Reference, point: PointConfig): Reference {
  const { index } = memory.model;
  const place = findPlace(index, reference);
  const found = place ? resolvePlace(index, reference, place, point.frame_type) : reference;
  if (isMessage(found)) throw new AppError('CONFIG_INVALID', say('iec61850.point', { point: point.code, reason: found }));
  return found;
}

/** The attribute, or the number in it where it is a structure (`setMag` means `setMag.f`), with its type. */
async function leafOf(options: CommandOptions, named: Attribute, signal: AbortSignal): Promise<{ attribute: Attribute; type: MmsType }> {
  const type = await typeOfAttribute(options, named, signal);
  const rest = valueWithin(type);
  if (rest?.length === 0) return { attribute: named, type };
  if (!rest) throw new AppError('CONFIG_INVALID', say('iec61850.several_members', { reference: formatReference(named) }));
  const attribute = { ...named, path: [...named.path, ...rest] };
  return { attribute, type: await typeOfAttribute(options, attribute, signal) };
}

/** The engineering value as value of the type. Throws `CONFIG_RANGE`. */
function valueFor(point: PointConfig, value: number | undefined, type: MmsType): MmsValue {
  if (value === undefined) throw new AppError('CONFIG_INVALID', say('iec61850.needs_value'));
  const raw = point.frame_type === FrameType.yt ? rawNumber(point, type, value) : value;
  const problem = misfit(type, raw);
  const made = problem === null ? numberValue(type, raw) : null;
  if (!made)
    throw new AppError('CONFIG_RANGE', say('iec61850.value_unfit', { point: point.code, reason: problem ?? say('iec61850.no_numbers') }));
  return made;
}

async function send(options: CommandOptions, attribute: Attribute, value: MmsValue, signal: AbortSignal): Promise<DriverCommandResult> {
  const { clock } = options;
  const stages: CommandStage[] = [
    { name: 'sent', at: clock.wallMs(), detail: say('iec61850.sent', { reference: formatReference(attribute) }) },
  ];
  const reject = (detail: Message, kind: string): DriverCommandResult => ({
    outcome: 'rejected',
    stages,
    refusal: { kind, detail },
    failure: null,
  });
  let isSent = false;
  const onSent = () => {
    isSent = true;
  };
  try {
    const refusal = await writeAttribute(options, attribute, value, { signal, onSent });
    if (refusal !== null) return reject(refusal, 'data-access-error');
    stages.push({ name: 'confirmed', at: clock.wallMs(), detail: say('iec61850.taken') });
    return { outcome: 'accepted', stages, refusal: null, failure: null };
  } catch (thrown) {
    const error = toAppError(thrown);
    const refused = refusalOf(error);
    if (refused) return reject(refused.detail, refused.kind);
    if (!isSent) throw error;
    return {
      outcome: 'unknown',
      stages: [...stages, { name: 'unanswered', at: clock.wallMs(), detail: error.said }],
      refusal: null,
      failure: error,
    };
  }
}
