import type { Recognition } from '../../../drivers/spi/diagnostics.ts';
import type { ProbeLine } from '../../../runtime/connection/probe-line.ts';
import { concatOctets } from './octets.ts';

/** Fewer octets than these may be a switching adapter; they are no traffic. */
export const LEAST_TRAFFIC = 4;
/** A late answer to somebody's last question has come by then; a master that stays has asked again. */
const STRAY_MS = 3000;
/** How much of it is heard at a time. */
const SLICE_MS = 300;

/** What was heard on a line before anything was sent. */
export interface Traffic {
  readonly heard: Uint8Array;
  readonly seen: Recognition;
  /** Octets came once, none of them a question, and nothing came after them: late answers, no master. */
  readonly isStray: boolean;
}

/** Listens `ms`; longer where octets came that are no question, until others tell that somebody talks here, or nothing does. */
export async function listenOn(
  line: ProbeLine,
  ms: number,
  { signal, recognise }: { readonly signal: AbortSignal; readonly recognise: (octets: Uint8Array) => Recognition },
): Promise<Traffic> {
  await line.listen(ms, signal);
  const heard = [line.take().heard];
  const first = recognise(concatOctets(heard));
  if (concatOctets(heard).length < LEAST_TRAFFIC || first.asked.length > 0)
    return { heard: concatOctets(heard), seen: first, isStray: false };
  let isStray = true;
  for (let waited = 0; waited < STRAY_MS && isStray && !line.ended; waited += SLICE_MS) {
    await line.listen(SLICE_MS, signal);
    const more = line.take().heard;
    heard.push(more);
    isStray = more.length < LEAST_TRAFFIC;
  }
  const all = concatOctets(heard);
  return { heard: all, seen: recognise(all), isStray };
}
