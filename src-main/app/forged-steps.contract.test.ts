import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { POINT_FIELD_KEYS, type PointFieldKey } from '#shared/domain/point-fields.ts';
import { type RunningCore, startCore } from './testing/running-core.ts';

/** The journal of a project that somebody else wrote: each of its parts is well formed, and says what the program never wrote. */

let dataDir: string;
let core: RunningCore;
let own: number;
let other: number;
let file: string;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'loopcheck-forged-'));
  file = join(dataDir, 'p.loopcheck');
  core = await startCore({ dataDir, projectPath: file });
  [own, other] = (await Promise.all(['Own', 'Other'].map(channel))) as [number, number];
  const [first] = await points(own);
  await core.api.call('deletePoints', { channel_id: own, point_ids: [first?.id ?? 0] });
});
afterEach(async () => {
  await core.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function channel(name: string): Promise<number> {
  const { id } = (await core.api.call('addChannel', { name, protocol_type: 1, conn_type: 2, port: 502 })).data;
  await core.api.call('addPoints', {
    channel_id: id,
    points: ['A', 'B'].map((code, address) => ({ frame_type: 0 as const, code, address })),
  });
  return id;
}
const points = async (id: number) => (await core.api.call('pointTable', { channel_id: id, page: 1, page_size: 100 })).data.items;
const undo = () => core.send({ method: 'POST', url: '/api/points/undo', body: { channel_id: own } });

interface Part {
  fields: unknown;
  removed: unknown;
}
type Row = Record<PointFieldKey, unknown> & { id: unknown };

/** Opens the project again with what somebody made of the part of its last step. */
async function forge(change: (part: Part) => Part, alter: (db: Database.Database) => void = () => {}): Promise<void> {
  await core.close();
  const db = new Database(file);
  const [step] = db
    .prepare<[], { id: number; change: Buffer }>('SELECT step_id AS id, change FROM point_step_parts ORDER BY step_id DESC')
    .all();
  const part = JSON.parse(inflateRawSync(step?.change ?? Buffer.alloc(0)).toString()) as Part;
  db.prepare('UPDATE point_step_parts SET change = ? WHERE step_id = ?').run(deflateRawSync(JSON.stringify(change(part))), step?.id);
  alter(db);
  db.close();
  core = await startCore({ dataDir, projectPath: file });
}
/** The point that was deleted, as the step has it. */
const rowWith = (change: Partial<Row>) => (part: Part) => {
  const [row = []] = part.removed as unknown[][];
  const keys = ['id', ...POINT_FIELD_KEYS];
  return {
    ...part,
    removed: [row.map((value, index) => (Object.hasOwn(change, keys[index] ?? '') ? change[keys[index] as keyof Row] : value))],
  };
};

describe('a step of the history that the program did not write', () => {
  it('is taken where it is as it was', async () => {
    await forge((part) => part);
    expect((await undo()).status).toBe(200);
    expect((await points(own)).map(({ code }) => code)).toEqual(['A', 'B']);
  });

  it.each<[string, Partial<Row>, RegExp]>([
    ['an id beyond all that were given', { id: 2 ** 52 }, /point 4503599627370496 of "Own" is another point/],
    ['an id that is none', { id: 'x' }, /point 0 cannot be one of "Own" \(id/],
    ['a text for a number', { address: 'x' }, /cannot be one of "Own" \(address/],
    ['a type that there is not', { frame_type: 9 }, /\(frame_type/],
    ['a code without end', { code: 'x'.repeat(100_000) }, /\(code/],
    ['a field left out', { mul_coe: null }, /\(mul_coe/],
    ['what its protocol does not allow', { func_code: 6 }, /\(func_code/],
    ['a setting that its protocol does not have', { protocol: { command: 'rm' } }, /\(protocol.command/],
    ['settings that are none', { protocol: [] }, /\(protocol/],
  ])('is refused with what is wrong, and nothing is changed: %s', async (_, change, said) => {
    await forge(rowWith(change));
    const before = [await points(own), await points(other)];
    const reply = await undo();
    expect(reply).toMatchObject({ status: 409, body: { error: 'STATE_CONFLICT', message: expect.stringMatching(said) } });
    expect(String((reply.body as { message?: string }).message).length).toBeLessThan(1000);
    expect([await points(own), await points(other)]).toEqual(before);
    expect((await core.api.call('pointHistory', { channel_id: own })).data.undo).toMatchObject({ name: 'Delete "A"', undone: false });
  });

  it('is refused where it brings a point of another channel', async () => {
    const [theirs] = await points(other);
    await forge(rowWith({ id: theirs?.id }));
    expect(await undo()).toMatchObject({ status: 409, body: { message: expect.stringMatching(/is another point/) } });
    expect((await points(other)).map(({ code }) => code)).toEqual(['A', 'B']);
    expect((await points(own)).map(({ code }) => code)).toEqual(['B']);
  });

  it('is refused where it is about a channel that it does not name', async () => {
    await forge(
      (part) => part,
      (db) =>
        db.prepare('UPDATE point_step_parts SET channel_id = ? WHERE step_id = (SELECT max(step_id) FROM point_step_parts)').run(other),
    );
    expect(await undo()).toMatchObject({ status: 409, body: { message: expect.stringMatching(/channel \d+, which it does not name/) } });
    expect((await points(other)).map(({ code }) => code)).toEqual(['A', 'B']);
  });

  it('is refused where it has more points than it tells, or more than any step', async () => {
    await forge((part) => ({ ...part, removed: [...(part.removed as unknown[]), ...(part.removed as unknown[])] }));
    expect(await undo()).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/tells of 1 points \(removed\) and has 2/) },
    });
    await forge((part) => ({ ...part, removed: Array.from({ length: 400_001 }, () => [1]) }));
    expect(await undo()).toMatchObject({ status: 409, body: { message: expect.stringMatching(/larger than any/) } });
    await forge((part) => ({ ...part, fields: ['x'.repeat(17 * 1024 * 1024)] }));
    expect(await undo()).toMatchObject({ status: 409, body: { error: 'STATE_STORE', message: expect.stringMatching(/damaged/) } });
    expect((await points(own)).map(({ code }) => code)).toEqual(['B']);
  });

  it.each<[string, (part: Part) => Part]>([
    ['rows that are none', (part) => ({ ...part, removed: [{ id: 1 }] })],
    ['a list that is none', (part) => ({ ...part, removed: 7 })],
    ['no fields', (part) => ({ ...part, fields: 'id' })],
  ])('is damage where a part has %s', async (_, change) => {
    await forge(change);
    expect(await undo()).toMatchObject({ status: 409, body: { error: 'STATE_STORE', message: expect.stringMatching(/damaged/) } });
    expect((await points(own)).map(({ code }) => code)).toEqual(['B']);
  });

  it.each([
    '{"code":"edit.delete_point"}',
    '{}',
    '[]',
    '{"code":7,"params":{}}',
    JSON.stringify({ code: 'x', params: { a: 'x'.repeat(20_000) } }),
  ])('has no name where %.40s stands for one, and the history is listed all the same', async (name) => {
    await forge(
      (part) => part,
      (db) => db.prepare('UPDATE point_steps SET name = ?').run(name),
    );
    const { items } = (await core.api.call('pointHistory', { channel_id: own })).data;
    expect(items.map((item) => item.name)).toEqual(['A step without a name', 'A step without a name']);
  });
});
