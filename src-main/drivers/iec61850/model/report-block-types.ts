/** Types of report control blocks by edition (IEC 61850-8-1, 17.2.2), members in the order of the standard. */
import type { MmsType } from '../mms/types.ts';
import {
  BOOLEAN,
  ENTRY_ID,
  ENTRY_TIME,
  INT8U,
  INT16,
  INT16U,
  INT32U,
  OPTIONAL_FIELDS,
  REFERENCE,
  structure,
  TRIGGERS,
} from './scl/basic-types.ts';

/** What blocks of a device have. */
export interface ReportBlockForm {
  readonly isBuffered: boolean;
  /** `1`, `2`, `2.1`; ResvTms came with edition 2. */
  readonly edition: string;
  /** The device tells who holds a block. */
  readonly hasOwner: boolean;
}

const OWNER: MmsType = { kind: 'octet-string', size: -64 };
const UNBUFFERED = {
  RptID: REFERENCE,
  RptEna: BOOLEAN,
  Resv: BOOLEAN,
  DatSet: REFERENCE,
  ConfRev: INT32U,
  OptFlds: OPTIONAL_FIELDS,
  BufTm: INT32U,
  SqNum: INT8U,
  TrgOps: TRIGGERS,
  IntgPd: INT32U,
  GI: BOOLEAN,
};
const BUFFERED = {
  RptID: REFERENCE,
  RptEna: BOOLEAN,
  DatSet: REFERENCE,
  ConfRev: INT32U,
  OptFlds: OPTIONAL_FIELDS,
  BufTm: INT32U,
  SqNum: INT16U,
  TrgOps: TRIGGERS,
  IntgPd: INT32U,
  GI: BOOLEAN,
  PurgeBuf: BOOLEAN,
  EntryID: ENTRY_ID,
  TimeofEntry: ENTRY_TIME,
};

/** Type of a report control block. */
export function reportBlockType({ isBuffered, edition, hasOwner }: ReportBlockForm): MmsType {
  const reservation = isBuffered && edition !== '1' ? { ResvTms: INT16 } : {};
  return structure({ ...(isBuffered ? BUFFERED : UNBUFFERED), ...reservation, ...(hasOwner ? { Owner: OWNER } : {}) });
}
