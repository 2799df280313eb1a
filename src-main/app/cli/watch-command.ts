import { StreamHello, StreamMissed, StreamValues } from '#shared/contract/live.ts';
import { isServing } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { delay } from '../../platform/clock.ts';
import { BrokenOff, type CliService, NotReached } from './client.ts';
import { type CliContext, note } from './context.ts';
import { EventParser, type ServerEvent } from './event-source.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { startOwnChannels } from './points.ts';
import { ValueLines } from './value-lines.ts';
import { findWatched, type Watched } from './watched.ts';

export const watchOptions = { device: { type: 'string' }, count: { type: 'string' } } as const;

const PAUSES_MS = [200, 500, 1000, 2000, 5000];
/** The service says every 15 s that it is there; a connection that is silent for so long is dead. */
const SILENCE_MS = 45_000;
const CYCLE_MS = 1000;

/** Where the watching is. */
interface Progress {
  readonly lines: ValueLines;
  /** Id of the last event; null: everything is told as it is. */
  place: string | null;
  /** Project that the ids are of. */
  session: string | null;
  failures: number;
}

/** `watch`: values as they are, then as they change. It comes back to a service that was away, and goes on where it was. Ends after `--count` values, by Ctrl+C, or when nobody reads its output. */
export async function watchCommand(context: CliContext): Promise<ExitCode> {
  const count = context.options.whole('count', 1, 1_000_000_000) ?? null;
  let service = await context.service();
  let watched = await findWatched(context, service);
  await readByItself(context, service, watched);
  const progress: Progress = { lines: new ValueLines(context, count), place: null, session: service.info.project_session, failures: 0 };
  for (;;) {
    try {
      if (progress.failures > 0) {
        service = await context.serviceAgain();
        if (service.info.project_session !== progress.session) {
          watched = await findWatched(context, service);
          Object.assign(progress, { place: null, session: service.info.project_session });
        }
        note(context, context.speech.own.watchBack);
      }
      if (await follow(context, service, watched, progress)) return EXIT.ok;
    } catch (thrown) {
      if (context.io.signal.aborted) return endOf(context, count);
      const isAway = thrown instanceof NotReached || thrown instanceof BrokenOff;
      if (!isAway && !(thrown instanceof AppError && isPassing(thrown))) throw thrown;
      if (service.isOwn) throw thrown;
    }
    if (progress.failures === 0) note(context, context.speech.own.watchLost);
    const pause = PAUSES_MS[Math.min(progress.failures, PAUSES_MS.length - 1)] ?? 0;
    progress.failures += 1;
    await delay(context.clock, pause, context.io.signal).catch(() => {});
    if (context.io.signal.aborted) return endOf(context, count);
  }
}

/** Ctrl+C is the usual end of a watch that has no other; before the wanted number it is an interruption. */
function endOf({ io }: CliContext, count: number | null): ExitCode {
  if (io.signal.reason === 'output_closed' || count === null) return EXIT.ok;
  return io.signal.reason === 'SIGINT' ? EXIT.interrupted : EXIT.terminated;
}

/** What a service answers while it stops, starts or changes its project. */
const isPassing = ({ code }: AppError) => code === 'STATE_CONFLICT' || code === 'STATE_BUSY' || code === 'CANCELLED';

/** In a service of our own nobody else reads. */
async function readByItself({ io }: CliContext, service: CliService, { chosen }: Watched): Promise<void> {
  if (!service.isOwn || service.isDemo) return;
  await startOwnChannels(service, chosen, io.signal);
  const used = new Set(chosen.points.map(({ channel_id }) => channel_id));
  for (const { id, name, conn_type } of chosen.channels) {
    if (!used.has(id) || isServing(conn_type)) continue;
    await service.api.call('startAutoRead', { device_name: name, cycle_interval_ms: CYCLE_MS }, io.signal);
  }
}

/** Follows one connection. True: the wanted number of values was told, or nobody reads on. False: the connection ended, and it is to be made anew. */
async function follow(context: CliContext, service: CliService, watched: Watched, progress: Progress): Promise<boolean> {
  const { clock, io } = context;
  const silence = new AbortController();
  let cancel = clock.after(SILENCE_MS, () => silence.abort());
  try {
    const signal = AbortSignal.any([io.signal, silence.signal]);
    const stream = await service.openStream(watched.query(progress.place === null), progress.place, signal);
    const parser = new EventParser();
    for await (const octets of stream) {
      cancel();
      cancel = clock.after(SILENCE_MS, () => silence.abort());
      for (const event of parser.push(octets)) {
        const what = await take(context, event, watched, progress);
        if (what !== 'on') return what === 'end';
      }
    }
    return false;
  } catch (thrown) {
    if (io.signal.aborted || thrown instanceof AppError || thrown instanceof NotReached || thrown instanceof BrokenOff) throw thrown;
    // how a connection breaks while it is read
    if (thrown instanceof TypeError || thrown instanceof DOMException) return false;
    throw thrown;
  } finally {
    cancel();
    silence.abort();
  }
}

async function take(
  context: CliContext,
  { event, id, data }: ServerEvent,
  watched: Watched,
  progress: Progress,
): Promise<'on' | 'end' | 'again'> {
  if (event === 'hello') {
    progress.failures = 0;
    const { project_session } = StreamHello.parse(JSON.parse(data));
    if (project_session === progress.session) return 'on';
    // another project was opened between both requests: its names are looked up first
    progress.failures = 1;
    return 'again';
  }
  if (event === 'missed') {
    const { reason } = StreamMissed.parse(JSON.parse(data));
    note(context, context.speech.fill(context.speech.own.watchMissed, { reason }));
    if (reason !== 'unknown_place') return 'on';
    progress.place = null;
    return 'again';
  }
  if (event === 'values') {
    const { channel_id, device_name, items } = StreamValues.parse(JSON.parse(data));
    for (const item of items) {
      if (watched.wants(channel_id, item) && !(await progress.lines.write(device_name, item, watched))) return 'end';
    }
  }
  if (id !== null) progress.place = id;
  return event === 'ended' ? 'again' : 'on';
}
