/** Every vector and capture of every protocol, whole, cut and with octets changed, explained in both languages. */
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { hexText } from '../../protocol-kit/bytes.ts';
import { explainDlt645 } from '../dlt645/explain/explain.ts';
import { testSettings as meterSettings } from '../dlt645/testing/bench.ts';
import { allVectors, octets } from '../dlt645/vectors/load.ts';
import { STANDARD_SIZES } from '../iec104/codec/sizes.ts';
import { explainApdu } from '../iec104/explain/explain.ts';
import { readCaptures as captures104, readVectors as vectors104 } from '../iec104/testing/captures.ts';
import { explainTpkt } from '../iec61850/explain.ts';
import { readCaptures as captures61850 } from '../iec61850/testing/captures.ts';
import { explainMbap } from '../modbus/explain/explain.ts';
import { encodeMbap } from '../modbus/link/mbap.ts';
import { explainRtu } from '../modbus/rtu/explain.ts';
import { malformedVectors, mbapVectors, pduVectors, rtuVectors } from '../modbus/vectors/load.ts';
import type { Explanation } from '../spi/index.ts';
import { inChinese, inEnglish, latinLeft, textsOf } from './explained.ts';
import { clientSettings } from './settings.ts';

type Explain = (bytes: Uint8Array, kind: 'rx' | 'noise', isSummaryOnly?: boolean) => Explanation;
interface Corpus {
  readonly explain: readonly Explain[];
  /** False where the line costs as much as the whole, so that there is no way to ask for it alone. */
  readonly hasLines?: boolean;
  readonly frames: readonly Uint8Array[];
}

const meter = { isRequest: false, request: null, settings: meterSettings };
const modbus = { request: null, settings: clientSettings() };
const pdus = [
  ...pduVectors.flatMap(({ request, response }) => [request?.bytes, response?.bytes]),
  ...malformedVectors.map((vector) => vector.bytes),
].filter((bytes) => bytes !== undefined);
const CORPORA: Readonly<Record<string, Corpus>> = {
  'Modbus TCP': {
    explain: [true, false].map(
      (isRequest) =>
        (bytes, kind, isSummaryOnly = false) =>
          explainMbap(bytes, { ...modbus, kind, isRequest, isSummaryOnly }),
    ),
    frames: [...mbapVectors.map((vector) => vector.bytes), ...pdus.map((pdu) => encodeMbap(1, 1, pdu))],
  },
  'Modbus RTU': {
    explain: [true, false].map(
      (isRequest) =>
        (bytes, kind, isSummaryOnly = false) =>
          explainRtu(bytes, { ...modbus, kind, isRequest, isSummaryOnly }),
    ),
    frames: rtuVectors.map((vector) => vector.bytes),
  },
  'IEC 104': {
    explain: [(bytes, kind, isSummaryOnly = false) => explainApdu(bytes, { kind, isSummaryOnly }, STANDARD_SIZES)],
    frames: [...vectors104(), ...captures104().flatMap(({ events }) => events)].map(({ bytes }) => bytes),
  },
  'DL/T 645': {
    explain: [(bytes, kind, isSummaryOnly = false) => explainDlt645(bytes, { ...meter, kind, isSummaryOnly })],
    frames: allVectors.flatMap(({ request_hex, response_hex }) => [octets(request_hex ?? ''), octets(response_hex ?? '')]),
  },
  'IEC 61850': {
    hasLines: false,
    explain: [(bytes, kind) => explainTpkt(bytes, { kind, request: null })],
    frames: captures61850().flatMap(({ events }) => events.map(({ bytes }) => bytes)),
  },
};

/** The frame, and others that are broken at a place of their own: cut, surplus, an octet changed. */
function variants(frame: Uint8Array, number: number): readonly Uint8Array[] {
  if (frame.length === 0) return [];
  const place = (number * 7) % frame.length;
  const changed = (value: number) => frame.with(place, (frame[place] ?? 0) ^ value);
  return [frame, frame.subarray(0, place), Uint8Array.of(...frame, 0x41), changed(0x01), changed(0x80), changed(0xff)];
}

/** A place of a text that nothing was put into. */
const HOLE = /\{\{(?!true|false)[a-z_]+\}\}|(?<![\w-])undefined|\[object/;

/** What is seen of a corpus, in one pass: each explanation is made once. */
function look({ explain, frames, hasLines = true }: Corpus) {
  const chinese = new Set<string>();
  const holes = new Set<string>();
  const otherLines: string[] = [];
  const different = new Map(frames.map((frame) => [hexText(frame), frame]));
  const all = [...different.values()].flatMap((frame, number) => variants(frame, number));
  for (const each of explain) {
    for (const text of textsOf(inChinese(each(Uint8Array.of(0xde, 0xad), 'noise')))) chinese.add(text);
    for (const bytes of all) {
      const explanation = each(bytes, 'rx');
      for (const text of textsOf(inChinese(explanation))) chinese.add(text);
      for (const text of textsOf(inEnglish(explanation))) if (HOLE.test(text)) holes.add(text);
      if (!hasLines) continue;
      const { summary, secrets } = each(bytes, 'rx', true);
      if (!isDeepStrictEqual([summary, secrets], [explanation.summary, explanation.secrets])) otherLines.push(hexText(bytes));
    }
  }
  for (const text of chinese) if (HOLE.test(text)) holes.add(text);
  return { chinese, holes, otherLines };
}

describe.each(Object.entries(CORPORA))('explanations of %s', (_, corpus) => {
  let seen: ReturnType<typeof look>;
  beforeAll(() => {
    seen = look(corpus);
  });

  it('leave no English words in a Chinese text', () => {
    const left = [...seen.chinese].filter((text) => latinLeft(text).length > 0);
    expect(corpus.frames.length).toBeGreaterThan(20);
    expect(left.slice(0, 20)).toEqual([]);
  });

  if (corpus.hasLines ?? true) {
    it('have the same line and secrets where only the line is asked for', () => {
      expect(seen.otherLines).toEqual([]);
    });
  }

  it('fill every parameter in both languages', () => {
    expect([...seen.holes]).toEqual([]);
  });
});

describe('English left in a Chinese text', () => {
  it('is a word of a sentence, not an abbreviation, a reference, a unit or what a device says', () => {
    expect(latinLeft('M_SP_NA_1 (1)，突发，LLN0$ST$Beh，读（Read），0.5 kWh，"some words"，CP56Time2a，STARTDT 激活，IV NT')).toEqual([]);
    expect(latinLeft('值 is missing，读 Read，object-non-existent')).toEqual(['is', 'missing', 'Read', 'object-non-existent']);
  });
});
