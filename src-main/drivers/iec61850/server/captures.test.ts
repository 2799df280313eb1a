import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../platform/manual-clock.ts';
import { decodeMms, invokeIdOf } from '../mms/codec.ts';
import type { MmsPdu, MmsRequest } from '../mms/pdu.ts';
import { type Capture, type CaptureMms, hex, mmsOf, octets, readCapture, readCaptures } from '../testing/captures.ts';
import { type ControlFault, PLAIN_RULES } from './control/control-rules.ts';
import { SimulatedIed } from './ied.ts';
import { learnDevice } from './testing/learned-device.ts';
import { connect, type TestPeer, testIo } from './testing/served.ts';

const LIMITS = { maxPduOctets: 65_000, maxOutstanding: 5, tpduSize: 8192 };
const ACME = { vendor: 'ACME', model: 'GoldenIED', revision: '1.0.7' };
const DEFAULT_IDENTITY = { vendor: 'libiec61850.com', model: 'LIBIEC61850', revision: '1.5.3' };
const GOLDEN_TYPES = ['90', '13'];
const GOLDEN_VALUES = ['40', '20', '21', '22', '23', '24', '30', '60', '63', '64'];
/** Captures of other servers than the golden one: from where their model is learnt. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  14: ['14'],
  25: ['14'],
  53: ['53', '13'],
  54: ['54', '13'],
  62: ['92'],
  80: ['80'],
  81: ['81'],
  92: ['92'],
  93: ['92'],
};
const CHANGED = Date.parse('2026-11-20T04:06:23Z');
const FILES = [
  { name: 'test.cfg', octets: octets('68656c6c6f20636f6d74726164650a'), modifiedMs: CHANGED },
  { name: 'rec1.dat', octets: new Uint8Array(3000), modifiedMs: CHANGED },
];

/** Answers that are others on purpose, or cannot be known from the captures. */
const DIFFERENT: Readonly<Record<string, string>> = {
  '32-setting-group:10': 'LActTm is the time of the replay',
  '52-brcb-resync:20': 'the values of the device do not move here: no entry came',
  '52-brcb-resync:27': 'the same, behind the association that was lost',
  '52-brcb-resync:29': 'so the entry behind which the client wants to go on is not there',
  '62-cotp-segmentation-128:14': 'the list is repeated when that is asked for; iec61850bean does not',
  '73-misc:16': 'a cancellation is answered by an error of its own kind, where libiec61850 rejects the PDU as unknown',
  '92-iec61850bean-server:8': 'names are sorted; iec61850bean keeps the order of the model',
  '92-iec61850bean-server:24': 'lacks an error text that iec61850bean invents',
  '92-iec61850bean-server:32': 'ctlModel is configuration; iec61850bean lets it be written',
  '92-iec61850bean-server:28': 'the list is repeated when that is asked for; iec61850bean does not',
};
/** Answers in which a position has the time of the replay. */
const TIMED: ReadonlySet<string> = new Set(['40-control-direct-normal:12', '43-control-sbo-enhanced:15', '45-control-dpc-inc-apc:31']);
/** What the recorded servers did on purpose, by capture and object. */
const CONTROL_FAULTS: Readonly<Record<string, Readonly<Record<string, ControlFault>>>> = {
  44: {
    'EMS1LD0/GGIO1$CO$SPCSO6': { refuses: { service: 'select', cause: { addCause: 10, error: 1 } } },
    'EMS1LD0/GGIO1$CO$SPCSO7': { refuses: { service: 'operate', cause: { addCause: 9, error: 0 }, accessError: 1 } },
    'EMS1LD0/GGIO1$CO$SPCSO8': { fails: { addCause: 16, error: 2 } },
  },
  80: { 'simpleIOGenericIO/GGIO1$CO$SPCSO9': { fails: { addCause: 0, error: 0 } } },
};
/** Same meaning in other octets. */
const OTHER_OCTETS: Readonly<Record<string, string>> = {
  '30-datasets:34': 'an association name wrapped in a constructed element',
};

interface Pair {
  readonly place: string;
  readonly request: MmsRequest | null;
  readonly theirs: Uint8Array;
  readonly ours: Uint8Array | null;
}

interface Replayed {
  readonly pairs: readonly Pair[];
  /** PDUs of both servers in order. */
  readonly theirs: readonly CaptureMms[];
  readonly ours: readonly CaptureMms[];
}

/** The client side of a capture against our device, which is made of what the capture and its like show. */
async function replay(name: string): Promise<Replayed> {
  const prefix = name.slice(0, 2);
  const other = OTHERS[prefix];
  const learned = learnDevice(other ?? GOLDEN_TYPES, [prefix, ...(other ?? GOLDEN_VALUES)], ACME);
  const ied = new SimulatedIed({
    model: learned.model,
    identity: prefix === '04' ? DEFAULT_IDENTITY : ACME,
    files: FILES,
    accessErrors: new Map(),
    clock: new ManualClock(CHANGED),
    // the recorded servers take a command to where a switch stands
    controlRules: { ...PLAIN_RULES, refusesReached: false, faultOf: (key) => CONTROL_FAULTS[prefix]?.[key] },
    onWritten: () => undefined,
  });
  ied.start();
  for (const [variable, value] of [...learned.values].reverse()) {
    const found = ied.image.find(variable);
    if (found) ied.image.set(found, value);
  }
  const io = testIo(prefix === '04' || prefix === '05' ? { association_password: 'user1@testpw' } : {});
  const peers = new Map<number, TestPeer>();
  const capture = readCapture(prefix);
  for (const { kind, from, connection, bytes } of capture.events) {
    if (kind !== 'tpkt' || from !== 'client') continue;
    const peer = peers.get(connection) ?? connect(io, { device: ied, limits: LIMITS }).peer;
    peers.set(connection, peer);
    await peer.send(bytes);
  }
  const ours = mmsOf(written(peers));
  const all = mmsOf(capture);
  const theirs = all.filter(({ from }) => from === 'server');
  const pairs = theirs.map((each) => ({
    place: `${name}:${each.line}`,
    request: requestOf(all, each),
    theirs: each.bytes,
    ours: ours.find((pdu) => pdu.connection === each.connection && answersSame(pdu, each))?.bytes ?? null,
  }));
  return { pairs, theirs, ours };
}

function requestOf(all: readonly CaptureMms[], answer: CaptureMms): MmsRequest | null {
  const pdu = decodeMms(answer.bytes);
  for (const { from, connection, bytes } of all) {
    if (from === 'server' || connection !== answer.connection || !('invokeId' in pdu) || invokeIdOf(bytes) !== pdu.invokeId) continue;
    const asked = pdu.kind === 'reject' ? null : decodeMms(bytes);
    return asked?.kind === 'request' ? asked.request : null;
  }
  return null;
}

function written(peers: ReadonlyMap<number, TestPeer>): Capture {
  const events = [...peers].flatMap(([connection, { written }]) =>
    tpkts(Uint8Array.from(Buffer.concat(written))).map((bytes) => ({ kind: 'tpkt', from: 'server', connection, bytes, text: '' }) as const),
  );
  return { name: 'ours', events };
}

function tpkts(bytes: Uint8Array): Uint8Array[] {
  const found: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)) {
    found.push(bytes.subarray(at, at + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0))));
  }
  return found;
}

function answersSame(one: CaptureMms, other: CaptureMms): boolean {
  const [first, second] = [decodeMms(one.bytes), decodeMms(other.bytes)];
  return 'invokeId' in first && 'invokeId' in second ? first.invokeId === second.invokeId : first.kind === second.kind;
}
/** A PDU with the times of its values left out. */
function withoutTimes(pdu: MmsPdu): unknown {
  return JSON.parse(JSON.stringify(pdu, (_, value) => (value?.kind === 'utc-time' ? 'a time' : value)));
}

/** Meaning of an answer as far as it must be the same: pages may end at other names, parameters and services are our own. */
function meaning(pdu: MmsPdu, pageLength = Number.POSITIVE_INFINITY): unknown {
  if (pdu.kind === 'initiate-response') return { ...pdu.initiate, parameters: null, services: null };
  if (pdu.kind !== 'response' || pdu.response.service !== 'get-name-list') return pdu;
  const { names, moreFollows } = pdu.response;
  return { ...pdu, response: names.length > pageLength || moreFollows ? names.slice(0, pageLength) : { names, moreFollows } };
}

function pageLength(one: MmsPdu, other: MmsPdu): number | undefined {
  const lengths = [one, other].flatMap((pdu) =>
    pdu.kind === 'response' && pdu.response.service === 'get-name-list' && pdu.response.moreFollows ? [pdu.response.names.length] : [],
  );
  return lengths.length === 0 ? undefined : Math.min(...lengths);
}

const CAPTURES = readCaptures().map(({ name }) => name);

describe('client side of the captures', () => {
  it.each(CAPTURES)('%s gets answers of the same meaning', async (name) => {
    const other: string[] = [];
    for (const { place, theirs, ours } of (await replay(name)).pairs) {
      const wanted = decodeMms(theirs);
      if (wanted.kind === 'information-report' || DIFFERENT[place] !== undefined) continue;
      const given = decodeMms(ours ?? new Uint8Array(0));
      if (TIMED.has(place)) {
        expect(withoutTimes(given), place).toEqual(withoutTimes(wanted));
        continue;
      }
      const length = pageLength(wanted, given);
      expect(meaning(given, length), place).toEqual(meaning(wanted, length));
      if (wanted.kind !== 'initiate-response' && length === undefined && hex(ours ?? theirs) !== hex(theirs)) other.push(place);
    }
    expect(other).toEqual(Object.keys(OTHER_OCTETS).filter((place) => place.startsWith(name)));
  });

  it.each(CAPTURES.filter((name) => /control/.test(name)))('%s is told how its controls end, in the same order', async (name) => {
    const { theirs, ours } = await replay(name);
    const told = (pdus: readonly CaptureMms[]) =>
      pdus.map(({ connection, bytes }) => {
        const pdu = decodeMms(bytes);
        return { connection, kind: pdu.kind, invokeId: invokeIdOf(bytes), report: pdu.kind === 'information-report' ? pdu.report : null };
      });
    const byConnection = (pdus: readonly CaptureMms[]) => told(pdus).sort((one, other) => one.connection - other.connection);
    expect(byConnection(ours)).toEqual(byConnection(theirs));
    const operated = theirs.map(({ bytes }) => decodeMms(bytes)).filter(({ kind }) => kind === 'information-report');
    if (!/direct-normal/.test(name)) expect(operated.length).toBeGreaterThan(0);
  });

  it('differs where the list says so', async () => {
    for (const place of Object.keys(DIFFERENT)) {
      const pair = (await replay(place.split(':')[0] ?? '')).pairs.find((each) => each.place === place);
      expect(pair && hex(pair.ours ?? new Uint8Array(0)), place).not.toBe(pair && hex(pair.theirs));
    }
  });

  it('closes where the golden server closes: wrong password', async () => {
    expect((await replay('05-connect-password-refused')).pairs).toEqual([]);
  });
});
