import { describe, expect, it } from 'vitest';
import { hex, mmsOf, readCapture, readCaptures } from '../testing/captures.ts';
import { decodeApdu, encodeApdu } from './acse.ts';
import { decodeTpdu, dtHeader, encodeConnect, encodeDisconnect, TsduAssembler } from './cotp.ts';
import {
  decodeAbortPpdu,
  decodeAcceptPpdu,
  decodeConnectPpdu,
  decodeUserData,
  encodePpdu,
  encodeUserData,
  type Pdv,
} from './presentation.ts';
import { decodeSpdu, encodeSpdu, type Spdu } from './session.ts';
import { encodeTpkt, TpktFramer, tpktPayload } from './tpkt.ts';

const captures = readCaptures();
const joined = (...parts: Uint8Array[]) => Uint8Array.from(Buffer.concat(parts));
/** The order of parameters and the form of lengths are free; these files use another one in some places. */
const OTHER_FORMS = ['62-', '92-', '93-', '72-'];

/** TSDUs of a capture with the direction they went, joined by the assembler. */
function tsdusOf(name: string) {
  const assemblers = new Map<string, TsduAssembler>();
  const capture = readCapture(name);
  return capture.events.flatMap((event) => {
    if (event.kind !== 'tpkt') return [];
    const tpdu = decodeTpdu(tpktPayload(event.bytes));
    if (tpdu.kind !== 'dt') return [];
    const key = `${event.connection} ${event.from}`;
    const assembler = assemblers.get(key) ?? new TsduAssembler();
    assemblers.set(key, assembler);
    const tsdu = assembler.push(tpdu.data, tpdu.isLast, 66_000);
    return tsdu ? [{ ...event, tsdu }] : [];
  });
}

/** What a PPDU carries, and the PPDU written anew. */
function presentation(spdu: Exclude<Spdu, { kind: 'abort-accept' | 'refuse' }>): { data: readonly Pdv[]; again: Uint8Array } {
  if (spdu.kind === 'connect' || spdu.kind === 'accept' || spdu.kind === 'abort') {
    const decode = { connect: decodeConnectPpdu, accept: decodeAcceptPpdu, abort: decodeAbortPpdu }[spdu.kind];
    const ppdu = decode(spdu.userData);
    return { data: ppdu.data, again: encodePpdu(ppdu) };
  }
  const data = decodeUserData(spdu.userData);
  expect(data).toHaveLength(1);
  const [value] = data;
  return { data, again: value ? encodeUserData(value.contextId, value.octets) : new Uint8Array(0) };
}

describe.each(captures.map((capture) => capture.name))('%s', (name) => {
  const isCanonical = !OTHER_FORMS.some((prefix) => name.startsWith(prefix));

  it('is read TPKT by TPKT and written the same', () => {
    for (const { kind, bytes } of readCapture(name).events) {
      if (kind !== 'tpkt') continue;
      expect(new TpktFramer().push(bytes)).toEqual([{ kind: 'tpkt', bytes }]);
      const tpdu = decodeTpdu(tpktPayload(bytes));
      let payload: Uint8Array;
      if (tpdu.kind === 'dt') payload = joined(dtHeader(tpdu.isLast), tpdu.data);
      else if (tpdu.kind === 'dr') payload = encodeDisconnect(tpdu.destination, tpdu.source, tpdu.reason);
      else {
        expect(tpdu.kind).toMatch(/^c[rc]$/);
        if (tpdu.kind === 'er') return;
        payload = encodeConnect(tpdu);
        expect(decodeTpdu(payload)).toEqual(tpdu);
        if (!isCanonical && tpdu.kind === 'cc') continue;
      }
      expect(hex(encodeTpkt(payload))).toBe(hex(bytes));
    }
  });

  it('is read layer by layer down to its MMS PDUs, and written the same', () => {
    const found: { from: string; mms: string }[] = [];
    for (const { from, tsdu } of tsdusOf(name)) {
      const spdu = decodeSpdu(tsdu);
      if (spdu.kind === 'abort-accept' || spdu.kind === 'refuse') throw new Error('There is none in the captures.');
      expect(hex(encodeSpdu(spdu))).toBe(hex(tsdu));
      const { data, again } = presentation(spdu);
      if (isCanonical || spdu.kind !== 'data') expect(hex(again)).toBe(hex(spdu.userData));
      for (const { contextId, octets } of data) {
        if (contextId === 3) found.push({ from, mms: hex(octets) });
        else {
          expect(contextId).toBe(1);
          const apdu = decodeApdu(octets);
          expect(hex(encodeApdu(apdu))).toBe(hex(octets));
          if ((apdu.kind === 'aarq' || apdu.kind === 'aare') && apdu.information) found.push({ from, mms: hex(apdu.information.octets) });
        }
      }
    }
    expect(found).toEqual(mmsOf(readCapture(name)).map(({ from, bytes }) => ({ from, mms: hex(bytes) })));
  });
});
