import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PublishedValue, RecordQueue } from './record-queue.ts';

const record = (sequence: number): PublishedValue => ({
  about: { device: 'PCS 1', code: 'U', frameType: 0, name: '', unit: 'V' },
  ...{ value: sequence, quality: 'good', at: sequence, sequence },
});
const filled = (most: number, count: number) => {
  const queue = new RecordQueue(most);
  for (let sequence = 1; sequence <= count; sequence++) queue.add(record(sequence));
  return queue;
};
const sequences = (items: readonly PublishedValue[]) => items.map(({ sequence }) => sequence);
const facts = ({ count, ready, room, lost }: RecordQueue) => ({ count, ready, room, lost });

describe('records that wait in memory', () => {
  it('are taken oldest first, and no more than wait', () => {
    const queue = filled(5, 3);
    expect(facts(queue)).toEqual({ count: 3, ready: 3, room: 2, lost: 0 });
    expect([sequences(queue.take(2)), sequences(queue.take(2)), sequences(queue.take(2))]).toEqual([[1, 2], [3], []]);
    expect(facts(queue)).toEqual({ count: 0, ready: 0, room: 5, lost: 0 });
  });

  it('give way, the oldest first, where there is no room, and are counted', () => {
    const queue = filled(3, 5);
    expect(facts(queue)).toEqual({ count: 3, ready: 3, room: 0, lost: 2 });
    expect(sequences(queue.take(9))).toEqual([3, 4, 5]);
  });

  it('are the oldest again where they are put back', () => {
    const queue = filled(5, 3);
    const taken = queue.take(2);
    queue.add(record(4));
    queue.putBack(taken);
    expect(sequences(queue.take(9))).toEqual([1, 2, 3, 4]);
  });

  it('that are put back give way, the oldest first, where newer ones took their room', () => {
    const queue = filled(4, 4);
    const taken = queue.take(3);
    for (const sequence of [5, 6]) queue.add(record(sequence));
    queue.putBack(taken);
    expect(queue.lost).toBe(2);
    expect(sequences(queue.take(9))).toEqual([3, 4, 5, 6]);
  });

  it('come out as they went in, whatever is done in between', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('add' as const), count: fc.integer({ min: 1, max: 1500 }) }),
      fc.record({ kind: fc.constant('take' as const), count: fc.integer({ min: 0, max: 1500 }) }),
      fc.record({ kind: fc.constant('back' as const), count: fc.constant(0) }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3000 }), fc.array(step, { maxLength: 30 }), (most, steps) => {
        const queue = new RecordQueue(most);
        let [waiting, taken, lost, next]: [number[], PublishedValue[], number, number] = [[], [], 0, 1];
        const keep = (all: number[]) => {
          waiting = all.slice(Math.max(0, all.length - most));
          lost += all.length - waiting.length;
        };
        for (const { kind, count } of steps) {
          if (kind === 'take') {
            taken = queue.take(count);
            expect(sequences(taken)).toEqual(waiting.splice(0, count));
          } else if (kind === 'back') {
            queue.putBack(taken);
            keep([...sequences(taken), ...waiting]);
            taken = [];
          } else
            for (let at = 0; at < count; at++) {
              queue.add(record(next));
              keep([...waiting, next++]);
            }
          expect(facts(queue)).toEqual({ count: waiting.length, ready: waiting.length, room: most - waiting.length, lost });
        }
        expect(sequences(queue.take(most))).toEqual(waiting);
      }),
      { numRuns: 50 },
    );
  });
});
