/** The service, and how long its thread worked at a stretch. */
import { servePeer } from './child.ts';
import { benchCore } from './service.ts';
import { takeLongestBlock, watchBlocks } from './thread-blocks.ts';

type Request = { readonly kind: 'listen' } | { readonly kind: 'watch' } | { readonly kind: 'block' };

const core = await benchCore();

servePeer<Request>(async (request) => {
  if (request.kind !== 'listen') return { block: takeLongestBlock() };
  watchBlocks();
  return { url: await core.listen() };
});
