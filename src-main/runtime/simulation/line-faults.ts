import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { DriverDescriptor, DriverLine } from '../../drivers/spi/index.ts';
import type { CancelTimer, Clock } from '../../platform/clock.ts';

/** Addresses that are refused, and the exception they are refused with. */
export interface AddressException {
  readonly from: number;
  readonly to: number;
  readonly code: number;
}

/** What a served line does wrong on purpose. Shares are percent of what is sent. */
export interface LineFaults {
  /** What is sent leaves so much later, and up to `jitterMs` later still; in its order. */
  readonly delayMs: number;
  readonly jitterMs: number;
  /** Not sent at all. */
  readonly silent: number;
  /** Only the first half is sent. */
  readonly half: number;
  /** Sent with a wrong checksum. */
  readonly spoilt: number;
  /** The last octet is left out: what ends a frame of DL/T 645. */
  readonly openEnd: number;
  /** The connection is closed in place of it; on a serial line it is silence. */
  readonly hangUp: number;
  /** New connections are closed at once. */
  readonly refuses: boolean;
  readonly exceptions: readonly AddressException[];
}

export const NO_FAULTS: LineFaults = {
  delayMs: 0,
  jitterMs: 0,
  silent: 0,
  half: 0,
  spoilt: 0,
  openEnd: 0,
  hangUp: 0,
  refuses: false,
  exceptions: [],
};

/** How often each fault was made since the channel was started. */
export type FaultCounts = Readonly<Record<'silent' | 'half' | 'spoilt' | 'openEnd' | 'hangUp' | 'refused' | 'exceptions', number>>;

const NONE: FaultCounts = { silent: 0, half: 0, spoilt: 0, openEnd: 0, hangUp: 0, refused: 0, exceptions: 0 };

/** Octets that wait for their time on one line; more is sent at once, so that nothing is kept without a bound. */
const MOST_WAITING_OCTETS = 4_194_304;
const ASCII_START = 0x3a;

/** Lets a served line be as bad as lines and devices are: late, silent, torn, wrong, gone. Faults take hold at once. */
export class FaultyLines {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #checkOf: () => DriverDescriptor['frameCheck'];
  readonly #tell: (said: Message) => void;
  #faults: LineFaults = NO_FAULTS;
  #counts: FaultCounts = NONE;

  constructor(clock: Clock, random: () => number, checkOf: () => DriverDescriptor['frameCheck'], tell: (said: Message) => void) {
    this.#clock = clock;
    this.#random = random;
    this.#checkOf = checkOf;
    this.#tell = tell;
  }

  get faults(): LineFaults {
    return this.#faults;
  }

  get counts(): FaultCounts {
    return this.#counts;
  }

  /** True where frames have a checksum of their own. */
  get hasChecksum(): boolean {
    return this.#checkOf() !== undefined;
  }

  set(change: Partial<LineFaults>): void {
    this.#faults = { ...this.#faults, ...change };
    const { exceptions, refuses, ...numbers } = this.#faults;
    const told = Object.entries(numbers).flatMap(([name, value]) => (value === 0 ? [] : [`${name} ${value}`]));
    if (refuses) told.push('refuses');
    for (const { from, to, code } of exceptions) told.push(`exception ${code}: ${from}-${to}`);
    this.#tell(told.length === 0 ? say('simulation.no_faults') : say('simulation.line_faults', { faults: told.join(', ') }));
  }

  /** The channel was started anew: faults stay, their counts begin again. */
  begin(): void {
    this.#counts = NONE;
  }

  /** True for a connection that is closed at once. */
  refuses(): boolean {
    if (this.#faults.refuses) this.#count('refused');
    return this.#faults.refuses;
  }

  /** The exception a request to these addresses is refused with; null for none. */
  exceptionAt(address: number, count: number): number | null {
    const found = this.#faults.exceptions.find(({ from, to }) => address <= to && address + count > from);
    if (found) this.#count('exceptions');
    return found?.code ?? null;
  }

  /** The line with its faults. `canHangUp`: it is a connection of its own, which may be closed. */
  wrap(line: DriverLine, canHangUp: boolean): DriverLine {
    const sending = new LateSender(this.#clock, line);
    return {
      get label() {
        return line.label;
      },
      start: (events) =>
        line.start({
          onData: (chunk) => events.onData(chunk),
          onClosed(cause) {
            sending.end();
            events.onClosed(cause);
          },
          onTrouble: (error) => events.onTrouble?.(error),
        }),
      write: (bytes) => {
        const { delayMs, jitterMs } = this.#faults;
        const sent = this.#spoil(bytes);
        if (sent === 'hang_up') {
          if (canHangUp) line.close().catch(() => undefined);
          return Promise.resolve();
        }
        if (sent === null) return Promise.resolve();
        return sending.write(sent, delayMs + jitterMs * (jitterMs > 0 ? this.#random() : 0));
      },
      close() {
        sending.end();
        return line.close();
      },
    };
  }

  /** What is sent in place of these octets; null: nothing. At most one fault is made of them. */
  #spoil(bytes: Uint8Array): Uint8Array | 'hang_up' | null {
    const { silent, half, spoilt, openEnd, hangUp } = this.#faults;
    if (silent + half + spoilt + openEnd + hangUp === 0) return bytes;
    if (this.#happens(hangUp, 'hangUp')) return 'hang_up';
    if (this.#happens(silent, 'silent')) return null;
    if (this.#happens(half, 'half')) return bytes.subarray(0, Math.ceil(bytes.length / 2));
    const check = this.#checkOf();
    if (check && this.#happens(spoilt, 'spoilt')) return withWrongCheck(bytes, check);
    if (this.#happens(openEnd, 'openEnd')) return bytes.subarray(0, bytes.length - 1);
    return bytes;
  }

  #happens(percent: number, name: keyof FaultCounts): boolean {
    const is = percent > 0 && this.#random() * 100 < percent;
    if (is) this.#count(name);
    return is;
  }

  #count(name: keyof FaultCounts): void {
    this.#counts = { ...this.#counts, [name]: this.#counts[name] + 1 };
  }
}

/** Modbus: the CRC is the last octet, or LRC in letters before CR LF; DL/T 645: the sum stands before the end octet. */
function withWrongCheck(bytes: Uint8Array, check: 'crc' | 'sum'): Uint8Array {
  const spoilt = bytes.slice();
  const isText = bytes[0] === ASCII_START;
  const at = bytes.length - (isText ? 3 : check === 'sum' ? 2 : 1);
  const octet = spoilt[at];
  if (octet === undefined) return spoilt;
  // another hexadecimal digit, or another octet
  spoilt[at] = isText ? (octet === 0x30 ? 0x31 : 0x30) : octet ^ 0xff;
  return spoilt;
}

/** Sends octets late, in their order. */
class LateSender {
  readonly #clock: Clock;
  readonly #line: DriverLine;
  readonly #waiting = new Set<CancelTimer>();
  #octets = 0;
  #lastDueAt = 0;
  #isEnded = false;

  constructor(clock: Clock, line: DriverLine) {
    this.#clock = clock;
    this.#line = line;
  }

  write(bytes: Uint8Array, ms: number): Promise<void> {
    const now = this.#clock.monotonicMs();
    const due = Math.max(now + ms, this.#lastDueAt);
    if (due <= now || this.#isEnded || this.#octets > MOST_WAITING_OCTETS) return this.#line.write(bytes);
    this.#lastDueAt = due;
    this.#octets += bytes.length;
    const kept = bytes.slice();
    return new Promise((resolve, reject) => {
      const cancel = this.#clock.after(due - now, () => {
        this.#waiting.delete(cancel);
        this.#octets -= kept.length;
        if (this.#isEnded) resolve();
        else this.#line.write(kept).then(resolve, reject);
      });
      this.#waiting.add(cancel);
    });
  }

  /** Nobody waits for it any more. */
  end(): void {
    this.#isEnded = true;
    for (const cancel of this.#waiting) cancel();
    this.#waiting.clear();
    this.#octets = 0;
  }
}
