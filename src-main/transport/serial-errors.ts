import { AppError } from '#shared/domain/errors.ts';

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Why `path` was not opened; `existing` are the ports there are, in natural order. */
export function serialOpenError(error: unknown, path: string, existing: readonly string[]): AppError {
  const words = wordsOf(error);
  const options = { cause: error };
  if (/no such (file|device)|file not found|cannot find/i.test(words)) return missingPort(path, existing, error);
  // Windows says "access denied" for a port that another program has open
  if (/cannot lock|resource (temporarily unavailable|busy)|device or resource busy|access denied/i.test(words)) {
    return new AppError(
      'TRANSPORT_PORT_TAKEN',
      `${path} is open in another program. It has to be closed there, or another port chosen.`,
      options,
    );
  }
  if (/permission denied|operation not permitted/i.test(words)) {
    const hint = path.startsWith('/dev/')
      ? ' On Linux the user has to be in the group "dialout" (sudo usermod -aG dialout USER, then log in anew).'
      : '';
    return new AppError('TRANSPORT_PERMISSION', `This user may not open ${path}.${hint}`, options);
  }
  if (/baud rate/i.test(words)) {
    return new AppError('TRANSPORT_UNREACHABLE', `${path} does not take this baud rate (${words}).`, options);
  }
  if (/inappropriate ioctl|not a typewriter|parameter is incorrect/i.test(words)) {
    return new AppError('TRANSPORT_UNREACHABLE', `${path} is no serial port, or does not take these settings (${words}).`, options);
  }
  return new AppError('TRANSPORT_UNREACHABLE', `${path} could not be opened: ${words}`, options);
}

/** The port is not there. */
export function missingPort(path: string, existing: readonly string[], cause?: unknown): AppError {
  const there = existing.length === 0 ? 'This computer has no serial port now.' : `There are: ${existing.join(', ')}.`;
  return new AppError('TRANSPORT_PORT_MISSING', `There is no serial port ${path}; the adapter may be unplugged. ${there}`, { cause });
}

/** A port that was open and is gone. */
export function serialLostError(error: unknown, label: string): AppError {
  return new AppError(
    'TRANSPORT_LOST',
    `The serial port ${label} was lost: the adapter was unplugged, or its driver failed (${wordsOf(error)}).`,
    {
      cause: error,
    },
  );
}

/**
 * What a failed probe of an open port says. `gone`: the adapter was pulled. `doubtful`: words of Windows for a pulled adapter, and for a driver
 * without modem status as well (`GetCommModemStatus` with codes 1, 5, 31, 50, 995 …). `unsupported`: the port has no modem status.
 */
export function probeVerdict(error: unknown): 'gone' | 'doubtful' | 'unsupported' {
  const words = wordsOf(error);
  if (/input\/output error|no such device|bad file descriptor|device not configured/i.test(words)) return 'gone';
  return /invalid handle|access denied|operation aborted|unknown error code/i.test(words) ? 'doubtful' : 'unsupported';
}
