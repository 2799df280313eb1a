/** Reports of control blocks in the frame list: which block, which number, what of the data set and why (IEC 61850-8-1, 17.2). */
import { say } from '#shared/messages/index.ts';
import type { FrameText } from '../../spi/index.ts';
import type { InformationReport } from '../mms/pdu.ts';
import { hasBit } from '../model/quality.ts';
import { OPTION, type Option, reasonNames } from '../reports/bits.ts';
import { decodeReport, isReport, type Report } from '../reports/report.ts';
import { REPORT_NAME } from './mms-shapes.ts';

/** Fields behind OptFlds, each there when its bit is set. */
const FIELDS: readonly (readonly [Option, readonly string[]])[] = [
  ['sequence_number', ['SqNum']],
  ['time_stamp', ['TimeOfEntry']],
  ['data_set', ['DatSet']],
  ['buffer_overflow', ['BufOvfl']],
  ['entry_id', ['EntryID']],
  ['revision', ['ConfRev']],
  ['segmentation', ['SubSqNum', 'MoreSegmentsFollow']],
];

/** `InformationReport brcbStat: number 3, 2 of 5 members, data-change`; null for what is no report, or cannot be taken apart. */
export function reportSummary(information: InformationReport): FrameText | null {
  const report = read(information);
  if (!report) return null;
  const { id, sequence, memberCount, members } = report;
  const why = reasonNames(members.flatMap(({ reasons }) => (reasons ? [reasons] : [])));
  const said = { service: REPORT_NAME, id, included: members.length, members: memberCount };
  const text = sequence === null ? say('mmsframe.block_report', said) : say('mmsframe.block_report_number', { ...said, number: sequence });
  return why.length === 0 ? text : say('mmsframe.block_report_why', { text, why: why });
}

/** Names of the values of a report in their order; none for what is no report, or cannot be taken apart. */
export function reportNames(information: InformationReport): FrameText[] {
  const report = read(information);
  const options = information.results[1];
  if (!report || options?.kind !== 'bit-string') return [];
  const has = (option: Option) => hasBit(options.octets, OPTION[option]);
  const { members } = report;
  return [
    'RptID',
    'OptFlds',
    ...FIELDS.flatMap(([option, names]) => (has(option) ? names : [])),
    say('mmsframe.inclusion'),
    ...(has('data_reference') ? members.map(() => 'DataRef') : []),
    ...members.map(({ place, reference }) => reference ?? say('mmsframe.member_number', { number: place + 1 })),
    ...(has('reason') ? members.map(() => 'ReasonCode') : []),
  ];
}

function read(information: InformationReport): Report | null {
  if (!isReport(information)) return null;
  try {
    return decodeReport(information);
  } catch {
    return null;
  }
}
