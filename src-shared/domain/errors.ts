import { english, inARow, quoted, say } from '../messages/index.ts';
import type { Message, MessageParams } from '../messages/message.ts';

/**
 * The one list of error codes. A code is stable: programs branch on it, never on a message.
 * `status` is the HTTP status the code answers with (decisions, "Envelope and errors").
 * docs/guide/errors.md says for each code its cause and the next step; a test keeps page, list and translations together.
 */
export const ERROR_CODES = {
  // the connection to the device
  TRANSPORT_REFUSED: { status: 503 },
  TRANSPORT_UNREACHABLE: { status: 503 },
  TRANSPORT_LOST: { status: 503 },
  TRANSPORT_NOT_CONNECTED: { status: 503 },
  TRANSPORT_PORT_TAKEN: { status: 409 },
  TRANSPORT_PORT_MISSING: { status: 503 },
  TRANSPORT_PERMISSION: { status: 503 },
  // octets that are no frame, or not a frame for us
  FRAME_NOISE: { status: 502 },
  FRAME_CHECKSUM: { status: 502 },
  FRAME_LENGTH: { status: 502 },
  // frames that break the rules of their protocol
  PROTOCOL_MISMATCH: { status: 502 },
  PROTOCOL_MALFORMED: { status: 502 },
  PROTOCOL_REFUSED: { status: 502 },
  // the device answered, and refused
  DEVICE_EXCEPTION: { status: 502 },
  DEVICE_REJECTED: { status: 502 },
  // the device did not answer in time
  TIMEOUT_RESPONSE: { status: 504 },
  TIMEOUT_CONNECT: { status: 504 },
  TIMEOUT_SUSPENDED: { status: 504 },
  // the request does not fit the present state
  STATE_CONFLICT: { status: 409 },
  STATE_NOT_STARTED: { status: 409 },
  STATE_READ_ONLY: { status: 409 },
  STATE_STORE: { status: 409 },
  STATE_STORE_LOST: { status: 409 },
  STATE_STORE_FULL: { status: 507 },
  STATE_DAMAGED: { status: 409 },
  STATE_BUSY: { status: 429 },
  // the request itself is wrong
  CONFIG_INVALID: { status: 422 },
  CONFIG_RANGE: { status: 422 },
  CONFIG_NOT_FOUND: { status: 404 },
  CONFIG_NOT_JSON: { status: 400 },
  CONFIG_MEDIA_TYPE: { status: 415 },
  CONFIG_TOO_LARGE: { status: 413 },
  // who asks
  ACCESS_TOKEN: { status: 401 },
  ACCESS_ORIGIN: { status: 403 },
  ACCESS_ROLE: { status: 403 },
  CANCELLED: { status: 409 },
  INTERNAL: { status: 500 },
} as const satisfies Record<string, { readonly status: number }>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** A place in the input that is wrong: dotted path (`points.3.address`; empty for the whole body) and what would be right. */
export interface FieldIssue {
  readonly path: string;
  readonly message: string;
  /** What `message` says, as data. */
  readonly message_code: string;
  readonly params: MessageParams;
}

/** A place in the input with what is wrong there. */
export function fieldIssue(path: string, said: Message): FieldIssue {
  return { path, message: english(said), message_code: said.code, params: said.params };
}

/** An issue as it comes over a wire: of an older service only the words may be known. */
export type ReceivedIssue = Pick<FieldIssue, 'path' | 'message'> & {
  readonly message_code?: string | undefined;
  readonly params?: MessageParams | undefined;
};

/** What an issue says, as a message. */
export function issueMessage({ message, message_code, params }: ReceivedIssue): Message {
  return message_code === undefined ? quoted(message) : { code: message_code, params: params ?? {} };
}

export interface AppErrorOptions {
  /** Answer data of the HTTP envelope: field issues, a task snapshot, `{kind, detail}` of a refusal. */
  readonly data?: unknown;
  readonly cause?: unknown;
  /** English words that were made elsewhere, by a service that may know more messages. */
  readonly text?: string;
}

/**
 * The only error type that crosses a module boundary. `said` is what was wrong and what would be right, as data; `message` are its
 * English words, for the log and for programs.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly said: Message;
  readonly data: unknown;

  constructor(code: ErrorCode, said: Message, options: AppErrorOptions = {}) {
    super(options.text ?? english(said), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.said = said;
    this.data = options.data ?? null;
  }

  /** HTTP status of this error's code. */
  get status(): number {
    return ERROR_CODES[this.code].status;
  }
}

/** Turns whatever was thrown into an AppError; an unknown thing becomes `INTERNAL` with the original as cause. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new AppError('INTERNAL', quoted(message), { cause: thrown });
}

/** Issues named in the message of a 422; the list in its data has them all. */
const SPOKEN_ISSUES = 5;

/** A 422 about one place. */
export function invalidField(path: string, said: Message): AppError {
  return invalidInput([fieldIssue(path, said)]);
}

/** A 422 with its list of field issues; the message joins the first ones for people who only see the text. */
export function invalidInput(issues: readonly FieldIssue[]): AppError {
  const spoken = issues.slice(0, SPOKEN_ISSUES).map((issue) => {
    const message = issueMessage(issue);
    return issue.path ? say('common.issue', { path: issue.path, message }) : message;
  });
  if (issues.length > SPOKEN_ISSUES) spoken.push(say('common.more', { count: issues.length - SPOKEN_ISSUES }));
  return new AppError('CONFIG_INVALID', inARow(spoken), { data: issues });
}

/** True when `error` says that somebody asked for the end, which is no failure (service document 3.1 rule 2). */
export function isCancelled(error: unknown): boolean {
  return error instanceof AppError && error.code === 'CANCELLED';
}
