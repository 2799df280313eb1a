import { describe, expect, it } from 'vitest';
import { ManualClock, settle } from '../../../platform/manual-clock.ts';
import { clientSettings } from '../../testing/settings.ts';
import { exchangeContext } from '../../testing/sinks.ts';
import { encodeRead } from '../codec/request.ts';
import { octets } from '../vectors/load.ts';
import { encodeRtu, rtuFraming } from './framing.ts';
import { answer, failure, GAP_MS, OCTET_MS, OPENED_MS, REQUEST_MS, read, setUp, TIMEOUT_MS, values } from './testing/session-bench.ts';
import { serialTiming, socketTiming } from './timing.ts';

describe('RTU session', () => {
  it('sends a request and gives its answer, with true turn-round', async () => {
    const { clock, line, frames, health, run } = setUp();
    const one = run(read(0, 1));
    await clock.advance(REQUEST_MS + 7);
    expect(line.sent).toEqual([encodeRtu(1, encodeRead(3, 0, 1))]);
    line.receive(answer(1, 42));
    await settle();
    expect(values(one.end)).toEqual([0, 42]);
    expect(frames.all.map(({ kind, link }) => ({ kind, link }))).toEqual([
      { kind: 'tx', link: undefined },
      { kind: 'rx', link: 1 },
    ]);
    expect(health).toMatchObject({ requests: 1, responses: 1, timeouts: 0, faults: 0 });
    expect(health.exchanges[0]?.turnRoundMs).toBeCloseTo(7, 6);
    expect(clock.pending).toBe(0);
  });

  it('keeps exactly 3.5 characters of silence behind an answer', async () => {
    const { clock, line, run, sentAt } = setUp();
    run(read(0, 1));
    await clock.advance(REQUEST_MS + 5);
    line.receive(answer(1, 1));
    await settle();
    const lastOctetAt = clock.monotonicMs();
    run(read(0, 1));
    await clock.advance(100);
    expect(sentAt[1]).toBeCloseTo(lastOctetAt + GAP_MS, 9);
  });

  it('waits out the gap after the line was opened: what was on it before is not known', async () => {
    const clock = new ManualClock();
    const { line, session } = setUp({ clock });
    const sentAt: number[] = [];
    line.onWrite = () => sentAt.push(clock.monotonicMs());
    void session.exchange(read(0, 1), exchangeContext());
    await clock.advance(20);
    expect(sentAt).toEqual([GAP_MS]);
  });

  it('sends at once when the line has been silent for long', async () => {
    const { clock, line, run, sentAt } = setUp();
    run(read(0, 1));
    await clock.advance(REQUEST_MS + 5);
    line.receive(answer(1, 1));
    await clock.advance(1000);
    run(read(0, 1));
    await settle();
    expect(sentAt).toEqual([OPENED_MS, clock.monotonicMs()]);
  });

  it('keeps a longer pause when the channel asks for one, and 1.75 ms above 19200 baud', async () => {
    const slow = setUp({ requestGapMs: 30 });
    slow.run(read(0, 1));
    await slow.clock.advance(REQUEST_MS + 5);
    slow.line.receive(answer(1, 1));
    await settle();
    const at = slow.clock.monotonicMs();
    slow.run(read(0, 1));
    await slow.clock.advance(100);
    expect(slow.sentAt[1]).toBeCloseTo(at + 30, 9);

    const fast = setUp({ timing: serialTiming(clientSettings({ baudRate: 115_200 }), rtuFraming) });
    fast.run(read(0, 1));
    await fast.clock.advance(5);
    fast.line.receive(answer(1, 1));
    await settle();
    fast.run(read(0, 1));
    await fast.clock.advance(100);
    expect(fast.sentAt[1]).toBeCloseTo(OPENED_MS + 6.75, 9);
  });

  it('keeps no gap over TCP', async () => {
    const { line, run, sentAt } = setUp({ timing: socketTiming(TIMEOUT_MS), echo: 'unknown' });
    run(read(0, 1));
    await settle();
    line.receive(answer(1, 1));
    await settle();
    run(read(0, 1));
    await settle();
    expect(sentAt).toEqual([OPENED_MS, OPENED_MS]);
  });

  it('gives an exception as a value and counts the refusal', async () => {
    const { clock, line, health, run } = setUp();
    const one = run(read(0, 1));
    await clock.advance(20);
    line.receive(encodeRtu(1, octets('83 02')));
    await settle();
    expect(one.end).toEqual({ kind: 'answer', pdu: octets('83 02') });
    expect(health).toMatchObject({ responses: 1, refusals: 1 });
  });

  it('takes an answer that comes octet by octet, longer than the timeout', async () => {
    const { clock, line, run } = setUp({ timeoutMs: 30 });
    const one = run(read(0, 100));
    await clock.advance(REQUEST_MS + 25);
    for (const octet of answer(1, ...Array.from({ length: 100 }, (_, index) => index))) {
      await clock.advance(OCTET_MS);
      line.receive(Uint8Array.of(octet));
    }
    await settle();
    expect(one.end?.kind).toBe('answer');
  });
});

describe('RTU session when a slave is silent', () => {
  it('counts the timeout to the first octet, behind the request and the gap', async () => {
    const { clock, health, run } = setUp();
    const one = run(read(0, 1));
    await clock.advance(REQUEST_MS + GAP_MS + TIMEOUT_MS - 0.1);
    expect(one.end).toBeUndefined();
    await clock.advance(0.2);
    expect(one.end).toMatchObject({ ...failure('TIMEOUT_RESPONSE', /^Slave 1 did not answer function 3 within 200 ms\.$/), isSent: true });
    expect(health).toMatchObject({ requests: 1, timeouts: 1 });
  });

  it('repeats a read as often as allowed', async () => {
    const { clock, line, run } = setUp();
    const one = run(read(0, 1), { retries: 2 });
    await clock.advance(3000);
    expect(line.sent).toHaveLength(3);
    expect(one.end).toMatchObject(failure('TIMEOUT_RESPONSE'));
  });

  it('does not repeat once a stop was requested', async () => {
    const { clock, line, run } = setUp();
    run(read(0, 4), { retries: 5, isStopping: () => true });
    await clock.advance(3000);
    expect(line.sent).toHaveLength(1);
  });

  it('ends at once when the line is lost, and sends nothing afterwards', async () => {
    const { line, run, sentAt } = setUp();
    const one = run(read(0, 1));
    await settle();
    line.end();
    await settle();
    expect(one.end).toMatchObject({ ...failure('TRANSPORT_LOST'), isSent: true });
    const two = run(read(0, 1));
    await settle();
    expect(two.end).toMatchObject({ ...failure('TRANSPORT_NOT_CONNECTED'), isSent: false });
    expect(sentAt).toHaveLength(1);
  });
});

describe('RTU session on a disturbed line', () => {
  it('tells a wrong checksum soon, not only when the time has run out', async () => {
    const { clock, line, health, frames, run } = setUp();
    const one = run(read(0, 2));
    await clock.advance(20);
    const wrong = answer(1, 1, 2);
    wrong[4] = 0x77;
    line.receive(wrong);
    await clock.advance(21);
    expect(one.end).toMatchObject({ ...failure('FRAME_CHECKSUM', /9 octets came.*baud rate or parity/), isSent: true });
    expect(health).toMatchObject({ faults: 1, timeouts: 0 });
    expect(frames.of('noise').map((frame) => frame.bytes.length)).toEqual([9]);
  });

  it('finds the answer behind octets of noise', async () => {
    const { clock, line, health, run } = setUp();
    const one = run(read(0, 2));
    await clock.advance(20);
    line.receive(octets('00 FF 01 03'));
    await clock.advance(3);
    line.receive(answer(1, 5, 6));
    await settle();
    expect(values(one.end)).toEqual([0, 5, 0, 6]);
    expect(health).toMatchObject({ responses: 1, faults: 1 });
  });

  it('gives up half an answer when its rest does not come, and says how much came', async () => {
    const { clock, line, run } = setUp();
    const one = run(read(0, 2));
    await clock.advance(20);
    line.receive(answer(1, 5, 6).subarray(0, 6));
    await clock.advance(199);
    expect(one.end).toBeUndefined();
    await clock.advance(2);
    expect(one.end).toMatchObject(failure('FRAME_LENGTH', /6 octets came, 9 would be right/));
  });

  it('waits until the line is quiet before the next request', async () => {
    const { clock, line, run, sentAt } = setUp();
    const one = run(read(0, 2));
    await clock.advance(20);
    line.receive(octets('11 22 33 44 55 66 77 88 99'));
    await clock.advance(15);
    line.receive(octets('AA BB'));
    await clock.advance(21);
    expect(one.end).toMatchObject(failure('FRAME_CHECKSUM'));
    line.receive(octets('CC'));
    const noiseAt = clock.monotonicMs();
    const two = run(read(0, 5, 2));
    await clock.advance(100);
    // a lump of an adapter may hold octets back for 16 ms
    expect(sentAt[1]).toBeCloseTo(noiseAt + 20, 9);
    line.receive(answer(2, 1, 2, 3, 4, 5));
    await settle();
    expect(two.end?.kind).toBe('answer');
  });

  it('sends nothing into a line that does not become silent, and says so', async () => {
    const { clock, line, run, sentAt, warmUp } = setUp();
    await warmUp();
    line.receive(octets('55'));
    const one = run(read(0, 1));
    for (let count = 0; count < 800 && !one.end; count++) {
      await clock.advance(2);
      line.receive(octets('55'));
    }
    expect(one.end).toMatchObject({ ...failure('FRAME_NOISE', /does not become silent/), isSent: false });
    expect(sentAt).toHaveLength(0);
  });

  it('repeats a read whose answer was destroyed', async () => {
    const { clock, line, run } = setUp();
    const one = run(read(0, 2), { retries: 1 });
    await clock.advance(20);
    line.receive(octets('01 03 04 00 01 00 02 00 00'));
    await clock.advance(60);
    line.receive(answer(1, 7, 8));
    await settle();
    expect(values(one.end)).toEqual([0, 7, 0, 8]);
    expect(line.sent.map((bytes) => bytes[5])).toEqual([2, 2]);
  });

  it('tells that more came than an answer has', async () => {
    const { clock, line, run } = setUp();
    const one = run(read(0, 1));
    await clock.advance(20);
    line.receive(octets('01 03 02 01 03 02 00 00 00 11 22 33'));
    await clock.advance(30);
    expect(one.end).toMatchObject(failure('FRAME_CHECKSUM', /two slaves may have answered at once/));
  });
});
