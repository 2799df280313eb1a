import type { CheckEntry, CheckResult, Expectation } from '#shared/contract/check.ts';
import type { CheckVerdict } from '#shared/domain/check.ts';
import { AppError, invalidField } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { StoredCheckEntry, StoredCheckItem } from '../../persistence/check-repositories.ts';
import type { Handlers } from '../handlers.ts';
import type { FoundPoint } from '../lookup.ts';
import type { ServiceDeps } from '../ports.ts';
import { CheckBook } from './check-book.ts';
import { framesOf, placeOf, seenNow } from './evidence.ts';
import { pointOfItem } from './states.ts';

const DEFAULT_PAGE = 20;
/** Expectations that are seen in the value of the point itself. */
const NEEDS_VALUE: readonly Expectation['kind'][] = ['values', 'states', 'text', 'pulse'];

/** Results that people append, and those of an item. */
export function checkResultHandlers(deps: ServiceDeps): Pick<Handlers, 'enterCheckResult' | 'checkHistory'> {
  return {
    async enterCheckResult({ session_id, item: uuid, verdict, operator, remark, took_ms }) {
      const book = CheckBook.of(deps);
      const check = book.find(session_id);
      const item = book.item(check.id, uuid);
      if (verdict === 'accepted' && remark.trim() === '') throw invalidField('remark', say('check.reason_needed'));
      const session = deps.projects.current();
      requireSeen(pointOfItem(session, item), verdict, item);
      const sought = pointOfItem(session, item);
      const frames = sought ? await framesOf(sought) : [];
      // the search for frames gave way to others: project and point may be other ones since
      if (deps.projects.current() !== session) throw new AppError('STATE_CONFLICT', say('service.expected_project'));
      const found = pointOfItem(session, item);
      requireSeen(found, verdict, item);
      const entry = book.append(check, {
        item: uuid,
        verdict,
        way: 'by_hand',
        operator,
        remark,
        findings: [],
        expectation: item.expectation,
        seen: found ? [seenNow(found)] : [],
        frames,
        ...(found ? placeOf(found) : { point: {}, channel: {}, mapping: {} }),
        audit_ids: [],
        took_ms,
      });
      return resultRow(entry);
    },
    checkHistory({ session_id, item, page = 1, page_size = DEFAULT_PAGE }) {
      const book = CheckBook.of(deps);
      const { id } = book.find(session_id);
      book.item(id, item);
      const { total, entries } = book.store.ofItem(id, item, (page - 1) * page_size, page_size);
      return { total, items: entries.map(resultRow) };
    },
  };
}

/** Nobody passes a value that is not there, or that the device itself calls bad. */
function requireSeen(found: FoundPoint | undefined, verdict: CheckVerdict, { code, expectation }: StoredCheckItem): void {
  if (verdict !== 'passed') return;
  if (!found) throw new AppError('STATE_CONFLICT', say('check.point_gone', { code }));
  if (!NEEDS_VALUE.includes(expectation.kind)) return;
  const { channel, point } = found;
  const quality = channel.points.state(point.id)?.quality ?? 'never';
  if (quality === 'good') return;
  throw new AppError('STATE_CONFLICT', say('check.not_seen', { code: point.code, quality: say(`check.quality_${quality}`) }));
}

/** An entry in the names of the contract. */
export function resultRow({ part, digest, body }: StoredCheckEntry): CheckResult {
  return { ...(JSON.parse(body) as CheckEntry), part, digest };
}
