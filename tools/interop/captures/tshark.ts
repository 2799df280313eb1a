import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackages, output } from '../peer.ts';

/** Between several values of one field; no dissector and none of our explanations writes it. */
const BETWEEN = '\u001e';
/** Sums are looked at, which tshark otherwise leaves. */
const SETTINGS = ['tcp.check_checksum', 'ip.check_checksum', 'udp.check_checksum'];

/** Fields of a packet by their names in tshark; each may stand in it several times. */
export type Packet = Readonly<Record<string, readonly string[]>>;

/** What is missing for the checks of captures, in one line; null where tshark runs. It is installed where that is possible. */
export function whyNoTshark(): string | null {
  const runs = () => output('tshark', ['--version']) !== null;
  return runs() || (installPackages('tshark') && runs()) ? null : 'no tshark: install the Debian package tshark';
}

/** Lets tshark read a capture and tell the named fields of every packet. */
export function readWithTshark(capture: Uint8Array, fields: readonly string[]): Packet[] {
  const folder = mkdtempSync(join(tmpdir(), 'loopcheck-capture-'));
  try {
    const file = join(folder, 'frames.pcapng');
    writeFileSync(file, capture);
    const settings = SETTINGS.flatMap((name) => ['-o', `${name}:TRUE`]);
    const wanted = fields.flatMap((field) => ['-e', field]);
    const shape = ['-T', 'fields', '-E', 'separator=/t', '-E', 'occurrence=a', '-E', `aggregator=${BETWEEN}`];
    const text = output('tshark', ['-n', '-r', file, ...settings, ...shape, ...wanted]);
    if (text === null) throw new Error('tshark does not read the file');
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => packetOf(fields, line.split('\t')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function packetOf(fields: readonly string[], values: readonly string[]): Packet {
  return Object.fromEntries(fields.map((field, at) => [field, (values[at] ?? '').split(BETWEEN).filter((value) => value !== '')]));
}
