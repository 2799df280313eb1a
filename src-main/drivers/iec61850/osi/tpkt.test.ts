import { describe, expect, it } from 'vitest';
import { english } from '#shared/messages/index.ts';
import { hex, octets, readCapture, readCaptures, streamsOf } from '../testing/captures.ts';
import { encodeTpkt, TpktFramer } from './tpkt.ts';

const CR = octets('0300001611e00000000100c0010dc2020001c1020001');

function cut(framer: TpktFramer, ...chunks: Uint8Array[]): string[] {
  return chunks.flatMap((chunk) => framer.push(chunk)).map((item) => `${item.kind} ${hex(item.bytes)}`);
}

describe('TPKT framer', () => {
  it('joins a TPKT that comes octet by octet', () => {
    const framer = new TpktFramer();
    expect(cut(framer, ...Array.from(CR, (octet) => Uint8Array.of(octet)))).toEqual([`tpkt ${hex(CR)}`]);
    expect(framer.buffered).toBe(0);
  });

  it('finds several TPKTs in one chunk, and the begin of another', () => {
    const framer = new TpktFramer();
    expect(cut(framer, Uint8Array.from([...CR, ...CR, 3, 0, 0]))).toEqual([`tpkt ${hex(CR)}`, `tpkt ${hex(CR)}`]);
    expect(framer.buffered).toBe(3);
  });

  it('finds ten TPKTs in two writes with a cut inside the first (pitfall 1)', () => {
    const stream = streamsOf(readCapture('65')).find((item) => item.from === 'client');
    const bytes = stream?.bytes ?? new Uint8Array(0);
    const framer = new TpktFramer();
    expect(cut(framer, bytes.subarray(0, 250), bytes.subarray(250))).toEqual(stream?.tpkts.map((item) => `tpkt ${hex(item)}`));
  });

  it.each(['01', '61', '62', '65'])('finds the same TPKTs of capture %s wherever it is split', (name) => {
    for (const { bytes, tpkts } of streamsOf(readCapture(name))) {
      const wanted = tpkts.map((item) => `tpkt ${hex(item)}`);
      const end = Math.min(bytes.length, 3000);
      for (let at = 0; at <= end; at++) {
        const framer = new TpktFramer();
        const items = [...framer.push(bytes.subarray(0, at)), ...framer.push(bytes.subarray(at))];
        if (items.length !== wanted.length || framer.buffered > 0) expect.fail(`split at ${at}`);
        if (at % 97 === 0) expect(items.map((item) => `tpkt ${hex(item.bytes)}`)).toEqual(wanted);
      }
    }
  });

  it('finds the same TPKTs of every capture octet by octet', () => {
    for (const { bytes, tpkts } of readCaptures().flatMap(streamsOf)) {
      const framer = new TpktFramer();
      const items = Array.from(bytes).flatMap((_, at) => framer.push(bytes.subarray(at, at + 1)));
      expect(items.map((item) => hex(item.bytes)).join()).toBe(tpkts.map(hex).join());
    }
  });

  it.each([
    ['05', 'FRAME_NOISE', 'version of the TPKT is 5, 3 would be right'],
    ['03000006aabb', 'FRAME_LENGTH', 'length of the TPKT is 6, 7 to 65535 would be right'],
    ['474554202f20485454502f312e31', 'FRAME_NOISE', 'is 71'],
  ])('tells what is wrong with %s, in one piece or octet by octet, and trusts nothing afterwards', (text, code, message) => {
    for (const size of [1, 100]) {
      const framer = new TpktFramer();
      const bytes = octets(text);
      const items = [];
      for (let at = 0; at < bytes.length; at += size) items.push(...framer.push(bytes.subarray(at, at + size)));
      expect(items[0]).toMatchObject({ kind: 'fault', code });
      expect(items[0]?.kind === 'fault' && english(items[0].said)).toContain(message);
      expect(framer.push(CR)).toEqual([expect.objectContaining({ kind: 'fault', code: 'FRAME_NOISE' })]);
      expect(framer.buffered).toBe(0);
    }
  });

  it('gives the TPKTs before a fault', () => {
    expect(cut(new TpktFramer(), Uint8Array.from([...CR, 9, 9]))).toEqual([`tpkt ${hex(CR)}`, 'fault 0909']);
  });

  it('ignores the reserved octet and takes the longest TPKT', () => {
    const longest = Uint8Array.from(encodeTpkt(new Uint8Array(65_531).fill(7)));
    longest[1] = 255;
    const framer = new TpktFramer();
    expect(framer.push(longest.subarray(0, 65_534))).toEqual([]);
    expect(framer.buffered).toBe(65_534);
    expect(framer.push(longest.subarray(65_534))[0]?.bytes).toHaveLength(65_535);
  });

  it('does not hold the chunk that an unfinished TPKT came in', () => {
    const chunk = Uint8Array.from([...CR.subarray(0, 10)]);
    const framer = new TpktFramer();
    framer.push(chunk);
    chunk.fill(0);
    expect(cut(framer, CR.subarray(10))).toEqual([`tpkt ${hex(CR)}`]);
  });
});
