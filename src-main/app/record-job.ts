import { createWriteStream, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CheckVerification } from '#shared/contract/check.ts';
import type { CheckRecordLanguage } from '#shared/domain/check.ts';
import type { CheckRecord } from '#shared/domain/check-record.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { recordSheets } from '../../src-record/sheets.ts';
import type { DriverRegistry } from '../runtime/types.ts';
import { explainedLines } from '../services/check/explained.ts';
import { octetLines } from '../services/check/octet-lines.ts';
import type { RecordJob } from '../services/check/record-forms.ts';
import { frameDigests, pageLines } from '../services/check/record-page.ts';
import { isFull } from '../services/check/records.ts';
import { verifyRecord } from '../services/check/verify.ts';
import { writeWorkbook } from '../services/point-files/workbook.ts';
import { readView, type ViewedJob, type ViewPlace } from './record-view.ts';

/** Does a job of records. Throws `STATE_STORE_FULL` on a full disk. */
export async function recordJob(job: ViewedJob, drivers: DriverRegistry): Promise<CheckVerification | null> {
  if ('verify' in job) return proveRecord(job.verify, job, drivers);
  await makeRecord(job.make, job, drivers);
  return null;
}

/** Whether a record is as it was written. */
export function proveRecord(path: string, view: ViewPlace, drivers: DriverRegistry): Promise<CheckVerification> {
  return verifyRecord(path, { frames: framesOf(view), drivers });
}

/** Digests of what stands around the data of an HTML, in each language; none where what shows records is not built. */
function framesOf(view: ViewPlace): readonly string[] {
  try {
    return frameDigests(readView(view));
  } catch {
    return [];
  }
}

async function makeRecord({ format, from, to, language }: RecordJob, view: ViewPlace, drivers: DriverRegistry): Promise<void> {
  try {
    if (format === 'xlsx') await writeFile(to, await workbookOf(readFileSync(from, 'utf8'), language), { mode: 0o600 });
    else {
      const lines = pageLines(readView(view), language, linesOf(from), explainedLines(from, drivers));
      await pipeline(Readable.from(lines), createWriteStream(to, { mode: 0o600 }));
    }
  } catch (thrown) {
    throw isFull(thrown) ? new AppError('STATE_STORE_FULL', say('check.record_no_room'), { cause: thrown }) : thrown;
  }
}

async function* linesOf(path: string): AsyncGenerator<string> {
  for await (const { octets } of octetLines(path)) yield `${octets.toString('utf8')}\n`;
}

function workbookOf(text: string, language: CheckRecordLanguage): Promise<Uint8Array> {
  return writeWorkbook(recordSheets(JSON.parse(text) as CheckRecord, language));
}
