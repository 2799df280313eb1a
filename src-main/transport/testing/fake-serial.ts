/** Serial ports that do what a test says: plugged, pulled, hanging. */
import type { SerialBinding, SerialHandle, SerialLineState, SerialOpenOptions } from '../serial-binding.ts';
import type { SystemSerialPort } from '../serial-ports.ts';

/** An adapter as the system lists it. */
export function adapter(path: string, changes: Partial<SystemSerialPort> = {}): SystemSerialPort {
  return { path, manufacturer: 'FTDI', vendorId: '0403', productId: '6001', serialNumber: null, place: null, ...changes };
}

export class FakeHandle implements SerialHandle {
  /** What happened, in order: `lines dtr rts`, `write 01 02`, `drain`, `close`. */
  readonly log: string[] = [];
  /** Set: the close never returns. */
  hangsOnClose = false;
  /** Set: what the next probe fails with. */
  probeError: Error | null = null;
  writeError: Error | null = null;
  readonly #reads: { resolve(value: { bytesRead: number }): void; reject(error: Error): void; buffer: Buffer; offset: number }[] = [];

  read(buffer: Buffer, offset: number): Promise<{ bytesRead: number }> {
    return new Promise((resolve, reject) => this.#reads.push({ resolve, reject, buffer, offset }));
  }
  async write(buffer: Buffer): Promise<void> {
    if (this.writeError) throw this.writeError;
    this.log.push(`write ${buffer.toString('hex')}`);
  }
  async drain(): Promise<void> {
    this.log.push('drain');
  }
  async setLines({ dtr, rts }: SerialLineState): Promise<void> {
    this.log.push(`dtr ${dtr ? 'on' : 'off'} rts ${rts ? 'on' : 'off'}`);
  }
  async probe(): Promise<void> {
    if (this.probeError) throw this.probeError;
  }
  close(): Promise<void> {
    this.log.push('close');
    for (const read of this.#reads.splice(0)) read.reject(Object.assign(new Error('Port is not open'), { canceled: true }));
    return this.hangsOnClose ? new Promise(() => {}) : Promise.resolve();
  }
  receive(...octets: number[]): void {
    const read = this.#reads.shift();
    if (!read) throw new Error('nobody reads');
    read.resolve({ bytesRead: Buffer.from(octets).copy(read.buffer, read.offset) });
  }
  pull(): void {
    for (const read of this.#reads.splice(0)) read.reject(new Error('bad file descriptor'));
  }
}

export class FakeBinding implements SerialBinding {
  readonly opened: { readonly options: SerialOpenOptions; readonly handle: FakeHandle }[] = [];
  /** Ports there are. */
  plugged: SystemSerialPort[] = [];
  /** Ports that can be opened and that no list has. */
  hidden: SystemSerialPort[] = [];
  /** Set: the system does not list its ports. */
  listError: Error | null = null;
  /** Paths whose open does not return until `finish` is called for them. */
  readonly hanging = new Map<string, () => void>();
  readonly hangs = new Set<string>();
  running = 0;
  mostRunning = 0;

  async open(options: SerialOpenOptions): Promise<FakeHandle> {
    this.running += 1;
    this.mostRunning = Math.max(this.mostRunning, this.running);
    try {
      await Promise.resolve();
      if (this.hangs.has(options.path)) await new Promise<void>((resolve) => this.hanging.set(options.path, resolve));
      if (![...this.plugged, ...this.hidden].some((port) => port.path === options.path))
        throw new Error(`Opening ${options.path}: File not found`);
      const handle = new FakeHandle();
      this.opened.push({ options, handle });
      return handle;
    } finally {
      this.running -= 1;
    }
  }

  async list(): Promise<SystemSerialPort[]> {
    if (this.listError) throw this.listError;
    return this.plugged;
  }

  get last(): FakeHandle {
    const opened = this.opened.at(-1);
    if (!opened) throw new Error('nothing was opened');
    return opened.handle;
  }
}
