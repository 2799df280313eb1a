import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { hex, mmsOf, octets, readCaptures, streamsOf } from '../testing/captures.ts';
import { OsiBench, tpkt } from '../testing/osi-bench.ts';
import { decodeApdu } from './acse.ts';
import { decodeTpdu } from './cotp.ts';
import { decodeAbortPpdu, decodeAcceptPpdu, decodeConnectPpdu, decodeRefusePpdu, decodeUserData } from './presentation.ts';
import { decodeSpdu, encodeSpdu } from './session.ts';
import { TpktFramer, tpktPayload } from './tpkt.ts';

const captures = readCaptures();
const streams = captures.flatMap((capture) => {
  const mms = mmsOf(capture);
  return streamsOf(capture).flatMap((stream) => {
    const pdus = mms.filter((item) => item.from === stream.from && item.connection === stream.connection).map((item) => hex(item.bytes));
    return pdus.length === 0 || capture.name.startsWith('05') ? [] : [{ ...stream, pdus }];
  });
});
const MAX = 65_000;

/** A bench of the other role than that of the stream, ready for it. */
function receiver(from: 'client' | 'server'): OsiBench {
  const bench = new OsiBench(from === 'client' ? 'responder' : 'initiator');
  bench.answer = { kind: 'accept', initiate: octets('a900') };
  bench.osi.start(from === 'client' ? null : octets('a800'));
  return bench;
}

const cuts = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 12 });

/** Cuts octets by the sizes, over and over. */
function pieces(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let at = 0, next = 0; at < bytes.length; next++) {
    const end = at + (sizes[next % sizes.length] ?? 1);
    parts.push(bytes.slice(at, end));
    at = end;
  }
  return parts;
}

const golden = [
  ...new Set(captures.flatMap((capture) => capture.events.filter((event) => event.kind === 'tpkt').map((event) => hex(event.bytes)))),
]
  .filter((text) => text.length < 1200)
  .map(octets);
/** Recorded TPKTs with some octets changed, cut or lengthened inside a header that still fits. */
const mutated = fc
  .record({
    base: fc.constantFrom(...golden),
    changes: fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { maxLength: 4 }),
    cut: fc.nat(900),
    tail: fc.uint8Array({ maxLength: 3 }),
  })
  .map(({ base, changes, cut, tail }) => {
    const payload = Uint8Array.from(
      [...tpktPayload(base).slice(0, cut), ...tail, 0, 0, 0].slice(0, Math.max(3, Math.min(cut, base.length - 4) + tail.length)),
    );
    for (const [at, value] of changes) if (at < payload.length) payload[at] = value;
    return octets(tpkt(hex(payload)));
  });

describe('any chunks', () => {
  it('give the same MMS PDUs, for every capture', () => {
    for (const stream of streams) {
      fc.assert(
        fc.property(cuts, (sizes) => {
          const bench = receiver(stream.from);
          for (const part of pieces(stream.bytes, sizes)) bench.push(part);
          const initiate = stream.from === 'client' ? hex(bench.indication?.initiate ?? new Uint8Array(0)) : bench.initiate;
          expect([initiate, ...bench.received].join()).toBe(stream.pdus.join());
          expect(bench.frames.join()).toBe(stream.tpkts.slice(0, bench.frames.length).map(hex).join());
        }),
        { numRuns: 4 },
      );
    }
  });

  it('give the same MMS PDUs octet by octet', () => {
    for (const stream of streams.filter(({ name }) => /^(01|11|61|62|65|92)-/.test(name))) {
      const bench = receiver(stream.from);
      for (const part of pieces(stream.bytes, [1])) bench.push(part);
      expect(bench.received.join()).toBe(stream.pdus.slice(1).join());
    }
  });
});

describe('whatever comes', () => {
  const decoders = [
    decodeTpdu,
    decodeSpdu,
    decodeConnectPpdu,
    decodeAcceptPpdu,
    decodeRefusePpdu,
    decodeAbortPpdu,
    decodeUserData,
    decodeApdu,
  ];

  it('each codec answers or throws PROTOCOL_MALFORMED', () => {
    const inner = fc.tuple(mutated, fc.nat(80)).map(([bytes, at]) => bytes.slice(Math.min(at, bytes.length)));
    fc.assert(
      fc.property(fc.oneof(inner, fc.uint8Array({ maxLength: 60 })), (bytes) => {
        for (const decode of decoders) {
          try {
            decode(bytes);
          } catch (thrown) {
            expect(thrown).toBeInstanceOf(AppError);
            expect(thrown).toHaveProperty('code', 'PROTOCOL_MALFORMED');
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('session reads back what it writes', () => {
    const data = fc.uint8Array({ maxLength: 600 });
    const selector = fc.option(fc.uint8Array({ maxLength: 16 }));
    fc.assert(
      fc.property(data, selector, selector, (userData, callingSelector, calledSelector) => {
        const spdu = { kind: 'connect' as const, callingSelector, calledSelector, userData };
        const again = decodeSpdu(encodeSpdu(spdu));
        expect(JSON.stringify(again)).toBe(JSON.stringify(spdu));
      }),
      { numRuns: 200 },
    );
  });

  it('a connection goes on or ends with FRAME_, PROTOCOL_ or what the peer asked for; in either role and state', async () => {
    const chunk = fc.oneof(mutated, fc.constantFrom(...golden), fc.uint8Array({ maxLength: 30 }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(chunk, { maxLength: 12 }),
        fc.constantFrom('client' as const, 'server' as const),
        fc.boolean(),
        async (chunks, from, isOpen) => {
          const bench = receiver(from);
          const begin = streams.find((stream) => stream.name.startsWith('01') && stream.from === from);
          if (isOpen) for (const bytes of begin?.tpkts.slice(0, 2) ?? []) bench.push(bytes);
          for (const bytes of chunks) {
            bench.push(Uint8Array.from(bytes));
            expect(bench.osi.buffered).toBeLessThanOrEqual(MAX + 65_536 + 256);
          }
          await bench.clock.advance(60_000);
          if (bench.end?.kind === 'failed')
            expect(bench.endCode).toMatch(/^(FRAME_|PROTOCOL_|TRANSPORT_LOST$|TIMEOUT_(CONNECT|RESPONSE)$)/);
          expect(bench.ends).toBeLessThanOrEqual(1);
          expect(bench.clock.pending).toBe(0);
        },
      ),
      { numRuns: 250 },
    );
  });

  it('a framer holds no more than one TPKT', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.constantFrom(...golden)), { maxLength: 20 }), (chunks) => {
        const framer = new TpktFramer();
        let octetsIn = 0;
        let octetsOut = 0;
        for (const chunk of chunks) {
          octetsIn += chunk.length;
          for (const item of framer.push(chunk)) octetsOut += item.bytes.length;
          expect(framer.buffered).toBeLessThan(65_535);
          expect(octetsOut + framer.buffered).toBe(octetsIn);
        }
      }),
      { numRuns: 200 },
    );
  });
});
