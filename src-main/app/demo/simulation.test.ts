import { describe, expect, it } from 'vitest';
import type { ChannelStatus } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import type { PointConfig } from '../../drivers/spi/index.ts';
import { ManualClock } from '../../platform/manual-clock.ts';
import { PlantModel } from './plant-model.ts';
import { loadPlant } from './plant-points.ts';
import { PlantSimulation, type ServedChannel, STEP_MS } from './simulation.ts';

const points = loadPlant()
  .clients.flatMap((client) => client.points)
  .filter((item) => item.isServed);

/** A serving channel that keeps what is served, as the driver's register image would. */
class StandIn implements ServedChannel {
  readonly served = new Map<string, number>();
  readonly codes = points.map(({ point }) => point.code);
  status: ChannelStatus = 'running';
  since = 1;
  writes = 0;
  fault: AppError | null = null;

  readonly points: ServedChannel['points'] = {
    byCode: (code) => (this.codes.includes(code) ? this.codes.indexOf(code) + 1 : undefined),
    config: (id) => ({ id, code: this.codes[id - 1] }) as PointConfig,
    state: (id) => ({
      value: this.served.get(this.codes[id - 1] ?? '') ?? 0,
      valueText: '',
      rawHex: '',
      quality: 'good',
      flags: [],
      sourceTime: null,
      detail: null,
      updatedAt: null,
      error: null,
    }),
  };

  state(): { status: ChannelStatus; since: number } {
    return { status: this.status, since: this.since };
  }

  async readSingle(): Promise<void> {}

  async execute(command: Parameters<ServedChannel['execute']>[0]): ReturnType<ServedChannel['execute']> {
    if (this.fault) throw this.fault;
    this.writes += 1;
    this.served.set(command.point.code, command.value ?? 0);
    return { outcome: 'accepted', stages: [], refusal: null, failure: null };
  }
}

async function simulate() {
  const clock = new ManualClock();
  const channel = new StandIn();
  const faults: AppError[] = [];
  let current: StandIn | undefined = channel;
  const simulation = new PlantSimulation({
    clock,
    model: new PlantModel(1),
    points,
    channel: () => current,
    onFault: (error) => faults.push(error),
  });
  await simulation.start();
  return {
    clock,
    channel,
    faults,
    simulation,
    remove() {
      current = undefined;
    },
  };
}

describe('plant simulation', () => {
  it('serves orders and values at once, except views, then only what changes', async () => {
    const { clock, channel, simulation } = await simulate();
    expect(channel.served.get('PCS_P_SET')).toBe(60);
    expect(channel.served.get('BMS1_U')).toBeGreaterThan(300);
    expect(channel.served.has('PCS_STATUS')).toBe(false);
    const first = channel.writes;
    expect(first).toBe(points.filter((item) => item.isFed || item.initial !== null).length);
    await clock.advance(STEP_MS);
    expect(channel.writes).toBeGreaterThan(first);
    expect(channel.writes - first).toBeLessThan(first);
    await simulation.stop();
  });

  it('follows an order that a client wrote', async () => {
    const { clock, channel, simulation } = await simulate();
    await clock.advance(10_000);
    expect(channel.served.get('PCS_P')).toBeCloseTo(60, 3);
    channel.served.set('PCS_P_SET', -40);
    await clock.advance(10_000);
    expect(channel.served.get('PCS_P')).toBeCloseTo(-40, 3);
    channel.served.set('PCS_BREAKER', 0);
    await clock.advance(2000);
    expect([channel.served.get('PCS_QF'), channel.served.get('PCS_P')]).toEqual([0, 0]);
    await simulation.stop();
  });

  it('serves everything anew after the channel was restarted, with the orders as they stood', async () => {
    const { clock, channel, simulation } = await simulate();
    channel.served.set('PCS_P_SET', 20);
    await clock.advance(STEP_MS);
    channel.status = 'stopped';
    await clock.advance(5000);
    channel.served.clear();
    channel.status = 'running';
    channel.since = 2;
    await clock.advance(STEP_MS);
    expect(channel.served.get('PCS_P_SET')).toBe(20);
    expect(channel.served.get('BMS4_CELL_96')).toBeGreaterThan(3);
    await simulation.stop();
  });

  it('tells a fault once, and goes on', async () => {
    const { clock, channel, faults, simulation } = await simulate();
    channel.fault = new AppError('STATE_NOT_STARTED', quoted('The channel is not started.'));
    await clock.advance(STEP_MS * 3);
    expect(faults.map((error) => error.code)).toEqual(['STATE_NOT_STARTED']);
    channel.fault = null;
    const before = channel.writes;
    await clock.advance(STEP_MS);
    expect(channel.writes).toBeGreaterThan(before);
    await simulation.stop();
    expect(clock.pending).toBe(0);
  });

  it('ends when the channel is gone, and leaves points that were deleted', async () => {
    const { clock, channel, remove } = await simulate();
    channel.codes.splice(channel.codes.indexOf('MTR_F'), 1);
    channel.served.clear();
    await clock.advance(STEP_MS * 4);
    expect(channel.served.has('MTR_F')).toBe(false);
    expect(channel.served.has('MTR_P')).toBe(true);
    remove();
    await clock.advance(STEP_MS);
    expect(clock.pending).toBe(0);
  });
});
