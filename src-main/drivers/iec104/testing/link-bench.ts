/** A port with a link whose other end, line and program behind are the test. */
import { english } from '#shared/messages/index.ts';
import { ManualClock, settle } from '../../../platform/manual-clock.ts';
import { APCI_LENGTH, encodeI, encodeS, SEQUENCE_MODULO } from '../link/apci.ts';
import { ApduPort } from '../link/apdu-port.ts';
import type { LinkEnd, LinkLimits, OutgoingAsdu } from '../link/link-types.ts';
import { type CaptureEvent, octets } from './captures.ts';

export const DEFAULT_LIMITS: LinkLimits = { k: 12, w: 8, t1Ms: 15_000, t2Ms: 10_000, t3Ms: 20_000 };

export interface SentApdu {
  readonly atMs: number;
  readonly bytes: Uint8Array;
}

/** A short ASDU: M_SP_NA_1, object 1. */
export const ANY_ASDU = octets('01 01 03 00 01 00 01 00 00 01');

export class LinkBench {
  readonly clock = new ManualClock();
  readonly port: ApduPort;
  /** Everything sent, in order, one entry an APDU. */
  readonly all: SentApdu[] = [];
  readonly received: Uint8Array[] = [];
  readonly notes: string[] = [];
  readonly offered: OutgoingAsdu[] = [];
  acknowledged = 0;
  starts = 0;
  stops = 0;
  end: LinkEnd | null = null;
  endedAtMs = 0;
  isClosed = false;
  writes = 0;
  /** Called with each I frame. */
  onData: (apdu: Uint8Array) => void = () => {};
  readonly #role: 'controlling' | 'controlled';
  /** Numbers of the other end: of its next I frame, and of the next it expects. */
  theirSendNumber = 0;

  constructor(role: 'controlling' | 'controlled', limits: Partial<LinkLimits> = {}, writesApart = false) {
    this.#role = role;
    this.port = new ApduPort({
      role,
      clock: this.clock,
      writesApart,
      limits: { ...DEFAULT_LIMITS, ...limits },
      source: { next: () => this.offered.shift() ?? null },
      line: {
        write: async (bytes) => {
          this.writes += 1;
          for (let at = 0; at < bytes.length; at += 2 + (bytes[at + 1] ?? 0)) {
            this.all.push({ atMs: this.clock.monotonicMs(), bytes: bytes.slice(at, at + 2 + (bytes[at + 1] ?? 0)) });
          }
        },
        close: async () => {
          this.isClosed = true;
        },
      },
      frames: {
        record: ({ kind, text }) => {
          if (kind === 'note' || kind === 'noise') this.notes.push(english(text ?? ''));
          return 1;
        },
      },
      health: { fault: () => undefined },
      events: {
        onData: (apdu) => {
          this.received.push(apdu);
          this.onData(apdu);
        },
        onChunk: () => undefined,
        onStarted: () => {
          this.starts += 1;
        },
        onStopped: () => {
          this.stops += 1;
        },
        onEnd: (end) => {
          this.end = end;
          this.endedAtMs = this.clock.monotonicMs();
        },
      },
    });
  }

  get link() {
    return this.port.link;
  }

  /** What was sent since the last look, as hex. */
  take(): string[] {
    return this.all.splice(0).map((item) => Buffer.from(item.bytes).toString('hex'));
  }

  /** Octets from the other end; text is hex. */
  async receive(bytes: Uint8Array | string): Promise<void> {
    this.port.receive(typeof bytes === 'string' ? octets(bytes) : bytes);
    await settle();
  }

  /** An I frame from the other end, numbered as is right, with N(R) `nr`. */
  async receiveI(nr: number, asdu: Uint8Array = ANY_ASDU): Promise<void> {
    const ns = this.theirSendNumber;
    this.theirSendNumber = (ns + 1) % SEQUENCE_MODULO;
    await this.receive(encodeI(ns, nr, asdu));
  }

  async receiveS(nr: number): Promise<void> {
    await this.receive(encodeS(nr));
  }

  /** Puts ASDUs into the hands of the link. */
  async offer(count = 1): Promise<void> {
    for (let left = count; left > 0; left--) this.offered.push({ asdu: ANY_ASDU, onAcknowledged: () => this.acknowledged++ });
    this.link.wake();
    await settle();
  }

  /** Data transfer is started, as each role does it; what was sent for it is forgotten. */
  async started(): Promise<this> {
    if (this.#role === 'controlling') {
      this.link.start();
      await this.receive('68040b000000');
    } else await this.receive('680407000000');
    this.take();
    return this;
  }

  /** Exchanges I frames in both directions, without waiting, until both next numbers are `number`. */
  exchangeUpTo(number: number): void {
    for (let next = this.theirSendNumber; next !== number; next = (next + 1) % SEQUENCE_MODULO) {
      this.offered.push({ asdu: ANY_ASDU });
      this.link.wake();
      this.port.receive(encodeI(next, (next + 1) % SEQUENCE_MODULO, ANY_ASDU));
    }
    this.theirSendNumber = number;
  }
}

export interface ReplayOptions {
  readonly side: 'client' | 'server';
  /** The program had all its ASDUs from the first one on. */
  readonly allAtOnce?: boolean;
}

const isI = ({ kind, bytes }: CaptureEvent) => kind === 'apdu' && ((bytes[2] ?? 1) & 1) === 0;
const nrOf = ({ bytes }: CaptureEvent) => ((bytes[4] ?? 0) | ((bytes[5] ?? 0) << 8)) >> 1;
/** An answer that left so soon after what it acknowledges was made while the rest of the segment was still unread. */
const SAME_MOMENT_MS = 20;

/**
 * Plays what the other end sent into the bench, at its times. What the program behind this end decided comes from the recording: start,
 * stop, and the ASDUs it had to send; everything else is up to the link.
 */
export async function replay(bench: LinkBench, events: readonly CaptureEvent[], options: ReplayOptions): Promise<void> {
  const { side } = options;
  const startMs = events[0]?.atMs ?? 0;
  const own = events.filter((event) => event.from === side && isI(event));
  const offerNext = () => {
    const event = own.shift();
    if (event) bench.offered.push({ asdu: event.bytes.subarray(APCI_LENGTH) });
  };
  const begin = bench.clock.monotonicMs();
  const nowMs = () => bench.clock.monotonicMs() - begin + startMs;
  const check = bench.onData;
  let receivedNumber = bench.theirSendNumber;
  bench.onData = (apdu) => {
    check(apdu);
    receivedNumber = (receivedNumber + 1) % SEQUENCE_MODULO;
    for (let next = own[0]; next && nrOf(next) === receivedNumber && next.atMs - nowMs() <= SAME_MOMENT_MS; next = own[0]) offerNext();
  };
  for (const event of events) {
    if (event.atMs > nowMs()) await bench.clock.advance(event.atMs - nowMs());
    if (event.kind === 'fin' || event.kind === 'rst') bench.port.lineEnded({ kind: event.from === side ? 'local' : 'peer' });
    else if (event.kind !== 'connect' && event.from !== side) bench.port.receive(event.bytes);
    else if (isI(event)) {
      while (own.includes(event) || (options.allAtOnce && own.length > 0)) offerNext();
      bench.link.wake();
    } else if (side === 'client' && event.bytes[2] === 0x07) bench.link.start();
    else if (side === 'client' && event.bytes[2] === 0x13) bench.link.stop();
    await settle();
  }
}
