import type { FieldIssue } from '#shared/domain/errors.ts';
import { AppError, ERROR_CODES, toAppError } from '#shared/domain/errors.ts';

/** Body of every failed answer (contract `ErrorEnvelope`). */
export interface FailureBody {
  readonly code: number;
  readonly message: string;
  readonly error: string;
  readonly data: unknown;
}

/** The JSON text of a successful answer around its data, in pieces as the data is. */
export function successPieces(data: readonly string[], warnings: readonly FieldIssue[] | undefined): string[] {
  return ['{"code":200,"message":"success","data":', ...data, warnings ? `,"warnings":${JSON.stringify(warnings)}}` : '}'];
}

/** What Fastify calls its own refusals, in the words of the contract. */
const FRAMEWORK_ERRORS: Readonly<Record<string, (error: Error) => AppError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () =>
    new AppError('CONFIG_TOO_LARGE', 'The body is larger than this operation takes; send it in smaller parts.'),
  FST_REQ_FILE_TOO_LARGE: () => new AppError('CONFIG_TOO_LARGE', 'The file is larger than this operation takes.'),
  FST_PARTS_LIMIT: () => new AppError('CONFIG_TOO_LARGE', 'The form has more parts than the one file this operation takes.'),
  FST_FILES_LIMIT: () => new AppError('CONFIG_TOO_LARGE', 'The form has more files than the one this operation takes.'),
  FST_FIELDS_LIMIT: () => new AppError('CONFIG_TOO_LARGE', 'The form has more fields than the one file this operation takes.'),
  FST_PROTO_VIOLATION: () => new AppError('CONFIG_NOT_JSON', 'A field of the form has a name that no field can have.'),
  FST_MP_PREMATURE_CLOSE: () => new AppError('CONFIG_NOT_JSON', 'The form with the file broke off before its end.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new AppError('CONFIG_MEDIA_TYPE', 'The body has to be JSON, with the header Content-Type: application/json.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new AppError('CONFIG_NOT_JSON', 'The body ended before the length that its Content-Length header announced.'),
  FST_STATIC_FORBIDDEN_PATH: () => new AppError('CONFIG_NOT_FOUND', 'The path leads out of the pages; /docs lists what there is.'),
  FST_ERR_BAD_URL: () => new AppError('CONFIG_NOT_FOUND', 'The path is not a valid URL: a percent sign has to begin a two-digit code.'),
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
  if (statusCode === 404) return new AppError('CONFIG_NOT_FOUND', thrown.message);
  if (statusCode === 413) return new AppError('CONFIG_TOO_LARGE', thrown.message);
  return new AppError(statusCode === 415 ? 'CONFIG_MEDIA_TYPE' : 'CONFIG_NOT_JSON', thrown.message);
}

/**
 * Status and body of a failed answer. An internal fault says where its details are instead of showing them; a refusal of the device
 * (502) always carries `{kind, detail}`, wrong input (422) a list of what is wrong.
 */
export function failure(error: AppError, requestId: string): { status: number; body: FailureBody } {
  const status = ERROR_CODES[error.code].status;
  if (error.code === 'INTERNAL') {
    const message = `The service met an internal fault; its log has the details under request ${requestId}.`;
    return { status, body: { code: status, message, error: error.code, data: null } };
  }
  return { status, body: { code: status, message: error.message, error: error.code, data: error.data ?? defaultData(error, status) } };
}

/** What the decisions promise for a status, where an error brings no data of its own. */
function defaultData(error: AppError, status: number): unknown {
  if (status === 502) return { kind: error.code, detail: error.message };
  if (status === 422) return [{ path: '', message: error.message }] satisfies FieldIssue[];
  return null;
}
