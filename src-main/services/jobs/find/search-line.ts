import { toAppError } from '#shared/domain/errors.ts';
import type { DriverDiagnostics } from '../../../drivers/spi/diagnostics.ts';
import type { DriverChannelSettings } from '../../../drivers/spi/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { ProbeLine } from '../../../runtime/connection/probe-line.ts';
import { toDriverSettings, toLineSettings } from '../../../runtime/settings.ts';
import type { LineSettings, TransportFactory } from '../../../transport/types.ts';
import { LEAST_TRAFFIC, listenOn } from '../doctor/listening.ts';
import type { JobRecord } from '../job-record.ts';
import type { LineSearchOptions } from './find-deps.ts';
import { channelBody } from './settings.ts';

/** Once another master was recognised: how many times longer its line is listened to, for the addresses on it. */
const LISTEN_ON = 10;

export interface SearchLineOptions {
  readonly clock: Clock;
  readonly transports: TransportFactory;
  readonly line: LineSettings;
  readonly job: JobRecord;
}

/** Opens a line for the search; null for a baud rate the adapter has not. Rejects as the opening does otherwise. */
export async function openSearchLine({ clock, transports, line: settings, job }: SearchLineOptions): Promise<ProbeLine | null> {
  const line = new ProbeLine(transports.connector(settings), clock);
  try {
    await line.open(job.signal);
    return line;
  } catch (thrown) {
    await line.close();
    const error = toAppError(thrown);
    if (settings.kind === 'serial' && error.code === 'TRANSPORT_UNREACHABLE') return null;
    throw error;
  }
}

/** What is searched with one setting: the line to open, the settings its driver gets, and its name. */
export interface SearchedLine {
  readonly line: LineSettings;
  readonly settings: DriverChannelSettings;
  readonly name: string;
}

/** The line of a search, as its channel would have it. */
export function searchedLine({ request, setting, driver }: Pick<LineSearchOptions, 'request' | 'setting' | 'driver'>): SearchedLine {
  const channel = { ...channelBody(request, setting), timeout_ms: setting.timeoutMs };
  return { line: toLineSettings({ ...channel, id: 0 }, driver), settings: toDriverSettings(channel, driver), name: channel.name };
}

/** What is on a line before anything is sent: another master with these settings and who answers it, somebody with other settings, or nobody. */
export type LineUse =
  | { readonly kind: 'heard'; readonly answering: readonly number[] }
  | { readonly kind: 'busy' }
  | { readonly kind: 'free' };

/** Listens before anything is sent. */
export async function listenFirst(
  line: ProbeLine,
  listenMs: number,
  {
    job,
    diagnostics,
    settings,
  }: { readonly job: JobRecord; readonly diagnostics: DriverDiagnostics; readonly settings: DriverChannelSettings },
): Promise<LineUse> {
  const recognise = (octets: Uint8Array) => diagnostics.recognise(octets, [], settings);
  const { heard, seen, isStray } = await listenOn(line, listenMs, { signal: job.signal, recognise });
  if (isStray) return { kind: 'free' };
  if (seen.frames === 0) return heard.length < LEAST_TRAFFIC ? { kind: 'free' } : { kind: 'busy' };
  await line.listen(LISTEN_ON * listenMs, job.signal);
  const later = diagnostics.recognise(line.take().heard, [], settings);
  return { kind: 'heard', answering: [...new Set([...seen.answering, ...later.answering])] };
}
