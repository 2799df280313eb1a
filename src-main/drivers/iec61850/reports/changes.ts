/** Which attributes of a block differ from what is asked for: only these are written, since a change empties the buffer of a buffered block. */
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { isSameValue } from '../mms/same-value.ts';
import type { MmsType, MmsValue } from '../mms/types.ts';
import { dataSetName } from '../model/references.ts';
import { bitsOf, OPTION, TRIGGER } from './bits.ts';
import type { ControlBlock } from './control-block.ts';
import type { ReportRequest } from './report-memory.ts';

export interface WantedChange {
  readonly name: string;
  readonly value: MmsValue;
  /** What the device has. */
  readonly before: MmsValue;
}

/** In the order in which they are written. Throws `CONFIG_INVALID` for an attribute that the block has not. */
export function changesOf(block: ControlBlock, request: ReportRequest): WantedChange[] {
  return WANTED.flatMap(([name, make]) => {
    const type = block.typeOf(name);
    const value = make(request, type);
    if (value === null) return [];
    const before = block.value(name);
    if (!type || !before) throw new AppError('CONFIG_INVALID', say('report.no_attribute', { block: block.reference, name }));
    return isSameValue(before, value) ? [] : [{ name, value, before }];
  });
}

type Make = (request: ReportRequest, type: MmsType | null) => MmsValue | null;

const WANTED: readonly (readonly [name: string, make: Make])[] = [
  ['RptID', ({ reportId }, type) => (reportId === '' ? null : textFor(type, reportId))],
  ['DatSet', ({ dataSet }, type) => (dataSet === '' ? null : textFor(type, dataSetName(dataSet) ?? dataSet))],
  ['OptFlds', ({ options }, type) => options && bitsOf(OPTION, options, sizeOf(type))],
  ['BufTm', ({ bufferMs }, type) => numberFor(type, bufferMs)],
  ['TrgOps', ({ triggers }, type) => triggers && bitsOf(TRIGGER, triggers, sizeOf(type))],
  ['IntgPd', ({ integrityMs }, type) => numberFor(type, integrityMs)],
];

function textFor(type: MmsType | null, text: string): MmsValue {
  return { kind: type?.kind === 'mms-string' ? 'mms-string' : 'visible-string', text };
}

function numberFor(type: MmsType | null, value: number | null): MmsValue | null {
  return value === null ? null : { kind: type?.kind === 'integer' ? 'integer' : 'unsigned', value };
}

function sizeOf(type: MmsType | null): number {
  return type?.kind === 'bit-string' ? Math.abs(type.size) : 0;
}
