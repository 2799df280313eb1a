import { createHash } from 'node:crypto';
import type { RecordDevice, RecordItem } from '#shared/domain/check-record.ts';
import type { StoredCheck } from '../../persistence/check-repositories.ts';
import { Turns } from '../../platform/turns.ts';
import { configsInTurns } from '../../runtime/values/configs-in-turns.ts';
import type { ProjectSession, ServiceDeps } from '../ports.ts';
import { canonical } from './chain.ts';
import { CheckBook } from './check-book.ts';
import type { CheckedChannel } from './elsewhere/checked-channel.ts';
import { Mirrors, troubleOf } from './elsewhere/mirrors.ts';
import { channelFacts, channelThen, type PointThen, pointFacts } from './mapping.ts';
import { statesOfItems } from './states.ts';

/** Items of a session as its record has them, with what their points are now. */
export async function recordItems(deps: ServiceDeps, { id }: StoredCheck): Promise<RecordItem[]> {
  const book = CheckBook.of(deps);
  const items = book.items(id);
  const session = deps.projects.current();
  await Mirrors.of(deps).look(items);
  const states = await statesOfItems(session, items, await book.marks(id));
  return items.map((whole, at) => {
    const { channelId: _, pointId: __, service, ...item } = whole;
    const { changed = [], found } = states[at] ?? {};
    const isUnknown = troubleOf(session, whole) !== null;
    return {
      ...item,
      ...(service !== '' && { service }),
      changed,
      isThere: found !== undefined || isUnknown,
      ...(isUnknown && { isUnknown }),
    };
  });
}

/** Channels of these items as they are now, those that are gone left out; long tables bit by bit. */
export async function recordDevices(session: ProjectSession, items: readonly RecordItem[]): Promise<RecordDevice[]> {
  const turns = new Turns();
  const devices: RecordDevice[] = [];
  const places = new Map(items.map(({ service = '', channel }) => [`${service}\n${channel}`, { service, channel }]));
  for (const place of places.values()) {
    const { service, channel: name } = place;
    const channel = service === '' ? session.channels.byName(name) : knownOf(session, place);
    if (!channel) continue;
    const points = await configsInTurns(channel.points, turns.breathe);
    const hash = createHash('sha256');
    for (const point of points) {
      hash.update(`${canonical(pointFacts(point))}\n`, 'utf8');
      await turns.breathe();
    }
    const settings = channelFacts(standing(channelThen(channel)));
    devices.push({ name, ...(service !== '' && { service }), settings, points: points.length, table: hash.digest('hex') });
  }
  return devices;
}

/** A channel without what is otherwise at each look: two records of one state of a check are the same. */
function standing({ service, ...channel }: PointThen['channel']): PointThen['channel'] {
  if (!service) return { ...channel, service };
  const { name, address, version } = service;
  return { ...channel, service: { name, address, version } };
}

/** A channel of another service as it is now; undefined where that cannot be told. */
function knownOf(session: ProjectSession, place: { readonly service: string; readonly channel: string }): CheckedChannel | undefined {
  return troubleOf(session, place) === null ? Mirrors.find(session, place)?.channel : undefined;
}
