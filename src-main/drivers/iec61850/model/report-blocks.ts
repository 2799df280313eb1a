/** Report control blocks of a file beside those of the device (IEC 61850-6, ReportControl; IEC 61850-7-2, 17.2). */

import type { LogicalNode } from './ied-model.ts';
import { dataSetName } from './references.ts';
import { componentType } from './types.ts';

/** Values of blocks by `LD/LN$FC$name`, then by member, each as a file writes it: bits as `0110`, first bit first. */
export type BlockValues = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Functional constraints of unbuffered and buffered blocks. */
export const REPORT_CONSTRAINTS = ['RP', 'BR'] as const;

/** Bits of TrgOps and OptFlds by their names; what a file does not say of OptFlds (segmentation) is left out. */
const TRIGGERS = ['', 'dchg', 'qchg', 'dupd', 'period', 'gi'];
const OPTIONS = ['', 'seqNum', 'timeStamp', 'reasonCode', 'dataSet', 'dataRef', 'bufOvfl', 'entryID', 'configRef'];

/** One member that differs, in words of SCL. */
export interface BlockDifference {
  readonly member: string;
  readonly file: string;
  readonly device: string;
}

/** Names of the report control blocks of a logical node under one constraint. */
export function blockNames({ type }: LogicalNode, constraint: string): readonly string[] {
  const blocks = componentType(type, constraint);
  return blocks?.kind === 'structure' ? blocks.components.map(({ name }) => name) : [];
}

/** Members of a block of a file, by `FC$name$member` of the notes of its node. */
export function blockOfFile({ notes }: LogicalNode, constraint: string, name: string): ReadonlyMap<string, string> {
  const start = `${constraint}$${name}$`;
  return new Map(
    [...(notes?.values ?? [])].flatMap(([key, value]) => (key.startsWith(start) ? [[key.slice(start.length), value] as const] : [])),
  );
}

/** Where a block of the device is not what the file says. `key` is its name `LD/LN$FC$name`, `rename` the name the device has for one of the file. */
export function compareBlocks(
  key: string,
  file: ReadonlyMap<string, string>,
  device: ReadonlyMap<string, string>,
  rename: (name: string) => string,
): BlockDifference[] {
  const differences: BlockDifference[] = [];
  const compare = (member: string, words: (text: string) => string) => {
    const [said, told] = [file.get(member), device.get(member)];
    if (said === undefined || told === undefined) return;
    const [fileWords, deviceWords] = [words(rename(said)), words(told)];
    if (fileWords !== deviceWords) differences.push({ member, file: fileWords, device: deviceWords });
  };
  // an empty RptID is the name of the block
  compare('RptID', (text) => text || key);
  compare('DatSet', (text) => dataSetName(text) ?? text);
  compare('ConfRev', (text) => String(Number(text)));
  compare('TrgOps', (text) => bitWords(text, TRIGGERS));
  compare('OptFlds', (text) => bitWords(text, OPTIONS));
  return differences;
}

/** Bits as text, the first bit first. */
export function bitsText({ size, octets }: { readonly size: number; readonly octets: Uint8Array }): string {
  return Array.from({ length: size }, (_, bit) => (((octets[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1 ? '1' : '0')).join('');
}

/** Names of SCL for the bits that are set. */
export function setBits(text: string, kind: 'TrgOps' | 'OptFlds'): readonly string[] {
  return (kind === 'TrgOps' ? TRIGGERS : OPTIONS).filter((name, bit) => name !== '' && text[bit] === '1');
}

function bitWords(text: string, names: readonly string[]): string {
  return names.filter((name, bit) => name !== '' && text[bit] === '1').join(', ');
}
