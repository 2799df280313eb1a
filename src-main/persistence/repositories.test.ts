import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { migrations } from './migrations/index.ts';
import { openFile } from './open-file.ts';
import type { ProjectStore } from './repositories.ts';
import { inFolder, openTestProject, testAudit, testChannel, testPoint } from './test-project.ts';

/** Code of the AppError that is thrown. */
function refusal(action: () => unknown): { code: string; message: string } {
  try {
    action();
  } catch (thrown) {
    if (thrown instanceof AppError) return { code: thrown.code, message: thrown.message };
    throw thrown;
  }
  throw new Error('nothing was refused');
}

/** Runs with a new project, closes it, and shows what a second opening finds. */
function withProject(run: (store: ProjectStore) => void, after: (store: ProjectStore) => void = () => {}): Promise<void> {
  return inFolder((folder) => {
    const path = `${folder}/p.loopcheck`;
    for (const step of [run, after]) {
      const store = openTestProject(path);
      try {
        step(store);
      } finally {
        store.close();
      }
    }
  });
}

describe('channels', () => {
  it('come back as they were stored, in id order', () =>
    withProject(
      (store) => {
        expect(store.channels.add(testChannel('b'))).toEqual({ ...testChannel('b'), id: 1 });
        store.channels.add({ ...testChannel('a'), com_port: 'COM12', request_gap_ms: 0, read_only: false, parity: 'E' });
      },
      (store) =>
        expect(store.channels.list()).toEqual([
          { ...testChannel('b'), id: 1 },
          { ...testChannel('a'), id: 2, com_port: 'COM12', request_gap_ms: 0, read_only: false, parity: 'E' },
        ]),
    ));

  it('are changed as a whole', () =>
    withProject((store) => {
      const channel = store.channels.add(testChannel('a'));
      const changed = { ...channel, name: 'A', port: 503, auto_start: true, protocol: {} };
      store.channels.update(changed);
      expect(store.channels.list()).toEqual([changed]);
    }));

  it('refuse a taken name, at add and at update', () =>
    withProject((store) => {
      store.channels.add(testChannel('a'));
      const other = store.channels.add(testChannel('b'));
      expect(refusal(() => store.channels.add(testChannel('a')))).toEqual({
        code: 'STATE_CONFLICT',
        message: 'Channel name "a" is taken; choose another one.',
      });
      expect(refusal(() => store.channels.update({ ...other, name: 'a' })).code).toBe('STATE_CONFLICT');
      store.channels.update(other);
    }));

  it('never use an id again, not even after the last one was removed and the file was closed', () =>
    withProject(
      (store) => {
        store.channels.add(testChannel('a'));
        const { id } = store.channels.add(testChannel('b'));
        store.points.add(id, [testPoint('x')]);
        store.channels.remove(id);
      },
      (store) => {
        const { id } = store.channels.add(testChannel('c'));
        expect(id).toBe(3);
        expect(store.points.add(id, [testPoint('x')])[0]?.id).toBe(2);
      },
    ));

  it('take their points along, and leave the audit', () =>
    withProject((store) => {
      const { id } = store.channels.add(testChannel('a'));
      store.points.add(id, [testPoint('x'), testPoint('y')]);
      store.audit.open(testAudit('x', id));
      store.channels.remove(id);
      expect([store.points.count(id), store.audit.list({ channelId: id, offset: 0, limit: 9 }).total]).toEqual([0, 1]);
    }));

  it('that do not exist cannot be changed or removed', () =>
    withProject((store) => {
      expect(refusal(() => store.channels.update({ ...testChannel('a'), id: 9 })).code).toBe('CONFIG_NOT_FOUND');
      expect(refusal(() => store.channels.remove(9)).code).toBe('CONFIG_NOT_FOUND');
    }));
});

describe('points', () => {
  it('come back as they were stored, in id order, whatever their values', () =>
    fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.string({ minLength: 1, maxLength: 10, unit: 'grapheme' }), { maxLength: 8 }),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
        fc.option(
          fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
          { nil: null },
        ),
        fc.integer({ min: 0, max: 0xffff_ffff }),
        fc.dictionary(
          fc.string(),
          fc.jsonValue({ maxDepth: 1 }).map((value) => JSON.parse(JSON.stringify(value))),
        ),
        (codes, factor, limit, address, protocol) =>
          withProject(
            (store) => {
              const { id } = store.channels.add(testChannel('a'));
              const points = codes.map((code) => ({
                ...testPoint(code),
                mul_coe: factor,
                max_limit: limit,
                address,
                protocol,
                reverse: true,
              }));
              const added = store.points.add(id, points);
              expect(added).toEqual(points.map((point, index) => ({ ...point, channel_id: id, id: index + 1 })));
            },
            (store) => {
              const stored = [...store.points.iterate(1)];
              expect(stored.map((point) => point.code)).toEqual(codes);
              for (const point of stored) {
                expect(point).toEqual({
                  ...testPoint(point.code),
                  id: point.id,
                  channel_id: 1,
                  mul_coe: factor,
                  max_limit: limit,
                  address,
                  protocol: { ...protocol },
                  reverse: true,
                });
              }
            },
          ),
      ),
      { numRuns: 25 },
    ));

  it('are added all or none; the taken code is named', () =>
    withProject((store) => {
      const { id } = store.channels.add(testChannel('a'));
      const other = store.channels.add(testChannel('b')).id;
      store.points.add(id, [testPoint('x')]);
      store.points.add(other, [testPoint('x')]);
      expect(refusal(() => store.points.add(id, [testPoint('w'), testPoint('x'), testPoint('y')]))).toEqual({
        code: 'STATE_CONFLICT',
        message: 'Point code "x" is taken; codes are unique in their channel.',
      });
      expect(refusal(() => store.points.add(id, [testPoint('w'), testPoint('w')])).code).toBe('STATE_CONFLICT');
      expect([store.points.count(id), store.points.count(other)]).toEqual([1, 1]);
    }));

  it('need a channel', () =>
    withProject((store) => {
      expect(refusal(() => store.points.add(7, [testPoint('x')]))).toEqual({ code: 'CONFIG_NOT_FOUND', message: 'There is no channel 7.' });
    }));

  it('are changed one at a time, and only in their channel', () =>
    withProject((store) => {
      const { id } = store.channels.add(testChannel('a'));
      const [x, y] = store.points.add(id, [testPoint('x'), testPoint('y')]);
      if (!x || !y) throw new Error('two points were added');
      store.points.update({ ...x, name: '', address: 9, bit: null });
      expect([...store.points.iterate(id)]).toEqual([{ ...x, name: '', address: 9, bit: null }, y]);
      expect(refusal(() => store.points.update({ ...y, code: 'x' })).code).toBe('STATE_CONFLICT');
      expect(refusal(() => store.points.update({ ...y, id: 77 })).code).toBe('CONFIG_NOT_FOUND');
      expect(refusal(() => store.points.update({ ...y, channel_id: 77 })).code).toBe('CONFIG_NOT_FOUND');
    }));

  it('are removed all or none', () =>
    withProject((store) => {
      const { id } = store.channels.add(testChannel('a'));
      const other = store.channels.add(testChannel('b')).id;
      const ids = store.points.add(id, ['x', 'y', 'z'].map(testPoint)).map((point) => point.id);
      const foreign = store.points.add(other, [testPoint('x')]).map((point) => point.id);
      expect(refusal(() => store.points.remove(id, [...ids, ...foreign])).code).toBe('CONFIG_NOT_FOUND');
      expect(store.points.count(id)).toBe(3);
      store.points.remove(id, [...ids.slice(0, 2), ...ids.slice(0, 1)]);
      expect([...store.points.iterate(id)].map((point) => point.code)).toEqual(['z']);
    }));

  it('are removed, changed and added in one transaction, all or none', () =>
    withProject((store) => {
      const { id } = store.channels.add(testChannel('a'));
      const [x, y, z] = store.points.add(id, ['x', 'y', 'z'].map(testPoint));
      if (!x || !y || !z) throw new Error('three points were added');
      const change = { removed: [x.id], changed: [{ ...y, name: 'changed' }], added: [testPoint('w'), testPoint('x')] };
      expect(refusal(() => store.points.change(id, { ...change, added: [testPoint('w'), testPoint('z')] })).code).toBe('STATE_CONFLICT');
      expect(refusal(() => store.points.change(id, { ...change, removed: [x.id, 777] })).code).toBe('CONFIG_NOT_FOUND');
      expect([...store.points.iterate(id)]).toEqual([x, y, z]);
      const added = store.points.change(id, change);
      expect(added.map((point) => point.code)).toEqual(['w', 'x']);
      expect([...store.points.iterate(id)]).toEqual([{ ...y, name: 'changed' }, z, ...added]);
      expect(added.every((point) => point.id > z.id)).toBe(true);
    }));

  it('can be changed while they are iterated, 30,000 of them', () =>
    withProject((store) => {
      const { id } = store.channels.add(testChannel('a'));
      const points = Array.from({ length: 30_000 }, (_, index) => testPoint(`P${index}`));
      store.points.add(id, points);
      let seen = 0;
      for (const point of store.points.iterate(id)) {
        if (seen % 5_000 === 0) store.points.update({ ...point, name: 'seen' });
        seen += 1;
      }
      expect(seen).toBe(30_000);
      expect([...store.points.iterate(id)].filter((point) => point.name === 'seen')).toHaveLength(6);
    }));
});

describe('settings', () => {
  it('keep any JSON value by name', () =>
    withProject(
      (store) => {
        store.settings.write('read_only', false);
        store.settings.write('list', [1, { a: null }]);
        store.settings.write('list', { b: '文' });
      },
      (store) => {
        expect([store.settings.read('read_only'), store.settings.read('list'), store.settings.read('none')]).toEqual([
          false,
          { b: '文' },
          undefined,
        ]);
      },
    ));
});

describe('audit', () => {
  it('keeps operations, which belong to no point, with their parameters', () =>
    withProject(
      (store) => {
        const operation = { name: 'counter_freeze', params: { common_address: 7, action: 'reset', group: 0 } };
        store.audit.open({ ...testAudit('', 3), point_id: null, frame_type: null, operation, value: null });
      },
      (store) => {
        expect(store.audit.list({ channelId: 3, offset: 0, limit: 10 }).items).toMatchObject([
          {
            point_id: null,
            frame_type: null,
            code: '',
            operation: { name: 'counter_freeze', params: { common_address: 7, action: 'reset', group: 0 } },
          },
        ]);
      },
    ));

  it('of a file from before operations were in it reads as writes of points', () =>
    inFolder((folder) => {
      const path = `${folder}/p.loopcheck`;
      const { db, lock } = openFile(path, { create: true, holder: 'Loopcheck test', wallMs: () => 0 }, migrations.slice(0, 1));
      db.exec(`INSERT INTO audit (at, channel_id, channel_name, point_id, frame_type, code, step, value, source, outcome, detail)
        VALUES ('2026-04-04T05:06:07.008Z', 1, 'PCS 1', 7, 3, 'a', 'operate', 12.5, 'api', 'accepted', '')`);
      lock.leave();
      db.close();
      const store = openTestProject(path, false);
      const { items } = store.audit.list({ channelId: undefined, offset: 0, limit: 10 });
      expect(items).toEqual([{ ...testAudit('a'), id: 1, closed_at: null, outcome: 'accepted', detail: '' }]);
      store.close();
    }));

  it('is entered open, closed once, and listed newest first', () =>
    withProject(
      (store) => {
        const first = store.audit.open(testAudit('a'));
        const second = store.audit.open({ ...testAudit('b', 2), value: null, step: 'cancel' });
        store.audit.close(first, 'accepted', quoted('echo checked'), '2026-04-04T05:06:08.000Z');
        expect([first, second]).toEqual([1, 2]);
        expect(refusal(() => store.audit.close(first, 'failed', quoted(''), '2026-04-04T05:06:09.000Z')).code).toBe('CONFIG_NOT_FOUND');
      },
      (store) => {
        expect(store.audit.list({ channelId: undefined, offset: 0, limit: 10 })).toEqual({
          total: 2,
          items: [
            { ...testAudit('b', 2), id: 2, value: null, step: 'cancel', closed_at: null, outcome: 'open', detail: '' },
            {
              ...testAudit('a'),
              id: 1,
              closed_at: '2026-04-04T05:06:08.000Z',
              outcome: 'accepted',
              detail: 'echo checked',
              detail_message: quoted('echo checked'),
            },
          ],
        });
        expect(store.audit.list({ channelId: 2, offset: 0, limit: 10 })).toMatchObject({ total: 1, items: [{ code: 'b' }] });
        expect(store.audit.list({ channelId: undefined, offset: 1, limit: 10 })).toMatchObject({ total: 2, items: [{ code: 'a' }] });
        expect(store.audit.list({ channelId: undefined, offset: 5, limit: 10 })).toEqual({ total: 2, items: [] });
      },
    ));
});
