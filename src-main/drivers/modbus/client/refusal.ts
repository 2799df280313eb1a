import type { AppError } from '#shared/domain/errors.ts';

/** An exception answer, as the cause of a `DEVICE_EXCEPTION`. */
export class ModbusRefusal {
  readonly exception: number;

  constructor(exception: number) {
    this.exception = exception;
  }
}

/** The exception answer an error was made of; null for any other error. */
export function refusalOf(error: AppError): ModbusRefusal | null {
  return error.cause instanceof ModbusRefusal ? error.cause : null;
}
