import type { ServiceError } from '../mms/pdu.ts';

/** A service error without vendor code and text. */
export function serviceError({ errorClass, code }: Pick<ServiceError, 'errorClass' | 'code'>): ServiceError {
  return { errorClass, code, additionalCode: null, text: null };
}
