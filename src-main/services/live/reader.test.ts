import { describe, expect, it } from 'vitest';
import { modbusTcpDriver } from '../../drivers/modbus/driver.ts';
import { settle } from '../../platform/manual-clock.ts';
import { JobBench } from '../jobs/testing/job-bench.ts';
import { StreamReader } from './reader.ts';
import { StreamFilter } from './stream-filter.ts';
import { Taker } from './testing/taker.ts';

function opened() {
  const taker = new Taker();
  const filter = new StreamFilter(new JobBench([modbusTcpDriver]).deps.projects.current(), {});
  const reader = new StreamReader(taker, filter, { place: { change: 1, event: 2 }, isAll: true, now: 10 });
  return { taker, reader };
}

/** True when the promise has settled by now. */
async function isSettled(promise: Promise<void>): Promise<boolean> {
  let done = false;
  void promise.then(() => {
    done = true;
  });
  await settle();
  return done;
}

describe('a reader of the stream', () => {
  it('begins at its place, with nothing told, and takes', async () => {
    const { reader } = opened();
    expect(reader).toMatchObject({ place: { change: 1, event: 2 }, isFirst: true, isAll: true, writtenAt: 10 });
    expect(reader).toMatchObject({ isBusy: false, isSlow: false, isFull: false, isClosed: false });
    expect(await isSettled(reader.drained())).toBe(true);
  });

  it('is full from the block that it did not take, and free when it took it', async () => {
    const { taker, reader } = opened();
    reader.write(Buffer.from('a'), 20);
    expect(reader).toMatchObject({ writtenAt: 20, isFull: false, fullSince: null });
    taker.isTaking = false;
    reader.write(Buffer.from('b'), 30);
    expect(reader).toMatchObject({ writtenAt: 30, isFull: true, fullSince: 30 });
    const free = reader.drained();
    expect(await isSettled(free)).toBe(false);
    taker.drain();
    expect(await isSettled(free)).toBe(true);
    expect(reader.isFull).toBe(false);
    expect(taker.text).toBe('ab');
  });

  it.each<['end' | 'destroy', Taker['ended']]>([
    ['end', 'in order'],
    ['destroy', 'at once'],
  ])('whoever waits for it goes on at its %s; nothing is written behind it', async (way, ended) => {
    const { taker, reader } = opened();
    taker.isTaking = false;
    reader.write(Buffer.from('a'), 20);
    const free = reader.drained();
    reader[way]();
    expect(await isSettled(free)).toBe(true);
    expect([reader.isClosed, taker.ended]).toEqual([true, ended]);
    reader.write(Buffer.from('b'), 30);
    expect([taker.text, reader.writtenAt, reader.isFull]).toEqual(['a', 20, false]);
  });

  it('that is closed while it is full is not waited for', async () => {
    const { taker, reader } = opened();
    taker.isTaking = false;
    reader.write(Buffer.from('a'), 20);
    reader.isClosed = true;
    expect(await isSettled(reader.drained())).toBe(true);
  });
});
