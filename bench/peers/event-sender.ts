import { createServer, type Server, type Socket } from 'node:net';
import { APCI_LENGTH } from '../../src-main/drivers/iec104/link/apci.ts';

/** Frames sent and not acknowledged at most; the other side acknowledges every eight. */
const WINDOW = 1024;
const FRAMES_IN_CHUNK = 64;
const MODULO = 32_768;
const CONFIRMATION: Readonly<Record<number, number>> = { 7: 0x0b, 67: 0x83 };

/** A station that sends frames as fast as they are acknowledged, and does nothing else. */
export class EventSender {
  readonly #server: Server;
  readonly #template: Uint8Array;
  readonly #patch: (frame: Uint8Array, number: number) => void;
  #socket: Socket | null = null;
  #sent = 0;
  #acknowledged = 0;
  #wanted = 0;

  private constructor(server: Server, template: Uint8Array, patch: (frame: Uint8Array, number: number) => void) {
    this.#server = server;
    this.#template = template;
    this.#patch = patch;
    server.on('connection', (socket) => this.#accept(socket));
  }

  /** `template`: an I frame; `patch` gives the frame of a number its values. */
  static open(template: Uint8Array, patch: (frame: Uint8Array, number: number) => void): Promise<EventSender> {
    const server = createServer({ noDelay: true });
    return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(new EventSender(server, template, patch))));
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  /** Frames asked for so far. */
  get wanted(): number {
    return this.#wanted;
  }

  /** Sends so many frames more. */
  send(count: number): void {
    this.#wanted += count;
    this.#pump();
  }

  end(): void {
    this.#socket?.destroy();
    this.#server.close();
  }

  #accept(socket: Socket): void {
    this.#socket = socket;
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Uint8Array) => {
      for (let at = 0; at + APCI_LENGTH <= chunk.length; at += 2 + (chunk[at + 1] ?? 4)) this.#take(chunk, at);
      this.#pump();
    });
    socket.on('drain', () => this.#pump());
  }

  #take(chunk: Uint8Array, at: number): void {
    const control = chunk[at + 2] ?? 0;
    const confirmation = CONFIRMATION[control];
    if (confirmation !== undefined) this.#socket?.write(Uint8Array.of(0x68, 4, confirmation, 0, 0, 0));
    if ((control & 3) === 3) return;
    const number = ((chunk[at + 4] ?? 0) | ((chunk[at + 5] ?? 0) << 8)) >> 1;
    this.#acknowledged += (number - (this.#acknowledged % MODULO) + MODULO) % MODULO;
  }

  #pump(): void {
    const socket = this.#socket;
    while (socket && !socket.writableNeedDrain && this.#sent < this.#wanted && this.#sent - this.#acknowledged < WINDOW) {
      const count = Math.min(FRAMES_IN_CHUNK, this.#wanted - this.#sent, WINDOW - (this.#sent - this.#acknowledged));
      socket.write(this.#chunk(count));
    }
  }

  #chunk(count: number): Uint8Array {
    const { length } = this.#template;
    const chunk = new Uint8Array(count * length);
    for (let index = 0; index < count; index++) {
      const frame = chunk.subarray(index * length, (index + 1) * length);
      frame.set(this.#template);
      const number = this.#sent % MODULO;
      frame[2] = (number << 1) & 0xff;
      frame[3] = number >> 7;
      this.#patch(frame, this.#sent);
      this.#sent += 1;
    }
    return chunk;
  }
}
