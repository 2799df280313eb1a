import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { settle } from '../../../platform/manual-clock.ts';
import { ANY_ASDU, LinkBench } from '../testing/link-bench.ts';
import { encodeI, encodeS } from './apci.ts';

const STARTDT_ACT = '680407000000';
const STARTDT_CON = '68040b000000';
const STOPDT_ACT = '680413000000';
const STOPDT_CON = '680423000000';
const TESTFR_ACT = '680443000000';
const TESTFR_CON = '680483000000';
const S = (nr: number) => Buffer.from(encodeS(nr)).toString('hex');
const I = (ns: number, nr: number) => Buffer.from(encodeI(ns, nr, ANY_ASDU)).toString('hex');

const controlling = (...limits: ConstructorParameters<typeof LinkBench> extends [unknown, ...infer Rest] ? Rest : never) =>
  new LinkBench('controlling', ...limits);
const controlled = (...limits: ConstructorParameters<typeof LinkBench> extends [unknown, ...infer Rest] ? Rest : never) =>
  new LinkBench('controlled', ...limits);
const says = (bench: LinkBench) => (bench.end && 'error' in bench.end ? bench.end.error.message : '');

describe('start and stop, controlling', () => {
  it('STARTDT act, con: started, and what was offered goes out at once', async () => {
    const bench = controlling();
    await bench.offer(1);
    bench.link.start();
    await settle();
    expect([bench.take(), bench.link.state]).toEqual([[STARTDT_ACT], 'starting']);
    await bench.receive(STARTDT_CON);
    expect([bench.take(), bench.link.state, bench.starts]).toEqual([[I(0, 0)], 'started', 1]);
  });

  it('STARTDT unanswered: closed at t1', async () => {
    const bench = controlling();
    bench.link.start();
    await bench.clock.advance(14_999);
    expect(bench.end).toBeNull();
    await bench.clock.advance(1);
    expect(bench.end).toMatchObject({ kind: 'protocol', error: { code: 'TIMEOUT_RESPONSE' } });
    expect([says(bench), bench.isClosed]).toEqual(['STARTDT was not confirmed within t1 (15 s).', true]);
  });

  it('an I frame before the confirmation is a fault', async () => {
    const bench = controlling();
    bench.link.start();
    await bench.receiveI(0);
    expect(bench.end?.kind).toBe('protocol');
    expect(says(bench)).toContain('not confirmed');
  });

  it('STOPDT acknowledges first, takes and acknowledges late I frames, sends none, and ends stopped', async () => {
    const bench = await controlling().started();
    await bench.receiveI(0);
    bench.link.stop();
    await settle();
    expect(bench.take()).toEqual([S(1), STOPDT_ACT]);
    await bench.offer(1);
    await bench.receiveI(0);
    expect([bench.take(), bench.received.length]).toEqual([[S(2)], 2]);
    await bench.receive(STOPDT_CON);
    expect([bench.link.state, bench.stops, bench.take()]).toEqual(['stopped', 1, []]);
  });

  it('STOPDT unanswered: closed at t1', async () => {
    const bench = await controlling().started();
    bench.link.stop();
    await bench.clock.advance(15_000);
    expect(says(bench)).toBe('STOPDT was not confirmed within t1 (15 s).');
  });

  it('starts again on the same connection with the numbers going on', async () => {
    const bench = await controlling().started();
    await bench.offer(1);
    await bench.receiveI(1);
    bench.link.stop();
    await bench.receive(STOPDT_CON);
    bench.link.start();
    bench.take();
    await bench.receive(STARTDT_CON);
    await bench.offer(1);
    expect(bench.take()).toEqual([STARTDT_ACT, I(1, 1)]);
  });

  it('a confirmation nobody asked for changes nothing', async () => {
    const bench = controlling();
    for (const frame of [STARTDT_CON, STOPDT_CON, TESTFR_CON, STARTDT_ACT, STOPDT_ACT]) await bench.receive(frame);
    expect([bench.link.state, bench.take(), bench.end]).toEqual(['stopped', [], null]);
  });
});

describe('start and stop, controlled', () => {
  it('confirms STARTDT and sends nothing before', async () => {
    const bench = controlled();
    await bench.offer(1);
    expect(bench.take()).toEqual([]);
    await bench.receive(STARTDT_ACT);
    expect(bench.take()).toEqual([STARTDT_CON, I(0, 0)]);
  });

  it('confirms STARTDT again while started, without starting anew', async () => {
    const bench = await controlled().started();
    await bench.receive(STARTDT_ACT);
    expect([bench.take(), bench.starts]).toEqual([[STARTDT_CON], 1]);
  });

  it('confirms STOPDT in the stopped state', async () => {
    const bench = controlled();
    await bench.receive(STOPDT_ACT);
    expect([bench.take(), bench.link.state]).toEqual([[STOPDT_CON], 'stopped']);
  });

  it('STOPDT with open frames: S for what came, nothing new, and con when all is acknowledged', async () => {
    const bench = await controlled().started();
    await bench.receiveI(0);
    await bench.offer(3);
    await bench.receiveI(0);
    bench.take();
    await bench.receive(STOPDT_ACT);
    await bench.offer(1);
    expect([bench.take(), bench.link.state]).toEqual([[S(2)], 'stopping']);
    await bench.receiveS(2);
    expect(bench.take()).toEqual([]);
    await bench.receiveS(3);
    expect([bench.take(), bench.link.state, bench.stops]).toEqual([[STOPDT_CON], 'stopped', 1]);
  });

  it('STOPDT with open frames that nobody acknowledges: closed at t1', async () => {
    const bench = await controlled().started();
    await bench.offer(1);
    await bench.receive(STOPDT_ACT);
    await bench.clock.advance(15_000);
    expect(says(bench)).toBe('I frame 0 was not acknowledged within t1 (15 s).');
  });

  it('STARTDT while a stop waits for acknowledgements starts again', async () => {
    const bench = await controlled().started();
    await bench.offer(1);
    await bench.receive(STOPDT_ACT);
    await bench.receive(STARTDT_ACT);
    await bench.offer(1);
    expect(bench.take()).toEqual([I(0, 0), STARTDT_CON, I(1, 0)]);
  });

  it.each([
    ['I frame', (bench: LinkBench) => bench.receiveI(0)],
    ['S frame', (bench: LinkBench) => bench.receiveS(0)],
  ])('%s while stopped: closed', async (_name, send) => {
    const bench = controlled();
    await send(bench);
    expect([bench.end?.kind, bench.isClosed, bench.received.length]).toEqual(['protocol', true, 0]);
  });
});

describe('t1 of I frames', () => {
  it('belongs to the oldest open frame, and goes on with the next one', async () => {
    const bench = await controlled().started();
    await bench.offer(1);
    await bench.clock.advance(10_000);
    await bench.offer(1);
    await bench.clock.advance(4000);
    await bench.receiveS(1);
    await bench.clock.advance(10_999);
    expect(bench.end).toBeNull();
    await bench.clock.advance(1);
    expect(says(bench)).toBe('I frame 1 was not acknowledged within t1 (15 s).');
  });

  it('stops when nothing is open: an idle link lives on', async () => {
    const bench = await controlled({ t3Ms: 1_000_000 }).started();
    await bench.offer(1);
    await bench.clock.advance(14_000);
    await bench.receiveS(1);
    await bench.clock.advance(500_000);
    expect(bench.end).toBeNull();
  });

  it('runs on the controlling side as well', async () => {
    const bench = await controlling().started();
    await bench.offer(1);
    await bench.clock.advance(15_000);
    expect(bench.end?.kind).toBe('protocol');
  });
});

describe('t2 and w', () => {
  it('acknowledges t2 after the first I frame, not after the last', async () => {
    const bench = await controlling().started();
    await bench.receiveI(0);
    await bench.clock.advance(6000);
    await bench.receiveI(0);
    await bench.clock.advance(3999);
    expect(bench.take()).toEqual([]);
    await bench.clock.advance(1);
    expect(bench.take()).toEqual([S(2)]);
    await bench.receiveI(0);
    await bench.clock.advance(9999);
    expect(bench.take()).toEqual([]);
    await bench.clock.advance(1);
    expect(bench.take()).toEqual([S(3)]);
  });

  it('acknowledges at w, at reception', async () => {
    const bench = await controlling({ w: 3 }).started();
    for (let count = 0; count < 2; count++) await bench.receiveI(0);
    expect(bench.take()).toEqual([]);
    await bench.receiveI(0);
    expect(bench.take()).toEqual([S(3)]);
  });

  it('w = 1 acknowledges each I frame', async () => {
    const bench = await controlling({ w: 1 }).started();
    for (let count = 0; count < 3; count++) await bench.receiveI(0);
    expect(bench.take()).toEqual([S(1), S(2), S(3)]);
  });

  it('an I frame of our own acknowledges, and cancels the pending S frame', async () => {
    const bench = await controlling().started();
    await bench.receiveI(0);
    await bench.clock.advance(5000);
    await bench.offer(1);
    expect(bench.take()).toEqual([I(0, 1)]);
    await bench.receiveS(1);
    await bench.clock.advance(14_000);
    expect(bench.take()).toEqual([]);
  });

  it('an answer made while the w-th frame is taken acknowledges in place of an S frame', async () => {
    const bench = await controlled({ w: 1 }).started();
    bench.onData = () => bench.offered.push({ asdu: ANY_ASDU });
    await bench.receiveI(0);
    expect(bench.take()).toEqual([I(0, 1)]);
  });
});

describe('t3', () => {
  it('tests after a silence, in the stopped state as well, and answers every test at once', async () => {
    for (const bench of [controlling(), controlled()]) {
      await bench.clock.advance(19_999);
      expect(bench.take()).toEqual([]);
      await bench.clock.advance(1);
      expect(bench.take()).toEqual([TESTFR_ACT]);
      await bench.receive(TESTFR_ACT);
      expect(bench.take()).toEqual([TESTFR_CON]);
      await bench.receive(TESTFR_CON);
      await bench.clock.advance(20_000);
      expect(bench.take()).toEqual([TESTFR_ACT]);
    }
  });

  it('every received frame begins the silence anew, nothing that is sent does', async () => {
    const bench = await controlled().started();
    const frames = [() => bench.receive(TESTFR_ACT), () => bench.receiveS(0), () => bench.receiveI(0)];
    for (const frame of frames) {
      await bench.clock.advance(19_000);
      await frame();
    }
    expect(bench.take()).toEqual([TESTFR_CON]);
    await bench.clock.advance(10_000);
    await bench.offer(1);
    await bench.clock.advance(10_000);
    expect(bench.take()).toEqual([S(1), I(0, 1), TESTFR_ACT]);
  });

  it('unanswered: no second test, closed at t1', async () => {
    const bench = controlled({ t3Ms: 5000 });
    await bench.clock.advance(5000);
    for (let count = 0; count < 2; count++) {
      await bench.clock.advance(4000);
      await bench.receive(STOPDT_ACT);
    }
    await bench.clock.advance(6999);
    expect([bench.take(), bench.end]).toEqual([[TESTFR_ACT, STOPDT_CON, STOPDT_CON], null]);
    await bench.clock.advance(1);
    expect(says(bench)).toBe('TESTFR was not confirmed within t1 (15 s).');
  });

  it('a jump of the wall clock moves no timer', async () => {
    const bench = controlled();
    bench.clock.sleep(3_600_000, 'stands');
    await bench.clock.advance(19_999);
    expect(bench.take()).toEqual([]);
  });
});

describe('k', () => {
  it('stops sending at k, keeps sending S and U frames, and goes on as soon as there is room', async () => {
    const bench = await controlled({ k: 3, w: 1 }).started();
    await bench.offer(5);
    expect(bench.take()).toEqual([I(0, 0), I(1, 0), I(2, 0)]);
    expect([bench.link.room, bench.offered.length]).toEqual([0, 2]);
    await bench.receiveI(0);
    await bench.receive(TESTFR_ACT);
    expect(bench.take()).toEqual([S(1), TESTFR_CON]);
    await bench.receiveS(1);
    expect(bench.take()).toEqual([I(3, 1)]);
    await bench.receiveS(4);
    expect([bench.take(), bench.acknowledged]).toEqual([[I(4, 1)], 4]);
  });

  it('tells what is not acknowledged when the connection ends', async () => {
    const bench = await controlled().started();
    await bench.offer(3);
    await bench.receiveS(1);
    bench.port.lineEnded({ kind: 'peer' });
    expect([bench.link.unacknowledged.length, bench.acknowledged]).toEqual([2, 1]);
  });
});

describe('sequence numbers', () => {
  it('a repeated acknowledgement is harmless', async () => {
    const bench = await controlled().started();
    await bench.offer(2);
    for (let count = 0; count < 3; count++) await bench.receiveS(1);
    expect([bench.end, bench.acknowledged]).toEqual([null, 1]);
  });

  it.each([
    ['a gap', (bench: LinkBench) => bench.receive(encodeI(1, 0, ANY_ASDU))],
    ['an acknowledgement of what was never sent', (bench: LinkBench) => bench.receiveS(1)],
    ['an acknowledgement that goes back', (bench: LinkBench) => bench.receiveS(32_767)],
    ['the same in an I frame', (bench: LinkBench) => bench.receiveI(1)],
  ])('%s: closed, and the frame is not taken', async (_name, send) => {
    const bench = await controlled().started();
    await send(bench);
    expect([bench.end?.kind, bench.isClosed, bench.received.length]).toEqual(['protocol', true, 0]);
    expect(bench.notes.at(-1)).toContain('Closed by this side');
  });

  it('the same across 32767, where only a modulo comparison holds', async () => {
    const bench = await controlled().started();
    bench.exchangeUpTo(32_766);
    bench.take();
    await bench.offer(4);
    await bench.receiveS(32_767);
    await bench.receiveS(1);
    expect([bench.end, bench.acknowledged]).toEqual([null, 3]);
    await bench.receiveS(0);
    expect(bench.end?.kind).toBe('protocol');
  });
});

describe('the end', () => {
  it('a line that is lost is another end than a fault', async () => {
    for (const [cause, kind] of [
      [{ kind: 'peer' }, 'lost'],
      [{ kind: 'failed', error: new AppError('TRANSPORT_LOST', quoted('reset')) }, 'lost'],
      [{ kind: 'local' }, 'closed'],
    ] as const) {
      const bench = await controlled().started();
      bench.port.lineEnded(cause);
      expect([bench.end?.kind, bench.isClosed]).toEqual([kind, false]);
    }
  });

  it('is told once; afterwards nothing is taken, sent or timed', async () => {
    const bench = await controlled().started();
    await bench.receiveS(7);
    const { end } = bench;
    bench.port.lineEnded({ kind: 'peer' });
    await bench.offer(1);
    await bench.receive(TESTFR_ACT);
    await bench.clock.advance(100_000);
    expect([bench.end, bench.take(), bench.clock.pending]).toEqual([end, [], 0]);
  });

  it('an unfinished APDU at the end is noted', async () => {
    const bench = controlled();
    await bench.receive('6804');
    bench.port.lineEnded({ kind: 'peer' });
    expect(bench.notes).toEqual(['Unfinished APDU at the end of the connection. 2 octets of it came.']);
  });

  it('what one turn sends leaves in one write', async () => {
    const bench = controlled();
    await bench.offer(5);
    const before = bench.writes;
    await bench.receive(STARTDT_ACT);
    expect([bench.take().length, bench.writes - before]).toEqual([6, 1]);
  });

  it('each APDU leaves in a write of its own where records are read one by one', async () => {
    const bench = await new LinkBench('controlling', {}, true).started();
    const { writes } = bench;
    await bench.offer(5);
    expect([bench.take().length, bench.writes - writes]).toEqual([5, 5]);
  });
});
