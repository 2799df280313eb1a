import type { AppError } from '#shared/domain/errors.ts';

/** What a command tells by its exit code; docs/guide/scripts.md lists them. Stable. */
export const EXIT = {
  ok: 0,
  /** Something went wrong that the caller could not know: a device, a file, the service. */
  fault: 1,
  /** The command line or what it names is wrong. */
  usage: 2,
  /** It was done, and not all is good: a value that is not good, a write that was not accepted, rows with errors. */
  notGood: 3,
  /** No service answered. */
  unreachable: 4,
  /** The service asks for another token, or answers under another name. */
  access: 5,
  interrupted: 130,
  terminated: 143,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The exit code of a refusal by the service. */
export function exitCodeOf({ code }: AppError): ExitCode {
  if (code.startsWith('ACCESS_')) return EXIT.access;
  if (code.startsWith('CONFIG_')) return EXIT.usage;
  return EXIT.fault;
}
