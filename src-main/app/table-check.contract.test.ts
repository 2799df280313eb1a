import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { InputOf } from '#shared/contract/index.ts';
import { freePort, type RunningCore, startCore } from './testing/running-core.ts';

let running: RunningCore;
let channelId = 0;
let count = 0;
beforeAll(async () => {
  running = await startCore();
});
afterAll(() => running.close());

const YX = { frame_type: 1, func_code: 1 } as const;
const YK = { frame_type: 2, func_code: 5 } as const;
const POINTS: InputOf<'addPoints'>['points'] = [
  { ...YX, code: 'CB', name: 'Breaker', address: 0 },
  { ...YK, code: 'CB_CTRL', name: 'Breaker', address: 10 },
  { ...YK, code: 'ES_CTRL', address: 11, related_code: 'cb ' },
  { frame_type: 0, code: 'U', address: 0, decode: '0x42' },
  { frame_type: 0, code: 'I', address: 1, decode: '0x42' },
];

/** A channel of its own for each test: what is found, ignored and undone belongs to it. */
beforeEach(async () => {
  count += 1;
  const settings = { name: `Table ${count}`, protocol_type: 1 as const, conn_type: 2 as const, port: await freePort() };
  channelId = (await running.api.call('addChannel', settings)).data.id;
  await running.api.call('addPoints', { channel_id: channelId, points: POINTS });
});

type Asked = Omit<InputOf<'tableCheck'>, 'channel_id'>;
const check = async (asked: Asked = {}) => (await running.api.call('tableCheck', { channel_id: channelId, ...asked })).data;
const mend = (request: Omit<InputOf<'mendFindings'>, 'channel_id'>) =>
  running.api.call('mendFindings', { channel_id: channelId, ...request }).then(({ data }) => data);
const points = async () => {
  const { items } = (await running.api.call('pointTable', { channel_id: channelId, page: 1, page_size: 100 })).data;
  return new Map(items.map((point) => [point.code, point]));
};

describe('GET /api/points/table_check', () => {
  it('tells each finding with its point, its words and what mending it changes', async () => {
    const { items, counts, rules, total, points: size, is_current } = await check();
    expect([size, total, is_current]).toEqual([5, 3, true]);
    expect(counts).toEqual({ error: 0, warning: 2, hint: 1, ignored: 0 });
    expect(rules.map(({ rule, mendable }) => [rule, mendable])).toEqual([
      ['overlap', 0],
      ['related_missing', 1],
      ['no_feedback', 1],
    ]);
    expect(items[0]).toMatchObject({
      rule: 'no_feedback',
      severity: 'hint',
      code: 'CB_CTRL',
      field: 'related_code',
      message: 'The command has no related point that shows its effect.',
      mend: [{ field: 'related_code', before: '', after: 'CB' }],
    });
    expect(items[2]).toMatchObject({ rule: 'overlap', code: 'I', params: { code: 'U' }, mend: null, ignored: false });
  });

  it('is narrowed to a rule or a severity, in pages', async () => {
    expect((await check({ rule: 'overlap' })).items.map(({ code }) => code)).toEqual(['I']);
    expect((await check({ severity: 'hint' })).total).toBe(1);
    const second = await check({ page: 2, page_size: 2 });
    expect([second.total, second.items.map(({ rule }) => rule)]).toEqual([3, ['overlap']]);
    expect((await check({ page: 9, page_size: 2 })).items).toEqual([]);
  });

  it('stays as it is until something changes that it hangs on: points, or settings of the channel', async () => {
    const first = await check();
    expect((await check()).revision).toBe(first.revision);
    await running.api.call('updateChannel', { channel_id: channelId, address_base: 1 });
    const moved = await check();
    expect(moved.revision).not.toBe(first.revision);
    expect(moved.items.filter(({ rule }) => rule === 'address_invalid').map(({ code }) => code)).toEqual(['CB', 'U']);
    expect(moved.items.find(({ code }) => code === 'U')?.message).toContain('1 to');
    await running.api.call('updateChannel', { channel_id: channelId, address_base: 0 });
    expect((await check()).counts.error).toBe(0);
  });

  it('of a channel that there is not is 404, of a wrong rule 422', async () => {
    await expect(running.api.call('tableCheck', { channel_id: 999 })).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
    expect((await running.send({ method: 'GET', url: `/api/points/table_check?channel_id=${channelId}&rule=nonsense` })).status).toBe(422);
  });
});

describe('POST /api/points/mend', () => {
  it('puts one right, in one step that can be undone', async () => {
    const { items, revision } = await check();
    const key = items.find(({ rule }) => rule === 'no_feedback')?.key ?? '';
    const done = await mend({ revision, keys: [key] });
    expect(done).toMatchObject({ mended: 1, points: 1 });
    expect((await points()).get('CB_CTRL')?.related_code).toBe('CB');
    expect((await check()).items.map(({ rule }) => rule)).toEqual(['related_missing', 'overlap']);
    const { undo } = (await running.api.call('pointHistory', { channel_id: channelId })).data;
    expect(undo).toMatchObject({ id: done.step_id, name: 'Mend "CB_CTRL"' });
    await running.api.call('undoPoints', { channel_id: channelId, step_id: done.step_id ?? 0 });
    expect((await points()).get('CB_CTRL')?.related_code).toBe('');
  });

  it('puts all of a kind right, those that are ignored and those without a mend left out', async () => {
    const more = [1, 2, 3, 4, 5].map(
      (at) => ({ frame_type: 0, code: `C${at}`, name: `Cell ${at}`, address: 100 + 2 * at, unit: at < 4 ? 'V' : '' }) as const,
    );
    await running.api.call('addPoints', { channel_id: channelId, points: more });
    const first = await check({ rule: 'unit_differs' });
    expect(first.items.map(({ code }) => code)).toEqual([]);
    await running.api.call('addPoints', {
      channel_id: channelId,
      points: [6, 7, 8].map((at) => ({ frame_type: 0, code: `C${at}`, name: `Cell ${at}`, address: 100 + 2 * at, unit: 'V' }) as const),
    });
    const { items, revision } = await check({ rule: 'unit_differs' });
    expect(items.map(({ code }) => code)).toEqual(['C4', 'C5']);
    await running.api.call('ignoreFindings', { channel_id: channelId, keys: [items[0]?.key ?? ''], ignored: true });
    expect(await mend({ revision, rule: 'unit_differs' })).toMatchObject({ mended: 1, points: 1 });
    const now = await points();
    expect([now.get('C4')?.unit, now.get('C5')?.unit]).toEqual(['', 'V']);
  });

  it('changes nothing in a table that is another one by now: 409', async () => {
    const { items, revision } = await check();
    const keys = [items.find(({ rule }) => rule === 'no_feedback')?.key ?? ''];
    const point = (await points()).get('U');
    await running.api.call('editPoint', { point_id: point?.id ?? 0, frame_type: 0, name: 'Voltage' });
    await expect(mend({ revision, keys })).rejects.toMatchObject({ code: 'STATE_CONFLICT', said: { code: 'table.changed' } });
    expect((await points()).get('CB_CTRL')?.related_code).toBe('');
    expect(await mend({ revision: (await check()).revision, keys })).toMatchObject({ mended: 1 });
  });

  it('looks at the table once more when its turn comes: a change that was made while it waited is not written over', async () => {
    const { items, revision } = await check();
    const keys = [items.find(({ rule }) => rule === 'no_feedback')?.key ?? ''];
    const control = (await points()).get('CB_CTRL')?.id ?? 0;
    const edit = running.api.call('editPoint', { point_id: control, frame_type: 2, related_code: 'OTHER' });
    const mended = mend({ revision, keys });
    await Promise.allSettled([edit, mended]);
    const { related_code } = (await points()).get('CB_CTRL') ?? {};
    await expect(
      mended.then(
        () => 'mended',
        () => related_code,
      ),
    ).resolves.toBe('OTHER');
  });

  it('refuses what has no mend, what is not found, and neither or both of keys and rule', async () => {
    const { items, revision } = await check();
    const overlap = items.find(({ rule }) => rule === 'overlap')?.key ?? '';
    await expect(mend({ revision, keys: [overlap] })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('"I"'),
    });
    await expect(mend({ revision, rule: 'overlap' })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await expect(mend({ revision, keys: ['overlap 1 X'] })).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
    await expect(mend({ revision })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await expect(mend({ revision, keys: [overlap], rule: 'overlap' })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });
});

describe('POST /api/points/ignore_findings', () => {
  const ignore = (request: Omit<InputOf<'ignoreFindings'>, 'channel_id'>) =>
    running.api.call('ignoreFindings', { channel_id: channelId, ...request }).then(({ data }) => data);

  it('leaves findings out of the counts and the list until they are brought back', async () => {
    const key = (await check({ rule: 'overlap' })).items[0]?.key ?? '';
    expect(await ignore({ keys: [key], ignored: true })).toEqual({ changed: 1, ignored: 1 });
    const { counts, total, rules } = await check();
    expect([counts, total]).toEqual([{ error: 0, warning: 1, hint: 1, ignored: 1 }, 2]);
    expect(rules.find(({ rule }) => rule === 'overlap')).toMatchObject({ warning: 0, ignored: 1 });
    expect((await check({ ignored: 'only' })).items.map(({ code, ignored }) => [code, ignored])).toEqual([['I', true]]);
    expect((await check({ ignored: 'show' })).total).toBe(3);
    expect(await ignore({ keys: [key], ignored: true })).toEqual({ changed: 0, ignored: 1 });
    expect(await ignore({ keys: [key], ignored: false })).toEqual({ changed: 1, ignored: 0 });
    expect((await check()).total).toBe(3);
  });

  it('stays with the finding: it is told again when something else is found at its point', async () => {
    await ignore({ rule: 'overlap', ignored: true });
    const { items } = (await running.api.call('pointTable', { channel_id: channelId, page: 1, page_size: 100 })).data;
    const [u] = items.filter(({ code }) => code === 'U');
    await running.api.call('editPoint', { point_id: u?.id ?? 0, frame_type: 0, note: 'as before' });
    expect((await check({ rule: 'overlap' })).total).toBe(0);
    await running.api.call('editPoint', { point_id: u?.id ?? 0, frame_type: 0, code: 'V' });
    expect((await check({ rule: 'overlap' })).items.map(({ params }) => params.code)).toEqual(['V']);
  });

  it('is kept in the project, for each channel by itself', async () => {
    const key = (await check({ rule: 'overlap' })).items[0]?.key ?? '';
    await ignore({ keys: [key], ignored: true });
    const path = (await running.api.call('projectInfo', {})).data.path;
    const other = (await running.api.call('openProject', { path: `${running.dir}/other-${count}.loopcheck`, create: true })).data;
    expect(other.path).not.toBe(path);
    await running.api.call('openProject', { path });
    expect((await check()).counts.ignored).toBe(1);
  });
});
