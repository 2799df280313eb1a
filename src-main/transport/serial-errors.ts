import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';

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
    return new AppError('TRANSPORT_PORT_TAKEN', say('transport.serial_taken', { path }), options);
  }
  if (/permission denied|operation not permitted/i.test(words)) {
    const said = path.startsWith('/dev/') ? say('transport.serial_forbidden_linux', { path }) : say('transport.serial_forbidden', { path });
    return new AppError('TRANSPORT_PERMISSION', said, options);
  }
  if (/baud rate/i.test(words)) {
    return new AppError('TRANSPORT_UNREACHABLE', say('transport.baud_rate', { path, reason: words }), options);
  }
  if (/inappropriate ioctl|not a typewriter|parameter is incorrect/i.test(words)) {
    return new AppError('TRANSPORT_UNREACHABLE', say('transport.serial_settings', { path, reason: words }), options);
  }
  return new AppError('TRANSPORT_UNREACHABLE', say('transport.serial_not_opened', { path, reason: words }), options);
}

/** The port is not there. */
export function missingPort(path: string, existing: readonly string[], cause?: unknown): AppError {
  const said = existing.length === 0 ? say('transport.serial_none', { path }) : say('transport.serial_missing', { path, ports: existing });
  return new AppError('TRANSPORT_PORT_MISSING', said, { cause });
}

/** A port that was open and is gone. */
export function serialLostError(error: unknown, label: string): AppError {
  return new AppError('TRANSPORT_LOST', say('transport.serial_lost', { label, reason: wordsOf(error) }), {
    cause: error,
  });
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
