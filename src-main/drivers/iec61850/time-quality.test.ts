import { describe, expect, it } from 'vitest';
import type { QualityFlag } from '#shared/domain/enums.ts';
import { inEnglish } from '../testing/explained.ts';
import { exchangeContext } from '../testing/sinks.ts';
import { explainTpkt } from './explain.ts';
import { timeQuality, timeQualityOctet } from './model/time.ts';
import { jsonScalar, plainValue } from './model/values.ts';
import { ServedChannel } from './server/testing/served-channel.ts';
import { mmsOf, readCapture } from './testing/captures.ts';
import { ClientBench, sclDocument, yx } from './testing/client-bench.ts';

const utc = (quality: number, seconds = 0x65e1cb70) => {
  const octets = new Uint8Array(8);
  new DataView(octets.buffer).setUint32(0, seconds);
  octets[7] = quality;
  return { kind: 'utc-time', octets } as const;
};

describe('quality of a time (IEC 61850-8-1, 8.1.3.7)', () => {
  it.each<[number, QualityFlag[], number | null]>([
    [0x00, [], 0],
    [0x0a, [], 10],
    [0x8a, ['leap_second_known'], 10],
    [0x40, ['clock_failure'], 0],
    [0x38, ['clock_not_synchronised'], 24],
    [0x39, ['clock_not_synchronised'], null],
    [0x1f, [], null],
    [0xff, ['leap_second_known', 'clock_failure', 'clock_not_synchronised'], null],
  ])('%i', (octet, flags, accuracy) => {
    expect(timeQuality(utc(octet))).toEqual({ flags, accuracy });
  });

  it('a time that was never set says nothing, unless its clock does', () => {
    expect(timeQuality(utc(0, 0))).toBeNull();
    expect(timeQuality(utc(0x20, 0))?.flags).toEqual(['clock_not_synchronised']);
    expect(timeQuality({ kind: 'binary-time', octets: new Uint8Array(6) })).toBeNull();
    expect(timeQualityOctet(['clock_failure', 'OV', 'leap_second_known'])).toBe(0xca);
  });

  it('stands in the readings of points, beside the quality of the value', async () => {
    const ind = yx(1, 'BAY1LD0/GGIO1.Ind1.stVal[ST]');
    const served = new ServedChannel({ document: sclDocument('bay.cid'), points: [ind] });
    const serve = (flags: readonly QualityFlag[]) =>
      served.connection.execute({ point: ind, step: 'operate', value: 1, options: { flags } }, exchangeContext());
    await serve(['clock_not_synchronised', 'questionable']);
    const bench = await ClientBench.open(served, { points: [ind] });
    const [reading] = (await bench.read([ind])).values();
    expect(reading).toMatchObject({ quality: 'good', flags: ['questionable', 'clock_not_synchronised'], detail: { timeAccuracy: 10 } });
    await serve([]);
    const [after] = (await bench.read([ind])).values();
    expect(after).toMatchObject({ flags: [], detail: { timeAccuracy: 10 } });
    const set = bench.client.dataSets.read('BAY1LD0/LLN0$dsStat', exchangeContext());
    await bench.rest();
    expect((await set).readings).toMatchObject([{ detail: { timeAccuracy: 10 } }]);
  });

  it('a quality that the device refuses makes the value questionable', async () => {
    const ind = yx(1, 'BAY1LD0/GGIO1.Ind1.stVal[ST]');
    const faults = {
      accessErrors: new Map([
        ['BAY1LD0/GGIO1$ST$Ind1$q', 3],
        ['BAY1LD0/GGIO1$ST$Ind1', 3],
      ]),
    };
    const bench = await ClientBench.open(new ServedChannel({ document: sclDocument('bay.cid'), faults }));
    const [reading] = (await bench.read([ind])).values();
    expect(reading).toMatchObject({ kind: 'value', value: 1, quality: 'good', flags: expect.arrayContaining(['questionable']) });
  });
});

describe('two bits', () => {
  const pair = (bits: number) => ({ kind: 'bit-string', size: 2, octets: Uint8Array.of(bits << 6) }) as const;

  it.each([
    ['Check', ['none', 'interlock-check', 'synchrocheck', 'synchrocheck interlock-check']],
    ['ctlVal', ['stop', 'lower', 'higher', 'reserved']],
    ['stVal', ['intermediate', 'off', 'on', 'bad']],
  ])('of %s', (name, words) => {
    expect([0, 1, 2, 3].map((bits) => jsonScalar(pair(bits), null, name))).toEqual(words);
    expect(plainValue(pair(0), null, name).number).toBe(name === 'Check' ? 0 : plainValue(pair(0)).number);
  });

  it('frames of controls name their members, and Check is never a state', () => {
    const { events } = readCapture('40');
    const summaries = events.flatMap((event) =>
      event.kind === 'tpkt' && event.from === 'client' ? [inEnglish(explainTpkt(event.bytes, { kind: 'tx', request: null })).summary] : [],
    );
    const writes = summaries.filter((text) => text.startsWith('Write request'));
    expect(writes[0]).toMatch(/= \{ctlVal true, origin \{2, 65 6D 73\}, ctlNum 1, T 20\d\d-.*, Test false, Check none\}$/);
    expect(writes.some((text) => text.endsWith('Check interlock-check}'))).toBe(true);
    expect(writes.some((text) => text.endsWith('Check synchrocheck}'))).toBe(true);
    expect(summaries.join()).not.toContain('intermediate');
    expect(mmsOf(readCapture('40')).length).toBeGreaterThan(0);
  });
});
