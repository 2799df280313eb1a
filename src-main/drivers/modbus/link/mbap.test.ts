import { describe, expect, it } from 'vitest';
import { spoken } from '../../testing/spoken.ts';
import { mbapVectors, octets } from '../vectors/load.ts';
import type { Adu, FramerItem } from './framer.ts';
import { encodeMbap, MbapFramer } from './mbap.ts';

const frames = (items: readonly FramerItem[]) => items.filter((item): item is Adu => item.kind === 'frame');
const glued = Uint8Array.from(mbapVectors.flatMap((vector) => [...vector.bytes]));

describe('golden MBAP vectors', () => {
  for (const vector of mbapVectors) {
    it(`${vector.name}: both ways`, () => {
      expect(Uint8Array.from(encodeMbap(vector.transactionId, vector.unitId, vector.pdu))).toEqual(vector.bytes);
      const { transactionId, unitId, pdu } = vector;
      expect(new MbapFramer().push(vector.bytes)).toEqual([{ kind: 'frame', transactionId, unitId, pdu, bytes: vector.bytes }]);
    });

    it(`${vector.name}: split at every octet`, () => {
      for (let at = 1; at < vector.bytes.length; at++) {
        const framer = new MbapFramer();
        expect(framer.push(vector.bytes.subarray(0, at))).toEqual([]);
        expect(framer.buffered).toBe(at);
        expect(frames(framer.push(vector.bytes.subarray(at))).map((frame) => frame.bytes)).toEqual([vector.bytes]);
        expect(framer.buffered).toBe(0);
      }
    });
  }

  it('all vectors glued, cut in two at every octet, give the same frames', () => {
    for (let at = 0; at <= glued.length; at++) {
      const framer = new MbapFramer();
      const found = frames([...framer.push(glued.subarray(0, at)), ...framer.push(glued.subarray(at))]);
      expect(found.map((frame) => Uint8Array.from(frame.bytes))).toEqual(mbapVectors.map((vector) => vector.bytes));
    }
  });

  it('all vectors glued, one octet a chunk', () => {
    const framer = new MbapFramer();
    const found = frames([...glued].flatMap((octet) => framer.push(Uint8Array.of(octet))));
    expect(found.map((frame) => frame.transactionId)).toEqual(mbapVectors.map((vector) => vector.transactionId));
  });
});

describe('octets that are no frame', () => {
  const good = octets('00 01 00 00 00 02 01 07');

  it.each([
    ['protocol id 1', '00 05 00 01 00 03 01 83 02', /protocol id is 1, 0 would be right/],
    ['length 0', '00 05 00 00 00 00 01 83 02', /length is 0, 2 to 254 would be right/],
    ['length 1: no function code', '00 05 00 00 00 01 01 83 02', /length is 1/],
    ['length 255', '00 05 00 00 00 FF 01 83 02', /length is 255/],
    ['length 65535', '00 05 00 00 FF FF 01 83 02', /length is 65535/],
  ])('%s is a fatal fault, and the frames before it are given', (_name, hex, message) => {
    const bad = octets(hex);
    const items = new MbapFramer().push(Uint8Array.from([...good, ...bad]));
    expect(items).toHaveLength(2);
    expect(items[0]).toMatchObject({ kind: 'frame', transactionId: 1 });
    expect(spoken(items[1])).toMatchObject({
      kind: 'fault',
      code: 'FRAME_LENGTH',
      message: expect.stringMatching(message),
      isFatal: true,
      bytes: bad,
    });
  });

  it('nothing behind a fatal fault is taken for a frame', () => {
    const framer = new MbapFramer();
    framer.push(octets('00 05 00 01 00 03'));
    expect(framer.push(good)).toMatchObject([{ kind: 'fault', code: 'FRAME_NOISE', isFatal: true, bytes: good }]);
    expect(framer.buffered).toBe(0);
  });
});

describe('a frame that was given up', () => {
  const half = octets('00 05 00 00 00 07 01 03 04 00');
  const rest = octets('01 00 02');
  const next = octets('00 06 00 00 00 03 01 83 02');

  function framerWithHalf(): MbapFramer {
    const framer = new MbapFramer();
    framer.push(half);
    expect(framer.giveUp(6)).toEqual(half);
    expect(framer.buffered).toBe(0);
    return framer;
  }

  it('whose rest never comes does not swallow the next frame', () => {
    expect(framerWithHalf().push(next)).toMatchObject([{ kind: 'frame', transactionId: 6 }]);
  });

  it('whose rest comes late is noise, and the next frame is found behind it', () => {
    const items = framerWithHalf().push(Uint8Array.from([...rest, ...next]));
    expect(items).toMatchObject([
      { kind: 'fault', code: 'FRAME_NOISE', isFatal: false, bytes: rest },
      { kind: 'frame', transactionId: 6 },
    ]);
  });

  it('whose rest comes in a chunk of its own', () => {
    const framer = framerWithHalf();
    const items = [...framer.push(rest), ...framer.push(next)];
    expect(items.map((item) => item.kind)).toEqual(['fault', 'frame']);
  });

  it('before its length was known starts anew', () => {
    const framer = new MbapFramer();
    framer.push(octets('00 05 00'));
    expect(framer.giveUp(6)).toEqual(octets('00 05 00'));
    expect(framer.push(next)).toMatchObject([{ kind: 'frame', transactionId: 6 }]);
  });
});

describe('a frame that comes in pieces', () => {
  const half = octets('00 06 00 00 00 05 01 03 02 00');
  const rest = octets('2a');
  const late = octets('00 05 00 00 00 05 01 03 02 00 07');

  function framerWithHalf(): MbapFramer {
    const framer = new MbapFramer();
    framer.asked(6);
    expect(framer.push(half)).toEqual([]);
    return framer;
  }

  it('is taken when its rest comes, and the late answer behind it too', () => {
    expect(framerWithHalf().push(rest)).toMatchObject([{ kind: 'frame', transactionId: 6 }]);
    expect(framerWithHalf().push(Uint8Array.from([...rest, ...late]))).toMatchObject([{ transactionId: 6 }, { transactionId: 5 }]);
  });

  it('is not completed by the beginning of another answer', () => {
    expect(spoken(framerWithHalf().push(late))).toMatchObject([
      { kind: 'fault', code: 'FRAME_LENGTH', message: expect.stringContaining('followed by another'), isFatal: true },
    ]);
  });

  it('is not completed by octets behind which no answer begins', () => {
    const framer = framerWithHalf();
    expect(spoken(framer.push(octets('00 05 00 00 00')))).toMatchObject([
      { kind: 'fault', message: expect.stringContaining('begin no answer') },
    ]);
    expect(framer.push(late)).toMatchObject([{ kind: 'fault', isFatal: true }]);
  });
});

describe('an answer in pieces where many are outstanding', () => {
  const answer = (id: number) => encodeMbap(id, 1, octets('03 02 12 34'));

  it.each([
    [1, true],
    [1000, true],
    [3000, false],
  ])('may be followed by a late one of %i requests ago: %s', (ago, isTaken) => {
    const framer = new MbapFramer(true);
    framer.asked(5000);
    expect(framer.push(answer(5000).subarray(0, 9))).toEqual([]);
    const items = framer.push(Uint8Array.from([...answer(5000).subarray(9), ...answer(5000 - ago)]));
    expect(frames(items)).toHaveLength(isTaken ? 2 : 0);
    expect(items.some((item) => item.kind === 'fault' && item.isFatal)).toBe(!isTaken);
  });
});
