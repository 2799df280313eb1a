import { deflateRawSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { POINT_FIELD_KEYS } from '#shared/domain/point-fields.ts';
import { quoted } from '#shared/messages/index.ts';
import type { ProjectStore } from './repositories.ts';
import { inFolder, openTestProject, testAudit, testChannel, testPoint } from './test-project.ts';

/** Puts `content` into a column of all rows, as damage or another program does. */
async function readWith(table: string, column: string, content: string | Buffer, read: (store: ProjectStore) => unknown): Promise<unknown> {
  let seen: unknown;
  await inFolder(async (folder) => {
    const path = `${folder}/p.loopcheck`;
    const store = openTestProject(path);
    const channel = store.channels.add(testChannel('a'));
    const [point] = store.points.add(channel.id, [{ ...testPoint('P'), frame_type: 3 }]);
    if (!point) throw new Error('no point');
    const touch = { point, device: 'd', place: 'p', before: 1, beforeAt: '2026-04-04T05:06:00.000Z' };
    store.audit.open({ ...testAudit('P', channel.id), point_id: point.id, operation: { name: 'n', params: {} } }, touch);
    const facts = { at: '2026-04-04T05:06:00.000Z', source: 'api', name: quoted('step') } as const;
    store.atomically(() => store.steps.record(facts, [{ channelId: channel.id, removed: [], changed: [], added: [point] }]));
    store.close();
    const db = new Database(path);
    // a change that was confirmed and not carried over before the process was killed
    db.prepare('INSERT INTO point_loads (id, channel_id, is_confirmed) VALUES (1, ?, 1)').run(channel.id);
    db.prepare(`INSERT INTO point_load_parts (load_id, part, change) VALUES (1, 0, '{"removed":[]}')`).run();
    expect(db.prepare(`UPDATE ${table} SET ${column} = ?`).run(content).changes).toBe(1);
    db.close();
    const again = openTestProject(path);
    try {
      seen = await read(again);
    } catch (thrown) {
      seen = thrown;
    } finally {
      again.close();
    }
  });
  return seen;
}

const list = { channelId: undefined, offset: 0, limit: 9 };
const points = (store: ProjectStore) => [...store.points.iterate(1)];
/** An added point as it lies in the file, with these values. */
const packed = (change: object, id: unknown = 7) => {
  const point: Record<string, unknown> = { ...testPoint('Q'), ...change };
  return JSON.stringify({ fields: POINT_FIELD_KEYS, added: [[id, ...POINT_FIELD_KEYS.map((key) => point[key])]] });
};
const steps = (store: ProjectStore) => store.steps.sides(1, async () => {});

it.each<[string, string, string | Buffer, (store: ProjectStore) => unknown]>([
  ['audit', 'operation', '{broken', (store) => store.audit.list(list)],
  ['audit', 'operation', '7', (store) => store.audit.list(list)],
  ['touched_setpoints', 'point', 'null', (store) => store.setpoints.list(undefined)],
  ['point_steps', 'name', 'null', (store) => store.steps.all()],
  ['point_step_parts', 'change', Buffer.from('no deflate'), steps],
  ['point_step_parts', 'change', deflateRawSync('null'), steps],
  ['point_step_parts', 'change', deflateRawSync(Buffer.alloc(200 * 1024 * 1024)), steps],
  ...['', 'rubbish', 'null', '{"fields":3,"added":[]}', '{"fields":["code"],"added":[[1],null]}', '{"fields":["code"],"added":4}'].map(
    (content) => ['point_load_parts', 'change', content, points] as [string, string, string, typeof points],
  ),
  ...[
    packed({ code: null }),
    packed({ code: null, protocol: '{bad' }),
    packed({ protocol: null }),
    packed({ protocol: '{bad' }),
    packed({ mul_coe: 'x' }),
    packed({ address: 1.5 }),
    packed({}, { a: 1 }),
    '{"changed":[{"id":1,"channel_id":1}]}',
    '{"removed":["x"]}',
    '{"rows":[[1,1]]}',
  ].map((content) => ['point_load_parts', 'change', content, points] as [string, string, string, typeof points]),
  ...['{"added":[null]}', '{"rows":[7]}', '{"changed":[3]}', '{"removed":"x"}', '{"removed":{}}'].map(
    (content) => ['point_load_parts', 'change', content, points] as [string, string, string, typeof points],
  ),
])('%s.%s that is damaged is told as damage of the file, whatever stands there', async (table, column, content, read) => {
  expect(await readWith(table, column, content, read)).toMatchObject({
    code: 'STATE_STORE',
    message: expect.stringMatching(/p\.loopcheck: it is damaged; open a backup/),
  });
});
