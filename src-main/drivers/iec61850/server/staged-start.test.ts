import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import { settle } from '../../../platform/manual-clock.ts';
import type { DriverLasting, PointConfig } from '../../spi/index.ts';
import { manyDevices } from '../model/testing/large.ts';
import { context, float, names, point, TABLE, value, write } from './testing/asking.ts';
import { ServedChannel, type ServedChannelOptions } from './testing/served-channel.ts';

const { yc, yx } = FrameType;
const COUNT = 200;
/** Longest stretch of the making, in points that are looked at. */
const MOST_STATES_A_STEP = 64;
/** Steps between two places at which the making is given up. */
const A_LOOK = 61;
/** Steps at the end that are looked at one by one. */
const LAST = 5;

/** What of a channel is kept in the project, in memory. */
class Lasting implements DriverLasting {
  kept: unknown = null;
  writes = 0;
  read(): unknown {
    return this.kept;
  }
  write(value: unknown): void {
    this.kept = JSON.parse(JSON.stringify(value));
    this.writes += 1;
  }
}

const POINTS: readonly PointConfig[] = [
  ...TABLE,
  ...Array.from({ length: COUNT }, (_, at) => point(at + 101, yx, `LD${at % 2}/GGIO${at % 5}.Ind${at}.stVal[ST]`)),
  point(9_000, yc, 'LD0/MMXU1.TotW.mag.f[MX]', { protocol: { start_value: 12.5 } }),
  ...Array.from({ length: 40 }, (_, at) => point(9_100 + at, yx, `LD0/GGIO9.Ind${at}.stVal[ST]`, { protocol: { start_value: 1 } })),
  point(9_001, yc, 'no reference'),
];

/** What the sink was told, point by point. */
function shown({ passed }: ServedChannel): ReadonlyMap<number, unknown> {
  return new Map(passed.flatMap(({ readings }) => readings.map((reading) => [reading.pointId, reading] as const)));
}

/** A channel whose making was begun, with so many steps done. */
function begun(steps: number, options: ServedChannelOptions = {}): ServedChannel {
  const channel = new ServedChannel({ points: POINTS, inSteps: true, ...options });
  for (let at = 0; at < steps; at++) if (!channel.step()) expect.fail('it is made already');
  return channel;
}

/** What the steps have brought about goes on between them. */
async function giveUp({ steps }: ServedChannel): Promise<void> {
  await settle();
  expect(() => steps.throw(new Error('given up'))).toThrow('given up');
}

function stepsOf(options: ServedChannelOptions = {}): number {
  const channel = begun(0, options);
  let count = 1;
  while (channel.step()) count += 1;
  return count;
}

describe('a device that is made in steps', () => {
  it('is the same as one that is made at once: names, values, points and what is shown', async () => {
    const before = new Map([[1, Uint8Array.of(0x87, 5, 8, 0x44, 0x9a, 0x50, 0)]]);
    const [whole, parts] = [new ServedChannel({ points: POINTS, before }), begun(0, { before })];
    while (parts.step());
    const [one, other] = [await whole.associated(), await parts.associated()];
    for (const domain of ['BAY1LD0', 'LD0', 'LD1']) {
      for (const kind of [0, 2, 8]) expect(await names(other, kind, domain)).toEqual(await names(one, kind, domain));
    }
    const batch = { slaveId: null, pointIds: POINTS.map(({ id }) => id) };
    const read = (channel: ServedChannel) => channel.connection.read(batch, context());
    expect(await read(parts)).toEqual(await read(whole));
    const plan = { mode: 'batch', skipKnownHoles: false } as const;
    expect(parts.connection.plan(POINTS, plan)).toEqual(whole.connection.plan(POINTS, plan));
    expect(shown(parts)).toEqual(shown(whole));
    expect(shown(parts).size).toBe(POINTS.length - 1);
    expect(await value(other, 'LD0/MMXU1$MX$TotW$mag$f')).toEqual(float(12.5));
    expect(await value(other, 'BAY1LD0/MMXU1$MX$TotW$mag$f')).toEqual(float(1234.5));
  });

  it('takes clients with the last step, and not before', () => {
    const channel = begun(0);
    let wasListening = false;
    while (channel.step()) wasListening ||= channel.isListening;
    expect(wasListening).toBe(false);
    expect(channel.isListening).toBe(true);
  });

  it('has steps for every part of its making, also for what a large table was served with before', () => {
    const before = new Map(POINTS.map(({ id }) => [id, Uint8Array.of(0x83, 1, 1)]));
    const bits = POINTS.length / MOST_STATES_A_STEP;
    // model, places, commands, values of before, what is shown, start values
    expect(stepsOf({ before })).toBeGreaterThan(6 * bits);
  });
});

describe('a device of many logical devices', () => {
  const COUNT = 200;
  const document = { name: 'many.scd', text: manyDevices(COUNT) };

  it('has steps for each of them in every part of its making', () => {
    // places, setting groups, report blocks found and made, logs, what is shown
    expect(stepsOf({ points: [], document })).toBeGreaterThan(6 * COUNT);
  });

  it('shows its model as a whole, and not before', () => {
    const shown: number[] = [];
    const channel = begun(0, {
      points: [],
      document,
      onModel: function* ({ devices }) {
        for (let at = 0; at < 5; at++) yield;
        shown.push(devices.length);
      },
    });
    while (channel.step()) expect(channel.isListening).toBe(false);
    expect(shown).toEqual([COUNT]);
  });
});

describe('a device whose making is given up', () => {
  const total = stepsOf();
  /** Here and there, and behind each of the last steps, in which start values are set. */
  const places = Array.from({ length: total - 1 }, (_, at) => at).filter((at) => at % A_LOOK === 0 || at > total - LAST);

  it('leaves nothing behind that goes on, wherever it stood', async () => {
    for (const at of places) {
      const channel = begun(at);
      await giveUp(channel);
      await settle();
      expect(channel.clock.pending, `behind ${at} steps`).toBe(0);
      expect(channel.isListening).toBe(false);
    }
  });

  it('loses nothing that clients had set before: what was kept is kept', async () => {
    const lasting = new Lasting();
    const first = new ServedChannel({ points: POINTS, lasting });
    expect(await write(await first.associated(), 'BAY1LD0/PTOC1$SP$StrVal$setMag$f', float(7))).toBeNull();
    await first.connection.close();
    const { kept } = lasting;
    expect(JSON.stringify(kept)).toContain('StrVal');
    for (const at of [1, total >> 1, total - 2]) {
      const channel = begun(at, { lasting });
      await giveUp(channel);
      await settle();
      expect(lasting.kept, `behind ${at} steps`).toMatchObject({ values: (kept as { values: unknown }).values });
    }
    const last = new ServedChannel({ points: POINTS, lasting });
    expect(await value(await last.associated(), 'BAY1LD0/PTOC1$SP$StrVal$setMag$f')).toEqual(float(7));
  });
});
