import type { AcceptedPeer } from '../../transport/types.ts';
import type { ManualCore } from './manual-core.ts';

const STARTDT_ACT = 0x07;
const STARTDT_CON = 0x0b;
const TESTFR_ACT = 0x43;
const TESTFR_CON = 0x83;
/** Types of IEC 60870-5-101, 7.3.1: single point without and with CP56Time2a, short float with it. */
const M_SP_NA_1 = 1;
const M_SP_TB_1 = 30;
const M_ME_NC_1 = 13;
const M_ME_TF_1 = 36;
const C_IC_NA_1 = 100;
const SPONTANEOUS = 3;
const NEGATIVE = 0x40;
const TEST = 0x80;

interface Sent {
  /** Time of the device, UTC milliseconds; left out: none. */
  readonly time?: number;
  /** Quality descriptor. */
  readonly quality?: number;
  readonly cause?: number;
}

/**
 * A controlled station of IEC 104 made of octets alone, which sends what a test says and when: events that it kept, that it sends twice, that are late. Answers an interrogation with its signals.
 */
export class RawStation {
  readonly port: number;
  /** Signals by object address, as an interrogation answers them. */
  readonly signals = new Map<number, number>();
  /** Values as short floats by object address. */
  readonly values = new Map<number, number>();
  isSilentAtInterrogation = false;
  /** Sent behind each STARTDT, in front of all else. */
  onStarted: () => void = () => undefined;
  #peer: AcceptedPeer | null = null;
  #sendNumber = 0;
  #received = 0;

  constructor({ network }: ManualCore) {
    this.port = network.freePort();
    const line = { kind: 'tcp', ip: '127.0.0.1', comPort: null, baudRate: 9600, dataBits: 8, stopBits: 1, parity: 'N' } as const;
    void network.listener({ ...line, port: this.port, connectTimeoutMs: 1000 }).listen((peer) => this.#join(peer));
  }

  #join(peer: AcceptedPeer): void {
    this.#peer = peer;
    this.#sendNumber = 0;
    this.#received = 0;
    peer.start({ onData: (chunk) => this.#take(chunk), onClosed: () => undefined });
  }

  /** Whole APDUs come in one piece over the line of the tests. */
  #take(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; at += 2 + (chunk[at + 1] ?? 0)) {
      const control = chunk[at + 2] ?? 0;
      if (control === STARTDT_ACT) {
        this.#write([0x68, 4, STARTDT_CON, 0, 0, 0]);
        this.onStarted();
      } else if (control === TESTFR_ACT) this.#write([0x68, 4, TESTFR_CON, 0, 0, 0]);
      else if ((control & 1) === 0) {
        this.#received += 1;
        if (chunk[at + 6] === C_IC_NA_1) this.#interrogated();
      }
    }
  }

  #interrogated(): void {
    this.#asdu(C_IC_NA_1, 7, 0, [20]);
    if (!this.isSilentAtInterrogation) {
      for (const [address, state] of this.signals) this.#asdu(M_SP_NA_1, 20, address, [state]);
      for (const [address, value] of this.values) this.#asdu(M_ME_NC_1, 20, address, [...float(value), 0]);
    }
    this.#asdu(C_IC_NA_1, 10, 0, [20]);
  }

  /** Sends the change of a signal, by itself. */
  signal(address: number, state: number, { time, quality = 0, cause = SPONTANEOUS }: Sent = {}): void {
    if (time === undefined) this.#asdu(M_SP_NA_1, cause, address, [state | quality]);
    else this.#asdu(M_SP_TB_1, cause, address, [state | quality, ...cp56(time)]);
  }

  /** The same as an answer that says no, and as test data. */
  refusal(address: number, state: number, time: number): void {
    this.signal(address, state, { time, cause: SPONTANEOUS | NEGATIVE });
  }

  test(address: number, state: number, time: number): void {
    this.signal(address, state, { time, cause: SPONTANEOUS | TEST });
  }

  /** Sends the change of a measurement. */
  value(address: number, value: number, { time, quality = 0, cause = SPONTANEOUS }: Sent = {}): void {
    if (time === undefined) this.#asdu(M_ME_NC_1, cause, address, [...float(value), quality]);
    else this.#asdu(M_ME_TF_1, cause, address, [...float(value), quality, ...cp56(time)]);
  }

  /** Closes the line, as a station does that starts anew. */
  hangUp(): void {
    void this.#peer?.close();
    this.#peer = null;
  }

  /** An I frame of one object of common address 1. */
  #asdu(type: number, cause: number, address: number, element: readonly number[]): void {
    const asdu = [type, 1, cause, 0, 1, 0, address & 0xff, (address >> 8) & 0xff, (address >> 16) & 0xff, ...element];
    const [ns, nr] = [this.#sendNumber++ << 1, this.#received << 1];
    this.#write([0x68, 4 + asdu.length, ns & 0xff, ns >> 8, nr & 0xff, nr >> 8, ...asdu]);
  }

  #write(octets: readonly number[]): void {
    void this.#peer?.write(Uint8Array.from(octets)).catch(() => undefined);
  }
}

function float(value: number): number[] {
  return [...new Uint8Array(Float32Array.of(value).buffer)];
}

/** CP56Time2a in UTC (IEC 60870-5-101, 7.2.6.18). */
function cp56(time: number): number[] {
  const date = new Date(time);
  const ms = date.getUTCSeconds() * 1000 + date.getUTCMilliseconds();
  const calendar = [date.getUTCDate(), date.getUTCMonth() + 1, date.getUTCFullYear() % 100];
  return [ms & 0xff, ms >> 8, date.getUTCMinutes(), date.getUTCHours(), ...calendar];
}
