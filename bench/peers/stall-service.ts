/**
 * The service, and how long its thread worked at a stretch: the processor time between two turns of its event loop, so that a busy machine
 * does not count.
 */
import { servePeer } from './child.ts';
import { benchCore } from './service.ts';

/** Often enough that two turns that are not long do not add up to one that is. */
const LOOK_EVERY_MS = 1;

type Request = { readonly kind: 'listen' } | { readonly kind: 'watch' } | { readonly kind: 'block' };

const core = await benchCore();
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

servePeer<Request>(async (request) => {
  if (request.kind === 'listen') {
    last = threadMs();
    setInterval(look, LOOK_EVERY_MS);
    return { url: await core.listen() };
  }
  look();
  const block = longest;
  longest = 0;
  return { block };
});
