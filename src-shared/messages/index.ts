/**
 * The English catalogue: one file a room, joined here. A message is made by `say`, whose parameters are those of its template. The
 * Chinese of each room lies in `src-renderer/i18n/zh/messages/`; a test holds both together.
 */
import { BER_MESSAGES } from './ber.ts';
import { COMMON_MESSAGES } from './common.ts';
import { FRAME_MESSAGES } from './frames.ts';
import { DLT645_FRAME_MESSAGES } from './frames-dlt645.ts';
import { IEC104_FRAME_MESSAGES } from './frames-iec104.ts';
import { MMS_FRAME_MESSAGES } from './frames-mms.ts';
import { MODBUS_FRAME_MESSAGES } from './frames-modbus.ts';
import { type Message, type MessageParam, type MessageParams, type NamesIn, type Words, wordsOf } from './message.ts';
import { MMS_MESSAGES } from './mms.ts';

export const MESSAGES = {
  ...COMMON_MESSAGES,
  ...BER_MESSAGES,
  ...FRAME_MESSAGES,
  ...DLT645_FRAME_MESSAGES,
  ...IEC104_FRAME_MESSAGES,
  ...MMS_FRAME_MESSAGES,
  ...MMS_MESSAGES,
  ...MODBUS_FRAME_MESSAGES,
} as const;

export type MessageId = keyof typeof MESSAGES;

type NamesOf<Id extends MessageId> = NamesIn<(typeof MESSAGES)[Id]>;
/** Parameters of a message, by the names in its template; none where it has none. */
type Arguments<Id extends MessageId> = [NamesOf<Id>] extends [never] ? [] : [params: Readonly<Record<NamesOf<Id>, MessageParam>>];

const ENGLISH: Words = { language: 'en', catalogue: MESSAGES, comma: ', ' };
const NONE: MessageParams = Object.freeze({});

/** The message `id` with its parameters. */
export function say<Id extends MessageId>(id: Id, ...args: Arguments<Id>): Message {
  return { id, params: args[0] ?? NONE };
}

/** Words that come from elsewhere, as a message: they stay as they are in every language. */
export function quoted(text: string): Message {
  return say('common.text', { text });
}

/** The English words of a message: for answers, the log, and where a language lacks it. */
export function english(message: Message): string {
  return wordsOf(message, ENGLISH) ?? message.id;
}
