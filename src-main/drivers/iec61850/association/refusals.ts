/** Refusals of a server as errors of the house. */

import { AppError } from '#shared/domain/errors.ts';
import { english, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { ServiceError } from '../mms/pdu.ts';
import { errorText, rejectText } from '../mms/words.ts';

/** Why a server refused a request: an error is `DEVICE_EXCEPTION`, a reject `DEVICE_REJECTED`. */
export type MmsRefusal =
  | { readonly kind: 'service-error'; readonly detail: Message; readonly error: ServiceError }
  | { readonly kind: 'reject'; readonly detail: Message; readonly reason: number; readonly code: number };

/** Beside the errors: what `AppError.data` holds goes out with the answers of the API, which have kind and detail only. */
const refusals = new WeakMap<AppError, MmsRefusal>();

/** Why the server refused the request that failed with `error`; null when it was no refusal. */
export function refusalOf(error: AppError): MmsRefusal | null {
  return refusals.get(error) ?? null;
}

/** The error of a request that was answered with a confirmed error. */
export function serviceError(error: ServiceError): AppError {
  const detail = errorText(error);
  const refusal = { kind: 'service-error', detail, error } as const;
  return refused('DEVICE_EXCEPTION', say('iec61850.refused_request', { detail }), refusal);
}

/** The error of a request that was answered with a reject. */
export function rejected(reason: number, code: number): AppError {
  const detail = rejectText(reason, code);
  const refusal = { kind: 'reject', detail, reason, code } as const;
  return refused('DEVICE_REJECTED', say('iec61850.rejected_request', { detail }), refusal);
}

function refused(code: 'DEVICE_EXCEPTION' | 'DEVICE_REJECTED', message: Message, refusal: MmsRefusal): AppError {
  const { kind, detail } = refusal;
  const error = new AppError(code, message, { data: { kind, detail: english(detail) } });
  refusals.set(error, refusal);
  return error;
}

const RESOURCE_CLASS = 3;
const SERVICE_CLASS = 4;
const PDU_SIZE_CODE = 3;
/** Reject of a PDU as a whole. */
const PDU_REJECTED = 5;

/** True for an answer that says that the question, or its answer, was too much at once. */
export function isTooMuch(error: AppError): boolean {
  if (error.code === 'CONFIG_RANGE') return true;
  const refusal = refusalOf(error);
  if (refusal?.kind === 'reject') return refusal.reason === PDU_REJECTED;
  if (refusal?.kind !== 'service-error') return false;
  const { errorClass, code } = refusal.error;
  return errorClass === RESOURCE_CLASS || (errorClass === SERVICE_CLASS && code === PDU_SIZE_CODE);
}

/**
 * True for an error that ends one request and says nothing of others: refused, too much at once, an answer that cannot be read, or none in time. False where
 * the association or the request itself was given up.
 */
export function isOfOneRequest(error: AppError): boolean {
  return refusalOf(error) !== null || error.code === 'TIMEOUT_RESPONSE' || isTooMuch(error) || error.code.startsWith('PROTOCOL_');
}

/** True for an answer that cannot be used as a whole: another number of results than was asked for, octets that cannot be read. */
export function isUnusable({ code }: AppError): boolean {
  return code === 'PROTOCOL_MISMATCH' || code === 'PROTOCOL_MALFORMED';
}
