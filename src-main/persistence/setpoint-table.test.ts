import { describe, expect, it } from 'vitest';
import { quoted } from '#shared/messages/index.ts';
import type { ProjectStore, SetpointTouch } from './repositories.ts';
import { inFolder, openTestProject, testAudit, testChannel, testPoint } from './test-project.ts';

const CLOSED = '2026-04-04T05:06:08.000Z';
const HERE = { device: 'one', place: 'register 100' } as const;
const BEFORE = { ...HERE, before: 40.25, beforeAt: '2026-04-04T05:06:00.000Z' } as const;
const UNKNOWN = { ...HERE, before: null, beforeAt: null } as const;

/** A write of a setpoint; without an outcome it is under way for ever. */
function write(store: ProjectStore, touch: SetpointTouch, value: number, outcome?: 'accepted' | 'rejected' | 'unknown' | 'failed'): number {
  const { id, channel_id, code } = touch.point;
  const entry = store.audit.open({ ...testAudit(code, channel_id), point_id: id, value }, touch);
  if (outcome) store.audit.close(entry, outcome, quoted('said'), CLOSED, touch);
  return entry;
}

/** A setpoint of a new channel. */
function setpoint(store: ProjectStore, code = 'P_SET'): SetpointTouch['point'] {
  const channel = store.channels.list()[0] ?? store.channels.add(testChannel('a'));
  const [point] = store.points.add(channel.id, [{ ...testPoint(code), frame_type: 3 }]);
  if (!point) throw new Error('no point');
  return point;
}

function inProject(run: (store: ProjectStore, again: () => ProjectStore) => void): Promise<void> {
  return inFolder((folder) => {
    let store = openTestProject(`${folder}/p.loopcheck`);
    try {
      run(store, () => {
        store.close();
        store = openTestProject(`${folder}/p.loopcheck`);
        return store;
      });
    } finally {
      store.close();
    }
  });
}

describe('touched setpoints', () => {
  it('keep the value from before the first write, and show the last that was not refused', () =>
    inProject((store) => {
      const point = setpoint(store);
      write(store, { point, ...BEFORE }, 50, 'accepted');
      const renamed = { ...point, code: 'OTHER' };
      const last = write(store, { point: renamed, ...HERE, before: 50, beforeAt: CLOSED }, 60, 'unknown');
      write(store, { point: renamed, ...UNKNOWN }, 70, 'rejected');
      write(store, { point: renamed, ...UNKNOWN }, 80, 'failed');
      expect(store.setpoints.list(undefined)).toEqual([
        { point, ...BEFORE, value: 60, sentAt: testAudit('').at, outcome: 'unknown', auditId: last },
      ]);
      expect(store.setpoints.list(point.channel_id + 1)).toEqual([]);
    }));

  it.each(['rejected', 'failed'] as const)('a first write that is %s touches nothing', (outcome) =>
    inProject((store) => {
      write(store, { point: setpoint(store), ...BEFORE }, 50, outcome);
      expect(store.setpoints.list(undefined)).toEqual([]);
    }),
  );

  it('a write under way when the program ends stays one', () =>
    inProject((store, again) => {
      const point = setpoint(store);
      const entry = write(store, { point, ...BEFORE }, 50);
      expect(again().setpoints.list(point.channel_id)).toEqual([
        { point, ...BEFORE, value: 50, sentAt: testAudit('').at, outcome: 'open', auditId: entry },
      ]);
    }));

  it('a write that ends when its channel is removed leaves nothing, and its entry is closed', () =>
    inProject((store) => {
      const point = setpoint(store);
      const entry = write(store, { point, ...BEFORE }, 50);
      store.channels.remove(point.channel_id);
      store.audit.close(entry, 'accepted', quoted('said'), CLOSED, { point, ...BEFORE });
      expect(store.setpoints.list(undefined)).toEqual([]);
      expect(store.audit.list({ channelId: undefined, offset: 0, limit: 1 }).items).toMatchObject([{ id: entry, outcome: 'accepted' }]);
    }));

  it('a later write is told while it is under way, and after a kill; the earlier one again when it is refused', () =>
    inProject((store, again) => {
      const touch = { point: setpoint(store), ...BEFORE };
      const first = write(store, touch, 50, 'accepted');
      const second = write(store, touch, 60);
      const underWay = { value: 60, auditId: second, outcome: 'open', before: 40.25 };
      expect(store.setpoints.list(undefined)).toMatchObject([underWay]);
      store.audit.close(second, 'rejected', quoted('said'), CLOSED, touch);
      expect(store.setpoints.list(undefined)).toMatchObject([{ value: 50, auditId: first, outcome: 'accepted' }]);
      const third = write(store, touch, 70);
      expect(again().setpoints.list(undefined)).toMatchObject([{ value: 70, auditId: third, outcome: 'open', before: 40.25 }]);
    }));

  it('a first write that is refused does not hide one that was begun behind it', () =>
    inProject((store, again) => {
      const touch = { point: setpoint(store), ...BEFORE };
      const [first, second] = [write(store, touch, 50), write(store, touch, 60)];
      store.audit.close(first, 'rejected', quoted('said'), CLOSED, touch);
      const reopened = again();
      expect(reopened.setpoints.list(undefined)).toMatchObject([{ value: 60, auditId: second, outcome: 'open', before: 40.25 }]);
      reopened.audit.close(second, 'failed', quoted('said'), CLOSED, touch);
      expect(reopened.setpoints.list(undefined)).toEqual([]);
    }));

  it('end when the device was seen to have the value from before again, and with no other one', () =>
    inProject((store) => {
      const touches = [setpoint(store), setpoint(store, 'Q_SET')].map((point) => ({ point, ...BEFORE }));
      for (const touch of touches) write(store, touch, 50, 'accepted');
      const [one] = touches;
      if (!one) throw new Error('no point');
      write(store, one, 40.25, 'accepted');
      store.setpoints.settle(one, 50);
      store.setpoints.settle({ ...one, place: 'register 101' }, 40.25);
      expect(store.setpoints.list(undefined)).toHaveLength(2);
      store.setpoints.settle(one, 40.25);
      expect(store.setpoints.list(undefined)).toMatchObject([{ point: { code: 'Q_SET' } }]);
    }));

  it('of a point that was edited, or whose channel leads elsewhere, are others', () =>
    inProject((store) => {
      const point = setpoint(store);
      write(store, { point, ...BEFORE }, 50, 'accepted');
      write(store, { point: { ...point, address: 101 }, ...BEFORE, place: 'register 101', before: 7 }, 60, 'accepted');
      write(store, { point, ...BEFORE, device: 'other', before: 8 }, 70, 'accepted');
      expect(store.setpoints.list(undefined).map(({ before, value }) => [before, value])).toEqual([
        [40.25, 50],
        [7, 60],
        [8, 70],
      ]);
      expect(store.setpoints.forget(point.channel_id, [point.id])).toBe(3);
    }));

  it('with a value that was not known end only when somebody takes them as right', () =>
    inProject((store) => {
      const point = setpoint(store);
      write(store, { point, ...UNKNOWN }, 0, 'accepted');
      expect(store.setpoints.list(undefined)).toMatchObject([{ before: null, beforeAt: null, value: 0 }]);
      expect(store.setpoints.forget(point.channel_id + 1, [point.id])).toBe(0);
      expect(store.setpoints.forget(point.channel_id, [point.id, 999])).toBe(1);
      expect(store.setpoints.list(undefined)).toEqual([]);
    }));

  it('taken as right while a write is under way, are touched again by its end', () =>
    inProject((store) => {
      const touch = { point: setpoint(store), ...BEFORE };
      const entry = write(store, touch, 50);
      store.setpoints.forget(touch.point.channel_id, [touch.point.id]);
      store.audit.close(entry, 'accepted', quoted('said'), CLOSED, touch);
      expect(store.setpoints.list(undefined)).toMatchObject([{ value: 50, outcome: 'accepted' }]);
    }));

  it('stay when their point goes, and go with their channel', () =>
    inProject((store) => {
      const point = setpoint(store);
      write(store, { point, ...BEFORE }, 50, 'accepted');
      store.points.remove(point.channel_id, [point.id]);
      expect(store.setpoints.list(undefined)).toHaveLength(1);
      store.channels.remove(point.channel_id);
      expect(store.setpoints.list(undefined)).toEqual([]);
    }));
});
