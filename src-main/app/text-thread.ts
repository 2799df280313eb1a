import { fieldIssue } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { NormalPoint } from '../drivers/spi/index.ts';
import { serially } from '../platform/serially.ts';
import { runThread, ThreadLimitError, type ThreadLimits, threadEntry } from '../platform/thread.ts';
import type { Threads } from '../platform/threads.ts';
import type { DriverRegistry } from '../runtime/types.ts';
import type { ReadProject } from '../services/project-text/read-text.ts';
import type { ChannelPlan, TextFacts, TextWork } from '../services/project-text/text-work.ts';
import { factsOf, makeProject, readText } from './text-job.ts';

/** A text that needs more is no project of ours. */
const LIMITS: ThreadLimits = { ms: 180_000, megabytes: 2_048 };

/** What the thread is started with; it answers the facts. */
export type TextJob =
  | { readonly kind: 'check' | 'read'; readonly file: string }
  | { readonly kind: 'make'; readonly file: string; readonly target: string; readonly holder: string; readonly wallMs: number };

/** A part of what was read: a channel, or points of the one before. */
export type TextPart =
  | { readonly kind: 'channel'; readonly settings: ChannelPlan['settings'] }
  | { readonly kind: 'points'; readonly points: readonly NormalPoint[] };

/** Reads text forms in a thread; where no thread can be had, in place. */
export function createTextThread(
  threads: Threads,
  holder: string,
  wallMs: () => number,
  entry: string | null = threadEntry('text-worker', import.meta.url),
  bounds: Partial<ThreadLimits> = {},
): TextWork {
  const limits = { ...LIMITS, ...bounds };
  // each may take a gigabyte
  const inTurn = serially();
  const run = (job: TextJob, onPart?: (part: TextPart) => void): Promise<TextFacts | null> =>
    inTurn(() => runThread<TextJob, TextPart, TextFacts>({ threads, entry, limits }, { job, ...(onPart ? { onPart } : {}) })).catch(
      (error) => tooMuch(error, limits),
    );
  return {
    check: async (file, drivers) => (await run({ kind: 'check', file })) ?? factsOf(await readHere(file, drivers)),
    async read(file, drivers) {
      const channels: { settings: ChannelPlan['settings']; points: NormalPoint[] }[] = [];
      const facts = await run({ kind: 'read', file }, (part) => {
        if (part.kind === 'channel') channels.push({ settings: part.settings, points: [] });
        else for (const point of part.points) channels.at(-1)?.points.push(point);
      });
      return facts ? { facts, channels } : inPlace(file, drivers);
    },
    async make(file, target, drivers) {
      const facts = await run({ kind: 'make', file, target, holder, wallMs: wallMs() });
      if (facts) return facts;
      const read = await readHere(file, drivers);
      if (read.errors.length === 0) makeProject(read, target, holder, wallMs());
      return factsOf(read);
    },
  };
}

/** Where there are no threads. */
async function readHere(file: string, drivers: DriverRegistry): Promise<ReadProject> {
  await drivers.load?.();
  return readText(file, drivers);
}

async function inPlace(file: string, drivers: DriverRegistry): Promise<{ facts: TextFacts; channels: readonly ChannelPlan[] }> {
  const read = await readHere(file, drivers);
  return { facts: factsOf(read), channels: read.channels };
}

function tooMuch(error: unknown, { ms, megabytes }: ThreadLimits): TextFacts {
  if (!(error instanceof ThreadLimitError)) throw error;
  const said = error.what === 'time' ? say('project.text_slow', { seconds: ms / 1000 }) : say('project.text_memory', { megabytes });
  return { version: null, hasSettings: false, channels: [], errors: [fieldIssue('', said)], warnings: [] };
}
