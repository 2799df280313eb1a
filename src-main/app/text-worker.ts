/** Entry of the thread that reads text forms of projects; it talks with text-thread.ts. */
import { serveThread } from '../platform/thread.ts';
import { builtInDrivers } from './built-in-drivers.ts';
import { factsOf, makeProject, readText } from './text-job.ts';
import type { TextJob, TextPart } from './text-thread.ts';

/** Points that cross between the threads at once. */
const POINTS_A_PART = 1_000;

await serveThread<TextJob>(async ({ job, say }) => {
  const read = readText(job.file, builtInDrivers);
  if (read.errors.length === 0 && job.kind === 'make') makeProject(read, job.target, job.holder, job.wallMs);
  if (read.errors.length === 0 && job.kind === 'read') {
    const tell = (part: TextPart) => say(part);
    for (const { settings, points } of read.channels) {
      await tell({ kind: 'channel', settings });
      for (let from = 0; from < points.length; from += POINTS_A_PART) {
        await tell({ kind: 'points', points: points.slice(from, from + POINTS_A_PART) });
      }
    }
  }
  return factsOf(read);
});
