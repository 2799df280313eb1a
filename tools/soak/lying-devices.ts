/**
 * Devices on raw sockets for `edits.ts`, legal and unhelpful: late, silent, refusing, in halves, with values under the bits that say they are none.
 * What an address holds never changes and differs from its neighbours', so a value tells what it was asked for.
 */
import { createServer, type Server, type Socket } from 'node:net';

/** What a device did, by name. */
export type Deeds = Record<string, number>;

export interface LyingDevice {
  readonly port: number;
  readonly deeds: Deeds;
  close(): void;
}

/** Later answers than this are later than the channel waits. */
export const TIMEOUT_MS = 150;

/** The register of a unit, 0 to 65535. `table`: 3 holding registers, 4 input registers. */
export function registerAt(unit: number, table: number, address: number): number {
  return (Math.imul(address, 40_503) ^ (unit * 0x1357) ^ (table * 0x2b11) ^ (address >> 3)) & 0xffff;
}

/** The information object of a station: a number at even addresses and above 4000, a state at odd ones. */
export function objectAt(common: number, address: number): number {
  const number = (Math.imul(address, 40_503) ^ (common * 0x1357)) & 0xffff;
  return isState(address) ? (number >> 3) & 1 : number;
}

const isState = (address: number) => address < 4000 && address % 2 === 1;

/** A slave that answers one request after the other, as a gateway of a serial line does. */
export function modbusDevice(framing: 'tcp' | 'rtu', random: () => number): Promise<LyingDevice> {
  const deeds: Deeds = {};
  return listen(deeds, (socket) => {
    const answers = new Line();
    let held = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      held = Buffer.concat([held, chunk]);
      for (;;) {
        const length = framing === 'rtu' ? 8 : held.length < 6 ? Number.POSITIVE_INFINITY : 6 + held.readUInt16BE(4);
        if (held.length < length) return;
        const request = held.subarray(0, length);
        held = held.subarray(length);
        answers.add(() => answerTo(request));
      }
    });

    async function answerTo(request: Buffer): Promise<void> {
      const begin = framing === 'rtu' ? 0 : 6;
      const [unit = 0, table = 0] = request.subarray(begin);
      const [address, count] = [request.readUInt16BE(begin + 2), request.readUInt16BE(begin + 4)];
      const delay = delayOf(deeds, random);
      if (delay === null) return;
      await pause(delay);
      const isRefused = random() < 0.04;
      if (isRefused) count1(deeds, 'refused');
      const body = isRefused ? Buffer.from([unit, table | 0x80, 2]) : registers(unit, table, address, count);
      await inParts(socket, framing === 'rtu' ? Buffer.concat([body, crc(body)]) : Buffer.concat([header(request, body), body]), random);
      if (framing === 'rtu' || random() > 0.02) return;
      count1(deeds, 'twice');
      socket.write(Buffer.concat([header(request, body), body]));
    }
  });
}

/** Milliseconds until an answer; null: none at all. */
function delayOf(deeds: Deeds, random: () => number): number | null {
  const chance = random();
  if (chance < 0.75) return 4 * random();
  if (chance < 0.92) {
    count1(deeds, 'late');
    return TIMEOUT_MS * (0.7 + 2 * random());
  }
  if (chance < 0.97) {
    count1(deeds, 'silent');
    return null;
  }
  return TIMEOUT_MS / 10;
}

/** Sends a frame, at times in two parts. */
async function inParts(socket: Socket, frame: Buffer, random: () => number): Promise<void> {
  if (random() >= 0.1) {
    socket.write(frame);
    return;
  }
  const half = 1 + Math.floor(random() * (frame.length - 1));
  socket.write(frame.subarray(0, half));
  await pause(5);
  socket.write(frame.subarray(half));
}

function registers(unit: number, table: number, address: number, count: number): Buffer {
  const body = Buffer.alloc(3 + 2 * count);
  body.set([unit, table, 2 * count]);
  for (let each = 0; each < count; each++) body.writeUInt16BE(registerAt(unit, table, (address + each) & 0xffff), 3 + 2 * each);
  return body;
}

function header(request: Buffer, body: Buffer): Buffer {
  const mbap = Buffer.from(request.subarray(0, 6));
  mbap.writeUInt16BE(body.length, 4);
  return mbap;
}

/** CRC-16 of the serial line guide 6.2.2, low octet first. */
function crc(octets: Buffer): Buffer {
  let sum = 0xffff;
  for (const octet of octets) {
    sum ^= octet;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >> 1) ^ 0xa001 : sum >> 1;
  }
  return Buffer.from([sum & 0xff, sum >> 8]);
}

/** Data identifiers that the meters have, with the octets of their values: voltages, currents, energies of this month and of those before. */
export const IDENTIFIERS: ReadonlyMap<number, number> = new Map([
  ...[0x02010100, 0x02010200, 0x02010300].map((identifier) => [identifier, 2] as const),
  ...[0x02020100, 0x02020200, 0x02020300].map((identifier) => [identifier, 3] as const),
  ...Array.from({ length: 13 }, (_, settlement) => [0x00010000 + settlement, 4] as const),
  ...Array.from({ length: 13 }, (_, settlement) => [0x00020000 + settlement, 4] as const),
]);

/** The digits of a meter's value, as a number without its point; the first digit is 7 at most, as its top bit may be a sign. */
export function digitsAt(meter: number, identifier: number): number {
  const octets = IDENTIFIERS.get(identifier) ?? 0;
  const mixed = (Math.imul(identifier ^ (identifier >>> 13), 0x9e3779b1) ^ (meter * 0x1357)) >>> 0;
  return mixed % (8 * 10 ** (2 * octets - 1));
}

const READ = 0x11;

/** Meters of DL/T 645-2007 on one line; each number is a meter. */
export function meters(random: () => number): Promise<LyingDevice> {
  const deeds: Deeds = {};
  return listen(deeds, (socket) => {
    const answers = new Line();
    let held = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      held = Buffer.concat([held, chunk]);
      for (;;) {
        const begin = held.indexOf(0x68);
        if (begin < 0 || held.length < begin + 12 || held.length < begin + 12 + (held[begin + 9] ?? 0)) return;
        const request = held.subarray(begin, begin + 12 + (held[begin + 9] ?? 0));
        held = held.subarray(begin + request.length);
        if (request[8] === READ) answers.add(() => answerTo(request));
      }
    });

    async function answerTo(request: Buffer): Promise<void> {
      const delay = delayOf(deeds, random);
      if (delay === null) return;
      await pause(delay);
      const asked = Buffer.from(request.subarray(10, 14).map((octet) => octet - 0x33)).readUInt32LE();
      const isRefused = !IDENTIFIERS.has(asked) || random() < 0.04;
      if (isRefused) count1(deeds, 'refused');
      await inParts(
        socket,
        isRefused ? meterFrame(request, READ | 0xc0, Buffer.from([2])) : meterFrame(request, READ | 0x80, readingOf(request, asked)),
        random,
      );
    }
  });
}

/** Identifier and value, both with the low octet first. */
function readingOf(request: Buffer, identifier: number): Buffer {
  const meter = Number(Buffer.from(request.subarray(1, 7)).reverse().toString('hex'));
  const size = IDENTIFIERS.get(identifier) ?? 0;
  const data = Buffer.alloc(4 + size);
  data.writeUInt32LE(identifier);
  const digits = String(digitsAt(meter, identifier)).padStart(2 * size, '0');
  Buffer.from(digits, 'hex').reverse().copy(data, 4);
  return data;
}

/** A frame of 5.1 with its sum of octets; the data with 33H added. */
function meterFrame(request: Buffer, control: number, data: Buffer): Buffer {
  const body = Buffer.concat([request.subarray(0, 8), Buffer.from([control, data.length]), data.map((octet) => octet + 0x33)]);
  const sum = body.reduce((total, octet) => total + octet, 0);
  return Buffer.concat([Buffer.alloc(4, 0xfe), body, Buffer.from([sum & 0xff, 0x16])]);
}

const COMMON_ADDRESSES = [1, 2, 3] as const;
const INVALID = 0x80;
const TEST = 0x80;

/** A station of IEC 104 that interrogates and reports all the time; each sixth message has other values, invalid ones or with the test bit. */
export function station(random: () => number): Promise<LyingDevice> {
  const deeds: Deeds = {};
  return listen(deeds, (socket) => {
    let [sent, received, unconfirmed, isStarted] = [0, 0, 0, false];
    let held = Buffer.alloc(0);
    const reports = setInterval(() => {
      if (isStarted && unconfirmed < 10) report(pick([3, 3, 3, 1, 5, 2, 20, 21, 11]), pick(COMMON_ADDRESSES));
    }, 15);
    socket.once('close', () => clearInterval(reports));
    socket.on('data', (chunk: Buffer) => {
      held = Buffer.concat([held, chunk]);
      while (held.length >= 2 && held.length >= 2 + (held[1] ?? 0)) {
        const length = 2 + (held[1] ?? 0);
        take(held.subarray(2, length));
        held = held.subarray(length);
      }
    });

    function take(apdu: Buffer): void {
      const control = apdu[0] ?? 0;
      if ((control & 3) === 3) {
        if (control === 0x07) isStarted = true;
        else if (control === 0x13) isStarted = false;
        // STARTDT, STOPDT, TESTFR: the confirmation is the bit beside
        const asked = control & 0x54;
        if (asked) socket.write(Buffer.from([0x68, 4, 3 | (asked << 1), 0, 0, 0]));
        return;
      }
      unconfirmed = (sent - (apdu.readUInt16LE(2) >> 1)) & 0x7fff;
      if (control & 1) return;
      received = ((apdu.readUInt16LE(0) >> 1) + 1) & 0x7fff;
      const [type, common] = [apdu[4], apdu.readUInt16LE(8)];
      if (type === 100) void interrogation(common);
      else if (type === 102) report(5, common, [apdu.readUIntLE(10, 3)]);
    }

    function send(asdu: Buffer): void {
      const head = Buffer.from([0x68, asdu.length + 4, 0, 0, 0, 0]);
      head.writeUInt16LE(sent << 1, 2);
      head.writeUInt16LE(received << 1, 4);
      socket.write(Buffer.concat([head, asdu]));
      sent = (sent + 1) & 0x7fff;
      unconfirmed += 1;
    }

    async function interrogation(common: number): Promise<void> {
      send(asduOf(100, 1, 7, common, Buffer.from([0, 0, 0, 20])));
      for (let first = 1; first <= 120; first += 15) {
        while (unconfirmed >= 10 && !socket.destroyed) await pause(5);
        report(
          20,
          common,
          Array.from({ length: 15 }, (_, at) => first + at),
        );
        await pause(10 * random());
      }
      send(asduOf(100, 1, 10, common, Buffer.from([0, 0, 0, 20])));
    }

    /** Some objects as one message; `addresses`: those that may be told. */
    function report(cause: number, common: number, addresses = Array.from({ length: 10 }, () => 1 + Math.floor(120 * random()))): void {
      const lie = random();
      const [test, quality] = [lie < 0.08 ? TEST : 0, lie >= 0.08 && lie < 0.16 ? INVALID : 0];
      const off = test || quality ? 1 : 0;
      if (off) count1(deeds, 'untrue');
      const states = random() < 0.5;
      if (random() < 0.2) {
        // a sequence: one address, then its neighbours
        const first = 4000 + Math.floor(20 * random());
        const values = Array.from({ length: 10 }, (_, at) => measured(objectAt(common, first + at) + 7 * off, quality));
        send(asduOf(13, 0x80 | values.length, cause | test, common, Buffer.concat([information(first), ...values])));
        return;
      }
      const told = addresses.filter((address) => isState(address) === states);
      if (told.length === 0) return;
      const objects = told.flatMap((address) => {
        const value = objectAt(common, address);
        return [information(address), states ? Buffer.from([(value ^ off) | quality]) : measured(value + 7 * off, quality)];
      });
      send(asduOf(states ? 1 : 13, told.length, cause | test, common, Buffer.concat(objects)));
    }
  });

  function pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(random() * choices.length)] as T;
  }
}

function asduOf(type: number, qualifier: number, cause: number, common: number, objects: Buffer): Buffer {
  return Buffer.concat([Buffer.from([type, qualifier, cause, 0, common & 0xff, common >> 8]), objects]);
}

function information(address: number): Buffer {
  return Buffer.from([address & 0xff, (address >> 8) & 0xff, address >> 16]);
}

/** Short floating point number with its quality (7.2.6.8). */
function measured(value: number, quality: number): Buffer {
  const octets = Buffer.alloc(5);
  octets.writeFloatLE(value);
  octets[4] = quality;
  return octets;
}

/** One work after the other. */
class Line {
  #last: Promise<unknown> = Promise.resolve();

  add(work: () => Promise<void>): void {
    this.#last = this.#last.then(work);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

function count1(deeds: Deeds, name: string): void {
  deeds[name] = (deeds[name] ?? 0) + 1;
}

async function listen(deeds: Deeds, onConnection: (socket: Socket) => void): Promise<LyingDevice> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay();
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    onConnection(socket);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    deeds,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
