/**
 * The English catalogue: one file a room, joined here. A message is made by `say`, whose parameters are those of its template. The
 * Chinese of each room lies in `src-renderer/i18n/zh/messages/`; a test holds both together.
 */

import { APP_MESSAGES } from './app.ts';
import { BER_MESSAGES } from './ber.ts';
import { BUFFER_MESSAGES } from './buffer.ts';
import { CAPTURE_MESSAGES } from './capture.ts';
import { CHECK_MESSAGES } from './check.ts';
import { COMMON_MESSAGES } from './common.ts';
import { CONTROL_MESSAGES } from './control.ts';
import { CONTROL_STATE_MESSAGES } from './control-state.ts';
import { DATABASE_MESSAGES } from './databases.ts';
import { DLT645_MESSAGES } from './dlt645.ts';
import { EDIT_MESSAGES } from './edit.ts';
import { EXCHANGE_MESSAGES } from './exchange.ts';
import { FIELD_MESSAGES } from './field.ts';
import { FRAME_FILTER_MESSAGES } from './frame-filter.ts';
import { FRAME_MESSAGES } from './frames.ts';
import { DLT645_FRAME_MESSAGES } from './frames-dlt645.ts';
import { IEC104_FRAME_MESSAGES } from './frames-iec104.ts';
import { MMS_FRAME_MESSAGES } from './frames-mms.ts';
import { MODBUS_FRAME_MESSAGES } from './frames-modbus.ts';
import { HISTORY_MESSAGES } from './history.ts';
import { HTTP_MESSAGES } from './http.ts';
import { IEC104_MESSAGES } from './iec104.ts';
import { IEC61850_MESSAGES } from './iec61850.ts';
import { IEC61850_START_MESSAGES } from './iec61850-start.ts';
import { JOBS_MESSAGES } from './jobs.ts';
import { LIBRARY_MESSAGES } from './library.ts';
import { LIST_MESSAGES } from './list.ts';
import { LISTEN_MESSAGES } from './listen.ts';
import { LIVE_MESSAGES } from './live.ts';
import { LOG_MESSAGES } from './logs.ts';
import { type Message, type MessageParam, type MessageParams, type MessagePart, type NamesIn, type Words, wordsOf } from './message.ts';
import { MMS_MESSAGES } from './mms.ts';
import { MODBUS_MESSAGES } from './modbus.ts';
import { OSI_MESSAGES } from './osi.ts';
import { POINT_MESSAGES } from './point.ts';
import { PROJECT_MESSAGES } from './project.ts';
import { PUBLISH_MESSAGES } from './publish.ts';
import { REFERENCE_MESSAGES } from './reference.ts';
import { REMOTE_MESSAGES } from './remote.ts';
import { REPORT_MESSAGES } from './reports.ts';
import { RUNTIME_MESSAGES } from './runtime.ts';
import { SCL_MESSAGES } from './scl.ts';
import { SERVED_CONTROL_MESSAGES } from './served-control.ts';
import { SERVICE_MESSAGES } from './service.ts';
import { SIMULATION_MESSAGES } from './simulation.ts';
import { STAGE_MESSAGES } from './stage.ts';
import { STORE_MESSAGES } from './store.ts';
import { SYSTEM_MESSAGES } from './system.ts';
import { TABLE_MESSAGES } from './table.ts';
import { TRANSPORT_MESSAGES } from './transport.ts';
import { UPDATE_MESSAGES } from './update.ts';

export const MESSAGES = {
  ...COMMON_MESSAGES,
  ...CAPTURE_MESSAGES,
  ...CHECK_MESSAGES,
  ...IEC104_MESSAGES,
  ...DLT645_MESSAGES,
  ...MODBUS_MESSAGES,
  ...LISTEN_MESSAGES,
  ...EXCHANGE_MESSAGES,
  ...TRANSPORT_MESSAGES,
  ...UPDATE_MESSAGES,
  ...IEC61850_MESSAGES,
  ...CONTROL_MESSAGES,
  ...CONTROL_STATE_MESSAGES,
  ...SERVED_CONTROL_MESSAGES,
  ...REMOTE_MESSAGES,
  ...REPORT_MESSAGES,
  ...LIBRARY_MESSAGES,
  ...SIMULATION_MESSAGES,
  ...LIVE_MESSAGES,
  ...HISTORY_MESSAGES,
  ...PUBLISH_MESSAGES,
  ...BUFFER_MESSAGES,
  ...DATABASE_MESSAGES,
  ...LOG_MESSAGES,
  ...JOBS_MESSAGES,
  ...SERVICE_MESSAGES,
  ...RUNTIME_MESSAGES,
  ...HTTP_MESSAGES,
  ...STAGE_MESSAGES,
  ...BER_MESSAGES,
  ...FRAME_MESSAGES,
  ...FRAME_FILTER_MESSAGES,
  ...DLT645_FRAME_MESSAGES,
  ...IEC104_FRAME_MESSAGES,
  ...MMS_FRAME_MESSAGES,
  ...MMS_MESSAGES,
  ...MODBUS_FRAME_MESSAGES,
  ...APP_MESSAGES,
  ...STORE_MESSAGES,
  ...OSI_MESSAGES,
  ...SCL_MESSAGES,
  ...IEC61850_START_MESSAGES,
  ...POINT_MESSAGES,
  ...EDIT_MESSAGES,
  ...FIELD_MESSAGES,
  ...PROJECT_MESSAGES,
  ...REFERENCE_MESSAGES,
  ...SYSTEM_MESSAGES,
  ...TABLE_MESSAGES,
  ...LIST_MESSAGES,
} as const;

export type MessageId = keyof typeof MESSAGES;

type NamesOf<Id extends MessageId> = NamesIn<(typeof MESSAGES)[Id]>;
/** Parameters of a message, by the names in its template; none where it has none. */
type Arguments<Id extends MessageId> = [NamesOf<Id>] extends [never] ? [] : [params: Readonly<Record<NamesOf<Id>, MessageParam>>];

const ENGLISH: Words = { language: 'en', catalogue: MESSAGES, comma: ', ' };
const NONE: MessageParams = Object.freeze({});

/** True for the name of a sentence that there is. */
export function isMessageId(id: string): id is MessageId {
  return Object.hasOwn(MESSAGES, id);
}

/** The message `id` with its parameters. */
export function say<Id extends MessageId>(id: Id, ...args: Arguments<Id>): Message {
  return { code: id, params: args[0] ?? NONE };
}

/** Words that come from elsewhere, as a message: they stay as they are in every language. */
export function quoted(text: string): Message {
  return say('common.text', { text });
}

/** Sentences one behind the other; those that are null are left out. */
export function together(...messages: readonly (Message | null)[]): Message {
  const said = messages.filter((message) => message !== null);
  return said.length === 0 ? quoted('') : said.reduce((first, second) => say('common.two', { first, second }));
}

/** Messages in a row, with semicolons. */
export function inARow(messages: readonly Message[]): Message {
  return messages.length === 0 ? quoted('') : messages.reduce((left, right) => say('common.then', { left, right }));
}

/** Names that are all meant: `poll and batch`; null where there is none. */
export function all(names: readonly string[]): Message | null {
  const [first, ...others] = names.map(quoted);
  return first ? others.reduce((left, right) => say('common.and', { left, right }), first) : null;
}

/** Names of which any will do: `GET or POST`. */
export function either(names: readonly Said[]): Message {
  const [first = quoted(''), ...others] = names.map(asMessage);
  return others.reduce((left, right) => say('common.or', { left, right }), first);
}

/** Parts that a sentence names before it only counts them. */
const MOST_NAMED = 5;

/** The first of these, and how many more there are. */
export function firstOf(parts: readonly MessagePart[], most = MOST_NAMED): MessageParam {
  const more = parts.length - most;
  return more > 0 ? say('common.and_more', { parts: parts.slice(0, most), count: more }) : parts;
}

/** The first of these, and a sign that there are more. */
export function beginOf(parts: readonly MessagePart[], most = MOST_NAMED): MessageParam {
  return parts.length > most ? say('common.and_others', { parts: parts.slice(0, most) }) : parts;
}

/** What somebody says: a message, or words that are none. */
export type Said = Message | string;

/** What was said, as a message. */
export function asMessage(said: Said): Message {
  return typeof said === 'string' ? quoted(said) : said;
}

/** What was said in English: for answers, the log, and where a language lacks it. */
export function english(said: Said): string {
  return typeof said === 'string' ? said : (wordsOf(said, ENGLISH) ?? said.code);
}
