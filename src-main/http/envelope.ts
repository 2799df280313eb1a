import { AppError, ERROR_CODES, type ErrorCode, type FieldIssue, fieldIssue, toAppError } from '#shared/domain/errors.ts';
import { english, quoted, say } from '#shared/messages/index.ts';
import type { Message, MessageParams } from '#shared/messages/message.ts';

/** Body of every failed answer (contract `ErrorEnvelope`). */
export interface FailureBody {
  readonly code: number;
  readonly message: string;
  readonly message_code: string;
  readonly params: MessageParams;
  readonly error: string;
  readonly data: unknown;
}

/** The JSON text of a successful answer around its data, in pieces as the data is. */
export function successPieces(data: readonly string[], warnings: readonly FieldIssue[] | undefined): string[] {
  return ['{"code":200,"message":"success","data":', ...data, warnings ? `,"warnings":${JSON.stringify(warnings)}}` : '}'];
}

/** What Fastify calls its own refusals, in the words of the contract. */
const FRAMEWORK_ERRORS: Readonly<Record<string, (error: Error) => AppError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new AppError('CONFIG_TOO_LARGE', say('http.body_too_large')),
  FST_REQ_FILE_TOO_LARGE: () => new AppError('CONFIG_TOO_LARGE', say('http.file_too_large')),
  FST_PARTS_LIMIT: () => new AppError('CONFIG_TOO_LARGE', say('http.too_many_parts')),
  FST_FILES_LIMIT: () => new AppError('CONFIG_TOO_LARGE', say('http.too_many_files')),
  FST_FIELDS_LIMIT: () => new AppError('CONFIG_TOO_LARGE', say('http.too_many_fields')),
  FST_PROTO_VIOLATION: () => new AppError('CONFIG_NOT_JSON', say('http.field_name')),
  FST_MP_PREMATURE_CLOSE: () => new AppError('CONFIG_NOT_JSON', say('http.form_broken')),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new AppError('CONFIG_MEDIA_TYPE', say('http.media_type')),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => new AppError('CONFIG_NOT_JSON', say('http.body_short')),
  FST_STATIC_FORBIDDEN_PATH: () => new AppError('CONFIG_NOT_FOUND', say('http.path_outside')),
  FST_ERR_BAD_URL: () => new AppError('CONFIG_NOT_FOUND', say('http.bad_url')),
};

/** Turns whatever a request ran into, Fastify's own refusals included, into an error of the one list. */
export function errorOf(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const code = (thrown as { code?: unknown } | null)?.code;
  const translate = typeof code === 'string' ? FRAMEWORK_ERRORS[code] : undefined;
  if (translate && thrown instanceof Error) return translate(thrown);
  return refusalOf(thrown) ?? toAppError(thrown);
}

/** What the framework refuses (a status below 500 of its own) is a wrong request, also where nobody has words for it yet. */
function refusalOf(thrown: unknown): AppError | null {
  const { code, statusCode } = (thrown ?? {}) as { code?: unknown; statusCode?: unknown };
  if (!(thrown instanceof Error) || !String(code).startsWith('FST_') || typeof statusCode !== 'number' || statusCode >= 500) return null;
  if (statusCode === 404) return new AppError('CONFIG_NOT_FOUND', quoted(thrown.message));
  if (statusCode === 413) return new AppError('CONFIG_TOO_LARGE', quoted(thrown.message));
  return new AppError(statusCode === 415 ? 'CONFIG_MEDIA_TYPE' : 'CONFIG_NOT_JSON', quoted(thrown.message));
}

/**
 * Status and body of a failed answer. An internal fault says where its details are instead of showing them; a refusal of the device
 * (502) always carries `{kind, detail}`, wrong input (422) a list of what is wrong.
 */
export function failure(error: AppError, requestId: string): { status: number; body: FailureBody } {
  const status = ERROR_CODES[error.code].status;
  if (error.code === 'INTERNAL') {
    return { status, body: failureBody(error.code, say('http.internal', { request: requestId }), null) };
  }
  return { status, body: failureBody(error.code, error.said, error.data ?? defaultData(error, status)) };
}

/** The body of a failed answer, with the status of its code. */
export function failureBody(error: ErrorCode, said: Message, data: unknown): FailureBody {
  return { code: ERROR_CODES[error].status, message: english(said), message_code: said.code, params: said.params, error, data };
}

/** What the decisions promise for a status, where an error brings no data of its own. */
function defaultData(error: AppError, status: number): unknown {
  if (status === 502) return { kind: error.code, detail: error.message };
  if (status === 422) return [fieldIssue('', error.said)];
  return null;
}
