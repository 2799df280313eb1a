import { describe, expect, it } from 'vitest';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Conversation, Said } from '../../capture/conversations.ts';
import type { CapturedRead, ReadFinder } from '../../drivers/spi/index.ts';
import { Attempts } from './attempts.ts';

const CONVERSATION = { carrier: 'tcp', rolesBy: 'port' } as Conversation;
const READ = [] as unknown as CapturedRead;

/** What a protocol heard: octets by their direction and time, gaps, and how many reads it answers for each piece. */
class Ear implements ReadFinder {
  readonly heard: string[] = [];
  readonly #reads: number;
  readonly #atEnd: number;
  leftOut: Message | null = null;
  fault: Error | null = null;
  settings = { heard: true };

  constructor(reads: number, atEnd = 0) {
    this.#reads = reads;
    this.#atEnd = atEnd;
  }
  push(isToDevice: boolean | null, bytes: Uint8Array, atMs: number) {
    if (this.fault) throw this.fault;
    this.heard.push(`${isToDevice} ${bytes.join(' ')} at ${atMs}`);
    return Array.from({ length: this.#reads }, () => READ);
  }
  gap(isToDevice: boolean | null) {
    this.heard.push(`${isToDevice} gap`);
  }
  end() {
    this.heard.push('end');
    return Array.from({ length: this.#atEnd }, () => READ);
  }
}

/** What is made of reads: their number and times. */
class Found {
  readonly times: (bigint | null)[] = [];
  get reads(): number {
    return this.times.length;
  }
  add(_: CapturedRead, timeNs: bigint | null): void {
    this.times.push(timeNs);
  }
}

function attempts(ears: Readonly<Record<string, Ear | readonly ReadFinder[]>>, conversation: Conversation = CONVERSATION) {
  const turns = new Map<string, number>();
  const ways = () =>
    Object.entries(ears).map(([driver, given]) => {
      const turn = turns.get(driver) ?? 0;
      turns.set(driver, turn + 1);
      const finder = given instanceof Ear ? given : given[turn];
      if (!finder) throw new RangeError('one ear is missing');
      return { driver, finder };
    });
  return new Attempts(conversation, ways, () => new Found());
}

const piece = (isToDevice: boolean | null, timeNs: bigint | null = null, bytes = Uint8Array.of(7)) =>
  ({ conversation: CONVERSATION, isToDevice, stretch: { kind: 'octets', bytes, timeNs } }) as unknown as Said;
const gap = (isToDevice: boolean | null) => ({ conversation: CONVERSATION, isToDevice, stretch: { kind: 'gap' } }) as unknown as Said;

describe('a conversation', () => {
  it('is of the protocol that finds most in it', () => {
    const [few, many] = [new Ear(1), new Ear(2)];
    const all = attempts({ few, many });
    all.hear(piece(true));
    expect(all.best()).toMatchObject({ driver: 'many', found: { reads: 2 }, settings: { heard: true }, problem: null });
    expect([few.heard.includes('end'), many.heard.includes('end')], 'the end is told to one alone').toEqual([false, true]);
  });

  it('that nobody understands is of none', () => {
    expect(attempts({}).best()).toBeNull();
  });

  it('is heard with its directions, its gaps, and times in milliseconds; what has none has that of the piece before', () => {
    const ear = new Ear(1, 2);
    const all = attempts({ ear });
    for (const said of [piece(true), piece(false, 2_500_000n), piece(null), gap(true), gap(null)]) all.hear(said);
    expect(ear.heard).toEqual(['true 7 at 0', 'false 7 at 2.5', 'null 7 at 2.5', 'true gap', 'null gap']);
    expect(all.best()?.found.times).toEqual([null, 2_500_000n, 2_500_000n, 2_500_000n, 2_500_000n]);
  });

  it('of which nothing but the first speaker is known is heard in both directions', () => {
    const [straight, turned] = [new Ear(0), new Ear(1)];
    const all = attempts({ one: [straight, turned] }, { ...CONVERSATION, rolesBy: 'first' });
    all.hear(piece(true));
    all.hear(gap(false));
    all.hear(piece(null));
    expect(straight.heard).toEqual(['true 7 at 0', 'false gap', 'null 7 at 0']);
    expect(turned.heard).toEqual(['false 7 at 0', 'true gap', 'null 7 at 0']);
    expect(all.best()?.found.reads).toBe(2);
  });

  it('is not heard any more by a protocol that finds ten times less than another one, which has found fifty', () => {
    const [none, few, many] = [new Ear(0), new Ear(1), new Ear(10)];
    const all = attempts({ none, few, many });
    for (let count = 0; count < 4; count++) all.hear(piece(true));
    expect([none, few, many].map(({ heard }) => heard.length)).toEqual([4, 4, 4]);
    for (let count = 0; count < 2; count++) all.hear(piece(true));
    expect([none, few, many].map(({ heard }) => heard.length)).toEqual([5, 6, 6]);
    expect(all.best()?.driver).toBe('many');
  });

  it('tells what cannot be taken of it, by whoever knows', () => {
    const [one, other] = [new Ear(1), new Ear(0)];
    const all = attempts({ one, other });
    expect(all.leftOut).toBeNull();
    other.leftOut = say('capture.no_reads');
    expect([all.leftOut, all.best()?.leftOut]).toEqual([other.leftOut, null]);
  });

  it('that is too much for a protocol is heard by the others; its end tells the problem', () => {
    const [broken, other] = [new Ear(3), new Ear(1)];
    const all = attempts({ broken, other });
    all.hear(piece(true));
    const fault = new RangeError('too much');
    broken.fault = fault;
    all.hear(piece(true));
    broken.fault = null;
    all.hear(piece(true));
    all.hear(gap(true));
    expect([broken.heard.length, other.heard.length]).toEqual([1, 4]);
    expect(all.best()).toMatchObject({ driver: 'broken', problem: fault });
    expect(broken.heard).not.toContain('end');
  });

  it('may be of a protocol that has no end and no settings', () => {
    const plain: ReadFinder = { push: () => [READ], gap() {} };
    const all = attempts({ plain: [plain] });
    all.hear(piece(true));
    expect(all.best()).toMatchObject({ driver: 'plain', found: { reads: 1 }, settings: {}, problem: null, leftOut: null });
  });
});
