/** What our server answers to one request PDU (V1.1b3, 6 and 7): pure but for the image it reads and writes. */
import { putU16, u8, u16 } from '../../../protocol-kit/bytes.ts';
import type { PointReading } from '../../spi/index.ts';
import { bitOctets } from '../codec/checks.ts';
import { EXCEPTION_BIT, Exception, FUNCTION_NAMES } from '../codec/functions.ts';
import { decodeRequest, type IdentificationRequest, MEI_IDENTIFICATION, type ModbusRequest } from '../codec/request.ts';
import { encodeResponse } from '../codec/response.ts';
import { Diagnostics } from '../codec/service-functions.ts';
import type { ReadFunction } from '../point-rules.ts';
import type { Identity } from './identity.ts';
import type { ImageArea } from './image-area.ts';
import type { ServedDevice } from './served-device.ts';
import type { Serving } from './serving.ts';

type Areas = ReadonlyMap<ReadFunction, ImageArea>;

export interface ServerAnswer {
  /** Null: nothing is answered. */
  readonly pdu: Uint8Array | null;
  /** Readings of the points that the request changed. */
  readonly changed: readonly PointReading[];
}

/** Conformity: basic identification, as a stream and one by one. */
const BASIC_CONFORMITY = 0x81;
const COILS = 1;
const HOLDING_REGISTERS = 3;
const NOTHING: readonly PointReading[] = [];
const NO_OCTETS = new Uint8Array(0);

/** The unit that is asked, and the device it is a part of. */
export interface AskedUnit {
  readonly unitId: number;
  readonly areas: Areas;
  readonly device: ServedDevice;
  /** Told of a request to an address that nobody serves. Left out: nobody wants to know. */
  asked?: ((request: ModbusRequest) => void) | undefined;
  /** Exception that a request to these addresses is refused with on purpose; null for none. Left out: none. */
  exceptionAt?: ((address: number, count: number) => number | null) | undefined;
}

/** The answer of the unit that is asked: to one without a point exception 11. */
export function unitAnswer({ image, device, asked, io }: Serving, unitId: number, pdu: Uint8Array): ServerAnswer {
  const areas = image.unit(unitId);
  if (!areas) return exceptionAnswer(u8(pdu, 0), Exception.gatewayTargetFailed);
  const note = (request: ModbusRequest) => asked.note(unitId, request, io.clock.wallMs());
  return answerRequest(pdu, { unitId, areas, device, asked: note, exceptionAt: io.exceptionAt });
}

/**
 * Answers a request to a unit. Unknown function or MEI type: exception 1; a quantity, length or value outside the standard: exception 3;
 * an address without a point: exception 2. A unit that listens only answers nothing.
 */
export function answerRequest(pdu: Uint8Array, unit: AskedUnit): ServerAnswer {
  const { device, unitId } = unit;
  const isRestart = u8(pdu, 0) === 8 && u16(pdu, 1) === Diagnostics.restartCommunications;
  if (device.received(unitId, isRestart)) return SILENCE;
  const made = carryOut(pdu, unit);
  device.answering(unitId, u8(pdu, 0), made.pdu);
  return made;
}

const SILENCE: ServerAnswer = { pdu: null, changed: NOTHING };

function carryOut(pdu: Uint8Array, unit: AskedUnit): ServerAnswer {
  const functionCode = u8(pdu, 0);
  const isUnknown = FUNCTION_NAMES[functionCode] === undefined || (functionCode === 43 && u8(pdu, 1) !== MEI_IDENTIFICATION);
  if (isUnknown) return exceptionAnswer(functionCode, Exception.illegalFunction);
  let request: ModbusRequest;
  try {
    request = decodeRequest(pdu);
  } catch {
    return exceptionAnswer(functionCode, Exception.illegalDataValue);
  }
  const refused = refusal(request, unit);
  if (refused !== null) return exceptionAnswer(functionCode, refused);
  const made = answer(request, pdu, unit);
  if (made) return made;
  unit.asked?.(request);
  return exceptionAnswer(functionCode, Exception.illegalDataAddress);
}

/** The exception that this request is refused with on purpose. */
function refusal(request: ModbusRequest, { exceptionAt }: AskedUnit): number | null {
  if (!exceptionAt) return null;
  if ('start' in request) return exceptionAt(request.start, request.quantity);
  if ('address' in request) return exceptionAt(request.address, 1);
  if ('readStart' in request) {
    return exceptionAt(request.readStart, request.readQuantity) ?? exceptionAt(request.writeStart, request.writeQuantity);
  }
  return null;
}

/** An exception answer to this function. */
function exceptionAnswer(functionCode: number, exception: number): ServerAnswer {
  return { pdu: Uint8Array.of(functionCode | EXCEPTION_BIT, exception), changed: NOTHING };
}

/** Null: an address does not exist. */
function answer(request: ModbusRequest, pdu: Uint8Array, asked: AskedUnit): ServerAnswer | null {
  const { areas: unit, unitId, device } = asked;
  const writeRegisters = (start: number, quantity: number, answered: Uint8Array, change: (octets: Uint8Array) => void) => {
    const area = unit.get(HOLDING_REGISTERS);
    const written = write(area, start, quantity, answered, change);
    if (written) device.queued(unitId, start, area?.view(start, quantity) ?? NO_OCTETS);
    return written;
  };
  switch (request.functionCode) {
    case 1:
    case 2:
      return readBits(request.functionCode, unit.get(request.functionCode)?.view(request.start, request.quantity));
    case 3:
    case 4:
      return readRegisters(request.functionCode, unit.get(request.functionCode)?.view(request.start, request.quantity));
    case 5:
      return write(unit.get(COILS), request.address, 1, pdu, (octets) => {
        octets[0] = request.on ? 1 : 0;
      });
    case 6:
      return writeRegisters(request.address, 1, pdu, (octets) => putU16(octets, 0, request.value));
    case 15:
      return write(unit.get(COILS), request.start, request.quantity, pdu.slice(0, 5), (octets) => {
        for (let at = 0; at < request.quantity; at++) octets[at] = (u8(request.octets, at >> 3) >> (at & 7)) & 1;
      });
    case 16:
      return writeRegisters(request.start, request.quantity, pdu.slice(0, 5), (octets) => octets.set(request.octets));
    case 22:
      return writeRegisters(request.address, 1, pdu, (octets) => {
        const { andMask, orMask } = request;
        putU16(octets, 0, (u16(octets, 0) & andMask) | (orMask & ~andMask));
      });
    case 23: {
      const read = unit.get(HOLDING_REGISTERS)?.view(request.readStart, request.readQuantity);
      if (!read) return null;
      const written = writeRegisters(request.writeStart, request.writeQuantity, pdu, (octets) => octets.set(request.octets));
      return written && { pdu: dataAnswer(23, read), changed: written.changed };
    }
    case 43:
      return identify(request, device.identity);
    default: {
      const outcome = device.answer(request, unitId, unit);
      if (outcome === 'address') return null;
      if (outcome === 'value') return exceptionAnswer(request.functionCode, Exception.illegalDataValue);
      return { pdu: outcome.pdu, changed: NOTHING };
    }
  }
}

function readBits(functionCode: number, bits: Uint8Array | null | undefined): ServerAnswer | null {
  if (!bits) return null;
  const pdu = new Uint8Array(2 + bitOctets(bits.length));
  pdu[0] = functionCode;
  pdu[1] = pdu.length - 2;
  for (let at = 0; at < bits.length; at++) if (bits[at] === 1) pdu[2 + (at >> 3)] = u8(pdu, 2 + (at >> 3)) | (1 << (at & 7));
  return { pdu, changed: NOTHING };
}

function readRegisters(functionCode: number, octets: Uint8Array | null | undefined): ServerAnswer | null {
  return octets ? { pdu: dataAnswer(functionCode, octets), changed: NOTHING } : null;
}

function dataAnswer(functionCode: number, octets: Uint8Array): Uint8Array {
  const pdu = new Uint8Array(2 + octets.length);
  pdu[0] = functionCode;
  pdu[1] = octets.length;
  pdu.set(octets, 2);
  return pdu;
}

function write(
  area: ImageArea | undefined,
  start: number,
  quantity: number,
  pdu: Uint8Array,
  change: (octets: Uint8Array) => void,
): ServerAnswer | null {
  if (!area?.change(start, quantity, change)) return null;
  return { pdu, changed: area.readingsIn(start, quantity) };
}

function identify(request: IdentificationRequest, identity: Identity): ServerAnswer | null {
  const { readCode, objectId } = request;
  const isOne = readCode === 4;
  const known = identity.some((object) => object.id === objectId);
  if (isOne && !known) return null;
  // an object id that is not there starts the stream from the beginning (V1.1b3, 6.21)
  const first = known ? objectId : 0;
  const objects = identity.filter((object) => (isOne ? object.id === objectId : object.id >= first));
  const pdu = encodeResponse({
    kind: 'identification',
    functionCode: 43,
    readCode,
    conformity: BASIC_CONFORMITY,
    moreFollows: false,
    nextObjectId: 0,
    objects,
  });
  return { pdu, changed: NOTHING };
}
