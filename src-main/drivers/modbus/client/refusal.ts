import { AppError } from '#shared/domain/errors.ts';
import { english, say } from '#shared/messages/index.ts';
import { addressText } from '../address.ts';
import { exceptionMessage, functionMessage } from '../codec/functions.ts';
import type { ReadRange } from './answers.ts';

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

/** That a read was refused, with an exception of 1 to 255. */
export function readRefused({ slaveId, functionCode, start, quantity }: ReadRange, exception: number): AppError {
  const said = say('modbus.refused', {
    unit: slaveId,
    exception: exceptionMessage(exception),
    function: functionMessage(functionCode),
    address: addressText(start),
    quantity,
  });
  const data = { kind: 'exception', detail: english(said) };
  return new AppError('DEVICE_EXCEPTION', said, { data, cause: new ModbusRefusal(exception) });
}
