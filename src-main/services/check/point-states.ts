import type { CheckState } from '#shared/domain/check.ts';
import type { StoredCheckItem } from '../../persistence/check-repositories.ts';
import type { Handlers } from '../handlers.ts';
import type { ServiceDeps } from '../ports.ts';
import { CheckBook } from './check-book.ts';
import { stateOfItem, statesOfItems } from './states.ts';

/** Items by their point, as long as the list of items stands. */
const byPoint = new WeakMap<readonly StoredCheckItem[], ReadonlyMap<number, StoredCheckItem>>();

/** Items of a session by their point. */
export function itemsByPoint(items: readonly StoredCheckItem[]): ReadonlyMap<number, StoredCheckItem> {
  const known = byPoint.get(items) ?? new Map(items.flatMap((item) => (item.service === '' ? [[item.pointId, item]] : [])));
  byPoint.set(items, known);
  return known;
}

/** What a check says of points in a table. */
export function checkPointHandlers(deps: ServiceDeps): Pick<Handlers, 'checkPoints'> {
  return {
    async checkPoints({ session_id, channel_id, point_ids }) {
      const session = deps.projects.current();
      const book = CheckBook.of(deps);
      const { id } = book.find(session_id);
      const marks = await book.marks(id);
      const items = itemsByPoint(book.items(id));
      return {
        items: point_ids.flatMap((point_id) => {
          const item = items.get(point_id);
          if (item?.channelId !== channel_id) return [];
          return [{ point_id, item: item.uuid, state: stateOfItem(session, item, marks.get(item.uuid)).state }];
        }),
      };
    },
  };
}

/** Points of a channel whose items are in this state. Throws `CONFIG_NOT_FOUND` for a session that is not there. */
export async function pointsInState(
  deps: ServiceDeps,
  sessionId: number,
  channelId: number,
  wanted: CheckState,
): Promise<ReadonlySet<number>> {
  const session = deps.projects.current();
  const book = CheckBook.of(deps);
  const { id } = book.find(sessionId);
  const marks = await book.marks(id);
  const items = book.items(id).filter((item) => item.service === '' && item.channelId === channelId);
  const states = await statesOfItems(session, items, marks);
  return new Set(items.filter((_, at) => states[at]?.state === wanted).map(({ pointId }) => pointId));
}
