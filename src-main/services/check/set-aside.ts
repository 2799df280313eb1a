import { z } from 'zod';
import { CheckEntry } from '#shared/contract/check.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { AsideFile } from '../../persistence/repositories.ts';
import type { NewEntry } from './chain.ts';

const FORMAT = 'loopcheck-results';

/** Results of one session that had no room in the project. */
export interface ResultsAside {
  readonly session: string;
  readonly entries: readonly (NewEntry & { readonly at: string })[];
}

const Kept = z.object({
  format: z.literal(FORMAT),
  version: z.literal(1),
  results: z.array(z.object({ session: z.uuid(), entries: z.array(CheckEntry.omit({ seq: true, running_ms: true, attachments: true })) })),
});

/** Keeps results beside the project, behind those that lie there already. Throws `STATE_STORE_FULL` and its like. */
export function setAside(file: AsideFile, results: ResultsAside): void {
  file.write(JSON.stringify({ format: FORMAT, version: 1, results: [...readAside(file), results] }));
}

/** What lies beside the project. Throws `STATE_STORE` for a file that is none of this program. */
export function readAside(file: AsideFile): readonly ResultsAside[] {
  const text = file.read();
  if (text === null) return [];
  try {
    return Kept.parse(JSON.parse(text)).results;
  } catch (thrown) {
    throw new AppError('STATE_STORE', say('check.aside_damaged', { path: file.path }), { cause: thrown });
  }
}
