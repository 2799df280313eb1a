/** The golden traffic of `vectors/` for tests: single APDUs with their decoded fields, and whole scenarios. */
import { readdirSync, readFileSync } from 'node:fs';
import { type AsduSizes, STANDARD_SIZES } from '../codec/sizes.ts';

const FOLDER = new URL('../vectors/', import.meta.url);

/** Decoded fields of one object, as the golden file has them. */
export type VectorObject = Readonly<Record<string, unknown>> & { readonly ioa: number };

export interface VectorAsdu {
  readonly type: number;
  readonly mnemonic: string | null;
  readonly sq: boolean;
  readonly n: number;
  readonly cot: number;
  readonly negative: boolean;
  readonly test: boolean;
  readonly oa: number;
  readonly ca: number;
  readonly objects?: readonly VectorObject[];
  /** Hex text, for types that stay raw. */
  readonly raw?: string;
}

/** One distinct APDU. */
export interface Vector {
  readonly bytes: Uint8Array;
  readonly file: string;
  readonly format: 'I' | 'S' | 'U';
  /** `STARTDT act`, for U frames. */
  readonly function?: string;
  readonly ns?: number;
  readonly nr?: number;
  readonly asdu?: VectorAsdu;
}

/** One line of a scenario, in order. `octets` is empty for the events of TCP. */
export interface CaptureEvent {
  readonly kind: 'apdu' | 'garbage' | 'connect' | 'fin' | 'rst';
  readonly from: 'client' | 'server';
  /** Number of the TCP connection, from 0. */
  readonly connection: number;
  /** Milliseconds since the first packet. */
  readonly atMs: number;
  readonly bytes: Uint8Array;
}

export interface Capture {
  /** File name without ending: `01_link_start_stop`. */
  readonly name: string;
  readonly sizes: AsduSizes;
  readonly events: readonly CaptureEvent[];
}

const SIZES: Readonly<Record<string, AsduSizes>> = {
  '80_variant_cot1_ca1_ioa2': { cause: 1, commonAddress: 1, objectAddress: 2 },
  '81_variant_cot2_ca1_ioa2': { cause: 2, commonAddress: 1, objectAddress: 2 },
};

/** Octets of hex text, with or without spaces. */
export function octets(hex: string): Uint8Array {
  const pairs = hex.replaceAll(' ', '').match(/../g) ?? [];
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}

/** All distinct APDUs. */
export function readVectors(): readonly Vector[] {
  const lines = readFileSync(new URL('vectors.jsonl', FOLDER), 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => {
    const { hex, ...fields } = JSON.parse(line) as Omit<Vector, 'bytes'> & { hex: string };
    return { ...fields, bytes: octets(hex) };
  });
}

/** All scenarios, by name. */
export function readCaptures(): readonly Capture[] {
  const folder = new URL('captures/', FOLDER);
  return readdirSync(folder)
    .sort()
    .map((file) => {
      const name = file.replace('.txt', '');
      const lines = readFileSync(new URL(file, folder), 'utf8').split('\n');
      const events = lines.map(readLine).filter((event) => event !== null);
      return { name, sizes: SIZES[name] ?? STANDARD_SIZES, events };
    });
}

const APDU_LINE = /^(C>S|S>C)\t([0-9a-f]+)\t/;
const TCP_LINE = /^# (C>S|S>C) (?:TCP (connect|FIN|RST)|garbage bytes ([0-9a-f]+)) /;

function readLine(line: string): CaptureEvent | null {
  const from = line.includes('C>S') ? 'client' : 'server';
  const connection = Number(/ conn=(\d+)/.exec(line)?.[1] ?? 0);
  const atMs = Math.round(Number(/t=\+([0-9.]+)/.exec(line)?.[1] ?? 0) * 1000);
  const apdu = APDU_LINE.exec(line);
  if (apdu) return { kind: 'apdu', from, connection, atMs, bytes: octets(apdu[2] ?? '') };
  const tcp = TCP_LINE.exec(line);
  if (!tcp) return null;
  const word = tcp[2]?.toLowerCase();
  const kind = word === 'connect' || word === 'fin' || word === 'rst' ? word : 'garbage';
  return { kind, from, connection, atMs, bytes: octets(tcp[3] ?? '') };
}

/** What each end sent over each connection of a scenario, joined, with the APDUs it was joined from. */
export function streamsOf(capture: Capture): readonly { readonly bytes: Uint8Array; readonly apdus: readonly Uint8Array[] }[] {
  const streams = new Map<string, Uint8Array[]>();
  for (const { kind, from, connection, bytes } of capture.events) {
    if (kind !== 'apdu') continue;
    const key = `${from} ${connection}`;
    streams.set(key, [...(streams.get(key) ?? []), bytes]);
  }
  return [...streams.values()].map((apdus) => ({ bytes: Uint8Array.from(apdus.flatMap((apdu) => [...apdu])), apdus }));
}
