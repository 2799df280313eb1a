/** Reports as a device makes them. */
import type { InformationReport } from '../../mms/pdu.ts';
import type { MmsResult, MmsValue } from '../../mms/types.ts';
import { binaryTimeOctets } from '../../model/time.ts';
import { bitsOf, OPTION, OPTION_BITS, type Option } from '../bits.ts';
import type { Report } from '../report.ts';

export const text = (value: string): MmsValue => ({ kind: 'visible-string', text: value });
export const unsigned = (value: number): MmsValue => ({ kind: 'unsigned', value });
export const boolean = (value: boolean): MmsValue => ({ kind: 'boolean', value });

/** A report that has nothing but its name, number 0 and no members of a data set of `memberCount`; another one by its `fields`. */
export function bareReport(memberCount: number, fields: Partial<Report> = {}): Report {
  return {
    id: 'LD/LLN0$RP$urcb',
    sequence: 0,
    entryTime: null,
    dataSet: null,
    hasOverflow: null,
    entryId: null,
    revision: null,
    segment: null,
    memberCount,
    members: [],
    ...fields,
  };
}

/** A bit string of these bits. */
export function bitString(size: number, bits: readonly number[]): MmsValue {
  return bitsOf(Object.fromEntries(bits.map((bit) => [bit, bit])), bits.map(String), size);
}

/** The InformationReport of a report; what is null in it is left out. */
export function informationReport(report: Report): InformationReport {
  const { id, sequence, entryTime, dataSet, hasOverflow, entryId, revision, segment, memberCount, members } = report;
  const parts: [Option, readonly MmsValue[] | null][] = [
    ['sequence_number', sequence === null ? null : [unsigned(sequence)]],
    ['time_stamp', entryTime === null ? null : [{ kind: 'binary-time', octets: binaryTimeOctets(entryTime) }]],
    ['data_set', dataSet === null ? null : [text(dataSet)]],
    ['buffer_overflow', hasOverflow === null ? null : [boolean(hasOverflow)]],
    ['entry_id', entryId && [{ kind: 'octet-string', octets: entryId }]],
    ['revision', revision === null ? null : [unsigned(revision)]],
    ['segmentation', segment && [unsigned(segment.number), boolean(!segment.isLast)]],
  ];
  const [first] = members;
  const options: Option[] = parts.flatMap(([option, values]) => (values ? [option] : []));
  if (typeof first?.reference === 'string') options.push('data_reference');
  if (first?.reasons) options.push('reason');
  const results: MmsResult[] = [
    text(id),
    bitsOf(OPTION, options, OPTION_BITS),
    ...parts.flatMap(([, values]) => values ?? []),
    bitString(
      memberCount,
      members.map(({ place }) => place),
    ),
    ...members.flatMap(({ reference }) => (reference === null ? [] : [text(reference)])),
    ...members.map(({ value }) => value),
    ...members.flatMap(({ reasons }) => (reasons ? [bitString(7, reasons)] : [])),
  ];
  return { spec: { kind: 'list', name: { scope: 'vmd', item: 'RPT' } }, results };
}
