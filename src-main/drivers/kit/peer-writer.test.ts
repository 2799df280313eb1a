import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../platform/manual-clock.ts';
import { PeerWriter } from './peer-writer.ts';

/** A peer that takes what is written when it is told to. */
function setUp(options: { readonly writesApart?: boolean; readonly mostOctets?: number } = {}) {
  const clock = new ManualClock();
  const written: number[][] = [];
  const ends: { take(): void; fail(): void }[] = [];
  let unread = 0;
  const writer = new PeerWriter({
    line: {
      write: (bytes) => {
        written.push([...bytes]);
        return new Promise((take, fail) => ends.push({ take, fail: () => fail(new Error('the line has ended')) }));
      },
    },
    soon: (fn) => clock.soon(fn),
    mostOctets: 10,
    onUnread: () => {
      unread += 1;
      // the owner ends the line, and with it flushes once more
      writer.flush();
    },
    ...options,
  });
  const add = (...octets: number[]) => writer.add(Uint8Array.from(octets));
  return { clock, writer, written, ends, add, unread: () => unread };
}

describe('PeerWriter', () => {
  it('writes what one turn gives in one write, and the next turn in another', async () => {
    const { clock, written, add } = setUp();
    add(1, 2);
    add(3);
    expect(written).toEqual([]);
    await clock.advance(0);
    add(4);
    await clock.advance(0);
    expect(written).toEqual([[1, 2, 3], [4]]);
  });

  it('writes each frame apart where it is told to', async () => {
    const { clock, written, add } = setUp({ writesApart: true });
    add(1, 2);
    add(3);
    await clock.advance(0);
    expect(written).toEqual([[1, 2], [3]]);
  });

  it('writes at once when it is flushed, and not again at the end of the turn', async () => {
    const { clock, writer, written, add } = setUp();
    add(1);
    writer.flush();
    expect(written).toEqual([[1]]);
    await clock.advance(0);
    writer.flush();
    expect(written).toEqual([[1]]);
  });

  it('counts what the line has not taken: of this turn, of those before, and nothing of a write that failed', async () => {
    const { clock, writer, ends, add } = setUp();
    add(1, 2, 3);
    expect(writer.waitingOctets).toBe(3);
    await clock.advance(0);
    add(4, 5);
    await clock.advance(0);
    expect(writer.waitingOctets).toBe(5);
    ends[0]?.take();
    await clock.advance(0);
    expect(writer.waitingOctets).toBe(2);
    ends[1]?.fail();
    await clock.advance(0);
    expect(writer.waitingOctets).toBe(0);
  });

  it('takes as much as may wait, and gives a peer up that lets more wait: once, with nothing of that turn written', async () => {
    const { clock, written, add, unread } = setUp();
    add(1, 2, 3, 4, 5, 6);
    await clock.advance(0);
    add(7, 8, 9, 10);
    await clock.advance(0);
    expect(unread()).toBe(0);
    add(11);
    add(12);
    await clock.advance(0);
    expect(unread()).toBe(1);
    expect(written).toEqual([
      [1, 2, 3, 4, 5, 6],
      [7, 8, 9, 10],
    ]);
  });
});
