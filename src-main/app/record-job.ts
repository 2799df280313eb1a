import { createWriteStream, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CheckRecordLanguage } from '#shared/domain/check.ts';
import type { CheckRecord } from '#shared/domain/check-record.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { recordSheets } from '../../src-record/sheets.ts';
import type { DriverRegistry } from '../runtime/types.ts';
import { explainedLines } from '../services/check/explained.ts';
import { octetLines } from '../services/check/octet-lines.ts';
import type { RecordJob } from '../services/check/record-forms.ts';
import { pageLines, type RecordView } from '../services/check/record-page.ts';
import { isFull } from '../services/check/records.ts';
import { writeWorkbook } from '../services/point-files/workbook.ts';

/** A job with the folder of what shows records. */
export interface ViewedJob extends RecordJob {
  readonly viewDir: string;
}

/** What shows records. Throws `STATE_CONFLICT` where it is not built. */
export function readView(dir: string): RecordView {
  try {
    return { script: readFileSync(join(dir, 'view.js'), 'utf8'), style: readFileSync(join(dir, 'view.css'), 'utf8') };
  } catch (thrown) {
    throw new AppError('STATE_CONFLICT', say('check.no_viewer'), { cause: thrown });
  }
}

/** Writes the other form of a record. Throws `STATE_STORE_FULL` on a full disk. */
export async function makeRecord({ format, from, to, language, viewDir }: ViewedJob, drivers: DriverRegistry): Promise<void> {
  try {
    if (format === 'xlsx') await writeFile(to, await workbookOf(readFileSync(from, 'utf8'), language), { mode: 0o600 });
    else {
      const lines = pageLines(readView(viewDir), language, linesOf(from), explainedLines(from, drivers));
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
