import type { ExplainContext, PointConfig } from '../spi/index.ts';
import { decodeRequest, type ModbusRequest } from './codec/request.ts';
import { MBAP_LENGTH } from './link/mbap.ts';
import { addressSpan, readFunction } from './point-rules.ts';

/** Addresses of one of the four tables of the data model, as the function that reads it has them (V1.1b3, 4.3). */
interface Range {
  readonly table: number;
  readonly start: number;
  readonly quantity: number;
}

/** True for a Modbus TCP frame that asks for the point or writes it, and for the answer to one. */
export function carriesMbap(bytes: Uint8Array, point: PointConfig, context: ExplainContext): boolean {
  const asked = context.isRequest ? bytes : context.request;
  return asked !== null && asked[MBAP_LENGTH - 1] === point.slave_id && touches(asked.subarray(MBAP_LENGTH), point, context);
}

/** The same of an RTU frame: unit, PDU and two octets of CRC. */
export function carriesRtu(bytes: Uint8Array, point: PointConfig, context: ExplainContext): boolean {
  const asked = context.isRequest ? bytes : context.request;
  return asked !== null && asked[0] === point.slave_id && touches(asked.subarray(1, -2), point, context);
}

function touches(pdu: Uint8Array, point: PointConfig, { settings }: ExplainContext): boolean {
  const first = point.address - settings.addressBase;
  const end = first + addressSpan(point).length;
  const table = readFunction(point);
  return rangesOf(pdu).some((range) => range.table === table && range.start < end && first < range.start + range.quantity);
}

function rangesOf(pdu: Uint8Array): readonly Range[] {
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
    case 43:
      return [];
    default:
      return [{ ...request, table: request.functionCode }];
  }
}
