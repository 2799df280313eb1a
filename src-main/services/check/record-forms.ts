import type { CheckVerification } from '#shared/contract/check.ts';
import type { CheckRecordLanguage } from '#shared/domain/check.ts';

/** A record as JSON that is to be made into another form. */
export interface RecordJob {
  readonly format: 'html' | 'xlsx';
  /** File of the JSON. */
  readonly from: string;
  /** File that the other form goes into. */
  readonly to: string;
  readonly language: CheckRecordLanguage;
}

/** Makes the other forms of a record, and proves records, without holding the lines. */
export interface RecordForms {
  /** Writes a form. Throws `STATE_STORE_FULL` on a full disk, `CONFIG_TOO_LARGE` for what needs too much memory or time. */
  make(job: RecordJob): Promise<void>;
  /** Whether the record in a file is as it was written. Throws `CONFIG_TOO_LARGE` for what needs too much memory or time. */
  verify(path: string): Promise<CheckVerification>;
}
