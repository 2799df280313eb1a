import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { RecordJob } from '../services/check/record-forms.ts';
import type { RecordView } from '../services/check/record-page.ts';

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
