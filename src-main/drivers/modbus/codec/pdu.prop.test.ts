import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { malformedVectors, pduVectors } from '../vectors/load.ts';
import { decodeRequest, encodeRequest, type ModbusRequest } from './request.ts';
import { decodeResponse, encodeResponse, type ModbusResponse } from './response.ts';

const u16 = fc.integer({ min: 0, max: 0xffff });
const u8 = fc.integer({ min: 0, max: 0xff });
const bytesOf = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

const place = { file: fc.integer({ min: 1, max: 0xffff }), record: fc.integer({ min: 0, max: 9999 }) };
const registers = (most: number) => fc.integer({ min: 1, max: most }).chain((n) => bytesOf(2 * n));
const fileRecords = fc.array(fc.record({ ...place, octets: registers(20) }), { minLength: 1, maxLength: 5 });

const request: fc.Arbitrary<ModbusRequest> = fc.oneof(
  fc.record({ functionCode: fc.constantFrom(1 as const, 2 as const), start: u16, quantity: fc.integer({ min: 1, max: 2000 }) }),
  fc.record({ functionCode: fc.constantFrom(3 as const, 4 as const), start: u16, quantity: fc.integer({ min: 1, max: 125 }) }),
  fc.record({ functionCode: fc.constant(5 as const), address: u16, on: fc.boolean() }),
  fc.record({ functionCode: fc.constant(6 as const), address: u16, value: u16 }),
  fc
    .integer({ min: 1, max: 1968 })
    .chain((n) =>
      fc.record({ functionCode: fc.constant(15 as const), start: u16, quantity: fc.constant(n), octets: bytesOf(Math.ceil(n / 8)) }),
    ),
  fc
    .integer({ min: 1, max: 123 })
    .chain((n) => fc.record({ functionCode: fc.constant(16 as const), start: u16, quantity: fc.constant(n), octets: bytesOf(2 * n) })),
  fc.record({ functionCode: fc.constant(22 as const), address: u16, andMask: u16, orMask: u16 }),
  fc.integer({ min: 1, max: 121 }).chain((n) =>
    fc.record({
      functionCode: fc.constant(23 as const),
      readStart: u16,
      readQuantity: fc.integer({ min: 1, max: 125 }),
      writeStart: u16,
      writeQuantity: fc.constant(n),
      octets: bytesOf(2 * n),
    }),
  ),
  fc.record({ functionCode: fc.constant(43 as const), readCode: fc.integer({ min: 1, max: 4 }), objectId: u8 }),
  fc.record({ functionCode: fc.constantFrom(7 as const, 11 as const, 12 as const, 17 as const) }),
  fc.record({ functionCode: fc.constant(8 as const), subFunction: fc.integer({ min: 0, max: 30 }), octets: bytesOf(2) }),
  fc.record({
    functionCode: fc.constant(20 as const),
    ranges: fc.array(fc.record({ ...place, length: fc.integer({ min: 1, max: 15 }) }), { minLength: 1, maxLength: 7 }),
  }),
  fc.record({ functionCode: fc.constant(21 as const), records: fileRecords }),
  fc.record({ functionCode: fc.constant(24 as const), address: u16 }),
);

const kind = <T extends string>(value: T) => fc.constant(value);
const response: fc.Arbitrary<ModbusResponse> = fc.oneof(
  fc.record({
    kind: kind('data'),
    functionCode: fc.constantFrom(1 as const, 2 as const),
    octets: fc.uint8Array({ minLength: 1, maxLength: 250 }),
  }),
  fc
    .integer({ min: 1, max: 125 })
    .chain((n) =>
      fc.record({ kind: kind('data'), functionCode: fc.constantFrom(3 as const, 4 as const, 23 as const), octets: bytesOf(2 * n) }),
    ),
  fc.record({ kind: kind('echo'), functionCode: fc.constant(5 as const), address: u16, on: fc.boolean() }),
  fc.record({ kind: kind('echo'), functionCode: fc.constant(22 as const), address: u16, andMask: u16, orMask: u16 }),
  fc.record({
    kind: kind('written'),
    functionCode: fc.constantFrom(15 as const, 16 as const),
    start: u16,
    quantity: fc.integer({ min: 1, max: 123 }),
  }),
  fc.record({
    kind: kind('identification'),
    functionCode: fc.constant(43 as const),
    readCode: fc.integer({ min: 1, max: 4 }),
    conformity: u8,
    moreFollows: fc.boolean(),
    nextObjectId: u8,
    objects: fc.array(fc.record({ id: u8, value: fc.uint8Array({ maxLength: 40 }) }), { maxLength: 5 }),
  }),
  fc.record({ kind: kind('status'), functionCode: fc.constant(7 as const), status: u8 }),
  fc.record({
    kind: kind('diagnostics'),
    functionCode: fc.constant(8 as const),
    subFunction: fc.integer({ min: 0, max: 30 }),
    octets: bytesOf(2),
  }),
  fc.record({ kind: kind('events'), functionCode: fc.constant(11 as const), status: u16, events: u16 }),
  fc.record({
    kind: kind('log'),
    functionCode: fc.constant(12 as const),
    status: u16,
    events: u16,
    messages: u16,
    octets: fc.uint8Array({ maxLength: 64 }),
  }),
  fc.record({ kind: kind('server-id'), functionCode: fc.constant(17 as const), octets: fc.uint8Array({ minLength: 1, maxLength: 251 }) }),
  fc.record({
    kind: kind('file'),
    functionCode: fc.constant(20 as const),
    parts: fc.array(fc.record({ octets: registers(15) }), { minLength: 1, maxLength: 7 }),
  }),
  fc.record({ kind: kind('file-written'), functionCode: fc.constant(21 as const), records: fileRecords }),
  fc.record({ kind: kind('fifo'), functionCode: fc.constant(24 as const), octets: registers(31) }),
  fc.record({ kind: kind('exception'), functionCode: fc.integer({ min: 1, max: 127 }), exception: fc.integer({ min: 1, max: 255 }) }),
);

/** A known PDU with some octets changed, cut off or added. */
const mutated = fc
  .record({
    base: fc.constantFrom(
      ...pduVectors.flatMap((vector) => [vector.request?.bytes, vector.response?.bytes].filter((bytes) => bytes !== undefined)),
      ...malformedVectors.map((vector) => vector.bytes),
    ),
    changes: fc.array(fc.tuple(fc.nat(300), u8), { maxLength: 4 }),
    cut: fc.nat(300),
    tail: fc.uint8Array({ maxLength: 4 }),
  })
  .map(({ base, changes, cut, tail }) => {
    const bytes = Uint8Array.from([...base.subarray(0, Math.min(cut, base.length)), ...tail]);
    for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
    return bytes;
  });

/** Decodes, and allows nothing but a value that encodes to the same octets, or PROTOCOL_MALFORMED. */
function decodesOrRefuses<T>(bytes: Uint8Array, decode: (bytes: Uint8Array) => T, encode: (value: T) => Uint8Array): void {
  let decoded: T;
  try {
    decoded = decode(bytes);
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(AppError);
    expect((thrown as AppError).code).toBe('PROTOCOL_MALFORMED');
    return;
  }
  expect(encode(decoded)).toEqual(bytes);
}

describe('PDU codec, any values', () => {
  it('a request decodes to what was encoded', () => {
    fc.assert(
      fc.property(request, (value) => {
        expect(decodeRequest(encodeRequest(value))).toEqual(value);
      }),
      { numRuns: 300 },
    );
  });

  it('an answer decodes to what was encoded', () => {
    fc.assert(
      fc.property(response, (value) => {
        expect(decodeResponse(encodeResponse(value))).toEqual(value);
      }),
      { numRuns: 300 },
    );
  });

  it('any octets decode to a value that encodes to the same octets, or are refused', () => {
    fc.assert(
      fc.property(fc.oneof(mutated, fc.uint8Array({ maxLength: 300 })), (bytes) => {
        decodesOrRefuses(bytes, decodeRequest, encodeRequest);
        decodesOrRefuses(bytes, decodeResponse, encodeResponse);
      }),
      { numRuns: 300 },
    );
  });
});
