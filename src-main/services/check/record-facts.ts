import { createHash } from 'node:crypto';
import type { RecordDevice, RecordItem } from '#shared/domain/check-record.ts';
import type { StoredCheck } from '../../persistence/check-repositories.ts';
import { Turns } from '../../platform/turns.ts';
import { configsInTurns } from '../../runtime/values/configs-in-turns.ts';
import type { ProjectSession, ServiceDeps } from '../ports.ts';
import { canonical } from './chain.ts';
import { CheckBook } from './check-book.ts';
import { channelFacts, pointFacts } from './mapping.ts';
import { statesOfItems } from './states.ts';

/** Items of a session as its record has them, with what their points are now. */
export async function recordItems(deps: ServiceDeps, { id }: StoredCheck): Promise<RecordItem[]> {
  const book = CheckBook.of(deps);
  const items = book.items(id);
  const states = await statesOfItems(deps.projects.current(), items, await book.marks(id));
  return items.map(({ channelId: _, pointId: __, ...item }, at) => ({
    ...item,
    changed: states[at]?.changed ?? [],
    isThere: states[at]?.found !== undefined,
  }));
}

/** Channels of these items as they are now, those that are gone left out; long tables bit by bit. */
export async function recordDevices({ channels }: ProjectSession, items: readonly RecordItem[]): Promise<RecordDevice[]> {
  const turns = new Turns();
  const devices: RecordDevice[] = [];
  for (const name of new Set(items.map(({ channel }) => channel))) {
    const channel = channels.byName(name);
    if (!channel) continue;
    const points = await configsInTurns(channel.points, turns.breathe);
    const hash = createHash('sha256');
    for (const point of points) {
      hash.update(`${canonical(pointFacts(point))}\n`, 'utf8');
      await turns.breathe();
    }
    devices.push({ name, settings: channelFacts(channel), points: points.length, table: hash.digest('hex') });
  }
  return devices;
}
