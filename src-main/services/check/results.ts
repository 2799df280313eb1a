import type { CheckEntry, CheckResult, Expectation } from '#shared/contract/check.ts';
import type { FrameEntry } from '#shared/contract/frames.ts';
import type { CheckVerdict } from '#shared/domain/check.ts';
import { AppError, invalidField } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { CheckFileContent, StoredCheckEntry, StoredCheckItem } from '../../persistence/check-repositories.ts';
import type { Handlers } from '../handlers.ts';
import type { ProjectSession, ServiceDeps } from '../ports.ts';
import type { NewEntry } from './chain.ts';
import { CheckBook } from './check-book.ts';
import type { CheckedPoint } from './elsewhere/checked-channel.ts';
import { Mirrors } from './elsewhere/mirrors.ts';
import { framesOf, placeOf, seenNow } from './evidence.ts';
import { fileRow } from './files.ts';
import { pointThen } from './mapping.ts';
import { requireRoom } from './merge-files.ts';
import { goneOf, pointOfItem } from './states.ts';

const DEFAULT_PAGE = 20;
/** Expectations that are seen in the value of the point itself. */
const NEEDS_VALUE: readonly Expectation['kind'][] = ['values', 'states', 'text', 'pulse'];

/** Results that people append, and those of an item. */
export function checkResultHandlers(deps: ServiceDeps): Pick<Handlers, 'enterCheckResult' | 'checkHistory'> {
  return {
    async enterCheckResult({ session_id, item, verdict, operator, remark, took_ms }) {
      CheckBook.of(deps).item(session_id, item);
      if (verdict === 'accepted' && remark.trim() === '') throw invalidField('remark', say('check.reason_needed'));
      return resultRow(await appendByHand(deps, session_id, item, { verdict, operator, remark, took_ms }));
    },
    checkHistory({ session_id, item, page = 1, page_size = DEFAULT_PAGE }) {
      const book = CheckBook.of(deps);
      const { id, uuid } = book.find(session_id);
      if (item !== uuid) book.item(id, item);
      const { total, entries } = book.store.ofItem(id, item, (page - 1) * page_size, page_size);
      return { total, items: entries.map(resultRow) };
    },
  };
}

/** What a person says. */
type Said = Pick<NewEntry, 'verdict' | 'operator' | 'remark' | 'took_ms'>;

/** Of the session as a whole nothing is expected that could be seen. */
const NOTHING: Expectation = { kind: 'values', references: [] };

/**
 * Appends what a person says of an item, or of the session by its own uuid, with what is known of the point now. Throws `CONFIG_NOT_FOUND` for an item that is not
 * there, `STATE_CONFLICT` for a value that nobody can pass, or where there is no room for the file.
 */
export async function appendByHand(
  deps: ServiceDeps,
  sessionId: number,
  uuid: string,
  said: Said,
  attachment?: CheckFileContent,
): Promise<StoredCheckEntry> {
  const session = deps.projects.current();
  const book = CheckBook.of(deps);
  const check = book.find(sessionId);
  /** Item and point as they are now. */
  const present = () => {
    const item = uuid === check.uuid ? null : book.item(check.id, uuid);
    const found = item ? pointOfItem(session, item) : undefined;
    if (item) requireSeen(session, found, said.verdict, item);
    return { found, expectation: item?.expectation ?? NOTHING };
  };
  if (uuid !== check.uuid) await Mirrors.of(deps).look([book.item(check.id, uuid)]);
  const sought = present().found;
  const frames = sought ? await framesOrNone(deps, sought) : [];
  // the search for frames gave way to others: project, item and point may be other ones since
  if (deps.projects.current() !== session) throw new AppError('STATE_CONFLICT', say('service.expected_project'));
  const { found, expectation } = present();
  if (attachment) requireRoom(book.store, check.id, attachment.size);
  const entry: NewEntry = {
    item: uuid,
    ...said,
    way: 'by_hand',
    findings: [],
    expectation,
    seen: found ? [seenNow(found)] : [],
    frames,
    ...(found ? placeOf(pointThen(found)) : { point: {}, channel: {}, mapping: {} }),
    audit_ids: [],
    ...(attachment && { attachments: [fileRow(attachment)] }),
  };
  return book.append(check, entry, attachment ? [attachment] : []);
}

/** A result without frames is one all the same. */
async function framesOrNone({ logger }: ServiceDeps, found: CheckedPoint): Promise<FrameEntry[]> {
  try {
    return await framesOf(found);
  } catch (thrown) {
    logger.warn({ err: thrown, point: found.point.code }, 'the frames of a result were not told');
    return [];
  }
}

/** Nobody passes a value that is not there, or that the device itself calls bad. */
function requireSeen(session: ProjectSession, found: CheckedPoint | undefined, verdict: CheckVerdict, item: StoredCheckItem): void {
  if (verdict !== 'passed') return;
  if (!found) throw new AppError('STATE_CONFLICT', goneOf(session, item));
  if (!NEEDS_VALUE.includes(item.expectation.kind)) return;
  const { channel, point } = found;
  const quality = channel.points.state(point.id)?.quality ?? 'never';
  if (quality === 'good') return;
  throw new AppError('STATE_CONFLICT', say('check.not_seen', { code: point.code, quality: say(`check.quality_${quality}`) }));
}

/** An entry in the names of the contract. */
export function resultRow({ part, digest, body }: StoredCheckEntry): CheckResult {
  return { ...(JSON.parse(body) as CheckEntry), part, digest };
}
