/** How long this thread works at a stretch: the processor time between two turns of its event loop, so that a busy machine does not count. */

/** Often enough that two turns that are not long do not add up to one that is. */
const LOOK_EVERY_MS = 1;

let last = 0;
let longest = 0;

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function look(): void {
  const now = threadMs();
  longest = Math.max(longest, now - last);
  last = now;
}

/** Begins to look; keeps the program alive. */
export function watchBlocks(): NodeJS.Timeout {
  last = threadMs();
  return setInterval(look, LOOK_EVERY_MS);
}

/** The longest stretch since the last call, in milliseconds of processor time. */
export function takeLongestBlock(): number {
  look();
  const block = longest;
  longest = 0;
  return block;
}
