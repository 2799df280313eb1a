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

/** Makes the other forms of a record. */
export interface RecordForms {
  /** Writes a form without holding the lines. Throws `STATE_STORE_FULL` on a full disk, `CONFIG_TOO_LARGE` for what needs too much memory or time. */
  make(job: RecordJob): Promise<void>;
  /** Digests of what this program has around the data of an HTML, in each language; empty where what shows records is not built. */
  frames(): readonly string[];
}
