import { connect, type Socket } from 'node:net';
import { vi } from 'vitest';

/** An event of the stream as it arrived. */
export interface SeenEvent {
  readonly event: string;
  readonly id: string | null;
  readonly data: Record<string, unknown>;
}

/** A reader of the stream on a raw socket, which can stop to read. */
export class EventReader {
  readonly events: SeenEvent[] = [];
  /** Id that a browser would come back with. */
  lastId: string | null = null;
  head = '';
  isClosed = false;
  octets = 0;
  readonly #socket: Socket;
  #text = '';
  #isChunkHead = true;
  #left = 0;
  #pending: Buffer = Buffer.alloc(0);

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (octets: Buffer) => this.#take(octets));
    socket.on('close', () => {
      this.isClosed = true;
    });
    socket.on('error', () => {});
  }

  static open(url: string, query: string, headers: Readonly<Record<string, string>> = {}): Promise<EventReader> {
    const { hostname, port, host } = new URL(url);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port) }, () => {
        socket.write(`GET /api/events/stream${query} HTTP/1.1\r\nHost: ${host}\r\n${lines.join('')}\r\n`);
        resolve(new EventReader(socket));
      });
      socket.on('error', reject);
    });
  }

  /** Takes nothing from now on. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(): void {
    this.#socket.destroy();
  }

  of(event: string): Record<string, unknown>[] {
    return this.events.filter((seen) => seen.event === event).map(({ data }) => data);
  }

  /** Waits for an event that fits. Its limit is for what hangs, however busy the computer is. */
  until(event: string, fits: (data: Record<string, unknown>) => boolean = () => true): Promise<Record<string, unknown>> {
    return vi.waitFor(
      () => {
        const found = this.of(event).find(fits);
        if (!found) throw new Error(`No ${event} yet: ${JSON.stringify(this.events).slice(0, 2000)} ${this.head}`);
        return found;
      },
      { timeout: 60_000, interval: 5 },
    );
  }

  /** Reads head, chunks and events, wherever they are cut. */
  #take(octets: Buffer): void {
    this.octets += octets.length;
    this.#pending = this.#pending.length === 0 ? octets : Buffer.concat([this.#pending, octets]);
    if (this.head === '') {
      const end = this.#pending.indexOf('\r\n\r\n');
      if (end < 0) return;
      this.head = this.#pending.subarray(0, end).toString();
      this.#pending = this.#pending.subarray(end + 4);
    }
    let body = '';
    while (this.#pending.length > 0) {
      if (this.#isChunkHead) {
        const end = this.#pending.indexOf('\r\n');
        if (end < 0) break;
        this.#left = Number.parseInt(this.#pending.subarray(0, end).toString(), 16);
        this.#pending = this.#pending.subarray(end + 2);
        this.#isChunkHead = false;
      } else {
        if (this.#pending.length < this.#left + 2) break;
        body += this.#pending.subarray(0, this.#left).toString();
        this.#pending = this.#pending.subarray(this.#left + 2);
        this.#isChunkHead = true;
      }
    }
    this.#text += body;
    for (let end = this.#text.indexOf('\n\n'); end >= 0; end = this.#text.indexOf('\n\n')) {
      this.#block(this.#text.slice(0, end));
      this.#text = this.#text.slice(end + 2);
    }
  }

  #block(text: string): void {
    let [event, id, data] = ['message', null as string | null, ''];
    for (const line of text.split('\n')) {
      if (line.startsWith('event: ')) event = line.slice(7);
      else if (line.startsWith('id: ')) id = line.slice(4);
      else if (line.startsWith('data: ')) data += line.slice(6);
    }
    if (id !== null) this.lastId = id;
    if (data !== '') this.events.push({ event, id, data: JSON.parse(data) });
  }
}
