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
import { frameTest } from '../frame-filter.ts';
import { FileAnswer, type Handlers } from '../handlers.ts';
import { findChannel, findPointOf } from '../lookup.ts';
import type { ServiceDeps } from '../ports.ts';
import { writeDraft } from '../write-draft.ts';
import { capturePieces, gathered, linePieces, newCapture } from './frame-pieces.ts';
import { csvLines, plainLines } from './frame-text.ts';
import { windowOf } from './selected-frames.ts';

const ENDINGS: Readonly<Record<FrameFileFormat, string>> = { text: 'txt', csv: 'csv', pcapng: 'pcapng' };

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
            ? capturePieces(source, newCapture(source), `Loopcheck ${facts.version}`)
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
