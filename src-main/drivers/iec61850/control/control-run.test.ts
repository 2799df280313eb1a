import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { settle } from '../../../platform/manual-clock.ts';
import type { MmsType } from '../mms/types.ts';
import { yk, yt } from '../testing/client-bench.ts';
import { BOOLEAN, ControlBench, KEY, POINT, stages, structure } from './testing/control-bench.ts';

describe('the four control models', () => {
  it('1, direct: one Oper, accepted with its answer', async () => {
    const bench = new ControlBench({ model: 1 });
    const result = await bench.run('operate');
    expect([result.outcome, stages(result), bench.asked]).toEqual(['accepted', ['read', 'sent', 'confirmed'], ['Oper']]);
  });

  it('2, select before operate: SBO is read, then Oper', async () => {
    const bench = new ControlBench({ model: 2 });
    const result = await bench.run('operate');
    expect([result.outcome, stages(result), bench.asked]).toEqual([
      'accepted',
      ['read', 'select_sent', 'selected', 'sent', 'confirmed'],
      ['SBO', 'Oper'],
    ]);
  });

  it('3, direct enhanced: accepted with its termination', async () => {
    const bench = new ControlBench({ model: 3 });
    const done = bench.run('operate');
    await bench.confirmed();
    bench.terminate(0);
    const result = await done;
    expect([result.outcome, stages(result), bench.asked]).toEqual(['accepted', ['read', 'sent', 'confirmed', 'terminated'], ['Oper']]);
  });

  it('4, select with value enhanced: SBOw and Oper carry the same, but for Check of Cancel nothing differs', async () => {
    const bench = new ControlBench({ model: 4 });
    const done = bench.run('operate', 1, { interlock_check: true, originator_category: 3, originator_identifier: 'A' });
    await bench.confirmed();
    bench.terminate(0);
    const result = await done;
    expect([result.outcome, bench.asked]).toEqual(['accepted', ['SBOw', 'Oper']]);
    const [selected, operated] = bench.written;
    expect(operated).toEqual(selected);
    expect(selected).toMatchObject({
      items: [
        { value: true },
        { items: [{ value: 3 }, { octets: Uint8Array.of(0x41) }] },
        { value: 0 },
        { kind: 'utc-time' },
        { value: false },
        { octets: Uint8Array.of(0x40) },
      ],
    });
  });

  it('0, status only: refused before anything is sent', async () => {
    const bench = new ControlBench({ model: 0 });
    await expect(bench.run('operate')).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining('status-only') });
    expect(bench.asked).toEqual([]);
  });

  it.each([
    ['that lies: no SBOw for model 4', { model: 4, services: ['Oper'] }, /no SBOw.*only Oper/],
    ['without Oper', { model: 1, services: ['Cancel'] }, /no Oper/],
    ['that is no model', { model: { kind: 'integer', value: 7 } }, /ctlModel of LD\/CSWI1\.Pos is 7/],
    ['that is not told', { model: { kind: 'failure', code: 3 } }, /object-access-denied/],
  ] as const)('a device %s: refused before anything is sent', async (_name, script, message) => {
    const bench = new ControlBench(script);
    await expect(bench.run('operate')).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringMatching(message) });
    expect(bench.asked).toEqual([]);
  });

  it('a device that says normal security and ends its commands all the same: accepted with its answer, the end belongs to nobody', async () => {
    const bench = new ControlBench({ model: 1 });
    const result = await bench.run('operate');
    bench.terminate(0, 10);
    expect([result.outcome, stages(result), bench.asked]).toEqual(['accepted', ['read', 'sent', 'confirmed'], ['Oper']]);
    expect(bench.notices).toHaveLength(1);
  });

  it('the model set at the point goes before that of the device, and is told', async () => {
    const bench = new ControlBench({ model: 4, services: ['SBOw', 'Oper', 'Cancel'] });
    const result = await bench.run('operate', 1, {}, yk(1, 'LD/CSWI1.Pos[CO]', { protocol: { control_model: 1 } }));
    expect([result.outcome, bench.asked]).toEqual(['accepted', ['Oper']]);
    expect(result.stages[0]?.detail).toBe('the device says control model 4, the point is set to 1');
  });
});

describe('refusals', () => {
  it.each([
    ['SBOw', 4, 10],
    ['Oper', 1, 9],
    ['Oper', 4, 18],
  ])('of %s by model %i: the additional cause %i in words', async (service, model, cause) => {
    const bench = new ControlBench({ model });
    bench.answer = (asked) => {
      if (asked !== service) return null;
      bench.refuse(service, 0, cause);
      return { kind: 'failure', code: 3 };
    };
    const result = await bench.run('operate');
    expect(result).toMatchObject({ outcome: 'rejected', refusal: { kind: 'add-cause', detail: expect.stringContaining(`(${cause})`) } });
    expect(bench.asked.at(-1)).toBe(service);
  });

  it('a selection that is an empty text: nothing is operated', async () => {
    const bench = new ControlBench({ model: 2 });
    bench.answer = () => ({ kind: 'visible-string', text: '' });
    const result = await bench.run('operate');
    expect([result.outcome, bench.asked]).toEqual(['rejected', ['SBO']]);
  });

  it('causes of another number or object belong to nobody, and are told', async () => {
    const bench = new ControlBench({ model: 1 });
    bench.answer = () => {
      bench.refuse('Oper', 77, 10);
      return { kind: 'failure', code: 3 };
    };
    const result = await bench.run('operate');
    expect(result.refusal).toMatchObject({ kind: 'data-access-error', detail: expect.stringContaining('no additional cause') });
    expect(bench.notices).toEqual([expect.stringContaining('number 77')]);
  });

  it('a negative termination is a refusal', async () => {
    const bench = new ControlBench({ model: 3 });
    const done = bench.run('operate');
    await bench.confirmed();
    bench.terminate(0, 16);
    expect(await done).toMatchObject({
      outcome: 'rejected',
      refusal: { kind: 'add-cause', detail: expect.stringContaining('time-limit-over (16)') },
    });
  });
});

describe('devices that are unhelpful', () => {
  it('a termination of another number is not taken for this one', async () => {
    const bench = new ControlBench({ model: 3 });
    const done = bench.run('operate');
    await bench.confirmed();
    bench.terminate(9);
    bench.terminate(9, 10);
    expect(bench.notices).toHaveLength(2);
    bench.terminate(0);
    expect((await done).outcome).toBe('accepted');
  });

  it('no termination: what the device confirmed stands, and its end is told to be unknown', async () => {
    const bench = new ControlBench({ model: 3, terminationMs: 5000 });
    const done = bench.run('operate');
    await bench.confirmed();
    await bench.clock.advance(5000);
    const result = await done;
    expect([result.outcome, stages(result).at(-1)]).toEqual(['accepted', 'not_terminated']);
    bench.terminate(0);
    expect(bench.notices).toEqual([expect.stringContaining('not awaited')]);
  });

  it('no answer: unknown, and nothing is sent again', async () => {
    const bench = new ControlBench({ model: 1 });
    bench.answer = () => 'silent';
    const result = await bench.run('operate');
    expect(result).toMatchObject({ outcome: 'unknown', failure: { code: 'TIMEOUT_RESPONSE' } });
    expect(bench.asked).toEqual(['Oper']);
  });

  it('what was never sent is an error, no outcome', async () => {
    const bench = new ControlBench({ model: 1 });
    bench.answer = () => 'not sent';
    await expect(bench.run('operate')).rejects.toMatchObject({ code: 'TRANSPORT_NOT_CONNECTED' });
  });

  it('the connection ends between select and operate: nothing is operated any more', async () => {
    const bench = new ControlBench({ model: 4 });
    expect((await bench.run('select')).outcome).toBe('accepted');
    bench.book.lost(new AppError('TRANSPORT_LOST', quoted('gone')));
    await expect(bench.run('execute')).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    expect(bench.asked).toEqual(['SBOw']);
  });

  it('the connection ends before the termination', async () => {
    const bench = new ControlBench({ model: 3 });
    const done = bench.run('operate');
    await bench.confirmed();
    bench.book.lost(new AppError('TRANSPORT_LOST', quoted('gone')));
    expect(stages(await done).at(-1)).toBe('lost');
  });

  it('a stop between select and operate sends nothing more, and says how the selection ends', async () => {
    const bench = new ControlBench({ model: 4 });
    const result = await bench.run('operate', 1, {}, POINT, () => bench.asked.length > 0);
    expect(result).toMatchObject({ outcome: 'rejected', refusal: { kind: 'stopped' } });
    expect(bench.asked).toEqual(['SBOw']);
  });
});

async function selectAndCancel(bench: ControlBench): Promise<void> {
  await bench.run('select', 1);
  await bench.run('cancel', null);
}

describe('step by step', () => {
  it('select, then execute: the same number and value', async () => {
    const bench = new ControlBench({ model: 4 });
    await bench.run('select', 0);
    const done = bench.run('execute', null);
    await bench.confirmed();
    bench.terminate(0);
    expect((await done).outcome).toBe('accepted');
    expect(bench.written[1]).toEqual(bench.written[0]);
  });

  it.each([
    ['without a selection', async () => undefined, 1],
    ['with another value than the selected one', (bench: ControlBench) => bench.run('select', 0), 1],
    ['behind a cancel', selectAndCancel, 1],
  ] as const)('execute %s: 409, and nothing is operated', async (_name, before, value) => {
    const bench = new ControlBench({ model: 4 });
    await before(bench);
    await expect(bench.run('execute', value)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    expect(bench.asked).not.toContain('Oper');
  });

  it.each([{ test: true }, { interlock_check: true }, { originator_category: 3 }, { originator_identifier: 'X' }])(
    'execute with an option that was not selected, %o: 409, and nothing is operated',
    async (options) => {
      const bench = new ControlBench({ model: 4 });
      await bench.run('select');
      await expect(bench.run('execute', 1, options)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
      expect(bench.asked).toEqual(['SBOw']);
    },
  );

  it('execute without options is what was selected, the test bit as well', async () => {
    const bench = new ControlBench({ model: 4 });
    await bench.run('select', 1, { test: true, originator_category: 3 });
    const done = bench.run('execute', 1);
    await bench.confirmed();
    bench.terminate(0);
    expect((await done).outcome).toBe('accepted');
    expect(bench.written[1]).toEqual(bench.written[0]);
  });

  it('a second command while one has not ended: 409; the cancel goes through', async () => {
    const bench = new ControlBench({ model: 3 });
    const first = bench.run('operate');
    await bench.confirmed();
    await expect(bench.run('operate')).rejects.toMatchObject({ code: 'STATE_CONFLICT', message: expect.stringContaining('has not ended') });
    expect(await bench.run('cancel', null)).toMatchObject({ outcome: 'accepted' });
    bench.terminate(0, 15);
    expect(await first).toMatchObject({ outcome: 'rejected', refusal: { detail: expect.stringContaining('abortion-by-cancel') } });
  });

  it('nothing to cancel: 409', async () => {
    await expect(new ControlBench({ model: 4 }).run('cancel', null)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  });

  it('the selection of a direct control is refused', async () => {
    await expect(new ControlBench({ model: 1 }).run('select')).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });

  it('numbers go on from command to command and begin anew behind 255', async () => {
    const bench = new ControlBench({ model: 1 });
    for (let count = 0; count < 257; count++) await bench.run('operate');
    const numbers = bench.written.map((_, at) => bench.member('ctlNum', at));
    expect(numbers).toEqual([...Array(256).keys(), 0].map((value) => ({ kind: 'unsigned', value })));
  });
});

describe('a cancel beside the command that it ends', () => {
  /** Runs until the device was asked for a service, which it answers when it is let go. */
  async function heldAt(bench: ControlBench, service: string) {
    let letGo: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const before = bench.answer;
    bench.answer = async (asked) => {
      if (asked === service) await gate;
      return before(asked);
    };
    const done = bench.run('operate');
    while (!bench.asked.includes(service)) await settle();
    return { done, letGo };
  }

  it.each([
    [4, 'SBOw'],
    [2, 'SBO'],
  ])(
    'model %i while it is selected: the device is told, and nothing is operated when the selection is confirmed behind it',
    async (model, service) => {
      const bench = new ControlBench({ model });
      const { done, letGo } = await heldAt(bench, service);
      expect(await bench.run('cancel', null)).toMatchObject({ outcome: 'accepted' });
      letGo();
      expect(await done).toMatchObject({ outcome: 'rejected', refusal: { kind: 'cancelled' } });
      expect(bench.asked).toEqual([service, 'Cancel']);
      await expect(bench.run('execute')).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    },
  );

  it('that the device refuses stops what was not sent yet all the same', async () => {
    const bench = new ControlBench({ model: 4 });
    const { done, letGo } = await heldAt(bench, 'SBOw');
    bench.answer = () => ({ kind: 'failure', code: 3 });
    expect(await bench.run('cancel', null)).toMatchObject({ outcome: 'rejected' });
    letGo();
    expect(await done).toMatchObject({ outcome: 'rejected', refusal: { kind: 'cancelled' } });
    expect(bench.asked).not.toContain('Oper');
  });

  it('before anything was sent: nothing is sent at all', async () => {
    const bench = new ControlBench({ model: 3 });
    const done = bench.run('operate');
    expect(await bench.run('cancel', null)).toMatchObject({ outcome: 'accepted', stages: [{ name: 'cancelled' }] });
    expect(await done).toMatchObject({ outcome: 'rejected', refusal: { kind: 'cancelled' } });
    expect(bench.asked).toEqual([]);
  });

  it('a command behind one that was cancelled is not', async () => {
    const bench = new ControlBench({ model: 1 });
    const done = bench.run('operate');
    await bench.run('cancel', null);
    await done;
    expect(await bench.run('operate')).toMatchObject({ outcome: 'accepted' });
    expect(bench.asked).toEqual(['Oper']);
  });

  it('of a selection, while the device has not answered: the next command of the object waits for that, and is not mixed up with it', async () => {
    const bench = new ControlBench({ model: 4 });
    await bench.run('select', 1);
    let answer: () => void = () => undefined;
    bench.answer = (asked) =>
      asked === 'Cancel'
        ? new Promise((resolve) => {
            answer = () => resolve(null);
          })
        : null;
    const cancel = bench.run('cancel', null);
    while (!bench.asked.includes('Cancel')) await settle();
    await expect(bench.run('execute')).rejects.toMatchObject({ code: 'STATE_CONFLICT', message: expect.stringContaining('has not ended') });
    answer();
    expect((await cancel).outcome).toBe('accepted');
    await bench.run('select', 0);
    const done = bench.run('execute', 0);
    await bench.confirmed();
    bench.terminate(1);
    expect(await done).toMatchObject({ outcome: 'accepted' });
  });

  it('of a command for later leaves the one that was set to a time behind it', async () => {
    const bench = new ControlBench({ model: 1, services: ['Oper', 'Cancel'], hasTime: true });
    await bench.run('operate', 1, { operate_at: '2026-01-01T00:00:00Z' });
    expect(await bench.run('cancel', null)).toMatchObject({ outcome: 'accepted' });
    await expect(bench.run('cancel', null)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    expect(bench.asked).toEqual(['Oper', 'Cancel']);
  });
});

describe('a selection', () => {
  const withTimeout = () => new ControlBench({ model: 4, sboTimeoutMs: 30_000, modelled: true });

  it('tells how long it stands, counted from before the device was asked', async () => {
    const bench = withTimeout();
    bench.answer = async () => {
      await bench.clock.advance(4000);
      return null;
    };
    expect(await bench.run('select')).toMatchObject({ outcome: 'accepted', selection: { remainingMs: 26_000, isEndless: false } });
  });

  it('with a sboTimeout of 0 does not end by itself', async () => {
    const bench = new ControlBench({ model: 4, sboTimeoutMs: 0, modelled: true });
    const selected = await bench.run('select');
    expect(selected).toMatchObject({ selection: { remainingMs: null, isEndless: true } });
    expect(selected.stages.at(-1)?.detail).toBe('selected until it is operated or cancelled');
    await bench.clock.advance(10_000_000);
    expect(await bench.state()).toMatchObject({ selection: { remainingMs: null, isEndless: true } });
  });

  it.each([
    ['a sboTimeout that cannot be', { sboTimeoutMs: -1, modelled: true }],
    ['no model', { sboTimeoutMs: 30_000, modelled: false }],
  ])('with %s: how long it stands is not known, and said so', async (_, more) => {
    const bench = new ControlBench({ model: 4, ...more });
    const selected = await bench.run('select');
    expect(selected).toMatchObject({ selection: { remainingMs: null, isEndless: false } });
    expect(selected.stages.at(-1)?.detail).toBe('selected; the device does not say for how long');
  });

  it('that ran out: execute is refused, and nothing is operated', async () => {
    const bench = withTimeout();
    await bench.run('select');
    await bench.clock.advance(29_999);
    expect(await bench.state()).toMatchObject({ selection: { remainingMs: 1 } });
    await bench.clock.advance(1);
    expect(await bench.state()).toMatchObject({ selection: null });
    await expect(bench.run('execute')).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    expect(bench.asked).toEqual(['SBOw']);
  });

  it('that was refused or ended by a lost connection is none', async () => {
    const bench = withTimeout();
    bench.answer = () => ({ kind: 'failure', code: 3 });
    expect(await bench.run('select')).not.toHaveProperty('selection');
    bench.answer = () => null;
    await bench.run('select');
    bench.book.lost(new AppError('TRANSPORT_LOST', quoted('gone')));
    expect(await bench.state()).toMatchObject({ selection: null });
  });
});

describe('a selection that stands for several commands', () => {
  const SCRIPT = { model: 2, sboTimeoutMs: 30_000, modelled: true, operateMany: true } as const;

  it('is given up before the next whole command; where that is refused, the select tells', async () => {
    const bench = new ControlBench(SCRIPT);
    expect((await bench.run('operate')).selection).toEqual({ remainingMs: 30_000, isEndless: false });
    bench.answer = (service) => {
      if (service === 'Cancel') return { kind: 'failure', code: 3 };
      return service === 'SBO' ? { kind: 'visible-string', text: KEY } : null;
    };
    expect((await bench.run('operate', 0)).outcome).toBe('accepted');
    expect(bench.asked).toEqual(['SBO', 'Oper', 'Cancel', 'SBO', 'Oper']);
  });

  it('that may not have been given up: nothing is selected or operated', async () => {
    const bench = new ControlBench(SCRIPT);
    await bench.run('operate');
    bench.answer = () => 'silent';
    expect(await bench.run('operate', 0)).toMatchObject({ outcome: 'unknown' });
    expect(bench.asked).toEqual(['SBO', 'Oper', 'Cancel']);
  });

  it('of a device without Cancel is selected anew', async () => {
    const bench = new ControlBench({ ...SCRIPT, services: ['SBO', 'Oper'] });
    await bench.run('operate');
    await bench.run('operate', 0);
    expect(bench.asked).toEqual(['SBO', 'Oper', 'SBO', 'Oper']);
  });

  it('is not taken for standing behind a command that was not answered', async () => {
    const bench = new ControlBench(SCRIPT);
    await bench.run('select');
    bench.answer = () => 'silent';
    expect(await bench.run('execute')).toMatchObject({ outcome: 'unknown' });
    expect(await bench.state()).toMatchObject({ selection: null });
  });

  it('stands behind a command that ended negatively', async () => {
    const bench = new ControlBench({ ...SCRIPT, model: 4 });
    const done = bench.run('operate');
    await bench.confirmed();
    bench.terminate(0, 16);
    expect(await done).toMatchObject({ outcome: 'rejected', selection: { remainingMs: 30_000 } });
  });

  it('behind an Oper without an answer, or refused without a cause, is given up as well, and can be cancelled', async () => {
    for (const given of ['silent', { kind: 'failure', code: 3 }] as const) {
      const bench = new ControlBench(SCRIPT);
      await bench.run('select');
      const { answer } = bench;
      bench.answer = (service) => (service === 'Oper' ? given : answer(service));
      const done = await bench.run('execute', null);
      expect([done.outcome, done.selection]).toEqual([given === 'silent' ? 'unknown' : 'rejected', undefined]);
      bench.answer = answer;
      if (given === 'silent') expect((await bench.run('cancel', null)).outcome).toBe('accepted');
      else expect((await bench.run('operate', 0)).outcome).toBe('accepted');
      expect(bench.asked[2]).toBe('Cancel');
    }
  });

  it('that the device has ended is not given up a second time', async () => {
    const bench = new ControlBench(SCRIPT);
    await bench.run('operate');
    await bench.clock.advance(30_000);
    const { answer } = bench;
    bench.answer = (service) => {
      if (service !== 'Cancel') return answer(service);
      bench.refuse('Cancel', 0, 18);
      return { kind: 'failure', code: 3 };
    };
    expect((await bench.run('cancel', null)).outcome).toBe('rejected');
    await expect(bench.run('cancel', null)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    await bench.run('operate', 0);
    expect(bench.asked).toEqual(['SBO', 'Oper', 'Cancel', 'SBO', 'Oper']);
  });

  it('is none of a device that says operate-once, or nothing', async () => {
    for (const script of [
      { ...SCRIPT, operateMany: false },
      { ...SCRIPT, modelled: false },
    ]) {
      const bench = new ControlBench(script);
      expect((await bench.run('operate')).selection).toBeUndefined();
      expect(await bench.state()).toMatchObject({ selection: null });
    }
  });
});

describe('the state before a step', () => {
  const STATES = { Beh: 3, Mod: 3, Loc: true, LocSta: false, Health: 3, BlkOpn: true, stVal: [0x00], stSeld: true };
  const remarks = (state: Awaited<ReturnType<ControlBench['state']>>) =>
    Object.fromEntries(state.items.flatMap(({ name, value, remark }) => [[name, remark === null ? value : `${value}: ${remark}`]]));

  it('is read by name, and commands nothing', async () => {
    const bench = new ControlBench({ model: 4, states: STATES, modelled: true });
    const state = await bench.state();
    expect(remarks(state)).toEqual({
      ctlModel: 'sbo-with-enhanced-security',
      stVal: 'intermediate',
      stSeld: 'yes: selected by another client, or by an earlier connection: a command may be refused until that ends',
      Beh: 'test: commands without the test bit are refused',
      Mod: 'test',
      Loc: 'yes: remote commands are refused',
      LocSta: 'no: originator categories of the station (2 and 5) may be refused',
      Health: 'Alarm: an alarm: commands may be refused',
      BlkOpn: 'yes: opening is refused',
    });
    expect(state).toMatchObject({ steps: ['operate', 'select', 'execute', 'cancel'], obstacle: null, missingOptions: ['operate_at'] });
    expect(bench.asked).toEqual([]);
  });

  it('is judged for the options of the command', async () => {
    const bench = new ControlBench({ model: 4, states: STATES, modelled: true });
    const asked = remarks(await bench.state({ test: true, originator_category: 3 }));
    expect(asked).toMatchObject({ Beh: 'test: a command with the test bit does operate the outputs', LocSta: 'no' });
  });

  it.each([
    [1, false, null],
    [1, true, 'commands with the test bit are refused'],
    [2, false, 'a command is taken and does not reach the process'],
    [4, false, 'commands without the test bit are refused'],
    [4, true, 'a command with the test bit is taken and does not reach the process'],
    [5, true, 'no command is carried out'],
    [77, false, null],
  ])('Beh %i with the test bit %s', async (Beh, test, remark) => {
    const bench = new ControlBench({ model: 1, states: { Beh }, modelled: true });
    expect((await bench.state({ test })).items.find(({ name }) => name === 'Beh')?.remark).toBe(remark);
  });

  it('goes with the answer of each step', async () => {
    const bench = new ControlBench({ model: 1, states: { Loc: true }, modelled: true });
    const result = await bench.run('operate');
    expect(result.state?.map(({ name }) => name)).toEqual(['ctlModel', 'Loc']);
    expect(result.stages[0]).toMatchObject({ name: 'read', detail: 'control model 1, direct-with-normal-security; Loc yes' });
  });

  it.each([
    ['status-only', { model: 0 }, /status-only/],
    ['lies', { model: 4, services: ['Oper'] }, /no SBOw/],
    ['is not told', { model: { kind: 'failure', code: 3 } }, /object-access-denied/],
  ] as const)('a control model that %s stands in the way, and the rest is told', async (_name, script, obstacle) => {
    const bench = new ControlBench({ ...script, states: { Loc: false }, modelled: true });
    const state = await bench.state();
    expect(state).toMatchObject({ steps: [], obstacle: expect.stringMatching(obstacle) });
    expect(state.items.map(({ name }) => name)).toContain('Loc');
  });

  it('states that the device refuses are left out', async () => {
    const bench = new ControlBench({ model: 1, states: { Loc: 'refused', Beh: 1 }, modelled: true });
    expect((await bench.state()).items.map(({ name }) => name)).toEqual(['ctlModel', 'Beh']);
  });

  it('a control without origin, number, test bit and checks has no place for their options', async () => {
    const bench = new ControlBench({ model: 1, bare: true });
    expect((await bench.state()).missingOptions).toEqual([
      'operate_at',
      'test',
      'interlock_check',
      'synchro_check',
      'originator_category',
      'originator_identifier',
      'control_number',
    ]);
  });
});

describe('the number of a command', () => {
  it('is the one that was asked for, and goes through all its services', async () => {
    const bench = new ControlBench({ model: 4 });
    await bench.run('select', 1, { control_number: 200 });
    await expect(bench.run('execute', 1, { control_number: 201 })).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    const done = bench.run('execute', 1, { control_number: 200 });
    await bench.confirmed();
    bench.terminate(200);
    expect((await done).outcome).toBe('accepted');
    expect([0, 1].map((at) => bench.member('ctlNum', at))).toEqual([200, 200].map((value) => ({ kind: 'unsigned', value })));
  });
});

describe('values', () => {
  const float: MmsType = { kind: 'float', width: 32, exponentWidth: 8 };

  it('a setpoint is a structure of one number, scaled', async () => {
    const bench = new ControlBench({ model: 1, ctlVal: structure({ f: float }) });
    await bench.run('operate', 33, {}, yt(1, 'LD/CSWI1.Pos[CO]', { mul_coe: 2, add_coe: 1 }));
    expect(bench.member('ctlVal')).toEqual({ kind: 'structure', items: [{ kind: 'float', value: 16, width: 32 }] });
  });

  it.each([
    [0, 0x00],
    [1, 0x40],
    [2, 0x80],
  ])('step %i of a tap changer', async (value, octet) => {
    const bench = new ControlBench({ model: 1, ctlVal: { kind: 'bit-string', size: 2 } });
    await bench.run('operate', value);
    expect(bench.member('ctlVal')).toEqual({ kind: 'bit-string', size: 2, octets: Uint8Array.of(octet) });
  });

  it.each([
    ['a single point', BOOLEAN, 2],
    ['a step', { kind: 'bit-string', size: 2 } as const, 3],
    ['an enumeration', { kind: 'integer', size: 8 } as const, 128],
  ])('%s out of range is refused before anything is sent', async (_name, ctlVal, value) => {
    const bench = new ControlBench({ model: 1, ctlVal });
    await expect(bench.run('operate', value)).rejects.toMatchObject({ code: 'CONFIG_RANGE' });
    expect(bench.asked).toEqual([]);
  });

  it.each([
    [{ originator_category: 9 }, /originator_category/],
    [{ originator_identifier: '发'.repeat(22) }, /at most 64 octets, not 66/],
    [{ operate_at: '2026-01-01T00:00:00Z' }, /no operTm/],
  ])('options %o are refused', async (options, message) => {
    const bench = new ControlBench({ model: 1 });
    await expect(bench.run('operate', 1, options)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(message),
    });
    expect(bench.asked).toEqual([]);
  });
});
