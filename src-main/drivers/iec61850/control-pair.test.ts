/** Our client commands our simulated device, on one clock: every control model, accepted and refused. */
import { describe, expect, it } from 'vitest';
import { english } from '#shared/messages/index.ts';
import type { Command, PointConfig } from '../spi/index.ts';
import { exchangeContext } from '../testing/sinks.ts';
import { ServedChannel } from './server/testing/served-channel.ts';
import { ClientBench, yk, yt, yx } from './testing/client-bench.ts';

const NODE = 'BAY1LD0/GGIO1';
const MODELS = [1, 2, 3, 4] as const;
const control = (model: number, protocol: Readonly<Record<string, unknown>> = {}) =>
  yk(model, `${NODE}.SPCSO${model}[CO]`, { code: `C${model}`, protocol: { control_model: model, ...protocol } });
const states = MODELS.map((model) => yx(10 + model, `${NODE}.SPCSO${model}.stVal[ST]`));
const own = (model: number) => yk(model, `${NODE}.SPCSO${model}[CO]`);

class Pair {
  readonly served: ServedChannel;
  readonly bench: ClientBench;

  private constructor(served: ServedChannel, bench: ClientBench) {
    this.served = served;
    this.bench = bench;
  }

  static async open(points: readonly PointConfig[], protocol: Readonly<Record<string, unknown>> = {}, octets = 65_000): Promise<Pair> {
    const served = new ServedChannel({ points: [...points, ...states], protocol });
    const bench = await ClientBench.open(served, { protocol: { max_pdu_size: octets, command_termination_s: 5 } });
    return new Pair(served, bench);
  }

  /** Outcome, names of the stages, and why it was refused, else the last words. */
  async command(point: PointConfig, value: number | undefined, step: Command['step'] = 'operate', options = {}, waitMs = 0) {
    const done = this.bench.client.execute({ point, step, value, options }, exchangeContext());
    done.catch(() => undefined);
    await this.bench.rest();
    if (waitMs > 0) await this.served.clock.advance(waitMs);
    await this.bench.rest();
    const { outcome, stages, refusal, selection } = await done;
    return {
      outcome,
      stages: stages.map(({ name }) => name).filter((name) => name !== 'read_back'),
      selection,
      detail: english(refusal?.detail ?? stages.at(-1)?.detail ?? ''),
    };
  }

  async state(model: number): Promise<unknown> {
    const shown = await this.bench.value(yx(50, `${NODE}.SPCSO${model}.stVal[ST]`));
    return typeof shown === 'object' ? shown.value : shown;
  }
}

describe.each([65_000, 1000])('our client at our device, PDUs of %i octets', (octets) => {
  it.each(MODELS)('control model %i is carried out once', async (model) => {
    const pair = await Pair.open(
      MODELS.map((each) => control(each)),
      {},
      octets,
    );
    const { outcome, stages } = await pair.command(own(model), 1);
    const select = model % 2 === 0 ? ['select_sent', 'selected'] : [];
    expect([outcome, stages]).toEqual(['accepted', ['read', ...select, 'sent', 'confirmed', ...(model > 2 ? ['terminated'] : [])]]);
    expect(await pair.state(model)).toBe(1);
    const commands = pair.served.passed.flatMap(({ readings }) => readings).filter(({ pointId }) => pointId === model);
    expect(commands).toMatchObject([{ kind: 'value', value: 1 }]);
  });

  it.each(MODELS)('control model %i is refused with its additional cause', async (model) => {
    const pair = await Pair.open(
      MODELS.map((each) => control(each, { control_fault: 'operate_refused', add_cause: 10 })),
      {},
      octets,
    );
    const { outcome, detail } = await pair.command(own(model), 1);
    expect(outcome).toBe('rejected');
    expect(detail).toContain('blocked-by-interlocking (10)');
    expect(await pair.state(model)).toBe(0);
  });
});

describe('a switch with all that a device tells of its control, in small PDUs', () => {
  const SWITCH = 'BAY1LD0/Q1CSWI1';
  const pos = yk(1, `${SWITCH}.Pos[CO]`, { code: 'POS', protocol: { control_model: 1 } });
  const told = ['Beh', 'Mod', 'Loc', 'LocSta', 'LocKey', 'Health'].map((name, at) => yx(20 + at, `${SWITCH}.${name}.stVal[ST]`));

  it.each([65_000, 512, 300])('commands and tells its state at %i octets', async (octets) => {
    const served = new ServedChannel({ points: [pos, yx(2, `${SWITCH}.Pos.stVal[ST]`), ...told] });
    const bench = await ClientBench.open(served, { protocol: { max_pdu_size: octets } });
    const state = bench.client.commandState(yk(1, `${SWITCH}.Pos[CO]`), {}, exchangeContext());
    state.catch(() => undefined);
    await bench.rest();
    const { items } = await state;
    expect(items.map(({ name }) => name)).toEqual(expect.arrayContaining(['ctlModel', 'stVal', 'Beh', 'Loc', 'Health']));
    expect((await bench.command(yk(1, `${SWITCH}.Pos[CO]`), 1)).outcome).toBe('accepted');
  });
});

describe('what becomes of a command at our device', () => {
  it('another client has selected it, until it goes', async () => {
    const pair = await Pair.open([control(4), control(2)]);
    const other = await ClientBench.open(pair.served);
    const select = (bench: ClientBench, model: number) => bench.command(own(model), 1, 'select');
    expect((await select(other, 4)).outcome).toBe('accepted');
    expect(await pair.command(own(4), 1)).toMatchObject({
      outcome: 'rejected',
      detail: expect.stringContaining('object-already-selected (19)'),
    });
    expect((await select(other, 2)).outcome).toBe('accepted');
    expect(await pair.command(own(2), 1)).toMatchObject({ outcome: 'rejected' });
    await other.client.close();
    await pair.bench.rest();
    expect(await pair.command(own(4), 1)).toMatchObject({ outcome: 'accepted' });
    expect(await pair.command(own(2), 1)).toMatchObject({ outcome: 'accepted' });
  });

  it('it takes its time, does not move, or its end is never told', async () => {
    const slow = await Pair.open([control(3)], { execution_ms: 2000 });
    expect(await slow.command(own(3), 1, 'operate', {}, 2000)).toMatchObject({ outcome: 'accepted' });
    const stuck = await Pair.open([control(3, { control_fault: 'not_moved' })]);
    expect(await stuck.command(own(3), 1)).toMatchObject({ outcome: 'rejected', detail: expect.stringContaining('time-limit-over (16)') });
    const silent = await Pair.open([control(4, { control_fault: 'not_terminated' })]);
    const untold = await silent.command(own(4), 1, 'operate', {}, 5000);
    expect([untold.outcome, untold.stages.at(-1)]).toEqual(['accepted', 'not_terminated']);
    expect(await silent.state(4)).toBe(1);
    const late = await Pair.open([control(3, { termination_delay_ms: 60_000 })]);
    await late.command(own(3), 1, 'operate', {}, 5000);
    await late.served.clock.advance(60_000);
    await late.bench.rest();
    expect(late.bench.notices.at(-1)).toContain('SPCSO3');
  });

  it('select, then execute and cancel', async () => {
    const pair = await Pair.open([control(4)]);
    expect(await pair.command(own(4), 1, 'select')).toMatchObject({ outcome: 'accepted' });
    expect(await pair.command(own(4), 1, 'execute')).toMatchObject({ outcome: 'accepted' });
    expect(await pair.command(own(4), 0, 'select')).toMatchObject({ outcome: 'accepted' });
    expect(await pair.command(own(4), undefined, 'cancel')).toMatchObject({ outcome: 'accepted' });
    expect(await pair.state(4)).toBe(1);
  });

  it('a cancel beside a command under way ends it', async () => {
    const pair = await Pair.open([yk(4, `${NODE}.SPCSO4[CO]`, { protocol: { control_model: 4 } })], { execution_ms: 3000 });
    const operated = pair.command(own(4), 1);
    await pair.bench.rest();
    const cancelled = await pair.command(own(4), undefined, 'cancel');
    expect(cancelled.outcome).toBe('accepted');
    expect(await operated).toMatchObject({ outcome: 'rejected', detail: expect.stringContaining('abortion-by-cancel (15)') });
    await pair.served.clock.advance(10_000);
    expect(await pair.state(4)).toBe(0);
  });

  it.each([1, 3])('a cancel ends a command under way of model %i as well', async (model) => {
    const pair = await Pair.open([control(model)], { execution_ms: 3000 });
    const operated = pair.command(own(model), 1);
    await pair.bench.rest();
    if (model === 1) expect(await operated).toMatchObject({ outcome: 'accepted' });
    const cancel = pair.command(own(model), undefined, 'cancel');
    if (model === 1) await expect(cancel).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    else {
      expect((await cancel).outcome).toBe('accepted');
      expect(await operated).toMatchObject({ outcome: 'rejected', detail: expect.stringContaining('abortion-by-cancel (15)') });
      await pair.served.clock.advance(10_000);
      expect(await pair.state(model)).toBe(0);
    }
  });

  it.each(MODELS)('who commanded last, and what is selected, is told by model %i', async (model) => {
    const pair = await Pair.open([control(model)]);
    const told = (path: string) => pair.bench.value(yx(60, `${NODE}.SPCSO${model}.${path}[ST]`));
    await pair.command(own(model), 1, 'operate', { originator_category: 3, control_number: 77 });
    expect([await told('origin.orCat'), await told('ctlNum')]).toMatchObject([{ value: 3 }, { value: 77 }]);
    if (model % 2 === 1) return;
    await pair.command(own(model), 0, 'select');
    expect(await told('stSeld')).toMatchObject({ value: 1 });
    await pair.command(own(model), undefined, 'cancel');
    expect(await told('stSeld')).toMatchObject({ value: 0 });
  });

  it('says before the step that the output is a pulse, and which', async () => {
    const parts = ['cmdQual', 'onDur', 'offDur', 'numPls'].map((name, at) => yt(80 + at, `${NODE}.SPCSO1.pulseConfig.${name}[CF]`));
    const pair = await Pair.open([control(1), ...parts]);
    const told = async (...values: number[]) => {
      for (const [at, value] of values.entries())
        await pair.served.connection.execute({ point: parts[at] as PointConfig, step: 'operate', value, options: {} }, exchangeContext());
      const asked = pair.bench.client.commandState(own(1), {}, exchangeContext());
      await pair.bench.rest();
      return (await asked).items.filter(({ name }) => name === 'pulseConfig').map(({ value }) => english(value));
    };
    expect(await told(0, 500, 0, 1)).toEqual(['pulse of 500 ms']);
    expect(await told(0, 500, 200, 3)).toEqual(['3 pulses of 500 ms with 200 ms between them']);
    expect(await told(1, 500, 200, 3)).toEqual([]);
    expect(await told(0, 0, 0, 0)).toEqual([]);
  });

  describe('a selection that stands for several commands', () => {
    const MANY = [
      yt(70, `${NODE}.SPCSO4.sboClass[CF]`),
      yt(71, `${NODE}.SPCSO4.sboTimeout[CF]`),
      yt(72, `${NODE}.SPCSO2.sboClass[CF]`),
      yx(73, `${NODE}.Loc.stVal[ST]`),
      yt(74, `${NODE}.SPCSO2.sboTimeout[CF]`),
    ];
    const open = async (protocol: Readonly<Record<string, unknown>> = {}, selectMs = 10_000) => {
      const pair = await Pair.open([control(4), control(2), ...MANY], protocol);
      for (const [at, value] of [
        [0, 1],
        [1, selectMs],
        [2, 1],
        [4, selectMs],
      ] as const)
        await set(pair, at, value);
      return pair;
    };
    const set = (pair: Pair, at: number, value: number) =>
      pair.served.connection.execute({ point: MANY[at] as PointConfig, step: 'operate', value, options: {} }, exchangeContext());
    const standing = async (pair: Pair, model = 4) => {
      const asked = pair.bench.client.commandState(own(model), {}, exchangeContext());
      await pair.bench.rest();
      const { selection, items } = await asked;
      return { selection, sboClass: items.filter(({ name }) => name === 'sboClass').map(({ value }) => english(value))[0] };
    };

    it('is executed again and again, and counted down anew', async () => {
      const pair = await open();
      expect(await standing(pair)).toEqual({ selection: null, sboClass: 'operate-many' });
      await pair.command(own(4), 1, 'select');
      await pair.served.clock.advance(4000);
      for (let time = 0; time < 3; time++) expect(await pair.command(own(4), 1, 'execute')).toMatchObject({ outcome: 'accepted' });
      expect((await standing(pair)).selection).toEqual({ remainingMs: 10_000, isEndless: false });
      await pair.served.clock.advance(10_000);
      await expect(pair.command(own(4), 1, 'execute')).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    });

    it.each([4, 2])('is told with the outcome, and given up before the next whole command of model %i', async (model) => {
      const pair = await open();
      for (const [value, isGivenUp] of [
        [1, false],
        [0, true],
        [1, true],
      ] as const) {
        const done = await pair.command(own(model), value);
        expect(done).toMatchObject({ outcome: 'accepted' });
        expect(done.stages.includes('cancel_sent')).toBe(isGivenUp);
        expect(await pair.state(model)).toBe(value);
      }
      expect(await pair.command(own(model), undefined, 'cancel')).toMatchObject({ outcome: 'accepted' });
      expect((await standing(pair, model)).selection).toBeNull();
    });

    it('is counted down from the end of its command, as the device counts it', async () => {
      const pair = await open({ execution_ms: 4000 }, 3000);
      const { outcome, selection } = await pair.command(own(4), 1, 'operate', {}, 4000);
      expect([outcome, selection]).toEqual(['accepted', { remainingMs: 3000, isEndless: false }]);
      await pair.served.clock.advance(2000);
      expect(await pair.command(own(4), 1, 'execute', {}, 4000)).toMatchObject({ outcome: 'accepted' });
      await pair.served.clock.advance(3000);
      expect((await standing(pair)).selection).toBeNull();
    });

    it.each(['operate', 'cancel'] as const)(
      'may stand longer than is known where no end of the command is told: %s gives it up',
      async (step) => {
        const pair = await open({ execution_ms: 15_000 });
        expect(await pair.command(own(2), 1)).toMatchObject({ outcome: 'accepted' });
        await pair.served.clock.advance(20_000);
        expect((await standing(pair, 2)).selection).toBeNull();
        const done = await pair.command(own(2), step === 'cancel' ? undefined : 0, step);
        expect(done).toMatchObject({ outcome: 'accepted' });
        expect(done.stages).toContain('cancel_sent');
        if (step === 'operate') return;
        expect(await pair.bench.value(yx(60, `${NODE}.SPCSO2.stSeld[ST]`))).toMatchObject({ value: 0 });
        await expect(pair.command(own(2), undefined, 'cancel')).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
      },
    );

    it('stands behind a refused command, and not behind one that was not selected any more', async () => {
      const pair = await open();
      await pair.command(own(4), 1, 'select');
      await set(pair, 3, 1);
      const refused = await pair.command(own(4), 1, 'execute');
      expect(refused).toMatchObject({ outcome: 'rejected', selection: { isEndless: false } });
      expect(refused.selection).toEqual((await standing(pair)).selection);
      await set(pair, 3, 0);
      expect(await pair.command(own(4), 1, 'execute')).toMatchObject({ outcome: 'accepted' });
      await set(pair, 1, 0);
      await set(pair, 0, 0);
      await pair.command(own(4), 1, 'execute');
      await expect(pair.command(own(4), 1, 'execute')).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    });
  });

  it('a setpoint is moved by its scale, and shows as a command in the table of the device', async () => {
    const setpoint = yt(7, `${NODE}.AnOut1[CO]`, { mul_coe: 0.5 });
    const pair = await Pair.open([yt(7, `${NODE}.AnOut1[CO]`)]);
    expect(await pair.command(setpoint, 20)).toMatchObject({ outcome: 'accepted' });
    expect(pair.served.passed.flatMap(({ readings }) => readings).find(({ pointId }) => pointId === 7)).toMatchObject({ value: 40 });
  });
});
