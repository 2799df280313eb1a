import { z } from 'zod';
import { ERROR_CODES, type ErrorCode } from '../domain/errors.ts';
import { say } from '../messages/index.ts';
import { type Message, type MessageParams, type MessagePart, type Names, names } from '../messages/message.ts';
import { mustBe, schemaWords } from '../messages/schema-words.ts';

/** No query or body fields. */
export const Nothing = z.object({});

const asNumber = z.number();
const wholeText = z
  .string()
  .regex(/^-?\d+$/)
  .transform(Number);
const numberText = z
  .string()
  .regex(/^\d+(\.\d+)?(e[+-]?\d+)?$/i)
  .transform(Number);

function makeQueryInt(min: number, max: number) {
  const type = names('a whole number', '整数');
  const expected = max === Number.MAX_SAFE_INTEGER ? say('field.at_least', { type, min }) : say('field.from_to', { type, min, max });
  return z
    .union([asNumber, wholeText], { error: mustBe(expected) })
    .pipe(z.int().check(z.gte(min), z.lte(max)))
    .meta({ type: 'integer', minimum: min, maximum: max });
}

function makeQueryNumber(min: number, max: number) {
  const expected = say('field.from_to', { type: names('a number', '数值'), min, max });
  return z
    .union([asNumber, numberText], { error: mustBe(expected) })
    .pipe(z.number().check(z.gte(min), z.lte(max)))
    .meta({ type: 'number', minimum: min, maximum: max });
}

/** An integer that arrives as text in a query (`page=1`) or as a number from the typed client. Equal bounds answer the same schema: a hundred fields have a dozen bounds. */
export const queryInt = oncePerBounds(makeQueryInt);

/** A number that arrives as text in a query, or as a number from the typed client; as `queryInt`. */
export const queryNumber = oncePerBounds(makeQueryNumber);

function oncePerBounds<Schema>(make: (min: number, max: number) => Schema): (min: number, max: number) => Schema {
  const made = new Map<string, Schema>();
  return (min, max) => {
    const bounds = `${min} ${max}`;
    const known = made.get(bounds) ?? make(min, max);
    made.set(bounds, known);
    return known;
  };
}

/** Neither control characters (C0, DEL, C1) nor halves of surrogate pairs: they can be neither shown nor written as UTF-8. */
const LINE = /^[^\p{Cc}\p{Cs}]*$/u;
/** As `LINE`, with line breaks and tabs. */
const PROSE = /^(?:[^\p{Cc}\p{Cs}]|[\t\n\r])*$/u;

/** Arguments of `.regex()` for text of one line that somebody enters: a name, a code, a path. What is stored already is taken as it is. */
export const lineOfText = [LINE, { error: schemaWords(say('field.plain_line')) }] as const;

/** As `lineOfText`, for text that may have several lines: a note. */
export const linesOfText = [PROSE, { error: schemaWords(say('field.plain_text')) }] as const;

/** True for text that `lineOfText` takes, or `linesOfText` with `isProse`. */
export function isPlainText(text: string, isProse: boolean): boolean {
  return (isProse ? PROSE : LINE).test(text);
}

/** Positive identifier of a channel or point. */
export const Id = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

/** UTC time, ISO 8601 with milliseconds and Z. */
export const Timestamp = z.iso.datetime({ precision: 3 });

export const ProtocolTypeSchema = z.literal([1, 2, 3, 4, 5]).describe('1 Modbus TCP, 2 Modbus RTU, 3 IEC 104, 4 DL/T 645, 5 IEC 61850');
export const ConnTypeSchema = z.literal([0, 1, 2, 3]).describe('0 RTU master, 1 TCP server, 2 TCP client, 3 RTU slave');
export const FrameTypeSchema = z.literal([0, 1, 2, 3]).describe('0 YC telemetry, 1 YX signalling, 2 YK control, 3 YT setpoint');

const NamesSchema: z.ZodType<Names> = z.object({ en: z.string(), zh: z.string() }).describe('a name out of a table, in both languages');
const MessagePartSchema: z.ZodType<MessagePart> = z.union([z.string(), z.number(), NamesSchema, z.lazy(() => MessageSchema)]);

export const MessageParamsSchema: z.ZodType<MessageParams> = z
  .record(z.string(), z.union([MessagePartSchema, z.array(MessagePartSchema)]))
  .describe('what stands in it: numbers, words, names in both languages, messages, lists of these');

/**
 * What a text says, as data: stands as `x_message` beside a text field `x`, as `last_error_info` beside `last_error`, or as `message_code` and `params` beside a `message`. Left out where
 * nothing is said, or only the text is known.
 */
export const MessageSchema: z.ZodType<Message> = z
  .object({
    code: z.string().describe('stable name of the sentence, e.g. modbus.exception'),
    params: MessageParamsSchema,
  })
  .meta({ id: 'Message', examples: [{ code: 'publish.silent', params: { url: 'mqtt://192.168.1.20:1883', ms: 10_000 } }] });

/** A place in the input that is wrong, as the list in `data` of a 422 answer. */
export const FieldIssueSchema = z.object({
  path: z.string().describe('dotted path into the request, e.g. points.3.address; empty for the whole body'),
  message: z.string(),
  message_code: z.string().optional(),
  params: MessageParamsSchema.optional(),
});

/** The stable codes of failures; later versions may add some. */
export const ErrorCodeSchema = z
  .enum(Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]])
  .describe('what failed, as a stable code: programs branch on it, never on a message; later versions may add codes');

/** Answer of every failed operation. `code` equals the HTTP status, `error` is the stable code of docs/guide/errors.md. */
export const ErrorEnvelope = z.object({
  code: z.int().describe('the HTTP status'),
  message: z.string().describe('what happened, and what would be right, in English'),
  message_code: z.string().describe('name of the sentence in `message`'),
  params: MessageParamsSchema,
  error: ErrorCodeSchema,
  data: z.unknown().describe('what the code needs beside it, e.g. the list of FieldIssue of 422; null where there is nothing'),
});
