/** Selections that stand for several commands (sboClass operate-many), and outputs that are pulses (pulseConfig); IEC 61850-7-3, 7.5 and 6.9. */
import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import type { PointConfig } from '../../../spi/index.ts';
import { context, point } from '../testing/asking.ts';
import { boolean, Controller } from '../testing/controlling.ts';
import { ServedChannel } from '../testing/served-channel.ts';

const { yx, yk, yt } = FrameType;
const ON = boolean(true);
const OFF = boolean(false);
const KEY = 'LD/GGIO1$CO$SPCSO1';

class Device {
  readonly channel: ServedChannel;
  readonly #points: readonly PointConfig[];
  client!: Controller;

  constructor(model: number, protocol: Readonly<Record<string, unknown>> = {}) {
    this.#points = [
      point(1, yk, 'LD/GGIO1.SPCSO1[CO]', { protocol: { control_model: model } }),
      point(2, yx, 'LD/GGIO1.SPCSO1.stVal[ST]'),
      point(3, yt, 'LD/GGIO1.SPCSO1.sboClass[CF]', { code: 'sboClass' }),
      point(4, yt, 'LD/GGIO1.SPCSO1.sboTimeout[CF]', { code: 'sboTimeout' }),
      ...['cmdQual', 'onDur', 'offDur', 'numPls'].map((code, at) => point(5 + at, yt, `LD/GGIO1.SPCSO1.pulseConfig.${code}[CF]`, { code })),
      point(10, yx, 'LD/GGIO1.Loc.stVal[ST]', { code: 'Loc' }),
    ];
    this.channel = new ServedChannel({ points: this.#points, protocol });
  }

  async open(values: Readonly<Record<string, number>>): Promise<this> {
    for (const [code, value] of Object.entries(values)) await this.set(code, value);
    this.client = await Controller.open(this.channel);
    return this;
  }

  async set(code: string, value: number): Promise<void> {
    const found = this.#points.find((each) => each.code === code);
    if (!found) throw new Error(`there is no point ${code}`);
    await this.channel.connection.execute({ point: found, step: 'operate', value, options: {} }, context());
  }

  async select(client = this.client): Promise<boolean> {
    return (await client.send(KEY, 'SBOw', ON)) === null;
  }

  operate(value = ON, client = this.client, number = 1) {
    return client.send(KEY, 'Oper', value, { number });
  }

  async state(): Promise<boolean> {
    return (await this.#boolean('stVal')) === true;
  }

  async isSelected(): Promise<boolean> {
    return (await this.#boolean('stSeld')) === true;
  }

  async #boolean(name: string): Promise<unknown> {
    const value = await this.client.read(`LD/GGIO1$ST$SPCSO1$${name}`);
    return value.kind === 'boolean' && value.value;
  }
}

const MANY = { sboClass: 1, sboTimeout: 10_000 };

describe('sboClass', () => {
  it('operate-many: a selection stands behind an Oper, from which its time begins anew', async () => {
    const device = await new Device(4).open(MANY);
    expect(await device.select()).toBe(true);
    for (let time = 0; time < 3; time++) {
      await device.channel.clock.advance(9000);
      expect(await device.operate()).toBeNull();
      expect(await device.isSelected()).toBe(true);
    }
    await device.channel.clock.advance(10_000);
    expect(await device.isSelected()).toBe(false);
    expect(await device.operate()).toBe(3);
    expect(device.client.told.at(-2)).toBe('refusal 18');
  });

  it('operate-many of SBO: another value is operated under the same selection', async () => {
    const device = await new Device(2).open(MANY);
    expect(await device.client.select(KEY)).toBe(KEY);
    expect([await device.operate(ON), await device.state()]).toEqual([null, true]);
    expect([await device.operate(OFF), await device.state()]).toEqual([null, false]);
    expect(await device.client.send(KEY, 'Cancel', OFF)).toBeNull();
    expect(await device.operate(ON)).toBe(3);
  });

  it('operate-many: others are locked out until it ends, and its owner selects no second time', async () => {
    const device = await new Device(4).open(MANY);
    const other = await Controller.open(device.channel);
    await device.select();
    await device.operate();
    expect(await device.operate(ON, other)).toBe(2);
    expect(await device.select(other)).toBe(false);
    expect(await device.select()).toBe(false);
    await device.client.client.close();
    expect(await device.select(other)).toBe(true);
  });

  it('operate-many: what stands against a command leaves the selection, another value than selected ends it', async () => {
    const device = await new Device(4).open(MANY);
    await device.select();
    await device.set('Loc', 1);
    expect(await device.operate()).toBe(3);
    expect(device.client.told.at(-2)).toBe('refusal 2');
    await device.set('Loc', 0);
    expect(await device.operate()).toBeNull();
    expect(await device.operate(OFF)).toBe(3);
    expect(device.client.told.at(-2)).toBe('refusal 26');
    expect(await device.isSelected()).toBe(false);
  });

  it('operate-many: Cancel of a command under way ends it and the selection', async () => {
    const device = await new Device(4, { execution_ms: 60_000 }).open(MANY);
    await device.select();
    await device.operate();
    await device.channel.clock.advance(20_000);
    expect(await device.isSelected()).toBe(true);
    expect(await device.client.send(KEY, 'Cancel', ON)).toBeNull();
    expect(await device.isSelected()).toBe(false);
    expect(await device.state()).toBe(false);
  });

  it.each([0, 2])('%i: an Oper ends the selection', async (sboClass) => {
    const device = await new Device(4).open({ ...MANY, sboClass });
    await device.select();
    expect(await device.operate()).toBeNull();
    expect([await device.isSelected(), await device.operate()]).toEqual([false, 3]);
  });
});

describe('pulseConfig', () => {
  const PULSES = { cmdQual: 0, onDur: 200, offDur: 300, numPls: 2 };

  it('a pulse: on for its time, off between, and the command ends behind the last', async () => {
    const device = await new Device(3).open(PULSES);
    expect(await device.operate()).toBeNull();
    const states = [];
    for (let ms = 0; ms < 800; ms += 100) {
      states.push(await device.state());
      await device.channel.clock.advance(100);
    }
    expect(states).toEqual([true, true, false, false, false, true, true, false]);
    expect(device.client.told.at(-1)).toBe('termination +');
  });

  it('a pulse is no place where the object stands: the same command comes again, but not while it lasts', async () => {
    const device = await new Device(3).open({ ...PULSES, numPls: 1 });
    await device.operate();
    expect(await device.operate()).toBe(2);
    expect(device.client.told.slice(-2)).toEqual(['refusal 12', 'Oper 2']);
    await device.channel.clock.advance(200);
    expect(device.client.told.at(-1)).toBe('termination +');
    expect(await device.operate()).toBeNull();
  });

  it('Cancel ends it, and the output is off', async () => {
    const device = await new Device(3).open({ ...PULSES, numPls: 1000 });
    await device.operate();
    await device.channel.clock.advance(600);
    expect(await device.state()).toBe(true);
    expect(await device.client.send(KEY, 'Cancel', ON)).toBeNull();
    expect(device.client.told.at(-1)).toBe('termination 15');
    await device.channel.clock.advance(5000);
    expect(await device.state()).toBe(false);
  });

  it('pulses are at most 1000, and 60 s each', async () => {
    const many = await new Device(3).open({ ...PULSES, onDur: 1, offDur: 1, numPls: 4_000_000_000 });
    await many.operate();
    await many.channel.clock.advance(1998);
    expect(many.client.told.at(-1)).toBe('Oper null');
    await many.channel.clock.advance(1);
    expect(many.client.told.at(-1)).toBe('termination +');
    const long = await new Device(3).open({ ...PULSES, onDur: 4_000_000_000, offDur: 4_000_000_000 });
    await long.operate();
    await long.channel.clock.advance(179_999);
    expect([await long.state(), long.client.told.at(-1)]).toEqual([true, 'Oper null']);
    await long.channel.clock.advance(1);
    expect([await long.state(), long.client.told.at(-1)]).toEqual([false, 'termination +']);
  });

  it('another client may cancel it once its own has gone, and not before', async () => {
    const device = await new Device(3).open({ ...PULSES, numPls: 1000 });
    await device.operate();
    const other = await Controller.open(device.channel);
    expect(await other.send(KEY, 'Cancel', ON)).toBe(2);
    expect(other.told.slice(-2)).toEqual(['refusal 27', 'Cancel 2']);
    device.client.client.abort();
    await device.channel.clock.advance(600);
    expect(await other.send(KEY, 'Cancel', ON)).toBeNull();
    await device.channel.clock.advance(5000);
    device.client = other;
    expect(await device.state()).toBe(false);
    expect(await device.operate(ON, other)).toBeNull();
  });

  it.each([
    ['persistent', { ...PULSES, cmdQual: 1 }, ON],
    ['persistent with feedback', { ...PULSES, cmdQual: 2 }, ON],
    ['no duration, so that nobody has configured it', { ...PULSES, onDur: 0 }, ON],
  ])('%s: the output stays', async (_, values, value) => {
    const device = await new Device(3).open(values);
    await device.operate(value);
    await device.channel.clock.advance(5000);
    expect(await device.state()).toBe(true);
    expect(device.client.told).toEqual(['Oper null', 'termination +']);
  });

  it('off is no pulse', async () => {
    const device = await new Device(3).open(PULSES);
    expect(await device.operate(OFF)).toBeNull();
    expect(device.client.told.at(-1)).toBe('termination +');
    expect(await device.state()).toBe(false);
  });
});
