import { FrameType } from '#shared/domain/enums.ts';
import { u8 } from '../../../protocol-kit/bytes.ts';
import type { CapturedPlace, CapturedRead } from '../../spi/index.ts';
import { unpackBits } from '../client/answers.ts';
import { decodeRequest } from '../codec/request.ts';
import { exceptionOf } from '../codec/response.ts';

/** In front of the data of a read answer: function code and byte count. */
const DATA_AT = 2;
const AREAS: Readonly<Record<number, string>> = { 1: 'C', 2: 'DI', 3: 'HR', 4: 'IR' };

/** Turns requests and their answers into values of addresses. */
export class AnsweredReads {
  readonly #places = new Map<string, CapturedPlace>();

  /** A value for each address that was read; empty where the request reads none, or the answer is a refusal or does not fit. */
  of(unitId: number, request: Uint8Array, answer: Uint8Array): CapturedRead {
    if (exceptionOf(answer) !== 0 || u8(answer, 0) !== u8(request, 0)) return [];
    const asked = requestOf(request);
    if (!asked || !('quantity' in asked) || !('start' in asked)) return [];
    const { functionCode, start, quantity } = asked;
    if (functionCode < 1 || functionCode > 4) return [];
    const isBits = functionCode <= 2;
    const data = answer.subarray(DATA_AT);
    const octets = isBits ? Math.ceil(quantity / 8) : 2 * quantity;
    if (data.length !== octets || u8(answer, 1) !== octets) return [];
    const numbers = isBits ? [...unpackBits(data, quantity)] : registersOf(data);
    return numbers.map((value, at) => ({ place: this.#placeOf(unitId, functionCode, start + at), value, flags: [] }));
  }

  #placeOf(unitId: number, functionCode: number, address: number): CapturedPlace {
    const column = `${unitId}:${functionCode}:${address}`;
    const known = this.#places.get(column);
    if (known) return known;
    const isBit = functionCode <= 2;
    const place: CapturedPlace = {
      column,
      point: {
        frame_type: isBit ? FrameType.yx : FrameType.yc,
        code: `U${unitId}_${AREAS[functionCode] ?? ''}${address}`,
        slave_id: unitId,
        address,
        func_code: functionCode,
        ...(isBit ? {} : { decode: '0x20' }),
        protocol: {},
      },
    };
    this.#places.set(column, place);
    return place;
  }
}

function requestOf(pdu: Uint8Array) {
  try {
    return decodeRequest(pdu);
  } catch {
    return null;
  }
}

function registersOf(data: Uint8Array): number[] {
  return Array.from({ length: data.length / 2 }, (_, at) => (u8(data, 2 * at) << 8) | u8(data, 2 * at + 1));
}
