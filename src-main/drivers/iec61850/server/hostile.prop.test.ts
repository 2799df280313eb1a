import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../platform/manual-clock.ts';
import { testPoint } from '../../testing/points.ts';
import { decodeMms, encodeMms, invokeIdOf } from '../mms/codec.ts';
import type { MmsPdu, MmsRequest } from '../mms/pdu.ts';
import { readSclDevice } from '../model/scl/device.ts';
import { openScl } from '../model/scl/file.ts';
import { sclText } from '../model/testing/files.ts';
import { hex, mmsOf, readCapture, streamsOf } from '../testing/captures.ts';
import { SimulatedIed } from './ied.ts';
import { tableModel } from './table-model.ts';
import { connect, type TestPeer, testIo } from './testing/served.ts';

const LIMITS = { maxPduOctets: 65_000, maxOutstanding: 5, tpduSize: 8192 };
const POINTS = [
  testPoint({ id: 1, reference: 'EMS1LD0/MMXU1.TotW.mag.f[MX]' }),
  testPoint({ id: 2, frame_type: 1, reference: 'EMS1LD0/LLN0.Beh.stVal[ST]' }),
  testPoint({ id: 3, frame_type: 3, reference: 'EMS1LD0/PTOC1.StrVal.setMag.f[SP]' }),
];

/** A file with a log beside the table. */
const BAY = sclText('bay.cid').replace(
  '<SettingControl',
  '<LogControl name="lcb" datSet="dsStat" logName="EventLog"><TrgOps dchg="true"/></LogControl><SettingControl',
);
const LOG = { scope: 'domain', domain: 'BAY1LD0', item: 'LLN0$EventLog' } as const;

/** Requests of the journal services, in every form. */
const JOURNAL_REQUESTS = [
  { start: null, stop: null, variables: null, after: null },
  {
    start: { kind: 'time', time: new Uint8Array(6) },
    stop: { kind: 'time', time: Uint8Array.of(0, 0, 0, 0, 99, 0) },
    variables: ['A'],
    after: null,
  },
  { start: { kind: 'entry', entry: new Uint8Array(8) }, stop: { kind: 'count', count: -1 }, variables: null, after: null },
  { start: null, stop: null, variables: null, after: { time: new Uint8Array(6), entry: new Uint8Array(8) } },
] as const;
const JOURNAL_PDUS = [
  ...JOURNAL_REQUESTS.map((asked): MmsRequest => ({ service: 'read-journal', name: LOG, ...asked })),
  { service: 'initialize-journal', name: LOG, limit: { time: new Uint8Array(6), entry: null } } as const,
].map((request, at) => encodeMms({ kind: 'request', invokeId: 900 + at, request }));

function device(): SimulatedIed {
  const table = tableModel(POINTS);
  const ied = new SimulatedIed({
    model: { ...table, devices: [...table.devices, ...readSclDevice(openScl('bay.cid', BAY), '').model.devices] },
    identity: { vendor: 'V', model: 'M', revision: 'R' },
    files: [{ name: 'a.txt', octets: new Uint8Array(100), modifiedMs: 0 }],
    accessErrors: new Map(),
    clock: new ManualClock(0),
    onWritten: () => undefined,
  });
  ied.start();
  const state = ied.image.findKey('BAY1LD0/GGIO1$ST$Ind1$stVal');
  for (let time = 0; state && time < 5; time++) ied.image.set(state, { kind: 'boolean', value: time % 2 === 1 });
  return ied;
}

function clientStream(prefix: string) {
  const stream = streamsOf(readCapture(prefix)).find(({ from }) => from === 'client');
  if (!stream) throw new Error(`Capture ${prefix} has no client.`);
  return stream;
}

/** The MMS PDUs that the device wrote, without the answer to the association. */
function answers({ written }: TestPeer): MmsPdu[] {
  const bytes = Uint8Array.from(Buffer.concat(written));
  const events = [];
  for (let at = 0; at < bytes.length; ) {
    const length = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
    events.push({ kind: 'tpkt', from: 'server', connection: 1, bytes: bytes.subarray(at, at + length), text: '' } as const);
    at += length;
  }
  return mmsOf({ name: 'answers', events }).flatMap((pdu) => {
    const decoded = decodeMms(pdu.bytes);
    return decoded.kind === 'initiate-response' ? [] : [decoded];
  });
}

/** An MMS PDU as a client sends it, in one TPKT. */
function tpkt(pdu: Uint8Array): Uint8Array {
  const long = (length: number) => [0x82, length >> 8, length & 0xff];
  const list = [0x30, ...long(pdu.length + 7), 2, 1, 3, 0xa0, ...long(pdu.length), ...pdu];
  const payload = [2, 0xf0, 0x80, 1, 0, 1, 0, 0x61, ...long(list.length), ...list];
  return Uint8Array.from([3, 0, (payload.length + 4) >> 8, (payload.length + 4) & 0xff, ...payload]);
}

/** A client that has associated as in the captures. */
async function associated(): Promise<{ peer: TestPeer; io: ReturnType<typeof testIo> }> {
  const io = testIo();
  const { peer } = connect(io, { device: device(), limits: LIMITS });
  for (const bytes of clientStream('01').tpkts.slice(0, 2)) await peer.send(bytes);
  return { peer, io };
}

const IDENTIFY = encodeMms({ kind: 'request', invokeId: 777, request: { service: 'identify' } });

describe('simulated device', () => {
  it('answers the same however the octets are cut', async () => {
    const { bytes } = clientStream('30');
    const whole = connect(testIo(), { device: device(), limits: LIMITS }).peer;
    await whole.send(bytes);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 }), async (sizes) => {
        const { peer } = connect(testIo(), { device: device(), limits: LIMITS });
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          await peer.send(bytes.subarray(at, at + size));
          at += size;
        }
        expect(hex(Buffer.concat(peer.written))).toBe(hex(Buffer.concat(whole.written)));
      }),
      { numRuns: 30 },
    );
  });

  it('reads logs the same however the octets are cut', async () => {
    const bytes = Uint8Array.from(Buffer.concat([...clientStream('01').tpkts.slice(0, 2), ...JOURNAL_PDUS.map(tpkt)]));
    const whole = connect(testIo(), { device: device(), limits: LIMITS }).peer;
    await whole.send(bytes);
    expect(
      answers(whole).map((pdu) =>
        pdu.kind === 'response' && pdu.response.service === 'read-journal' ? pdu.response.entries.length : pdu.kind,
      ),
    ).toEqual([5, 5, 'error', 5, 'response']);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 }), async (sizes) => {
        const { peer } = connect(testIo(), { device: device(), limits: LIMITS });
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          await peer.send(bytes.subarray(at, at + size));
          at += size;
        }
        expect(hex(Buffer.concat(peer.written))).toBe(hex(Buffer.concat(whole.written)));
      }),
      { numRuns: 30 },
    );
  });

  it('answers damaged PDUs with answers, errors and rejects, and works on', async () => {
    const pdus = ['10', '25', '30', '31', '32', '33', '73'].flatMap((prefix) =>
      mmsOf(readCapture(prefix)).flatMap(({ from, bytes }) => (from === 'client' && bytes[0] === 0xa0 ? [bytes] : [])),
    );
    pdus.push(...JOURNAL_PDUS, ...JOURNAL_PDUS);
    const damage = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 4 });
    const { peer, io } = await associated();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...pdus), damage, async (bytes, places) => {
        const broken = bytes.slice();
        for (const [place, octet] of places) broken[place % broken.length] = octet;
        fc.pre(broken[0] !== 0x8b);
        peer.written.length = 0;
        await peer.send(tpkt(broken));
        const [answer, more] = answers(peer);
        expect(more).toBeUndefined();
        expect(answer?.kind).toMatch(/^(?:response|error|reject|cancel-error)$/);
        const asked = invokeIdOf(broken);
        if (asked !== null && broken[0] === 0xa0) expect(answer).toHaveProperty('invokeId', asked);
        peer.written.length = 0;
        await peer.send(tpkt(IDENTIFY));
        expect(answers(peer)).toMatchObject([{ kind: 'response', invokeId: 777 }]);
      }),
      { numRuns: 300 },
    );
    expect(io.counts.request).toBeGreaterThan(300);
    expect(peer.isClosed).toBe(false);
  });

  it('with delays and faults set: damaged PDUs at any time, and nothing is thrown', async () => {
    const pdus = ['10', '25', '30', '31', '32', '33', '73'].flatMap((prefix) =>
      mmsOf(readCapture(prefix)).flatMap(({ from, bytes }) => (from === 'client' ? [bytes] : [])),
    );
    const faults = fc.record(
      {
        delayMs: fc.integer({ min: 0, max: 500 }),
        splitOctets: fc.integer({ min: 1, max: 20 }),
        invokeIdOffset: fc.constantFrom(-5, -1, 1, 7, 0xffff_fff0),
        mostResults: fc.integer({ min: 0, max: 3 }),
        closeAfterAnswers: fc.integer({ min: 0, max: 6 }),
        listSpecification: fc.constantFrom('demanded' as const, 'refused' as const),
        silent: fc.subarray(['read', 'identify', 'write', 'get-name-list']),
      },
      { requiredKeys: [] },
    );
    const step = fc.record({
      pdu: fc.constantFrom(...pdus),
      damage: fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 3 }),
      waitMs: fc.constantFrom(0, 1, 100, 600),
    });
    let delayed = 0;
    await fc.assert(
      fc.asyncProperty(faults, fc.array(step, { minLength: 1, maxLength: 12 }), async (given, steps) => {
        const io = testIo();
        const { peer, client } = connect(io, { device: device(), limits: LIMITS, faults: given });
        for (const bytes of clientStream('01').tpkts.slice(0, 2)) await peer.send(bytes);
        for (const { pdu, damage, waitMs } of steps) {
          const broken = pdu.slice();
          for (const [place, octet] of damage) broken[place % broken.length] = octet;
          await peer.send(tpkt(broken));
          await io.clock.advance(waitMs);
        }
        if (given.delayMs !== undefined && io.counts.response > 0) delayed += 1;
        client.close();
        await io.clock.advance(60_000);
        expect(io.clock.pending).toBe(0);
      }),
      { numRuns: 400 },
    );
    expect(delayed).toBeGreaterThan(20);
  });

  it('survives any octets in place of an association', async () => {
    const { bytes } = clientStream('01');
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 40 }), async (place, noise) => {
        const { peer } = connect(testIo(), { device: device(), limits: LIMITS });
        const broken = bytes.slice();
        broken.set(noise.subarray(0, broken.length - (place % broken.length)), place % broken.length);
        await peer.send(broken);
        await peer.send(noise);
        peer.drop();
      }),
      { numRuns: 100 },
    );
  });

  it('refuses requests beyond the window while answers are delayed, and gives up with the client', async () => {
    const io = testIo();
    const { peer } = connect(io, { device: device(), limits: LIMITS, faults: { delayMs: 1000 } });
    for (const bytes of clientStream('65').tpkts.slice(0, 12)) await peer.send(bytes);
    expect(answers(peer)).toHaveLength(5);
    expect(answers(peer)).toContainEqual({ kind: 'reject', invokeId: 10, reason: 1, code: 6 });
    await io.clock.advance(1000);
    expect(answers(peer)).toHaveLength(10);
    await peer.send(tpkt(IDENTIFY));
    peer.drop();
    await io.clock.advance(1000);
    expect(answers(peer)).toHaveLength(10);
    expect(io.notices.at(-1)).toContain('has gone');
  });
});
