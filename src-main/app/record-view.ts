import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { RecordJob } from '../services/check/record-forms.ts';
import type { RecordView } from '../services/check/record-page.ts';

/** What shows records: its folder, and the version of the program. */
export interface ViewPlace {
  readonly dir: string;
  readonly program: string;
}

/** A job for the thread of records. */
export type ViewedJob = ViewPlace & ({ readonly make: RecordJob } | { readonly verify: string });

/** What shows records. Throws `STATE_CONFLICT` where it is not built. */
export function readView({ dir, program }: ViewPlace): RecordView {
  try {
    return { script: readFileSync(join(dir, 'view.js'), 'utf8'), style: readFileSync(join(dir, 'view.css'), 'utf8'), program };
  } catch (thrown) {
    throw new AppError('STATE_CONFLICT', say('check.no_viewer'), { cause: thrown });
  }
}
