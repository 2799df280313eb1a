/** Refusals of a server as errors of the house. */
import { AppError } from '#shared/domain/errors.ts';
import type { ServiceError } from '../mms/pdu.ts';
import { errorWords, rejectWords } from '../mms/words.ts';

/** What `AppError.data` holds when a server refuses a request: `DEVICE_EXCEPTION` for an error, `DEVICE_REJECTED` for a reject. */
export type MmsRefusal =
  | { readonly kind: 'service-error'; readonly detail: string; readonly error: ServiceError }
  | { readonly kind: 'reject'; readonly detail: string; readonly reason: number; readonly code: number };

/** Why the server refused the request that failed with `error`; null when it was no refusal. */
export function refusalOf(error: AppError): MmsRefusal | null {
  const isRefusal = error.code === 'DEVICE_EXCEPTION' || error.code === 'DEVICE_REJECTED';
  return isRefusal && error.data !== null ? (error.data as MmsRefusal) : null;
}

/** The error of a request that was answered with a confirmed error. */
export function serviceError(error: ServiceError): AppError {
  const detail = errorWords(error);
  const data: MmsRefusal = { kind: 'service-error', detail, error };
  return new AppError('DEVICE_EXCEPTION', `The device refused the request: ${detail}.`, { data });
}

/** The error of a request that was answered with a reject. */
export function rejected(reason: number, code: number): AppError {
  const detail = rejectWords(reason, code);
  const data: MmsRefusal = { kind: 'reject', detail, reason, code };
  return new AppError('DEVICE_REJECTED', `The device rejected the request: ${detail}.`, { data });
}
