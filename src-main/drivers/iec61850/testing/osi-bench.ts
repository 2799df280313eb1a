/** One OSI connection whose other end and line are the test. */
import { ManualClock } from '../../../platform/manual-clock.ts';
import { NO_END_POINT, OsiConnection, type OsiEnd, type OsiOptions } from '../osi/connection.ts';
import type { AssociationAnswer, AssociationIndication } from '../osi/establishment.ts';
import { hex, octets } from './captures.ts';

const TIMERS = { associateTimeoutMs: 10_000, releaseTimeoutMs: 2000, fragmentTimeoutMs: 10_000 };
/** Selectors and names as libiec61850 has them by default. */
export const LOCAL = {
  transportSelector: octets('0001'),
  sessionSelector: octets('0001'),
  presentationSelector: octets('00000001'),
  apTitle: '1.1.1.999',
  aeQualifier: 12,
};
export const REMOTE = { ...LOCAL, apTitle: '1.1.1.999.1' };

export type BenchOptions = Partial<Omit<OsiOptions, 'events' | 'role' | 'clock'>>;

export class OsiBench {
  readonly clock = new ManualClock();
  readonly osi: OsiConnection;
  /** TPKTs that were sent, as hex. */
  readonly sent: string[] = [];
  /** TPKTs that came, as hex. */
  readonly frames: string[] = [];
  readonly noise: string[] = [];
  /** MMS PDUs that came, as hex. */
  readonly received: string[] = [];
  initiate: string | null = null;
  indication: AssociationIndication | null = null;
  end: OsiEnd | null = null;
  ends = 0;
  /** How a responder answers. */
  answer: AssociationAnswer = { kind: 'close' };
  /** Called with everything that is sent. */
  onSent: (tpkt: Uint8Array) => void = () => undefined;
  /** Called with each MMS PDU. */
  onMms: (pdu: Uint8Array) => void = () => undefined;

  constructor(role: OsiOptions['role'], options: BenchOptions = {}) {
    const isInitiator = role === 'initiator';
    this.osi = new OsiConnection({
      ...TIMERS,
      local: isInitiator ? LOCAL : NO_END_POINT,
      remote: isInitiator ? REMOTE : NO_END_POINT,
      tpduSize: 8192,
      password: null,
      maxPduOctets: 65_000,
      ...options,
      role,
      clock: this.clock,
      events: {
        send: (tpkt) => {
          this.sent.push(hex(tpkt));
          this.onSent(tpkt);
          return this.sent.length;
        },
        onFrame: (tpkt) => this.frames.push(hex(tpkt)),
        onNoise: (bytes) => this.noise.push(hex(bytes)),
        onOpen: (initiate) => {
          this.initiate = hex(initiate);
        },
        onIndication: (indication) => {
          this.indication = indication;
          return this.answer;
        },
        onMms: (pdu) => {
          this.received.push(hex(pdu));
          this.onMms(pdu);
        },
        onEnd: (end) => {
          this.end = end;
          this.ends += 1;
        },
      },
    });
  }

  /** Octets from the other end; text is hex. */
  push(bytes: Uint8Array | string): void {
    this.osi.push(typeof bytes === 'string' ? octets(bytes) : bytes);
  }

  /** What was sent since the last look. */
  take(): string[] {
    return this.sent.splice(0);
  }

  /** Code of the error that ended it; the kind of the end where there was none. */
  get endCode(): string | null {
    if (!this.end) return null;
    return this.end.kind === 'failed' ? this.end.error.code : this.end.kind;
  }

  get endMessage(): string {
    return this.end?.kind === 'failed' ? this.end.error.message : '';
  }
}

/** A TPKT around a TPDU, both as hex. */
export function tpkt(tpdu: string): string {
  return `0300${(tpdu.length / 2 + 4).toString(16).padStart(4, '0')}${tpdu}`;
}
