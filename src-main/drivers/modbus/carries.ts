import type { CarriedPoints, ExplainContext } from '../spi/index.ts';
import { decodeRequest, type ModbusRequest } from './codec/request.ts';
import { MBAP_LENGTH } from './link/mbap.ts';
import { addressSpan, readFunction } from './point-rules.ts';
import { framingOf } from './rtu/settings.ts';

/** Addresses of one of the four tables of the data model, as the function that reads it has them (V1.1b3, 4.3). */
export interface Range {
  readonly table: number;
  readonly start: number;
  readonly quantity: number;
}

/** Points that a Modbus TCP frame asks for or writes, or answers so. */
export function carriedByMbap(bytes: Uint8Array, context: ExplainContext): CarriedPoints | null {
  const asked = context.isRequest ? bytes : context.request;
  return asked && carried(asked[MBAP_LENGTH - 1], asked.subarray(MBAP_LENGTH), context);
}

/** The same of a frame of RTU or ASCII, as the channel has them. */
export function carriedByLine(bytes: Uint8Array, context: ExplainContext): CarriedPoints | null {
  const asked = context.isRequest ? bytes : context.request;
  const body = asked && framingOf(context.settings.protocol).bodyOf(asked);
  return body && carried(body[0], body.subarray(1), context);
}

function carried(unit: number | undefined, pdu: Uint8Array, { settings }: ExplainContext): CarriedPoints | null {
  const ranges = rangesOf(pdu);
  if (ranges.length === 0) return null;
  return (point) => {
    if (point.slave_id !== unit) return false;
    const first = point.address - settings.addressBase;
    const end = first + addressSpan(point).length;
    const table = readFunction(point);
    return ranges.some((range) => range.table === table && range.start < end && first < range.start + range.quantity);
  };
}

/** Ranges that a request PDU names; none for one that cannot be read. */
export function rangesOf(pdu: Uint8Array): readonly Range[] {
  try {
    return rangesAsked(decodeRequest(pdu));
  } catch {
    return [];
  }
}

function rangesAsked(request: ModbusRequest): readonly Range[] {
  switch (request.functionCode) {
    case 5:
      return [{ table: 1, start: request.address, quantity: 1 }];
    case 6:
    case 22:
      return [{ table: 3, start: request.address, quantity: 1 }];
    case 15:
      return [{ ...request, table: 1 }];
    case 16:
      return [{ ...request, table: 3 }];
    case 23:
      return [
        { table: 3, start: request.writeStart, quantity: request.writeQuantity },
        { table: 3, start: request.readStart, quantity: request.readQuantity },
      ];
    case 1:
    case 2:
    case 3:
    case 4:
      return [{ ...request, table: request.functionCode }];
    case 24:
      return [{ table: 3, start: request.address, quantity: 1 }];
    default:
      return [];
  }
}
