/** What masters asked of our server, or of others on a line that is listened to, and no point has: the map of the device as they know it. Bounded. */
import { FrameType } from '#shared/domain/enums.ts';
import type { DriverMemory } from '../../spi/index.ts';
import type { UnknownObject, UnknownObjectList } from '../../spi/operations.ts';
import { decodeRequest, type ModbusRequest } from '../codec/request.ts';
import type { ReadFunction } from '../point-rules.ts';

const MOST_OBJECTS = 10_000;
const MEMORY = 'asked objects';

/** Point type and function of what a request asks for. */
interface Asked {
  readonly functionCode: number;
  readonly frameType: FrameType;
  /** Area of the image. */
  readonly area: ReadFunction;
  readonly start: number;
  readonly quantity: number;
}

interface Entry {
  readonly unitId: number;
  readonly address: number;
  readonly asked: Omit<Asked, 'start' | 'quantity'>;
  count: number;
  /** What was written last, or answered. */
  value: number;
  readonly firstSeen: number;
  lastSeen: number;
}

/** True where an address is served now. */
type IsServed = (unitId: number, area: ReadFunction, address: number) => boolean;

export class AskedObjects {
  readonly #entries = new Map<string, Entry>();
  #dropped = 0;
  #isServed: IsServed = () => false;
  #addressBase = 0;

  /** `addressBase` is added to addresses as they travel to give those of the table. */
  serve(isServed: IsServed, addressBase: number): void {
    this.#isServed = isServed;
    this.#addressBase = addressBase;
  }

  /** Notes the addresses that a request to a unit without points asks for; one that is no request is left out. */
  notePdu(unitId: number, pdu: Uint8Array, wallMs: number): void {
    let request: ModbusRequest;
    try {
      request = decodeRequest(pdu);
    } catch {
      return;
    }
    this.note(unitId, request, wallMs);
  }

  /** Notes the addresses of a request that nobody serves; `answered` are the data of its answer, where that was heard. */
  note(unitId: number, request: ModbusRequest, wallMs: number, answered?: Uint8Array): void {
    for (const asked of askedOf(request)) {
      for (let at = 0; at < asked.quantity; at++) {
        const address = asked.start + at;
        const value = answered ? answeredAt(asked.functionCode, answered, at) : writtenTo(request, at);
        if (!this.#isServed(unitId, asked.area, address)) this.#noteOne(unitId, address, asked, wallMs, value);
      }
    }
  }

  #noteOne(unitId: number, address: number, asked: Asked, wallMs: number, written: number): void {
    const key = `${unitId} ${asked.functionCode} ${address}`;
    let entry = this.#entries.get(key);
    if (!entry) {
      if (this.#entries.size >= MOST_OBJECTS) {
        this.#dropped += 1;
        return;
      }
      entry = { unitId, address, asked, count: 0, value: 0, firstSeen: wallMs, lastSeen: wallMs };
      this.#entries.set(key, entry);
    }
    entry.count += 1;
    entry.value = written;
    entry.lastSeen = wallMs;
  }

  /** By unit, function and address; what is served by now is left out. */
  list(): UnknownObjectList {
    const items = [...this.#entries.values()]
      .filter(({ unitId, asked, address }) => !this.#isServed(unitId, asked.area, address))
      .sort((a, b) => a.unitId - b.unitId || a.asked.functionCode - b.asked.functionCode || a.address - b.address)
      .map((entry) => this.#describe(entry));
    return { items, dropped: this.#dropped };
  }

  #describe({ unitId, address, asked, count, value, firstSeen, lastSeen }: Entry): UnknownObject {
    const { functionCode, frameType } = asked;
    return {
      slaveId: unitId,
      address: address + this.#addressBase,
      typeText: `FC ${functionCode}`,
      frameType,
      funcCode: functionCode,
      decode: '0x20',
      protocol: {},
      count,
      value,
      valueText: '',
      flags: [],
      sourceTime: null,
      firstSeen,
      lastSeen,
    };
  }
}

/** What the connections of a channel have been asked for. */
export function askedObjectsOf(memory: DriverMemory): AskedObjects {
  const known = memory.get(MEMORY);
  if (known instanceof AskedObjects) return known;
  const made = new AskedObjects();
  memory.set(MEMORY, made);
  return made;
}

/** What a request asks for as points; a write of several registers as well is one setpoint a register. */
function askedOf(request: ModbusRequest): readonly Asked[] {
  switch (request.functionCode) {
    case 1:
    case 2:
    case 3:
    case 4: {
      const { functionCode, start, quantity } = request;
      return [{ functionCode, frameType: functionCode <= 2 ? FrameType.yx : FrameType.yc, area: functionCode, start, quantity }];
    }
    case 5:
      return [{ functionCode: 5, frameType: FrameType.yk, area: 1, start: request.address, quantity: 1 }];
    case 15:
      return [{ functionCode: 15, frameType: FrameType.yk, area: 1, start: request.start, quantity: request.quantity }];
    case 6:
    case 22:
      return [{ functionCode: 6, frameType: FrameType.yt, area: 3, start: request.address, quantity: 1 }];
    case 16:
      return [{ functionCode: 16, frameType: FrameType.yt, area: 3, start: request.start, quantity: request.quantity }];
    case 23: {
      const { readStart, readQuantity, writeStart, writeQuantity } = request;
      return [
        { functionCode: 3, frameType: FrameType.yc, area: 3, start: readStart, quantity: readQuantity },
        { functionCode: 16, frameType: FrameType.yt, area: 3, start: writeStart, quantity: writeQuantity },
      ];
    }
    default:
      return [];
  }
}

/** What an answer says of the address `at` places behind the first one. */
function answeredAt(functionCode: number, data: Uint8Array, at: number): number {
  if (functionCode <= 2) return ((data[at >> 3] ?? 0) >> (at & 7)) & 1;
  return ((data[2 * at] ?? 0) << 8) | (data[2 * at + 1] ?? 0);
}

/** What a request writes to the address `at` places behind its start; 0 for one that writes nothing. */
function writtenTo(request: ModbusRequest, at: number): number {
  if (request.functionCode === 5) return request.on ? 1 : 0;
  if (request.functionCode === 6) return request.value;
  if (request.functionCode === 15) return ((request.octets[at >> 3] ?? 0) >> (at & 7)) & 1;
  if (request.functionCode === 16) return ((request.octets[2 * at] ?? 0) << 8) | (request.octets[2 * at + 1] ?? 0);
  return 0;
}
