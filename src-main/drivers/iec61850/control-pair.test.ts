/** Our client commands our simulated device, on one clock: every control model, accepted and refused. */
import { describe, expect, it } from 'vitest';
import { english } from '#shared/messages/index.ts';
import type { Command, PointConfig } from '../spi/index.ts';
import { ServedChannel } from './server/testing/served-channel.ts';
import { ClientBench, exchange, yk, yt, yx } from './testing/client-bench.ts';

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
    const done = this.bench.client.execute({ point, step, value, options }, exchange());
    done.catch(() => undefined);
    await this.bench.rest();
    if (waitMs > 0) await this.served.clock.advance(waitMs);
    await this.bench.rest();
    const { outcome, stages, refusal } = await done;
    return {
      outcome,
      stages: stages.map(({ name }) => name).filter((name) => name !== 'read_back'),
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

  it('a setpoint is moved by its scale, and shows as a command in the table of the device', async () => {
    const setpoint = yt(7, `${NODE}.AnOut1[CO]`, { mul_coe: 0.5 });
    const pair = await Pair.open([yt(7, `${NODE}.AnOut1[CO]`)]);
    expect(await pair.command(setpoint, 20)).toMatchObject({ outcome: 'accepted' });
    expect(pair.served.passed.flatMap(({ readings }) => readings).find(({ pointId }) => pointId === 7)).toMatchObject({ value: 40 });
  });
});
