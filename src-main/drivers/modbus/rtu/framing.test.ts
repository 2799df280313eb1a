import { describe, expect, it } from 'vitest';
import { octets, rtuVectors } from '../vectors/load.ts';
import { encodeRtu, RtuFramer } from './framing.ts';
import type { LineItem } from './line-framing.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const frames = (items: readonly LineItem[]) => items.filter((item) => item.kind === 'frame');
const glued = Uint8Array.from(rtuVectors.flatMap((vector) => [...vector.bytes]));
const answer = encodeRtu(1, octets('03 04 00 01 00 02'));
const AWAITED = { unitId: 1, functionCode: 3, frameLength: answer.length };

describe('golden RTU vectors', () => {
  for (const vector of rtuVectors) {
    it(`${vector.name}: both ways`, () => {
      expect(encodeRtu(vector.unitId, vector.pdu)).toEqual(vector.bytes);
      const { unitId, pdu, bytes, side } = vector;
      expect(new RtuFramer(side).push(vector.bytes)).toEqual([{ kind: 'frame', transactionId: null, side, unitId, pdu, bytes, at: 0 }]);
    });

    it(`${vector.name}: split at every octet, for either side of the line`, () => {
      for (const side of ['request', 'answer'] as const) {
        for (let at = 1; at < vector.bytes.length; at++) {
          const framer = new RtuFramer(side);
          expect(framer.push(vector.bytes.subarray(0, at))).toEqual([]);
          expect(framer.buffered).toBe(at);
          expect(framer.push(vector.bytes.subarray(at)).map((item) => hex(item.bytes))).toEqual([hex(vector.bytes)]);
          expect(framer.buffered).toBe(0);
        }
      }
    });
  }

  it('all vectors glued, cut in two at every octet, give the same frames', () => {
    for (let at = 0; at <= glued.length; at++) {
      const framer = new RtuFramer('request');
      const found = [...framer.push(glued.subarray(0, at)), ...framer.push(glued.subarray(at))];
      expect(found.map((item) => hex(item.bytes))).toEqual(rtuVectors.map((vector) => hex(vector.bytes)));
    }
  });

  it('all vectors glued, one octet a chunk', () => {
    const framer = new RtuFramer('answer');
    const found = [...glued].flatMap((octet) => framer.push(Uint8Array.of(octet)));
    expect(found.map((item) => hex(item.bytes))).toEqual(rtuVectors.map((vector) => hex(vector.bytes)));
  });
});

describe('octets that are no frame', () => {
  it('are told as noise, and the frame behind them is found', () => {
    const noise = octets('00 FF 80 00');
    const items = new RtuFramer('answer').push(Uint8Array.from([...noise, ...answer]));
    expect(items).toMatchObject([
      { kind: 'fault', code: 'FRAME_NOISE', bytes: noise, isFatal: false, at: 0 },
      { kind: 'frame', bytes: answer, at: 4 },
    ]);
  });

  it('are told one by one when a frame has a wrong checksum', () => {
    const wrong = Uint8Array.from(answer);
    wrong[4] = 0x55;
    const framer = new RtuFramer('answer');
    framer.await(AWAITED);
    const items = framer.push(wrong);
    expect(items.map((item) => item.kind)).toEqual(['fault']);
    framer.giveUp();
    expect(frames(framer.push(answer))).toHaveLength(1);
  });

  it('never hold back the awaited answer, whatever they look like', () => {
    // the beginning of a long answer of unit 2, and of a long write to unit 1
    for (const noise of [octets('02 03 FA 01'), octets('01 10 00 00 00 7B F6'), octets('01'), octets('01 03'), octets('01 03 06')]) {
      const framer = new RtuFramer('answer');
      framer.await(AWAITED);
      const items = [...framer.push(noise), ...framer.push(answer)];
      expect(
        frames(items)
          .map((item) => hex(item.bytes))
          .at(-1),
      ).toBe(hex(answer));
    }
  });

  it('hold back what is inside of them only while they can become the awaited answer', () => {
    // an answer whose data look like an exception answer of the same unit
    const inner = encodeRtu(1, octets('83 02'));
    const outer = encodeRtu(1, Uint8Array.from([3, 6, ...inner, 0]));
    const framer = new RtuFramer('answer');
    framer.await({ unitId: 1, functionCode: 3, frameLength: outer.length });
    expect(frames(framer.push(outer.subarray(0, 9)))).toEqual([]);
    expect(frames(framer.push(outer.subarray(9))).map((item) => hex(item.bytes))).toEqual([hex(outer)]);
  });

  it('hold back nothing any more once they are stale, and are still taken when they are completed', () => {
    const request = encodeRtu(1, octets('03 00 00 00 01'));
    const half = octets('01 10 00 00 00 7B F6 00 00');
    const framer = new RtuFramer('request');
    framer.push(half);
    expect(framer.push(request)).toEqual([]);
    framer.giveUp();
    framer.push(half);
    framer.markStale();
    expect(frames(framer.push(request)).map((item) => hex(item.bytes))).toEqual([hex(request)]);
    expect(framer.buffered).toBe(0);
    framer.push(request.subarray(0, 5));
    framer.markStale();
    expect(frames(framer.push(request.subarray(5)))).toHaveLength(1);
  });

  it('never make the buffer grow beyond a frame', () => {
    const framer = new RtuFramer('request');
    for (let count = 0; count < 600; count++) {
      framer.push(Uint8Array.of(1, 0x41, count & 0xff));
      expect(framer.buffered).toBeLessThan(260);
    }
  });

  it('a request with a function nobody knows is found by its checksum', () => {
    const request = encodeRtu(1, octets('41 01 02 03 04 05'));
    const framer = new RtuFramer('request');
    expect([...request].flatMap((octet) => framer.push(Uint8Array.of(octet)))).toMatchObject([{ kind: 'frame', bytes: request }]);
  });
});

/** Requests and answers whose checksum ends in 00: without their last octet they have a right checksum too. */
function endingInZero(make: (count: number) => Uint8Array): Uint8Array {
  for (let count = 0; count < 65_536; count++) {
    const frame = make(count);
    if (frame.at(-1) === 0) return frame;
  }
  throw new Error('no such frame');
}

describe('a checksum that ends in 00', () => {
  const long = endingInZero((count) => encodeRtu(1, Uint8Array.of(3, 4, 0, 1, count >> 8, count & 0xff)));
  const request = endingInZero((count) => encodeRtu(1, Uint8Array.of(3, count >> 8, count & 0xff, 0, 1)));
  const asAnswer = endingInZero((count) => encodeRtu(0x11, Uint8Array.of(4, 2, count >> 8, count & 0xff, 1)));

  it('does not shorten the answer that is awaited, however it comes', () => {
    for (let at = 1; at <= long.length; at++) {
      const framer = new RtuFramer('answer');
      framer.await({ unitId: 1, functionCode: 3, frameLength: long.length });
      const found = [...framer.push(long.subarray(0, at)), ...framer.push(long.subarray(at))];
      expect(found).toMatchObject([{ kind: 'frame', side: 'answer', bytes: long }]);
    }
  });

  it('does not shorten an answer that nobody awaits', () => {
    const framer = new RtuFramer('answer');
    expect([...long].flatMap((octet) => framer.push(Uint8Array.of(octet)))).toMatchObject([{ side: 'answer', bytes: long }]);
  });

  it('does not hold back the request of another master for longer than the next octet', () => {
    const foreign = encodeRtu(7, Uint8Array.of(3, 4, 0, 0, 10));
    const framer = new RtuFramer('answer');
    expect(framer.push(foreign)).toEqual([]);
    expect(framer.push(Uint8Array.of(7))).toMatchObject([{ side: 'request', bytes: foreign }]);
  });

  it.each([
    ['a request', request],
    ['a request whose beginning is an answer', asAnswer],
  ])('does not shorten %s to our slave, however it comes', (_what, frame) => {
    for (let at = 1; at <= frame.length; at++) {
      const framer = new RtuFramer('request');
      const found = [...framer.push(frame.subarray(0, at)), ...framer.push(frame.subarray(at))];
      expect(found.at(-1)).toMatchObject({ kind: 'frame', side: 'request', bytes: frame, pdu: frame.subarray(1, -2), at: 0 });
      expect(framer.push(answer)).toMatchObject([{ bytes: answer, at: 8 }]);
    }
  });

  it('leaves the answer of another slave an answer when something else follows it', () => {
    const framer = new RtuFramer('request');
    const short = octets('11 04 02 00 0A F8 F4');
    expect(framer.push(short)).toMatchObject([{ side: 'answer', bytes: short }]);
    const next = encodeRtu(0x12, octets('03 00 00 00 01'));
    expect(framer.push(next)).toMatchObject([{ side: 'request', bytes: next, at: 7 }]);
  });
});
