import { describe, expect, it } from 'vitest';
import { asciiVectors, octets } from '../vectors/load.ts';
import { AsciiFramer, asciiContent, asciiFraming, encodeAscii, lrcOf } from './ascii.ts';
import { rtuFraming } from './framing.ts';
import type { LineItem } from './line-framing.ts';

const characters = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const text = (bytes: Uint8Array) => String.fromCharCode(...bytes);
const told = (items: readonly LineItem[]) =>
  items.map((item) => (item.kind === 'frame' ? `${item.at} ${item.side} ${item.unitId}` : `${item.at} ${item.fault} ${text(item.bytes)}`));
const ANSWER = ':0103020001F9\r\n';

describe('frames of Modbus ASCII', () => {
  it.each(asciiVectors)('$name', ({ text: line, side, unitId, pdu }) => {
    const frame = characters(`${line}\r\n`);
    expect(text(encodeAscii(unitId, pdu))).toBe(`${line}\r\n`);
    expect(new AsciiFramer(side).push(frame)).toMatchObject([
      { kind: 'frame', transactionId: null, side, unitId, pdu, bytes: frame, at: 0 },
    ]);
    expect(asciiFraming.bodyOf(frame)).toEqual(Uint8Array.of(unitId, ...pdu));
    expect(asciiFraming.octetsOf(pdu.length)).toBe(frame.length);
  });

  it('take small letters, and nothing else that is no digit', () => {
    expect(told(new AsciiFramer('answer').push(characters(ANSWER.toLowerCase())))).toEqual(['0 answer 1']);
    for (const wrong of [':010302000G01\r\n', ':01030200 1F9\r\n', ':0103020001F\r\n', ':0103\r\n', '0103020001F9\r\n', ':0103020001F9\n'])
      expect(asciiContent(characters(wrong))).toBeNull();
  });

  it('hold an LRC that is the two’s complement of the sum, also of 0', () => {
    expect(lrcOf(octets('11 03 00 6B 00 03'))).toBe(0x7e);
    expect(lrcOf(new Uint8Array(0))).toBe(0);
  });
});

describe('the ASCII framer', () => {
  it('begins anew at every colon, and tells what was cut off', () => {
    expect(told(new AsciiFramer('answer').push(characters(`:01030${ANSWER}`)))).toEqual(['0 noise :01030', '6 answer 1']);
    const framer = new AsciiFramer('answer');
    expect(framer.push(characters(':01030'))).toEqual([]);
    expect(framer.isWaiting).toBe(true);
    expect(told(framer.push(characters(ANSWER)))).toEqual(['0 noise :01030', '6 answer 1']);
  });

  it('tells a wrong checksum from characters that are no frame', () => {
    const items = told(new AsciiFramer('answer').push(characters(`ab\0:0103020001F8\r\n:01zz\r\n${ANSWER}\r\n`)));
    expect(items).toEqual(['0 noise ab\0', '3 checksum :0103020001F8\r\n', '18 noise :01zz\r\n', '25 answer 1', '40 noise \r\n']);
  });

  it('takes a colon inside a checksum fault for a new frame, a CR without LF for none', () => {
    expect(told(new AsciiFramer('answer').push(characters(`:0103020001F9\r${ANSWER}`)))).toEqual([
      '0 noise :0103020001F9\r',
      '14 answer 1',
    ]);
    expect(told(new AsciiFramer('answer').push(characters(':0103\r0200\r\n')))).toEqual(['0 noise :0103\r0200\r\n']);
  });

  it('keeps no more than the longest frame, and takes that', () => {
    const longest = encodeAscii(
      1,
      Uint8Array.from({ length: 253 }, (_, at) => (at === 0 ? 3 : at === 1 ? 251 : 0)),
    );
    expect(longest.length).toBe(513);
    const framer = new AsciiFramer('answer');
    expect(told(framer.push(longest))).toEqual(['0 answer 1']);
    framer.push(characters(`:${'0'.repeat(5000)}`));
    expect(framer.buffered).toBe(0);
  });

  it('waits for the awaited answer alone, and for nothing stale', () => {
    const framer = new AsciiFramer('answer');
    framer.await({ unitId: 1, functionCode: 3, frameLength: 15 });
    framer.push(characters(':0183'));
    expect(framer.isWaiting).toBe(true);
    framer.push(characters(':0104'));
    expect(framer.isWaiting).toBe(false);
    framer.push(characters(':02'));
    expect(framer.isWaiting).toBe(false);
    framer.push(characters(ANSWER.slice(0, 9)));
    expect(framer.isWaiting).toBe(true);
    framer.markStale();
    expect(framer.isWaiting).toBe(false);
    expect(told(framer.push(characters(ANSWER.slice(9))))).toEqual([expect.stringContaining('answer 1')]);
  });

  it('gives up what has begun', () => {
    const framer = new AsciiFramer('request');
    framer.push(characters('::0103'));
    expect(text(framer.giveUp())).toBe(':0103');
    expect(framer.buffered).toBe(0);
    expect(told(framer.push(characters(ANSWER)))).toEqual(['6 answer 1']);
  });
});

it('RTU and ASCII count the same PDU by their own octets', () => {
  expect([rtuFraming.octetsOf(5), asciiFraming.octetsOf(5)]).toEqual([8, 17]);
});
