import type { UpdateNotice } from '#shared/contract/updates.ts';
import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Handlers } from '../handlers.ts';
import type { ServiceDeps } from '../ports.ts';
import { isoTime } from '../rows.ts';
import { isNewer, MOST_NOTICE_OCTETS, readManifest } from './manifest.ts';
import { besideNotice, noticeAt } from './place.ts';

/** A place has so long to give the notice, in milliseconds. */
const LOOK_MS = 15_000;
/** So long an answer holds, in milliseconds: one that failed is tried again sooner. */
const HOLDS_MS = 6 * 3_600_000;
const FAILED_HOLDS_MS = 600_000;

const NOTHING_KNOWN = { file: null, version: null, date: null, notes: null, files: [], looked_at: null, trouble: null };

interface Look {
  readonly place: string;
  readonly at: number;
  /** Null while it is under way. */
  state: UpdateNotice['state'] | null;
  readonly notice: Promise<UpdateNotice>;
}

/** Tells of a newer version from the place of the settings; nobody is asked while there is none, or no key to check an answer with. */
export function updateHandlers({ facts, clock }: Pick<ServiceDeps, 'facts' | 'clock'>): Pick<Handlers, 'updateNotice' | 'lookForUpdate'> {
  const { key, read } = facts.updates;
  let last: Look | null = null;

  async function lookAt(place: string, publicKey: string): Promise<UpdateNotice> {
    const file = noticeAt(place);
    const told = { ...NOTHING_KNOWN, place, file, looked_at: isoTime(clock.wallMs()) };
    const late = new AbortController();
    const cancel = clock.after(LOOK_MS, () =>
      late.abort(new AppError('TIMEOUT_RESPONSE', say('update.silent', { file, seconds: LOOK_MS / 1000 }))),
    );
    try {
      const { version, date, notes, files } = readManifest(await read(file, MOST_NOTICE_OCTETS, late.signal), publicKey, file);
      const state = isNewer(version, facts.version) ? 'newer' : 'current';
      return { ...told, state, version, date, notes, files: files.map((each) => ({ ...each, place: besideNotice(file, each.name) })) };
    } catch (thrown) {
      return { ...told, state: 'failed', trouble: toAppError(late.signal.aborted ? late.signal.reason : thrown).said };
    } finally {
      cancel();
    }
  }

  function holds({ place, at, state }: Look, now: string): boolean {
    if (place !== now || state === null) return place === now;
    return clock.monotonicMs() - at < (state === 'failed' ? FAILED_HOLDS_MS : HOLDS_MS);
  }

  function notice(isAsked: boolean): UpdateNotice | Promise<UpdateNotice> {
    const { updates: place } = facts.nextStart.read();
    if (place === '') return { ...NOTHING_KNOWN, state: 'off', place };
    if (key === null) return { ...NOTHING_KNOWN, state: 'unsigned', place };
    if (last && holds(last, place) && (!isAsked || last.state === null)) return last.notice;
    const look: Look = { place, at: clock.monotonicMs(), state: null, notice: lookAt(place, key) };
    last = look;
    void look.notice.then(({ state }) => {
      look.state = state;
    });
    return look.notice;
  }

  return { updateNotice: () => notice(false), lookForUpdate: () => notice(true) };
}
