/** What becomes of a control where the device, another user or the line says less than it should: nothing is sent twice, told as more than it was, or out of reach of a cancel. */
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import type { MmsValue } from '../mms/types.ts';
import { ControlBench, stages } from './testing/control-bench.ts';

const SOON = '2026-01-01T00:00:00Z';
const refused = { kind: 'failure', code: 3 } as const;
const conflict = { code: 'STATE_CONFLICT' };

describe('a selection of ours that stands while another user begins a whole command', () => {
  it.each([
    [4, 'SBOw'],
    [2, 'SBO'],
  ])('model %i: the second select is refused by the device; the first stands, is executed or cancelled', async (model, service) => {
    for (const step of ['execute', 'cancel'] as const) {
      const bench = new ControlBench({ model });
      await bench.run('select', 1);
      const { answer } = bench;
      bench.answer = (asked) => {
        if (asked !== service) return answer(asked);
        bench.refuse(service, 1, 19);
        return service === 'SBO' ? { kind: 'visible-string', text: '' } : refused;
      };
      expect(await bench.run('operate', 0)).toMatchObject({ outcome: 'rejected' });
      const done = bench.run(step, null);
      await bench.sent(3);
      if (step === 'execute' && model === 4) bench.terminate(0);
      expect(await done).toMatchObject({ outcome: 'accepted' });
      expect(bench.asked).toEqual([service, service, step === 'execute' ? 'Oper' : 'Cancel']);
      expect(bench.member('ctlNum', bench.written.length - 1)).toEqual({ kind: 'unsigned', value: 0 });
    }
  });

  it.each([18, 27])('that the device has ended meanwhile (cause %i) is none any more', async (cause) => {
    const bench = new ControlBench({ model: 4 });
    await bench.run('select', 1);
    bench.answer = () => {
      bench.refuse('SBOw', 1, cause);
      return refused;
    };
    await bench.run('operate', 0);
    await expect(bench.run('execute', 1)).rejects.toMatchObject(conflict);
  });
});

describe('a cancel', () => {
  it.each([
    [4, 'SBOw'],
    [2, 'SBO'],
  ])('of a selection that was not answered (model %i): the device may hold it', async (model, service) => {
    const bench = new ControlBench({ model });
    bench.answer = (asked) => (asked === service ? 'silent' : null);
    expect(await bench.run('select')).toMatchObject({ outcome: 'unknown' });
    await expect(bench.run('execute')).rejects.toMatchObject(conflict);
    expect(await bench.run('cancel', null)).toMatchObject({ outcome: 'accepted' });
    await expect(bench.run('cancel', null)).rejects.toMatchObject(conflict);
    expect(bench.asked).toEqual([service, 'Cancel']);
  });

  it.each([2, 3, 4])('of an Oper that was not answered (model %i): the device may be carrying it out', async (model) => {
    const bench = new ControlBench({ model, services: ['SBO', 'SBOw', 'Oper', 'Cancel'] });
    const { answer } = bench;
    bench.answer = (asked) => (asked === 'Oper' ? 'silent' : answer(asked));
    expect(await bench.run('operate')).toMatchObject({ outcome: 'unknown' });
    expect(await bench.run('cancel', null)).toMatchObject({ outcome: 'accepted' });
    expect(bench.asked.filter((service) => service === 'Oper')).toHaveLength(1);
  });

  it('of a command whose end was not told in time, until it is', async () => {
    for (const isTold of [false, true]) {
      const bench = new ControlBench({ model: 3, terminationMs: 1000 });
      const done = bench.run('operate');
      await bench.sent(1);
      await bench.clock.advance(1000);
      expect(stages(await done)).toContain('not_terminated');
      if (isTold) bench.terminate(0);
      const cancel = bench.run('cancel', null);
      if (isTold) await expect(cancel).rejects.toMatchObject(conflict);
      else expect(await cancel).toMatchObject({ outcome: 'accepted' });
    }
  });

  it('is no use behind a later command that was taken', async () => {
    const bench = new ControlBench({ model: 3, terminationMs: 1000 });
    bench.answer = () => 'silent';
    await bench.run('operate');
    bench.answer = () => null;
    const done = bench.run('operate', 0);
    await bench.sent(2);
    bench.terminate(1);
    expect(await done).toMatchObject({ outcome: 'accepted' });
    await expect(bench.run('cancel', null)).rejects.toMatchObject(conflict);
  });

  it('that was not answered leaves no selection to execute', async () => {
    const bench = new ControlBench({ model: 4 });
    await bench.run('select');
    bench.answer = (asked) => (asked === 'Cancel' ? 'silent' : null);
    expect(await bench.run('cancel', null)).toMatchObject({ outcome: 'unknown' });
    await expect(bench.run('execute')).rejects.toMatchObject(conflict);
    // a person may try it again
    bench.answer = () => null;
    expect(await bench.run('cancel', null)).toMatchObject({ outcome: 'accepted' });
    expect(bench.asked).toEqual(['SBOw', 'Cancel', 'Cancel']);
  });

  it('that the device took, of a command whose end it never tells: not told as accepted', async () => {
    const bench = new ControlBench({ model: 3, terminationMs: 1000 });
    const done = bench.run('operate');
    await bench.sent(1);
    expect(await bench.run('cancel', null)).toMatchObject({ outcome: 'accepted' });
    await bench.clock.advance(1000);
    expect(await done).toMatchObject({
      outcome: 'unknown',
      stages: expect.arrayContaining([expect.objectContaining({ name: 'not_terminated' })]),
    });
    const lost = new ControlBench({ model: 3 });
    const other = lost.run('operate');
    await lost.sent(1);
    await lost.run('cancel', null);
    lost.book.lost(new AppError('TRANSPORT_LOST', quoted('gone')));
    expect(await other).toMatchObject({ outcome: 'unknown' });
  });

  it('that the device refused leaves the command as it confirmed it', async () => {
    const bench = new ControlBench({ model: 3, terminationMs: 1000 });
    const done = bench.run('operate');
    await bench.sent(1);
    bench.answer = () => refused;
    expect(await bench.run('cancel', null)).toMatchObject({ outcome: 'rejected' });
    await bench.clock.advance(1000);
    expect(await done).toMatchObject({ outcome: 'accepted' });
  });
});

describe('a command that was set to a time', () => {
  const timed = () => new ControlBench({ model: 3, hasTime: true });

  it('is cancelled behind a lost connection as well', async () => {
    const bench = timed();
    await bench.run('operate', 1, { operate_at: SOON });
    bench.reconnect();
    expect(await bench.run('cancel', null)).toMatchObject({ outcome: 'accepted' });
    expect([bench.asked, bench.written[1]]).toEqual([
      ['Oper', 'Cancel'],
      expect.objectContaining({ items: expect.arrayContaining([{ kind: 'unsigned', value: 0 }]) }),
    ]);
    await expect(bench.run('cancel', null)).rejects.toMatchObject(conflict);
  });

  it.each([null, 10])('whose end was told (cause %s) is not cancelled any more', async (cause) => {
    const bench = timed();
    await bench.run('operate', 1, { operate_at: SOON });
    bench.terminate(0, cause);
    expect(bench.notices).toHaveLength(1);
    await expect(bench.run('cancel', null)).rejects.toMatchObject(conflict);
  });

  it('has a number of its own: its end is not that of a command behind it', async () => {
    const bench = timed();
    await bench.run('operate', 1, { operate_at: SOON });
    bench.reconnect();
    const done = bench.run('operate', 0);
    await bench.sent(2);
    bench.terminate(0);
    const [, number] = bench.written.map((_, at) => bench.timedNumber(at));
    expect(number).toEqual({ kind: 'unsigned', value: 1 } satisfies MmsValue);
    bench.terminate(1, 10);
    expect(await done).toMatchObject({ outcome: 'rejected' });
  });
});

describe('an end that the device tells', () => {
  it('of another value with the number of this command is not its end', async () => {
    const bench = new ControlBench({ model: 3, terminationMs: 1000 });
    const first = bench.run('operate', 0, { control_number: 7 });
    await bench.sent(1);
    await bench.clock.advance(1000);
    expect(stages(await first)).toContain('not_terminated');
    const done = bench.run('operate', 1, { control_number: 7 });
    await bench.sent(2);
    bench.terminate(7, null, { kind: 'boolean', value: false });
    await bench.clock.advance(1000);
    expect(stages(await done)).toContain('not_terminated');
    expect(bench.notices).toHaveLength(1);
  });

  it.each([
    [null, 'accepted', 'terminated'],
    [10, 'rejected', 'rejected'],
  ] as const)('before an answer to Oper that never comes (cause %s): %s', async (cause, outcome, last) => {
    const bench = new ControlBench({ model: 3 });
    bench.answer = () => {
      bench.terminate(0, cause);
      return 'silent';
    };
    const done = await bench.run('operate');
    expect(done.outcome).toBe(outcome);
    expect(stages(done)).toContain('unanswered');
    if (last === 'terminated') expect(stages(done).at(-1)).toBe('terminated');
    expect(bench.asked).toEqual(['Oper']);
  });
});
