/** The words of how a control went: refused, confirmed. */
import { asMessage, inARow, quoted, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { MmsValue } from '../mms/types.ts';
import { addCauseName, addCauseWords, controlErrorName } from './add-causes.ts';
import type { LastApplError } from './control-reports.ts';
import type { ControlFields } from './structure.ts';

/** Why a service was refused, as a result carries it. */
export interface Refusal {
  readonly kind: string;
  readonly detail: Message;
}

/** A refusal in the words of its service, with the additional cause where the device gave one. */
export function refusalWords(words: Message, reason: LastApplError | null | undefined): Refusal {
  const said = asMessage(words);
  if (!reason) return { kind: 'data-access-error', detail: inARow([said, say('control.no_cause')]) };
  const name = addCauseName(reason.addCause);
  const meaning = addCauseWords(reason.addCause);
  const error = controlErrorName(reason.error);
  const cause = meaning ? say('control.cause', { name, meaning }) : quoted(name);
  return { kind: 'add-cause', detail: inARow([cause, ...(error ? [quoted(error)] : []), said]) };
}

/** What a device has confirmed that took an Oper. */
export function confirmation({ isTest, operateAt }: ControlFields, isEnhanced: boolean): Message {
  const done =
    operateAt !== null
      ? say('control.later', { time: new Date(operateAt).toISOString() })
      : say(isEnhanced ? 'control.accepted' : 'control.taken');
  return isTest ? inARow([done, say('control.test')]) : done;
}

/** Two values of one type with the same content. */
export function isSame(one: MmsValue, other: MmsValue): boolean {
  return JSON.stringify(one, plain) === JSON.stringify(other, plain);
}

function plain(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
