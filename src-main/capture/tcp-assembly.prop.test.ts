import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Segment, type Stretch, TcpAssembly } from './tcp-assembly.ts';

const text = (stretches: readonly Stretch[]) =>
  stretches.map((each) => (each.kind === 'gap' ? `<${each.count}>` : Buffer.from(each.bytes).toString())).join('');
const segment = (seq: number, payload: string, more: Partial<Segment> = {}): Segment => ({
  seq: seq >>> 0,
  isSyn: false,
  isEnd: false,
  payload: Uint8Array.from(Buffer.from(payload)),
  length: payload.length,
  timeNs: null,
  ...more,
});
const run = (...segments: readonly Segment[]) => {
  const assembly = new TcpAssembly();
  const now = segments.map((each) => text(assembly.push(each)));
  return [...now, text(assembly.end())];
};

describe('the segments of a direction', () => {
  it('that come late are waited for', () =>
    expect(run(segment(1, 'ab'), segment(5, 'ef'), segment(3, 'cd'))).toEqual(['ab', '', 'cdef', '']));
  it('that come again are left out', () => expect(run(segment(1, 'ab'), segment(1, 'ab'), segment(1, 'abc'))).toEqual(['ab', '', 'c', '']));
  it('that overlap stand as they came first', () => expect(run(segment(1, 'abc'), segment(2, 'XYz'))).toEqual(['abc', 'z', '']));
  it('that never come are a gap', () => expect(run(segment(1, 'ab'), segment(6, 'fg'))).toEqual(['ab', '', '<3>fg']));
  it('whose end was cut off have a gap', () => expect(run(segment(1, 'ab', { length: 5 }), segment(6, 'f'))).toEqual(['ab<3>', 'f', '']));
  it('go on over the end of the numbers', () => expect(run(segment(-2, 'abcd'), segment(2, 'e'))).toEqual(['abcd', 'e', '']));
  it('begin behind the SYN, once', () => {
    const syn = segment(9, '', { isSyn: true });
    expect(run(syn, syn, segment(12, 'c'), segment(10, 'ab'), syn, segment(13, 'd'))).toEqual(['', '', '', 'abc', '', 'd', '']);
  });
  it('of a new connection on the same ports begin behind a gap, and what waited is told', () => {
    const assembly = new TcpAssembly();
    const syn = segment(5000, '', { isSyn: true });
    for (const each of [segment(1, 'ab'), segment(4, 'd')]) assembly.push(each);
    expect([syn, segment(9, 'x'), segment(50_000_000, 'x'), segment(50_000_000, '')].map((each) => assembly.isOfAnother(each))).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(text(assembly.endConnection())).toBe('<1>d<0>');
    expect(text(assembly.endConnection())).toBe('');
    expect([syn, segment(5001, 'x')].map((each) => text(assembly.push(each)))).toEqual(['', 'x']);
    expect([syn, segment(5002, 'y')].map((each) => assembly.isOfAnother(each))).toEqual([false, false]);
  });
  it('wait no longer where the other end has acknowledged what is missing', () => {
    const assembly = new TcpAssembly();
    for (const each of [segment(1, 'ab'), segment(5, 'ef'), segment(9, 'ij')]) assembly.push(each);
    expect(text(assembly.acknowledged(4, true))).toBe('');
    expect(text(assembly.acknowledged(5, true))).toBe('<2>ef');
    expect(text(assembly.acknowledged(20, true))).toBe('<2>ij');
    expect(text(assembly.acknowledged(20, false))).toBe('<9>');
    expect(text(assembly.push(segment(20, 'k', { isEnd: true })))).toBe('k');
    // the end of a connection has a number, and no octet
    expect(text(assembly.acknowledged(22, false))).toBe('');
    expect(text(assembly.acknowledged(50_000_000, false))).toBe('');
  });
  it('wait 20 seconds of the capture, over four repetitions of what is missing', () => {
    const assembly = new TcpAssembly();
    const at = (seconds: number) => ({ timeNs: BigInt(seconds) * 1_000_000_000n });
    for (const each of [segment(1, 'ab', at(100)), segment(5, 'ef', at(101)), segment(9, 'ij', at(110))]) assembly.push(each);
    expect(text(assembly.passed(121_000_000_000n))).toBe('');
    expect(text(assembly.passed(121_000_000_001n))).toBe('<2>ef');
    expect(text(assembly.passed(200_000_000_000n))).toBe('<2>ij');
  });
  it('do not wait without an end: behind 1 MiB the missing ones are given up', () => {
    const assembly = new TcpAssembly();
    assembly.push(segment(1, 'a'));
    const piece = 'x'.repeat(65_536);
    const said = Array.from({ length: 17 }, (_, at) => assembly.push(segment(3 + at * 65_536, piece)));
    expect(said.slice(0, 16).every((each) => each.length === 0)).toBe(true);
    expect(said[16]?.[0]).toEqual({ kind: 'gap', count: 1 });
    expect(said[16]).toHaveLength(18);
  });
});

it('any order, repetition and overlap of the segments gives the stream, where none is missing', () => {
  const stream = fc.uint8Array({ minLength: 1, maxLength: 200 });
  const cuts = fc.array(fc.tuple(fc.nat(199), fc.integer({ min: 1, max: 40 })), { maxLength: 20 });
  fc.assert(
    fc.property(stream, cuts, fc.nat(0xffff_ffff), fc.infiniteStream(fc.nat(1_000)), (bytes, pieces, first, order) => {
      const whole = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) => [at * 7, 7] as const);
      const segments = [...whole, ...pieces.filter(([at]) => at < bytes.length)].map(([at, size]): Segment => {
        const payload = bytes.subarray(at, at + size);
        return { seq: (first + 1 + at) >>> 0, isSyn: false, isEnd: false, payload, length: payload.length, timeNs: null };
      });
      const keys = segments.map(() => order.next().value ?? 0);
      const shuffled = segments.map((each, at) => ({ each, key: keys[at] ?? 0 })).sort((a, b) => a.key - b.key);
      const assembly = new TcpAssembly();
      const syn: Segment = { seq: first, isSyn: true, isEnd: false, payload: new Uint8Array(0), length: 0, timeNs: null };
      const said = [syn, ...shuffled.map(({ each }) => each)].flatMap((each) => assembly.push(each));
      expect(said.every(({ kind }) => kind === 'octets')).toBe(true);
      const got = Buffer.concat(said.map((each) => (each.kind === 'octets' ? each.bytes : new Uint8Array(0))));
      expect(got.toString('hex')).toBe(Buffer.from(bytes).toString('hex'));
      expect(assembly.end()).toEqual([]);
    }),
  );
});
