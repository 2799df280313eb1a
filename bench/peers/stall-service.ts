/** The service, and how long its thread worked at a stretch. */
import { servePeer } from './child.ts';
import { benchCore } from './service.ts';
import { takeLongestBlock, watchBlocks } from './thread-blocks.ts';

type Request = { readonly kind: 'listen' } | { readonly kind: 'watch' } | { readonly kind: 'unwatch' } | { readonly kind: 'block' };

const core = await benchCore();

let watching: NodeJS.Timeout | undefined;

servePeer<Request>(async ({ kind }) => {
  if (kind === 'block') return { block: takeLongestBlock() };
  clearInterval(watching);
  if (kind !== 'unwatch') watching = watchBlocks();
  return kind === 'listen' ? { url: await core.listen() } : {};
});
