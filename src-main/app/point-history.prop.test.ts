import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { InputOf } from '#shared/contract/index.ts';
import type { Point } from '#shared/contract/points.ts';
import { type RunningCore, startCore } from './testing/running-core.ts';

let running: RunningCore;
beforeAll(async () => {
  running = await startCore();
});
afterAll(() => running.close());

let copies = 0;

/** The points and checksums of the project file, row by row. */
async function content(): Promise<unknown> {
  copies += 1;
  const path = join(running.dir, `copy-${copies}.loopcheck`);
  await running.api.call('backupProject', { path });
  const db = new Database(path, { readonly: true });
  try {
    return [db.prepare('SELECT * FROM points ORDER BY id').all(), db.prepare('SELECT * FROM channel_sums ORDER BY channel_id').all()];
  } finally {
    db.close();
  }
}

async function table(channelId: number): Promise<readonly Point[]> {
  return (await running.api.call('pointTable', { channel_id: channelId, page: 1, page_size: 1000 })).data.items;
}

const CODES = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J'];
type Change = InputOf<'bulkPoints'>['changes'][number];

/** What is asked of the point at a place of the table, whatever is there by then. */
const ask = fc.record({
  op: fc.constantFrom('add', 'add', 'edit', 'delete', 'move', 'move'),
  place: fc.nat(2),
  code: fc.constantFrom(...CODES),
  address: fc.nat(500),
  frameType: fc.constantFrom(0 as const, 3 as const),
  relatedCode: fc.constantFrom('', ...CODES),
});
const request = fc.record({ channel: fc.nat(1), asks: fc.array(ask, { minLength: 1, maxLength: 5 }) });

function changeOf(
  points: readonly Point[],
  to: number,
  { op, place, code, address, frameType, relatedCode }: typeof ask extends fc.Arbitrary<infer A> ? A : never,
): Change[] {
  const point = points[place];
  if (op === 'add') return [{ op, point: { frame_type: frameType, code, address, related_code: relatedCode, name: `${code} ${address}` } }];
  if (!point) return [];
  const key = { point_id: point.id, frame_type: point.frame_type };
  if (op === 'edit') return [{ op, ...key, code, address, related_code: relatedCode }];
  return op === 'move' ? [{ op, ...key, channel_id: to, code }] : [{ op: 'delete', ...key }];
}

/** Undoes, or does again, all there is in both channels, in whatever order it goes. */
async function takeAll(channels: readonly number[], way: 'undoPoints' | 'redoPoints'): Promise<number> {
  let taken = 0;
  for (let went = true; went; ) {
    went = false;
    for (const channel_id of channels) {
      const done = await running.api.call(way, { channel_id }).then(
        () => true,
        () => false,
      );
      if (done) taken += 1;
      went ||= done;
    }
  }
  return taken;
}

it('any changes, all undone, leave the file as it was; done again, as it became', async () => {
  let made = 0;
  let moved = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 12 }), async (requests) => {
      const channels: number[] = [];
      for (const name of ['x', 'y']) {
        const settings = { name: `${name}${copies}`, protocol_type: 1 as const, conn_type: 2 as const };
        channels.push((await running.api.call('addChannel', settings)).data.id);
      }
      const start = await content();
      let steps = 0;
      for (const { channel, asks } of requests) {
        const own = channels[channel] ?? 0;
        const points = await table(own);
        const changes = asks.flatMap((each) => changeOf(points, channels[1 - channel] ?? 0, each));
        if (changes.length === 0) continue;
        // taken codes and points named twice are refused, and then nothing is to be undone
        const isDone = await running.api.call('bulkPoints', { channel_id: own, changes }).then(
          () => true,
          () => false,
        );
        if (!isDone) continue;
        steps += 1;
        if (changes.some(({ op }) => op === 'move')) moved += 1;
      }
      const end = await content();
      expect(await takeAll(channels, 'undoPoints')).toBe(steps);
      expect(await content()).toEqual(start);
      expect(await takeAll(channels, 'redoPoints')).toBe(steps);
      expect(await content()).toEqual(end);
      made += steps;
      for (const channel_id of channels) await running.api.call('deleteChannel', { channel_id });
    }),
    { numRuns: 30 },
  );
  // most requests go through, or nothing was tried
  expect(made).toBeGreaterThan(60);
  expect(moved).toBeGreaterThan(5);
});
