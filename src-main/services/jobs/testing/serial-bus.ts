import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { findRtuFrames } from '../../../drivers/modbus/diagnostics/rtu-frames.ts';
import { encodeRtu } from '../../../drivers/modbus/rtu/framing.ts';
import type { Clock } from '../../../platform/clock.ts';
import { missingPort, serialLostError } from '../../../transport/serial-errors.ts';
import type { ByteTransport, LineSettings, TransportEvents } from '../../../transport/types.ts';
import { asReadWith } from './uart.ts';

/** What a slave answers to a request PDU; null is silence. */
export type Slave = (pdu: Uint8Array) => Uint8Array | null;

export interface BusAnswer {
  readonly delayMs: number;
  readonly octets: Uint8Array;
}

export interface BusOptions {
  readonly clock: Clock;
  readonly baudRate: number;
  /** `8E1` and the like. */
  readonly format: string;
  /** Slaves by address; several of one address answer one after the other. */
  readonly slaves?: readonly (readonly [address: number, slave: Slave])[];
  /** Whoever else is on the bus: what comes after octets that were heard, and when. */
  readonly respond?: (heard: Uint8Array) => readonly BusAnswer[];
  readonly turnRoundMs?: number;
  /** True when the adapter hears what it sends. */
  readonly echo?: boolean;
  /** Octets that something else sends on the bus every 100 ms, with its settings. */
  readonly traffic?: Uint8Array;
  /** Octets that come once, so long after the first opening. */
  readonly stray?: BusAnswer;
  /** What becomes of the answer of a slave; `index` counts the answers of the bus from 0. Left out: it arrives whole, behind the turn-round. */
  readonly onAnswer?: (answer: Uint8Array, index: number) => readonly BusAnswer[];
  /** True on a line without parity and stop bits, as virtual ports are: every format reads every other. */
  readonly isVirtual?: boolean;
}

/** A slave that answers reads of function 3 with the value of its first register, and refuses everything else. */
export function registerSlave(value: number): Slave {
  return (pdu) => {
    if (pdu[0] !== 3) return Uint8Array.of((pdu[0] ?? 0) | 0x80, 1);
    const quantity = ((pdu[3] ?? 0) << 8) | (pdu[4] ?? 0);
    return Uint8Array.from([3, 2 * quantity, ...Array.from({ length: quantity }, () => [value >> 8, value & 0xff]).flat()]);
  };
}

/** A serial bus with slaves of one setting, and an adapter on it that is opened with any; octets go through the model of a line, bit by bit. */
export class SerialBus {
  readonly #options: BusOptions;
  /** How the port answers to being opened; null opens it. */
  refusal: AppError | null = null;
  opened: string[] = [];
  isOpen = false;
  /** Answers of slaves so far. */
  answers = 0;
  /** The adapter that is open now; answers come to whoever listens. */
  adapter: Adapter | null = null;

  constructor(options: BusOptions) {
    this.#options = options;
  }

  readonly connector = (line: LineSettings): ByteTransport => new Adapter(this, this.#options, line);

  /** The adapter is pulled out of the computer: an open port ends, and there is none to be opened any more. */
  pull(): void {
    const words = new Error('bad file descriptor');
    this.refusal = missingPort('COM3', [], words);
    if (this.isOpen) this.adapter?.lose(words);
  }
}

interface Setting {
  readonly baudRate: number;
  readonly format: string;
}

class Adapter implements ByteTransport {
  readonly label: string;
  readonly #bus: SerialBus;
  readonly #options: BusOptions;
  readonly #setting: Setting;
  #events: TransportEvents | null = null;
  #isClosed = false;
  #stopTraffic = () => {};

  constructor(bus: SerialBus, options: BusOptions, line: LineSettings) {
    this.#bus = bus;
    this.#options = options;
    this.#setting = { baudRate: line.baudRate, format: `${line.dataBits}${line.parity}${line.stopBits}` };
    this.label = `${line.comPort} ${line.baudRate} ${this.#setting.format}`;
  }

  async open(events: TransportEvents): Promise<void> {
    if (this.#bus.refusal) throw this.#bus.refusal;
    if (this.#bus.isOpen) throw new AppError('TRANSPORT_PORT_TAKEN', quoted('The port was opened twice.'));
    this.#bus.isOpen = true;
    this.#bus.opened.push(`${this.#setting.baudRate} ${this.#setting.format}`);
    this.#events = events;
    this.#bus.adapter = this;
    this.#emitTraffic();
    const { stray, clock } = this.#options;
    if (stray && this.#bus.opened.length === 1) clock.after(stray.delayMs, () => this.#send(stray.octets));
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#isClosed) throw new AppError('TRANSPORT_NOT_CONNECTED', quoted('The port is closed.'));
    const { echo, slaves = [], respond, onAnswer, turnRoundMs = 5, clock } = this.#options;
    if (echo) this.#deliver(bytes, this.#setting);
    const heard = this.#read(bytes, this.#setting, this.#options);
    for (const answer of respond?.(heard) ?? []) clock.after(answer.delayMs, () => this.#send(answer.octets));
    let delayMs = turnRoundMs + 10;
    for (const { unitId, start, end } of findRtuFrames(heard)) {
      for (const [address, slave] of slaves) {
        if (address !== unitId) continue;
        const pdu = slave(heard.slice(start + 1, end - 2));
        const answer = pdu && encodeRtu(unitId, pdu);
        if (!answer) continue;
        const arrivals = onAnswer?.(answer, this.#bus.answers++) ?? [{ delayMs, octets: answer }];
        for (const arrival of arrivals) clock.after(arrival.delayMs, () => this.#send(arrival.octets));
        delayMs += 15;
      }
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopTraffic();
    if (!this.#events) return;
    this.#bus.isOpen = false;
    this.#events.onClosed({ kind: 'local' });
  }

  /** Ends by itself, with an error of the system. */
  lose(words: Error): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopTraffic();
    this.#bus.isOpen = false;
    this.#events?.onClosed({ kind: 'failed', error: serialLostError(words, this.label) });
  }

  /** Puts octets on the bus: whoever has the port open now hears them. */
  #send(octets: Uint8Array): void {
    this.#bus.adapter?.hear(octets);
  }

  /** Octets of the bus arrive here. */
  hear(octets: Uint8Array): void {
    this.#deliver(octets, this.#options);
  }

  #read(octets: Uint8Array, sent: Setting, read: Setting): Uint8Array {
    const sentAs = this.#options.isVirtual ? { ...sent, format: read.format } : sent;
    return asReadWith(octets, sentAs, read, 'drop');
  }

  #deliver(octets: Uint8Array, sent: Setting): void {
    const heard = this.#read(octets, sent, this.#setting);
    if (!this.#isClosed && heard.length > 0) this.#events?.onData(heard);
  }

  #emitTraffic(): void {
    const { traffic, clock } = this.#options;
    if (!traffic) return;
    this.#stopTraffic = clock.after(100, () => {
      this.#deliver(traffic, this.#options);
      this.#emitTraffic();
    });
  }
}
