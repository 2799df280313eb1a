import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PointConfig, PointReading } from '../../drivers/spi/index.ts';
import { ManualClock } from '../../platform/manual-clock.ts';
import { point } from '../testing/harness.ts';
import { ColumnPointStore } from '../values/point-store.ts';
import { ChannelJournal } from './channel-journal.ts';
import { EventLog } from './event-log.ts';

const change = (pointId: number, value: number): PointReading => ({
  kind: 'value',
  pointId,
  value,
  valueText: '',
  raw: new Uint8Array(0),
  quality: 'good',
  flags: [],
  sourceTime: null,
});

it('names each point of a change, in whatever order they come, and by the table as it is now', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 60 }), fc.nat({ max: 59 }), (ids, renameAt) => {
      const points = new ColumnPointStore();
      const table = new Map<number, PointConfig>([1, 2, 3, 4, 5].map((id) => [id, point(id, { code: `P${id}` })]));
      points.add(table.values());
      const events = new EventLog(100);
      const journal = new ChannelJournal(1, events, new ManualClock());
      const expected: unknown[] = [];
      for (const [at, id] of ids.entries()) {
        if (at === renameAt) {
          for (const [key, config] of table) table.set(key, { ...config, code: `Q${key}` });
          for (const config of table.values()) points.update(config);
        }
        journal.changes(points, [change(id, at)]);
        const known = table.get(id);
        if (known) expected.push([known.id, known.code, known.frame_type, at]);
      }
      expect(events.list({ limit: 100 }).map((event) => [event.pointId, event.code, event.frameType, event.value])).toEqual(expected);
    }),
    { numRuns: 100 },
  );
});
