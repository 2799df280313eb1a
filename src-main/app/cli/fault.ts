import type { AppError } from '#shared/domain/errors.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import type { Speech } from './words.ts';

/** Why a command cannot go on, with its exit code. Its message is in the language of the person. */
export class CliFault extends Error {
  readonly exitCode: ExitCode;
  /** What can be done. */
  readonly next: string | null;

  constructor(exitCode: ExitCode, message: string, next: string | null = null) {
    super(message);
    this.name = 'CliFault';
    this.exitCode = exitCode;
    this.next = next;
  }
}

/** A fault of the command line. */
export function misuse(message: string, next: string | null = null): CliFault {
  return new CliFault(EXIT.usage, message, next);
}

/** What can be done about an error of the service; null where its words say it. The next steps of the pages speak of fields and views where a request was wrong. */
export function nextStep({ code }: AppError, { own, page }: Speech): string | null {
  if (code.startsWith('ACCESS_')) return own.tokenNext;
  return code.startsWith('CONFIG_') || code === 'CANCELLED' ? null : (page.next[code]?.next ?? null);
}
