import { describe, expect, it } from 'vitest';
import { settle } from '../../../platform/manual-clock.ts';
import { encodeRequest } from '../codec/request.ts';
import { encodeRtu } from './framing.ts';
import { answer, failure, GAP_MS, OCTET_MS, REQUEST_MS, read, setUp, TIMEOUT_MS, values, write } from './testing/session-bench.ts';

/** Whatever is asked is answered at once, before the request can have left at 9600 baud. */
async function answerAtOnce({ clock, line }: ReturnType<typeof setUp>, ofSent: (request: Uint8Array) => Uint8Array, forMs: number) {
  let answered = line.sent.length;
  for (let ms = 0; ms < forMs; ms++) {
    await clock.advance(1);
    const request = line.sent[answered];
    if (!request) continue;
    answered = line.sent.length;
    line.receive(ofSent(request));
    await settle();
  }
}

/** A slave that has function 8, all of whose registers hold 7. */
const sevens = (request: Uint8Array) => (request[1] === 8 ? request : answer(1, ...Array.from({ length: request[5] ?? 0 }, () => 7)));

/** On a port without a baud rate a busy computer may deliver some answers so late that the line seems to keep one. */
async function seemsPaced() {
  const bench = setUp();
  await bench.warmUp();
  const first = bench.run(read(10, 1));
  await bench.clock.advance(GAP_MS + REQUEST_MS + 5);
  bench.line.receive(answer(1, 7));
  await settle();
  expect(values(first.end)).toEqual([0, 7]);
  return bench;
}

describe('an answer before its request can have left, with the octets of the answer before', () => {
  it('is asked for again where nothing else comes, and makes no line one that doubles', async () => {
    const bench = await seemsPaced();
    const next = bench.run(read(20, 1));
    await answerAtOnce(bench, sevens, 3 * TIMEOUT_MS);
    expect(values(next.end)).toEqual([0, 7]);
    expect(bench.frames.of('note').map(({ text }) => text)).toEqual([]);
    expect(bench.health).toMatchObject({ timeouts: 0 });
    // the next ones too, each in much less than a timeout
    for (let start = 30; start < 50; start++) {
      const one = bench.run(read(start, 1));
      await answerAtOnce(bench, sevens, TIMEOUT_MS);
      expect(values(one.end)).toEqual([0, 7]);
    }
    expect(bench.frames.of('note').map(({ text }) => text)).toEqual([]);
  });

  it('is a copy where the answer comes in its time, of other octets or the same', async () => {
    for (const value of [8, 7]) {
      const { clock, line, frames, run } = await seemsPaced();
      const next = run(read(20, 1));
      await clock.advance(GAP_MS + 1);
      line.receive(answer(1, 7));
      await clock.advance(REQUEST_MS + 5);
      line.receive(answer(1, value));
      await clock.advance(TIMEOUT_MS / 2);
      if (value === 8) expect(values(next.end)).toEqual([0, 8]);
      expect(frames.of('note').map(({ text }) => text)).toEqual([expect.stringContaining('Answers come twice')]);
      expect(frames.of('late')[0]?.text).toContain('The same answer once more');
    }
  });

  it('is no value by itself: where the device is silent behind it, the read fails', async () => {
    const { clock, line, run } = await seemsPaced();
    const next = run(read(20, 1));
    await clock.advance(GAP_MS + 1);
    line.receive(answer(1, 7));
    await clock.advance(3 * (REQUEST_MS + GAP_MS + TIMEOUT_MS + 8 * OCTET_MS));
    expect(next.end).toMatchObject(failure('TIMEOUT_RESPONSE'));
  });

  it('confirms no command', async () => {
    const bench = await seemsPaced();
    const pdu = encodeRequest({ functionCode: 6, address: 5, value: 1 });
    const first = bench.run(write(pdu));
    await bench.clock.advance(GAP_MS + REQUEST_MS + 5);
    bench.line.receive(encodeRtu(1, pdu));
    await settle();
    expect(first.end?.kind).toBe('answer');
    const sent = bench.line.sent.length;
    const again = bench.run(write(pdu));
    await answerAtOnce(bench, () => encodeRtu(1, pdu), 3 * TIMEOUT_MS);
    expect(again.end).toMatchObject({ ...failure('TIMEOUT_RESPONSE'), isSent: true });
    expect(bench.line.sent.length - sent).toBe(1);
  });
});

describe('an answer later than the device ever was, with the octets of the answer before', () => {
  /** A device that answers after 20 ms, twenty times, is asked once more. */
  async function known() {
    const bench = setUp();
    for (let start = 0; start < 20; start++) {
      const one = bench.run(read(start, 1));
      await bench.clock.advance(GAP_MS + REQUEST_MS + 20);
      bench.line.receive(answer(1, start + 100));
      await settle();
      expect(values(one.end)).toEqual([0, start + 100]);
    }
    return { ...bench, next: bench.run(read(30, 1)) };
  }

  it('is waited with once more, and taken; the line is in no doubt behind it', async () => {
    const { clock, line, frames, run, next } = await known();
    await clock.advance(GAP_MS + REQUEST_MS + 60);
    line.receive(answer(1, 119));
    await clock.advance(45);
    expect(next.end).toBeUndefined();
    await clock.advance(30);
    expect(values(next.end)).toEqual([0, 119]);
    const after = run(read(31, 1));
    await clock.advance(GAP_MS + REQUEST_MS + 60);
    line.receive(answer(1, 119));
    await clock.advance(80);
    expect(values(after.end)).toEqual([0, 119]);
    expect(frames.of('late')).toEqual([]);
  });

  it('gives way to another answer behind it', async () => {
    const { clock, line, next } = await known();
    await clock.advance(GAP_MS + REQUEST_MS + 60);
    line.receive(answer(1, 119));
    await clock.advance(40);
    line.receive(answer(1, 130));
    await settle();
    expect(values(next.end)).toEqual([0, 130]);
  });

  it('is in doubt where it comes much later', async () => {
    const { clock, line, frames, next } = await known();
    await clock.advance(GAP_MS + REQUEST_MS + TIMEOUT_MS * 0.6);
    line.receive(answer(1, 119));
    await clock.advance(TIMEOUT_MS / 4);
    expect(next.end).toBeUndefined();
    expect(frames.of('late')).toMatchObject([{ text: expect.stringContaining('the octets do not tell') }]);
  });
});
