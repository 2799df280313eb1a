import { FRAME_FILE_TYPES, type FrameFileFormat } from '#shared/contract/frames.ts';
import type { FrameType } from '#shared/domain/enums.ts';
import { invalidField } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { PointConfig } from '../../drivers/spi/index.ts';
import { cancelled } from '../../platform/clock.ts';
import { serially } from '../../platform/serially.ts';
import { Turns } from '../../platform/turns.ts';
import { toDriverSettings } from '../../runtime/settings.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { fileName } from '../file-name.ts';
import { explain, pairedEntry } from '../frame-entries.ts';
import { frameTest } from '../frame-filter.ts';
import { FileAnswer, type Handlers } from '../handlers.ts';
import { findChannel, findPointOf } from '../lookup.ts';
import type { ServiceDeps } from '../ports.ts';
import { writeDraft } from '../write-draft.ts';
import { FrameCapture, type ToldFrame } from './frame-capture.ts';
import { csvLines, type FrameLines, plainLines } from './frame-text.ts';
import { type FrameSource, selectedFrames, windowOf } from './selected-frames.ts';

/** Octets that are gathered before they go to the disk. */
const PIECE = 65_536;
const ENDINGS: Readonly<Record<FrameFileFormat, string>> = { text: 'txt', csv: 'csv', pcapng: 'pcapng' };
/** What is written down of a channel of whose protocol nothing is known. */
const PLAIN = { carrier: 'line', dissector: 'data' } as const;

/** The frame log as a file: written bit by bit to the disk, one file after the other, and read from there. */
export function frameFileHandlers({ projects, projectFiles, facts }: ServiceDeps): Pick<Handlers, 'framesFile'> {
  const inTurn = serially();
  return {
    async framesFile({ channel_id, format, after_seq, limit, point_id, frame_type, filter, lang = 'en' }, context) {
      const channel = findChannel(projects.current(), channel_id);
      const point = pointOf(channel, point_id, frame_type);
      const selection = { afterSeq: after_seq, limit, point, test: await frameTest(channel, filter, new Turns()) };
      const gone = new AbortController();
      context.whenGone?.(() => gone.abort(cancelled()));
      return inTurn(async () => {
        gone.signal.throwIfAborted();
        const settings = toDriverSettings(channel.settings, channel.driver);
        const source = { channel, settings, selection, window: windowOf(channel, selection) };
        const pieces =
          format === 'pcapng'
            ? capturePieces(source, `Loopcheck ${facts.version}`)
            : linePieces(source, format === 'csv' ? csvLines(lang) : plainLines(lang));
        const draft = projectFiles.newDraft();
        await writeDraft(draft, gathered(pieces), gone.signal);
        const name = `${fileName(channel.settings.name, 'channel')}-frames.${ENDINGS[format]}`;
        return new FileAnswer(name, FRAME_FILE_TYPES[format], draft);
      });
    },
  };
}

/** The point that is asked for; null for none. Its type alone, or its id alone, is refused. */
function pointOf(channel: ChannelRuntime, id: number | undefined, type: number | undefined): PointConfig | null {
  if (id !== undefined && type !== undefined) return findPointOf(channel, id, type as FrameType).point;
  if (id !== undefined) throw invalidField('frame_type', say('frame.with_point_id'));
  if (type !== undefined) throw invalidField('point_id', say('frame.with_frame_type'));
  return null;
}

async function* linePieces(source: FrameSource, lines: FrameLines): AsyncGenerator<Uint8Array> {
  yield Buffer.from(lines.head(source.channel.settings.name, source.window));
  for await (const frame of toldFrames(source)) {
    const gap = frame.missing > 0 ? lines.gap(frame.missing) : '';
    yield Buffer.from(frame.record ? gap + lines.line(frame.entry) : gap);
  }
}

async function* capturePieces(source: FrameSource, application: string): AsyncGenerator<Uint8Array> {
  const { channel, settings } = source;
  const capture = new FrameCapture(channel.driver.captureForm?.(settings) ?? PLAIN, channel.settings);
  yield* capture.head(application, channel.settings.name);
  for await (const frame of toldFrames(source)) if (frame.record) yield* capture.packets(frame);
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
async function* gathered(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
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
