import { AppError } from '#shared/domain/errors.ts';
import { bitsPerOctet } from '#shared/domain/serial.ts';
import { say } from '#shared/messages/index.ts';
import { type Clock, cancelled } from '../platform/clock.ts';
import type { SerialHandle } from './serial-binding.ts';
import type { SerialLines } from './serial-lines.ts';
import { type PortWiring, SerialPortLine } from './serial-port-line.ts';
import { notConnected } from './socket-errors.ts';
import type { ByteTransport, LineSettings, SerialControl, TransportEvents } from './types.ts';

const PARITY = { N: 'none', E: 'even', O: 'odd' } as const;
const USUAL: SerialControl = { dtrAtOpen: 'on', rtsAtOpen: 'on', rtsDirection: 'none' };

/** A serial port as a line: for a master and for a slave, who both just send and receive there. */
export class SerialConnector implements ByteTransport {
  readonly #lines: SerialLines;
  readonly #settings: LineSettings;
  readonly #clock: Clock;
  readonly #control: SerialControl;
  readonly #ended = new AbortController();
  #line: SerialPortLine | null = null;
  #path: string;
  #used = false;

  constructor(lines: SerialLines, settings: LineSettings, clock: Clock) {
    this.#lines = lines;
    this.#settings = settings;
    this.#clock = clock;
    this.#control = settings.serial ?? USUAL;
    this.#path = settings.comPort ?? '';
  }

  get label(): string {
    const { baudRate, dataBits, parity, stopBits } = this.#settings;
    return `${this.#path} ${baudRate} ${dataBits}${parity}${stopBits}`;
  }

  get serialPath(): string {
    return this.#path;
  }

  async open(events: TransportEvents, signal: AbortSignal): Promise<void> {
    if (this.#used) throw new AppError('INTERNAL', say('transport.opened_once'));
    this.#used = true;
    if (this.#path === '') {
      throw new AppError('STATE_CONFLICT', say('transport.no_com_port'));
    }
    const either = AbortSignal.any([signal, this.#ended.signal]);
    if (either.aborted) throw cancelled();
    const { baudRate, dataBits, stopBits, parity, connectTimeoutMs } = this.#settings;
    const port = await this.#lines.open(
      {
        path: this.#path,
        baudRate,
        dataBits,
        stopBits,
        parity: PARITY[parity],
        hupcl: this.#control.dtrAtOpen === 'on',
        deadlineMs: connectTimeoutMs,
      },
      either,
    );
    this.#path = port.path;
    try {
      await this.#setLines(port.handle);
      if (either.aborted) throw cancelled();
    } catch (error) {
      port.release(port.handle.close());
      throw error;
    }
    const wiring: PortWiring = { ...this.#control, octetMs: (bitsPerOctet(this.#settings) * 1000) / baudRate };
    this.#line = new SerialPortLine(port, this.label, wiring, this.#clock, events);
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#line ? this.#line.write(bytes) : Promise.reject(notConnected(this.label));
  }

  async close(): Promise<void> {
    this.#ended.abort();
    await this.#line?.close();
  }

  /** A port without control lines is fine as long as nobody asks for something of them. */
  async #setLines(handle: SerialHandle): Promise<void> {
    const { dtrAtOpen, rtsAtOpen, rtsDirection } = this.#control;
    const rts = rtsDirection === 'none' ? rtsAtOpen === 'on' : rtsDirection === 'low_to_send';
    try {
      await handle.setLines({ dtr: dtrAtOpen === 'on', rts });
    } catch (error) {
      if (dtrAtOpen === 'on' && rtsAtOpen === 'on' && rtsDirection === 'none') return;
      throw new AppError('TRANSPORT_UNREACHABLE', say('transport.no_control_lines', { path: this.#path }), { cause: error });
    }
  }
}
