/** The part of the serialport package that is used: its binding, without the stream on top of it. */
import { writeSync } from 'node:fs';

/** How a port is opened; other flow control than none is not wanted on an RS-485 line. */
export interface SerialOpenOptions {
  readonly path: string;
  readonly baudRate: number;
  readonly dataBits: 7 | 8;
  readonly stopBits: 1 | 2;
  readonly parity: 'none' | 'even' | 'odd';
  /** DTR falls when the port is closed; on Windows also: DTR is raised at open. */
  readonly hupcl: boolean;
}

/** Control lines; every call sets all of them. */
export interface SerialLineState {
  readonly dtr: boolean;
  readonly rts: boolean;
}

/** An open port. Errors are those of the system, in the words of the package. */
export interface SerialHandle {
  /** Resolves with at least one octet. */
  read(buffer: Buffer, offset: number, length: number): Promise<{ readonly bytesRead: number }>;
  /** Resolves when the octets are handed to the system. One at a time. */
  write(buffer: Buffer): Promise<void>;
  /** Resolves when the system has sent everything. */
  drain(): Promise<void>;
  setLines(state: SerialLineState): Promise<void>;
  /** Asks the driver for the state of the port: fails when the adapter is gone. */
  probe(): Promise<void>;
  /** May never return when the adapter was pulled. */
  close(): Promise<void>;
}

export interface SerialBinding {
  open(options: SerialOpenOptions): Promise<SerialHandle>;
}

/**
 * The binding of this system. The stream of the package is left out: it tells the loss of an adapter only after its close, which may
 * never return.
 */
export const systemSerialBinding: SerialBinding = {
  async open(options) {
    // loaded at the first use: a native module that cannot be loaded costs the serial lines, not the start of the service
    const { autoDetect } = await import('@serialport/bindings-cpp');
    const port = await autoDetect().open({ ...options, lock: true });
    return {
      read: (buffer, offset, length) => port.read(buffer, offset, length),
      write: async (buffer) => {
        const written = writeNow(port, buffer);
        if (written < buffer.length) await port.write(buffer.subarray(written));
      },
      drain: () => port.drain(),
      // low latency: the driver of an FTDI adapter then delivers after 1 ms instead of 16; Linux alone knows it
      setLines: (state) => port.set({ ...state, brk: false, cts: false, dsr: false, ...{ lowLatency: true } }),
      probe: async () => {
        await port.get();
      },
      close: () => port.close(),
    };
  },
};

/**
 * Octets that the system took at once. A write through a thread comes a tenth of a millisecond later, which is time on the line; the
 * descriptor does not block, so what does not fit is left to the thread. Windows has no descriptor for a port.
 */
function writeNow(port: object, buffer: Buffer): number {
  if (process.platform === 'win32' || !('fd' in port) || typeof port.fd !== 'number') return 0;
  try {
    return writeSync(port.fd, buffer);
  } catch {
    // full, or gone: the write of the package says which
    return 0;
  }
}
