import { Turns } from '../../platform/turns.ts';
import { explain, pairedEntry } from '../frame-entries.ts';
import { FrameCapture, type ToldFrame } from './frame-capture.ts';
import type { FrameLines } from './frame-text.ts';
import { type FrameSource, selectedFrames } from './selected-frames.ts';

/** Octets that are gathered before they go to the disk. */
const PIECE = 65_536;
/** What is written down of a channel of whose protocol nothing is known. */
const PLAIN = { carrier: 'line', dissector: 'data' } as const;

/** The log as lines. */
export async function* linePieces(source: FrameSource, lines: FrameLines): AsyncGenerator<Uint8Array> {
  yield Buffer.from(lines.head(source.channel.settings.name, source.window));
  for await (const frame of toldFrames(source)) {
    const gap = frame.missing > 0 ? lines.gap(frame.missing) : '';
    yield Buffer.from(frame.record ? gap + lines.line(frame.entry) : gap);
  }
}

/** A capture of a channel, without its octets yet. */
export function newCapture({ channel, settings }: Pick<FrameSource, 'channel' | 'settings'>): FrameCapture {
  return new FrameCapture(channel.driver.captureForm?.(settings) ?? PLAIN, channel.settings);
}

/** The log as a capture, whose `count` tells afterwards what is in it. */
export async function* capturePieces(source: FrameSource, capture: FrameCapture, application: string): AsyncGenerator<Uint8Array> {
  yield* capture.head(application, source.channel.settings.name);
  for await (const frame of toldFrames(source)) if (frame.record) yield* capture.packets(frame);
  yield* capture.end();
}

/** The wanted entries as the list shows them. */
async function* toldFrames(source: FrameSource): AsyncGenerator<ToldFrame | { readonly record: null; readonly missing: number }> {
  const { channel, settings } = source;
  for await (const frame of selectedFrames(source, new Turns())) {
    if (!frame.record) {
      yield frame;
      continue;
    }
    const { record, missing } = frame;
    const explanation = explain(channel, record, settings, true);
    yield { record, missing, entry: pairedEntry(channel, record, explanation), secrets: explanation?.secrets ?? [] };
  }
}

/** Small pieces together, so that the disk has few to take. */
export async function* gathered(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let octets = 0;
  for await (const piece of pieces) {
    waiting.push(piece);
    octets += piece.length;
    if (octets < PIECE) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    octets = 0;
  }
  if (octets > 0) yield Buffer.concat(waiting);
}
