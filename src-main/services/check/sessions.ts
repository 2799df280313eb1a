import type { CheckSession } from '#shared/contract/check.ts';
import type { StoredCheck } from '../../persistence/check-repositories.ts';
import type { Handlers } from '../handlers.ts';
import type { ServiceDeps } from '../ports.ts';
import { isoTime } from '../rows.ts';
import { CheckBook } from './check-book.ts';
import { Mirrors } from './elsewhere/mirrors.ts';
import { logoOf } from './files.ts';
import { noCounts, type StateCounts, statesOfItems } from './states.ts';

type SessionHandlers = Pick<Handlers, 'listChecks' | 'addCheck' | 'editCheck' | 'deleteCheck' | 'checkSummary'>;

/** Check sessions, and where each stands. */
export function checkSessionHandlers(deps: ServiceDeps): SessionHandlers {
  return {
    async listChecks() {
      const items: CheckSession[] = [];
      for (const check of CheckBook.of(deps).list()) items.push(await sessionRow(deps, check));
      return { items };
    },
    addCheck({ name, cover }) {
      const { clock, facts } = deps;
      const check = CheckBook.of(deps).store.add({ uuid: facts.newId(), name, createdAt: isoTime(clock.wallMs()), cover });
      return sessionRow(deps, check);
    },
    editCheck({ session_id, name, cover }) {
      const book = CheckBook.of(deps);
      const check = book.find(session_id);
      const changed: StoredCheck = { ...check, name: name ?? check.name, cover: cover ?? check.cover };
      book.store.update(changed);
      return sessionRow(deps, changed);
    },
    deleteCheck({ session_id }) {
      const book = CheckBook.of(deps);
      book.find(session_id);
      return book.changing(session_id, async () => {
        const { id } = book.find(session_id);
        book.requireAtRest(id);
        book.store.remove(id);
        book.forget(id);
        return { deleted: true as const };
      });
    },
    async checkSummary({ session_id }) {
      const session = deps.projects.current();
      const book = CheckBook.of(deps);
      const { id } = book.find(session_id);
      const items = book.items(id);
      Mirrors.of(deps).show(items);
      const states = await statesOfItems(session, items, await book.marks(id));
      const all = noCounts();
      const channels = new Map<string, { channel_id: number; channel: string; service?: string; counts: StateCounts }>();
      const types = new Map<number, { frame_type: 0 | 1 | 2 | 3; counts: StateCounts }>();
      const groups = new Map<string, { group: string; counts: StateCounts }>();
      for (const [at, { service, channelId, channel, frameType, group }] of items.entries()) {
        const { state, found } = states[at] ?? { state: 'not_checked' as const, found: undefined };
        all[state] += 1;
        const name = found?.channel.settings.name ?? channel;
        const ofService = service === '' ? {} : { service };
        const key = service === '' ? String(channelId) : `${service}\n${channel}`;
        const id = found?.channel.elsewhere?.channelId ?? channelId;
        entryOf(channels, key, () => ({ channel_id: id, channel: name, ...ofService, counts: noCounts() })).counts[state] += 1;
        entryOf(types, frameType, () => ({ frame_type: frameType, counts: noCounts() })).counts[state] += 1;
        entryOf(groups, group, () => ({ group, counts: noCounts() })).counts[state] += 1;
      }
      return {
        counts: all,
        channels: [...channels.values()],
        types: [...types.values()],
        groups: [...groups.values()],
        heads: book.heads(id),
      };
    },
  };
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}

/** A session with where it stands, in the names of the contract. */
export async function sessionRow(deps: ServiceDeps, check: StoredCheck): Promise<CheckSession> {
  const book = CheckBook.of(deps);
  const items = book.items(check.id);
  const counts = noCounts();
  Mirrors.of(deps).show(items);
  for (const { state } of await statesOfItems(deps.projects.current(), items, await book.marks(check.id))) counts[state] += 1;
  return {
    id: check.id,
    uuid: check.uuid,
    name: check.name,
    created_at: check.createdAt,
    cover: { ...check.cover },
    logo: logoOf(book.store, check.id),
    items: items.length,
    results: book.store.count(check.id),
    counts,
  };
}
