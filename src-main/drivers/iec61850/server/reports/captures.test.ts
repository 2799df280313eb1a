import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../../platform/manual-clock.ts';
import { decodeMms, encodeMms } from '../../mms/codec.ts';
import type { InformationReport, MmsPdu } from '../../mms/pdu.ts';
import { TRIGGER } from '../../reports/bits.ts';
import { decodeReport, isReport, type Report } from '../../reports/report.ts';
import { type Capture, type CaptureEvent, mmsOf, readCapture } from '../../testing/captures.ts';
import { SimulatedIed } from '../ied.ts';
import { variableKey } from '../image.ts';
import { learnDevice } from '../testing/learned-device.ts';
import { connect, type TestPeer, testIo } from '../testing/served.ts';

const LIMITS = { maxPduOctets: 65_000, maxOutstanding: 5, tpduSize: 8192 };
const IDENTITY = { vendor: 'ACME', model: 'GoldenIED', revision: '1.0.7' };
const MOST_STEPS = 60;
const STEP_MS = 50;

/** The device of the captures, with the values that a client read before anything changed. */
function golden(prefix: string, clock: ManualClock): SimulatedIed {
  const learned = learnDevice(['90', '13'], [prefix, '20', '21', '22', '23', '24', '30', '60', '63', '64'], IDENTITY);
  const options = { model: learned.model, identity: IDENTITY, files: [], accessErrors: new Map(), clock, onWritten: () => undefined };
  const ied = new SimulatedIed(options);
  for (const [variable, value] of [...learned.values].reverse()) {
    const found = ied.image.find(variable);
    if (found) ied.image.set(found, value);
  }
  ied.start();
  return ied;
}

/** Reports among what one end sent over a connection, as they came. */
function reportsIn(capture: Capture, connection: number): readonly InformationReport[] {
  return mmsOf(capture).flatMap((each) => {
    const pdu: MmsPdu | null = each.from === 'server' && each.connection === connection ? decodeMms(each.bytes) : null;
    return pdu?.kind === 'information-report' && isReport(pdu.report) ? pdu.report : [];
  });
}

function written(peer: TestPeer | undefined, connection: number): Capture {
  const bytes = Uint8Array.from(Buffer.concat(peer?.written ?? []));
  const events: CaptureEvent[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
    events.push({ kind: 'tpkt', from: 'server', connection, bytes: bytes.subarray(at, at + length), text: '' });
    at += length;
  }
  return { name: 'ours', events };
}

/** A report without what depends on the hour. */
function timeless(report: InformationReport): InformationReport {
  const results = report.results.map((result) => {
    const isTime = result.kind === 'binary-time' || (result.kind === 'octet-string' && result.octets.length === 8);
    return isTime ? { ...result, octets: new Uint8Array(result.octets.length) } : result;
  });
  return { ...report, results };
}

class Replay {
  readonly clock = new ManualClock();
  readonly #io = testIo();
  readonly #ied: SimulatedIed;
  readonly #capture: Capture;
  readonly #peers = new Map<number, TestPeer>();
  /** EntryIDs of ours by those of the capture, in hexadecimal. */
  readonly #entries = new Map<string, string>();
  #isAway = false;
  readonly pairs: (readonly [theirs: InformationReport, ours: InformationReport | undefined])[] = [];

  constructor(prefix: string) {
    this.#capture = readCapture(prefix);
    this.#ied = golden(prefix, this.clock);
  }

  async run(): Promise<this> {
    const told = new Map<number, number>();
    for (const event of this.#capture.events) {
      const { connection, from, kind, bytes } = event;
      if (kind === 'tpkt' && from === 'client') await this.#send(connection, bytes);
      if (kind === 'fin' && from === 'client') await this.#changeWhileAway(connection);
      if (kind !== 'tpkt' || from !== 'server' || !event.text.includes('InformationReport')) continue;
      const place = told.get(connection) ?? 0;
      told.set(connection, place + 1);
      const theirs = reportsIn(this.#capture, connection)[place];
      if (theirs) await this.#expect(theirs, connection, place);
    }
    return this;
  }

  async #send(connection: number, bytes: Uint8Array): Promise<void> {
    const peer = this.#peers.get(connection) ?? connect(this.#io, { device: this.#ied, limits: LIMITS }).peer;
    this.#peers.set(connection, peer);
    let text = Buffer.from(bytes).toString('hex');
    for (const [theirs, ours] of this.#entries) text = text.replace(theirs, ours);
    await peer.send(Uint8Array.from(Buffer.from(text, 'hex')));
  }

  /** What made the device report, where it was no time and no question; then the time until ours reports. */
  async #expect(theirs: InformationReport, connection: number, place: number): Promise<void> {
    const report = decodeReport(theirs);
    if (!this.#isAway) this.#change(report);
    const ours = () => reportsIn(written(this.#peers.get(connection), connection), connection)[place];
    for (let step = 0; step < MOST_STEPS && !ours(); step++) await this.clock.advance(step === 0 ? 0 : STEP_MS);
    const found = ours();
    const entry = found && decodeReport(found).entryId;
    if (report.entryId && entry) this.#entries.set(hex(report.entryId), hex(entry));
    this.pairs.push([theirs, found]);
  }

  /** Changes that the next connection was told of happened before it came. */
  async #changeWhileAway(connection: number): Promise<void> {
    for (const report of reportsIn(this.#capture, connection + 1).map(decodeReport)) {
      this.#isAway = true;
      this.#change(report);
      await this.clock.advance(STEP_MS);
    }
  }

  #change(report: Report): void {
    const set = this.#ied.dataSets.named(report.dataSet ?? 'EMS1LD0/LLN0$dsMeas', null);
    for (const { place, reasons, value } of report.members) {
      const isChange =
        reasons?.some((bit) => bit !== TRIGGER.integrity && bit !== TRIGGER.general_interrogation) ?? report.members.length === 1;
      const item = set?.items[place];
      const variable = item && this.#ied.image.find(item.name);
      if (isChange && variable && value.kind !== 'failure') this.#ied.image.set(variable, value);
    }
  }
}

function hex(octets: Uint8Array): string {
  return Buffer.from(octets).toString('hex');
}

describe('reports of the captures', () => {
  it.each([
    ['50', 5],
    ['51', 3],
    ['52', 4],
    ['63', 2],
    ['90', 1],
  ])('%s: ours are the same, octet by octet but for times and entries', async (prefix, count) => {
    const { pairs } = await new Replay(prefix).run();
    expect(pairs).toHaveLength(count);
    for (const [theirs, ours] of pairs) {
      expect(ours && timeless(ours)).toEqual(timeless(theirs));
      const octets = (report: InformationReport) => hex(encodeMms({ kind: 'information-report', report: timeless(report) }));
      expect(ours && octets(ours)).toBe(octets(theirs));
    }
  });

  it('begin with members that the device has', () => {
    const ied = golden('50', new ManualClock());
    const [item] = ied.dataSets.named('EMS1LD0/LLN0$dsStat', null)?.items ?? [];
    const variable = item && ied.image.find(item.name);
    expect(variable && variableKey(variable)).toBe('EMS1LD0/GGIO1$ST$Ind1');
  });
});
