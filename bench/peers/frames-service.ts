/** The service with a channel whose frame log is full, and how long its thread worked at a stretch. */
import { join } from 'node:path';
import { encodeRead } from '../../src-main/drivers/modbus/codec/request.ts';
import { servePeer } from './child.ts';
import { benchCore } from './service.ts';
import { takeLongestBlock, watchBlocks } from './thread-blocks.ts';

type Request =
  | { readonly kind: 'listen' }
  | { readonly kind: 'fill'; readonly channelId: number; readonly entries: number }
  | { readonly kind: 'block' };

const core = await benchCore({ pagesDir: join(import.meta.dirname, '../../out/renderer') });

/** Requests of 200 slaves and their answers, as Modbus TCP has them. */
function fill(channelId: number, entries: number): number {
  const frames = core.channel(channelId)?.frames;
  if (!frames) throw new Error('there is no such channel');
  for (let at = 0; at < entries; at += 2) {
    const unit = 1 + ((at >> 1) % 200);
    const head = (length: number) => Uint8Array.of((at >> 9) & 0xff, (at >> 1) & 0xff, 0, 0, 0, length, unit);
    const link = frames.record({ kind: 'tx', connection: 1, peer: '', bytes: Uint8Array.of(...head(6), ...encodeRead(3, at & 0xfff, 2)) });
    frames.record({ kind: 'rx', connection: 1, peer: '', bytes: Uint8Array.of(...head(7), 3, 4, at & 0xff, (at >> 8) & 0xff, 0, 1), link });
  }
  return frames.lastSeq - frames.firstSeq + 1;
}

servePeer<Request>(async (request) => {
  if (request.kind === 'block') return { block: takeLongestBlock() };
  if (request.kind === 'fill') return { entries: fill(request.channelId, request.entries) };
  watchBlocks();
  return { url: await core.listen() };
});
