import { describe, expect, it } from 'vitest';
import { hex, mmsOf, type ReadResult, readCaptures, readReads } from '../testing/captures.ts';
import { decodeMms, encodeMms, invokeIdOf } from './codec.ts';
import type { MmsPdu } from './pdu.ts';
import { readAnswerSize, readRequestSize, resultSize, variableSize } from './sizes.ts';
import type { MmsResult } from './types.ts';

const PDUS = readCaptures().flatMap((capture) => mmsOf(capture).map((pdu) => ({ ...pdu, place: `${capture.name}:${pdu.line}` })));

/** PDUs whose octets are not the canonical ones, and why; decoded and encoded again they are others with the same meaning. */
const NOT_CANONICAL = new Map([
  ['30-datasets:34', 'an association name wrapped in a constructed element'],
  ['72-non-minimal-lengths:5', 'longer lengths and invokeID than needed'],
  ['73-misc:9', 'true as ff'],
]);

/** Broken on purpose. */
const BROKEN = '70-reject:9';

function bits(octets: Uint8Array, size: number): string {
  const text = Array.from(octets, (octet) => octet.toString(2).padStart(8, '0')).join('');
  return text.slice(0, size);
}

/** A result as `reads.json` says it. */
function asVector(result: MmsResult): unknown {
  switch (result.kind) {
    case 'failure':
      return { failure: result.code };
    case 'structure':
    case 'array':
      return { type: result.kind, value: result.items.map(asVector) };
    case 'bit-string':
      return { type: 'bit-string', value: bits(result.octets, result.size) };
    case 'float':
      return { type: 'floating-point', value: result.value };
    case 'utc-time':
      return { type: 'utc-time', value: utcText(result.octets), timeQuality: hex(result.octets.subarray(7)) };
    case 'binary-time':
      return { type: 'binary-time', value: binaryTimeText(result.octets) };
    case 'octet-string':
    case 'other':
      return { type: result.kind, value: hex(result.octets) };
    case 'visible-string':
    case 'mms-string':
      return { type: result.kind, value: result.text };
    default:
      return { type: result.kind, value: result.value };
  }
}

function utcText(octets: Uint8Array): string {
  const view = new DataView(octets.buffer, octets.byteOffset);
  const fraction = Math.round(((view.getUint32(4) >>> 8) / 2 ** 24) * 1000);
  return new Date(view.getUint32(0) * 1000 + fraction).toISOString();
}

function binaryTimeText(octets: Uint8Array): string {
  const view = new DataView(octets.buffer, octets.byteOffset);
  return new Date(Date.UTC(1984, 0, 1 + view.getUint16(4)) + view.getUint32(0)).toISOString();
}

function expected(result: ReadResult): unknown {
  if ('failure' in result) return { failure: result.failure };
  if (!Array.isArray(result.value)) return result;
  return { type: result.type, value: result.value.map(expected) };
}

describe('captures', () => {
  it('holds what the fact sheet counts on', () => {
    expect(PDUS.length).toBe(1018);
  });

  it('decodes every PDU and gives the same octets again, but for the named ones', () => {
    const others: string[] = [];
    for (const { bytes, place } of PDUS) {
      if (place === BROKEN) continue;
      const pdu = decodeMms(bytes);
      const again = encodeMms(pdu);
      if (hex(again) !== hex(bytes)) others.push(place);
      expect(decodeMms(again), place).toEqual(pdu);
    }
    expect(others).toEqual([...NOT_CANONICAL.keys()]);
  });

  it('knows every PDU, but for those that were made to be unknown', () => {
    const unknown = PDUS.filter(({ place }) => place !== BROKEN).filter(({ bytes }) => {
      const pdu = decodeMms(bytes);
      return (
        pdu.kind === 'unknown' ||
        (pdu.kind === 'request' && pdu.request.service === 'unknown') ||
        (pdu.kind === 'response' && pdu.response.service === 'unknown')
      );
    });
    expect(unknown.map(({ place }) => place)).toEqual(['70-reject:5', '70-reject:7']);
  });

  it('refuses the broken PDU and still finds its invokeID', () => {
    const broken = PDUS.find(({ place }) => place === BROKEN)?.bytes ?? new Uint8Array(0);
    expect(() => decodeMms(broken)).toThrow(expect.objectContaining({ code: 'PROTOCOL_MALFORMED' }));
    expect(invokeIdOf(broken)).toBe(100);
  });

  it('reads the values of reads.json', () => {
    const vectors = readReads();
    expect(vectors.length).toBe(79);
    for (const vector of vectors) {
      const found = PDUS.find(({ place }) => place === `${vector.file}:${vector.responseLine}`);
      const pdu = decodeMms(found?.bytes ?? new Uint8Array(0));
      if (pdu.kind !== 'response' || pdu.response.service !== 'read') throw new Error(`${vector.file}:${vector.responseLine} is no Read.`);
      expect(pdu.invokeId).toBe(vector.invokeId);
      expect(pdu.response.results.map(asVector)).toEqual(vector.results.map(expected));
    }
  });

  it('estimates sizes that hold', () => {
    for (const { bytes, place } of PDUS) {
      const pdu: MmsPdu | null = place === BROKEN || NOT_CANONICAL.has(place) ? null : decodeMms(bytes);
      if (pdu?.kind === 'request' && pdu.request.service === 'read' && pdu.request.spec.kind === 'variables') {
        const { items } = pdu.request.spec;
        const octets = items.reduce((sum, item) => sum + variableSize(item), 0);
        expect(readRequestSize(octets)).toBeGreaterThanOrEqual(bytes.length);
        expect(bytes.length - octets).toBeGreaterThan(8);
      }
      if (pdu?.kind === 'response' && pdu.response.service === 'read' && pdu.response.spec === null) {
        const octets = pdu.response.results.reduce((sum, result) => sum + resultSize(result), 0);
        expect(readAnswerSize(octets)).toBeGreaterThanOrEqual(bytes.length);
        expect(bytes.length - octets).toBeGreaterThan(6);
      }
    }
  });
});
