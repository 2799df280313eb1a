import { stat } from 'node:fs/promises';
import { type KeptCapture as KeptRow, MOST_KEPT_CAPTURES, MOST_KEPT_OCTETS } from '#shared/contract/captures.ts';
import { FRAME_FILE_TYPES } from '#shared/contract/frames.ts';
import { AppError } from '#shared/domain/errors.ts';
import { firstOf, say } from '#shared/messages/index.ts';
import { COUNTS_AT_END, countedPackets } from '../../capture/counted-packets.ts';
import type { CaptureFolder, KeptCapture } from '../../persistence/repositories.ts';
import { cancelled } from '../../platform/clock.ts';
import { serially } from '../../platform/serially.ts';
import { Turns } from '../../platform/turns.ts';
import { toDriverSettings } from '../../runtime/settings.ts';
import { requireSession } from '../expectation.ts';
import { fileName } from '../file-name.ts';
import { frameTest } from '../frame-filter.ts';
import { FileAnswer, type Handlers } from '../handlers.ts';
import { findChannel } from '../lookup.ts';
import type { ServiceDeps } from '../ports.ts';
import { isoTime } from '../rows.ts';
import { removeDraft, writeDraft } from '../write-draft.ts';
import { capturePieces, gathered, newCapture } from './frame-pieces.ts';
import { windowOf } from './selected-frames.ts';

/** Letters of what a capture is of: 50 of four octets leave room for time, number and ending in the 255 octets that systems take. */
const LONGEST_SUBJECT = 50;

type KeptHandlers = Pick<Handlers, 'listCaptures' | 'keepCapture' | 'captureFile' | 'removeCapture'>;

/** Captures of frame logs that a project keeps: bounded, and none goes without having been named. */
export function keptCaptureHandlers({ clock, projects, projectFiles, facts }: ServiceDeps): KeptHandlers {
  const inTurn = serially();
  const folder = () => projects.current().store.captures;
  return {
    async listCaptures() {
      const { captures } = projects.current().store;
      const kept = await captures.list(COUNTS_AT_END);
      return {
        items: kept.map(rowOf).toReversed(),
        octets: octetsOf(kept),
        most: MOST_KEPT_CAPTURES,
        most_octets: MOST_KEPT_OCTETS,
        folder: captures.folder,
      };
    },
    keepCapture({ channel_id, filter, name, drop_oldest = false }, context) {
      const gone = new AbortController();
      context.whenGone?.(() => gone.abort(cancelled()));
      return inTurn(async () => {
        gone.signal.throwIfAborted();
        const session = projects.current();
        const channel = findChannel(session, channel_id);
        const { captures } = session.store;
        const selection = { point: null, test: await frameTest(channel, filter, new Turns()) };
        const settings = toDriverSettings(channel.settings, channel.driver);
        const source = { channel, settings, selection, window: windowOf(channel, selection) };
        const kept = await captures.list(0);
        // before anything is written, and with its size behind that
        if (!drop_oldest) requireRoom(leaving(kept, 0));
        const capture = newCapture(source);
        const draft = await captures.newDraft();
        await writeDraft(draft, bounded(gathered(capturePieces(source, capture, `Loopcheck ${facts.version}`))), gone.signal);
        try {
          if (capture.count === 0) throw new AppError('STATE_CONFLICT', say(filter ? 'capture.none_passes' : 'capture.no_frames'));
          const going = leaving(kept, (await stat(draft)).size);
          if (!drop_oldest) requireRoom(going);
          requireSession(session, projects.current().id);
          const now = clock.wallMs();
          const own = await captures.keep(draft, keptName(name ?? channel.settings.name, now), now);
          for (const each of going) captures.remove(each.name);
          return { capture: rowOf(await requireKept(captures, own)), dropped: going.map((each) => each.name) };
        } finally {
          await removeDraft(draft);
        }
      });
    },
    async captureFile({ name }) {
      const captures = folder();
      await requireKept(captures, name);
      // a copy: it may be removed, or renamed with its project, while it is sent
      const draft = projectFiles.newDraft();
      await captures.copy(name, draft);
      return new FileAnswer(`${name}.pcapng`, FRAME_FILE_TYPES.pcapng, draft);
    },
    async removeCapture({ name }) {
      const captures = folder();
      await requireKept(captures, name);
      captures.remove(name);
      return { removed: true };
    },
  };
}

/** Throws `CONFIG_NOT_FOUND`. */
export async function requireKept(captures: CaptureFolder, name: string): Promise<KeptCapture> {
  const found = (await captures.list(COUNTS_AT_END)).find((each) => each.name === name);
  if (!found) throw new AppError('CONFIG_NOT_FOUND', say('capture.none_kept', { name }));
  return found;
}

/** The oldest ones that have to go for one more of this size. */
function leaving(kept: readonly KeptCapture[], octets: number): readonly KeptCapture[] {
  let count = Math.max(0, kept.length + 1 - MOST_KEPT_CAPTURES);
  while (count < kept.length && octetsOf(kept.slice(count)) + octets > MOST_KEPT_OCTETS) count++;
  return kept.slice(0, count);
}

/** Throws `STATE_CONFLICT` that names what would have to go. */
function requireRoom(going: readonly KeptCapture[]): void {
  if (going.length === 0) return;
  const names = firstOf(going.map(({ name }) => name));
  throw new AppError('STATE_CONFLICT', say('capture.oldest_go', { names, most: MOST_KEPT_CAPTURES, mib: MOST_KEPT_OCTETS / 1024 ** 2 }));
}

async function* bounded(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let octets = 0;
  for await (const piece of pieces) {
    octets += piece.length;
    if (octets > MOST_KEPT_OCTETS) throw new AppError('CONFIG_TOO_LARGE', say('capture.too_large', { mib: MOST_KEPT_OCTETS / 1024 ** 2 }));
    yield piece;
  }
}

function octetsOf(kept: readonly KeptCapture[]): number {
  return kept.reduce((sum, { octets }) => sum + octets, 0);
}

/** What it is of, and its time in UTC in the short form of ISO 8601. */
function keptName(subject: string, nowMs: number): string {
  const time = isoTime(nowMs)
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(/[-:]/g, '');
  const short = [...fileName(subject, 'channel').toWellFormed()].slice(0, LONGEST_SUBJECT).join('');
  return `${short.replace(/^[. ]+/, '') || 'channel'} ${time}`;
}

function rowOf({ name, octets, keptMs, end }: KeptCapture): KeptRow {
  return { name, at: isoTime(Math.round(keptMs)), octets, frames: countedPackets(end) };
}
