/** An entry as reports on the wire (IEC 61850-8-1, 17.2.3), cut into segments where the client's PDU does not hold it. */
import type { InformationReport } from '../../mms/pdu.ts';
import { resultSize } from '../../mms/sizes.ts';
import { binaryTimeOctets } from '../../mms/times.ts';
import type { MmsResult, MmsValue } from '../../mms/types.ts';
import { ACCESS_ERROR } from '../../mms/words.ts';
import { hasBit } from '../../model/quality.ts';
import { OPTION, OPTION_BITS, type Option } from '../../reports/bits.ts';
import type { EntryMember, ReportEntry } from './entry-buffer.ts';

/** What the block adds to an entry. */
export interface ReportHead {
  readonly reportId: string;
  /** Octets of OptFlds. */
  readonly options: Uint8Array;
  readonly isBuffered: boolean;
  readonly sequence: number;
  /** `LD/LN$name`. */
  readonly dataSet: string;
  readonly hasOverflow: boolean;
  readonly revision: number;
  /** Members of the data set as references name them, in order. */
  readonly references: readonly string[];
}

/** Bits of a reason for inclusion. */
const REASON_SIZE = 6;
/** Tags and lengths around the values, with the name of the list, up to 65535 octets and beyond. */
const FRAME_OCTETS = 24;
/** SubSqNum of two octets and MoreSegmentsFollow. */
const SEGMENT_OCTETS = 8;
const SPEC = { kind: 'list', name: { scope: 'vmd', item: 'RPT' } } as const;
const REASON_OCTETS = 4;
/** Stands for the value of a member that fits no PDU of the client. */
const TOO_LARGE: MmsResult = { kind: 'failure', code: ACCESS_ERROR.accessUnsupported };

/** Reports of an entry: one, or segments with the same sequence number. No member is left out. */
export function reportsOf(head: ReportHead, entry: ReportEntry, maxPduOctets: number): readonly InformationReport[] {
  const has = optionsOf(head);
  const room = maxPduOctets - FRAME_OCTETS - sizeOf(headValues(head, entry, has, false)) - inclusionSize(head.references.length);
  const sizeOfMember = ({ place, value }: EntryMember) =>
    resultSize(value) + (has('data_reference') ? resultSize(text(head.references[place] ?? '')) : 0) + (has('reason') ? REASON_OCTETS : 0);
  const parts = cut(entry.members, room, sizeOfMember);
  const isSegmented = parts.length > 1;
  return parts.map((members, at) => ({
    spec: SPEC,
    results: [
      ...headValues(head, entry, has, isSegmented),
      ...(isSegmented ? [unsigned(at), boolean(at < parts.length - 1)] : []),
      bits(head.references.length, members),
      ...(has('data_reference') ? members.map(({ place }) => text(head.references[place] ?? '')) : []),
      ...members.map(({ value }) => value),
      ...(has('reason') ? members.map(({ reasons }) => reasonBits(reasons)) : []),
    ],
  }));
}

type Has = (option: Option) => boolean;

/** An unbuffered block has neither overflow nor entries. */
function optionsOf({ options, isBuffered }: ReportHead): Has {
  return (option) => (isBuffered || (option !== 'buffer_overflow' && option !== 'entry_id')) && hasBit(options, OPTION[option]);
}

function headValues(head: ReportHead, entry: ReportEntry, has: Has, isSegmented: boolean): MmsValue[] {
  const values: MmsValue[] = [text(head.reportId), optionBits(has, isSegmented)];
  if (has('sequence_number')) values.push(unsigned(head.sequence));
  if (has('time_stamp')) values.push({ kind: 'binary-time', octets: binaryTimeOctets(entry.timeMs) });
  if (has('data_set')) values.push(text(head.dataSet));
  if (has('buffer_overflow')) values.push(boolean(head.hasOverflow));
  if (has('entry_id')) values.push({ kind: 'octet-string', octets: entry.entryId });
  if (has('revision')) values.push(unsigned(head.revision));
  return values;
}

/** The bit of segmentation stands in a report that has segments, whatever the block asks for. */
function optionBits(has: Has, isSegmented: boolean): MmsValue {
  const octets = new Uint8Array(2);
  for (const [option, bit] of Object.entries(OPTION) as [Option, number][]) {
    if (option === 'segmentation' ? isSegmented : has(option)) setBit(octets, bit);
  }
  return { kind: 'bit-string', size: OPTION_BITS, octets };
}

/** Members in as few parts as fit; one alone that is too large goes without its value. */
function cut(members: readonly EntryMember[], room: number, sizeOfMember: (member: EntryMember) => number): readonly EntryMember[][] {
  const sizes = members.map(sizeOfMember);
  if (sizes.reduce((sum, size) => sum + size, 0) <= room) return [[...members]];
  const most = room - SEGMENT_OCTETS;
  const parts: EntryMember[][] = [[]];
  let octets = 0;
  members.forEach((member, at) => {
    const isTooLarge = (sizes[at] ?? 0) > most;
    const fitting = isTooLarge ? { ...member, value: TOO_LARGE } : member;
    const size = isTooLarge ? sizeOfMember(fitting) : (sizes[at] ?? 0);
    if (octets + size > most && octets > 0) {
      parts.push([]);
      octets = 0;
    }
    parts.at(-1)?.push(fitting);
    octets += size;
  });
  return parts;
}

function sizeOf(values: readonly MmsValue[]): number {
  return values.reduce((sum, value) => sum + resultSize(value), 0);
}

function inclusionSize(count: number): number {
  return resultSize({ kind: 'bit-string', size: count, octets: new Uint8Array(0) });
}

function bits(count: number, members: readonly EntryMember[]): MmsValue {
  const octets = new Uint8Array(Math.ceil(count / 8));
  for (const { place } of members) setBit(octets, place);
  return { kind: 'bit-string', size: count, octets };
}

/** A reason for inclusion of bits `1 << bit`. */
export function reasonBits(reasons: number): MmsValue {
  const octets = new Uint8Array(1);
  for (let bit = 0; bit < REASON_SIZE; bit++) if ((reasons & (1 << bit)) !== 0) setBit(octets, bit);
  return { kind: 'bit-string', size: REASON_SIZE, octets };
}

function setBit(octets: Uint8Array, bit: number): void {
  octets[bit >> 3] = (octets[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
}

const text = (value: string): MmsValue => ({ kind: 'visible-string', text: value });
const unsigned = (value: number): MmsValue => ({ kind: 'unsigned', value });
const boolean = (value: boolean): MmsValue => ({ kind: 'boolean', value });
