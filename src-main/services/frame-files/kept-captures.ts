import { stat } from 'node:fs/promises';
import { type KeptCapture as KeptRow, MOST_KEPT_CAPTURES, MOST_KEPT_OCTETS } from '#shared/contract/captures.ts';
import { FRAME_FILE_TYPES } from '#shared/contract/frames.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
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
    keepCapture({ channel_id, filter, name, drop = [] }, context) {
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
        // before anything is written, and with its size behind that
        requireRoom(await captures.list(0), 0, drop);
        const capture = newCapture(source);
        const draft = await captures.newDraft();
        await writeDraft(draft, bounded(gathered(capturePieces(source, capture, `Loopcheck ${facts.version}`))), gone.signal);
        try {
          if (capture.count === 0) throw new AppError('STATE_CONFLICT', say(filter ? 'capture.none_passes' : 'capture.no_frames'));
          // others may have come or gone while it was written
          const going = requireRoom(await captures.list(0), (await stat(draft)).size, drop);
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

/** Those that go for one more of this size, of none but the named ones. Throws `STATE_CONFLICT` that names the oldest ones where these are too few. */
function requireRoom(kept: readonly KeptCapture[], octets: number, drop: readonly string[]): readonly KeptCapture[] {
  const going = leaving(kept, octets, ({ name }) => drop.includes(name));
  if (going) return going;
  const names = leaving(kept, octets, () => true)?.map(({ name }) => name) ?? [];
  const said = say('capture.oldest_go', { names, most: MOST_KEPT_CAPTURES, mib: MOST_KEPT_OCTETS / 1024 ** 2 });
  throw new AppError('STATE_CONFLICT', said, { data: { drop: names } });
}

/** The oldest ones of those that may go, as many as have to; null: there is no room without all of them. */
function leaving(kept: readonly KeptCapture[], octets: number, mayGo: (capture: KeptCapture) => boolean): readonly KeptCapture[] | null {
  const staying = new Set(kept);
  const hasRoom = () => staying.size < MOST_KEPT_CAPTURES && octetsOf([...staying]) + octets <= MOST_KEPT_OCTETS;
  const going: KeptCapture[] = [];
  for (const each of kept.filter(mayGo)) {
    if (hasRoom()) break;
    staying.delete(each);
    going.push(each);
  }
  return hasRoom() ? going : null;
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
