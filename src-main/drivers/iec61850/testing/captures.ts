/** The golden traffic of `vectors/` for tests: scenarios TPKT by TPKT, the MMS PDUs in them, and the values of their reads. */
import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('../vectors/', import.meta.url);

/** One line of a scenario, in order. `fin` and `rst` end a TCP connection and have no octets. */
export interface CaptureEvent {
  readonly kind: 'tpkt' | 'fin' | 'rst';
  readonly from: 'client' | 'server';
  /** Number of the TCP connection, from 1. */
  readonly connection: number;
  /** The whole TPKT with its header. */
  readonly bytes: Uint8Array;
  /** What it is, shortened. */
  readonly text: string;
}

export interface Capture {
  /** File name without ending: `01-connect-identify-status-conclude`. */
  readonly name: string;
  readonly events: readonly CaptureEvent[];
}

/** What one end sent over one TCP connection. */
export interface CaptureStream {
  readonly name: string;
  readonly from: 'client' | 'server';
  readonly connection: number;
  readonly bytes: Uint8Array;
  readonly tpkts: readonly Uint8Array[];
}

/** An MMS PDU of a scenario, joined and freed of the layers below it. */
export interface CaptureMms {
  readonly from: 'client' | 'server';
  readonly connection: number;
  readonly bytes: Uint8Array;
  /** What the file says of the last TPKT it came in. */
  readonly text: string;
  /** TPKT lines of the file from 1, as `reads.json` counts them: of the last TPKT of this PDU. */
  readonly line: number;
}

/** A result in `reads.json`: `{ type, value }`, or `{ failure, name }`. */
export type ReadResult =
  | { readonly type: string; readonly value: unknown; readonly timeQuality?: string }
  | { readonly failure: number; readonly name: string };

/** One Read and its answer. */
export interface ReadVector {
  readonly file: string;
  readonly requestLine: number;
  readonly responseLine: number;
  readonly invokeId: number;
  readonly request: string;
  readonly results: readonly ReadResult[];
}

/** Octets of hex text, with or without spaces. */
export function octets(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex.replaceAll(/\s/g, ''), 'hex'));
}

/** Octets as lower-case hex. */
export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/** All scenarios, by name. */
export function readCaptures(): readonly Capture[] {
  return readdirSync(new URL('captures/', FOLDER))
    .sort()
    .map((file) => readCapture(file.replace('.txt', '')));
}

/** The scenario whose name begins with `prefix`: `62`. */
export function readCapture(prefix: string): Capture {
  const folder = new URL('captures/', FOLDER);
  const file = readdirSync(folder).find((name) => name.startsWith(prefix));
  if (file === undefined) throw new Error(`There is no capture ${prefix}.`);
  const lines = readFileSync(new URL(file, folder), 'utf8').split('\n');
  return { name: file.replace('.txt', ''), events: lines.map(readLine).filter((event) => event !== null) };
}

/** The values of `reads.json`. */
export function readReads(): readonly ReadVector[] {
  return JSON.parse(readFileSync(new URL('reads.json', FOLDER), 'utf8')) as readonly ReadVector[];
}

/** What each end sent over each connection of a scenario. */
export function streamsOf(capture: Capture): readonly CaptureStream[] {
  const streams = new Map<string, CaptureEvent[]>();
  for (const event of capture.events) {
    if (event.kind !== 'tpkt') continue;
    const key = `${event.connection} ${event.from}`;
    streams.set(key, [...(streams.get(key) ?? []), event]);
  }
  return [...streams.values()].flatMap((events) => {
    const [first] = events;
    if (!first) return [];
    const tpkts = events.map((event) => event.bytes);
    const bytes = Uint8Array.from(Buffer.concat(tpkts));
    return [{ name: capture.name, from: first.from, connection: first.connection, bytes, tpkts }];
  });
}

/**
 * The MMS PDUs of a scenario in wire order, initiate included. Taken out by patterns that fit this traffic, so that tests of the codecs do
 * not rest on the layers they test.
 */
export function mmsOf(capture: Capture): readonly CaptureMms[] {
  const found: CaptureMms[] = [];
  const parts = new Map<string, Uint8Array[]>();
  let line = 0;
  for (const { kind, from, connection, bytes, text } of capture.events) {
    if (kind !== 'tpkt') continue;
    line += 1;
    if (bytes[5] !== 0xf0) continue;
    const key = `${connection} ${from}`;
    const segments = [...(parts.get(key) ?? []), bytes.subarray(7)];
    const isLast = bytes[6] === 0x80;
    parts.set(key, isLast ? [] : segments);
    const mms = isLast ? mmsIn(Uint8Array.from(Buffer.concat(segments))) : null;
    if (mms) found.push({ from, connection, bytes: mms, text, line });
  }
  return found;
}

const INITIATE = /020103a0(?:[0-7].|81..)(a[89].*)$/;
const DATA = /^0100010061(?:[0-7].|81..|82....)30(?:[0-7].|81..|82....)020103a0(?:[0-7].|81..|82....)(.*)$/;

function mmsIn(spdu: Uint8Array): Uint8Array | null {
  const text = hex(spdu);
  const isAssociation = text.startsWith('0d') || text.startsWith('0e');
  const match = (isAssociation ? INITIATE : DATA).exec(text);
  return match?.[1] === undefined ? null : octets(match[1]);
}

const TPKT_LINE = /^(C>S|S>C)\t([0-9a-f]+)\t(.*)$/;
const TCP_LINE = /^# (?:\[connection \d+\] )?(C>S|S>C) TCP (FIN|RST)$/;
const CONNECTION = /^(?:# )?\[connection (\d+)\] /;

function readLine(line: string): CaptureEvent | null {
  const tpkt = TPKT_LINE.exec(line);
  const tcp = TCP_LINE.exec(line);
  const from = (tpkt?.[1] ?? tcp?.[1]) === 'C>S' ? 'client' : 'server';
  if (tcp) {
    const kind = tcp[2] === 'FIN' ? 'fin' : 'rst';
    return { kind, from, connection: connectionOf(line), bytes: new Uint8Array(0), text: '' };
  }
  if (!tpkt) return null;
  const payload = octets(tpkt[2] ?? '');
  const length = payload.length + 4;
  const bytes = Uint8Array.from([3, 0, length >> 8, length & 0xff, ...payload]);
  const text = tpkt[3] ?? '';
  return { kind: 'tpkt', from, connection: connectionOf(text), bytes, text: text.replace(CONNECTION, '') };
}

function connectionOf(text: string): number {
  return Number(CONNECTION.exec(text)?.[1] ?? 1);
}
