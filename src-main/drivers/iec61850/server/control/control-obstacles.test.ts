import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import type { PointConfig } from '../../../spi/index.ts';
import { context, point } from '../testing/asking.ts';
import { type Asked, boolean, Controller } from '../testing/controlling.ts';
import { ServedChannel } from '../testing/served-channel.ts';

const { yx, yk, yt } = FrameType;
const POS = 'LD/CSWI1$CO$Pos';
const BREAKER = 'LD/XCBR1$CO$Pos';
/** Objects around a switch, as points that a person sets. */
const AROUND = [
  'CSWI1.Pos',
  'CSWI1.Loc',
  'CSWI1.LocKey',
  'CSWI1.LocSta',
  'CSWI1.MltLev',
  'CSWI1.CmdBlk',
  'XCBR1.Pos',
  'XCBR1.Loc',
  'XCBR1.BlkOpn',
  'XCBR1.BlkCls',
  'CILO1.EnaOpn',
  'CILO1.EnaCls',
  'RSYN1.Rel',
] as const;

/** A bay with a breaker; what is named is 1, or has the value beside it. */
class Bay {
  readonly channel: ServedChannel;
  readonly #points: readonly PointConfig[];
  client: Controller;

  private constructor(channel: ServedChannel, points: readonly PointConfig[], client: Controller) {
    this.channel = channel;
    this.#points = points;
    this.client = client;
  }

  static async open(names: readonly string[], model = 3): Promise<Bay> {
    const states = [...names, 'CSWI1.Beh', 'LLN0.Mod'].map((name, at) =>
      point(10 + at, /Beh|Mod/.test(name) ? yx : yx, `LD/${name}.stVal[ST]`, { code: name }),
    );
    const control = (id: number, reference: string) => point(id, yk, reference, { protocol: { control_model: model } });
    const points = [control(1, 'LD/CSWI1.Pos[CO]'), control(2, 'LD/XCBR1.Pos[CO]'), ...states];
    const channel = new ServedChannel({ points, protocol: { refuse_reached_position: false } });
    return new Bay(channel, points, await Controller.open(channel));
  }

  async set(name: string, value = 1): Promise<this> {
    const found = this.#points.find(({ code }) => code === name);
    if (!found) throw new Error(`there is no point ${name}`);
    await this.channel.connection.execute({ point: found, step: 'operate', value, options: {} }, context());
    return this;
  }

  /** What came of a command: `ok`, or the additional cause. */
  async operate(isOn: boolean, asked: Asked = {}, key = POS): Promise<string> {
    this.client.told.length = 0;
    const code = await this.client.send(key, 'Oper', boolean(isOn), asked);
    return code === null ? 'ok' : (this.client.told[0] ?? '');
  }

  async position(node = 'CSWI1'): Promise<number | null> {
    const value = await this.client.read(`LD/${node}$ST$Pos$stVal`);
    return value.kind === 'bit-string' ? (value.octets[0] ?? 0) >> 6 : null;
  }
}

describe('a command is refused', () => {
  it.each<[string, number | undefined, boolean, Asked, string]>([
    ['CSWI1.Loc', 1, true, {}, 'refusal 2'],
    ['CSWI1.Loc', 1, true, { category: 1 }, 'ok'],
    ['CSWI1.LocKey', 1, true, { category: 3 }, 'refusal 2'],
    ['XCBR1.Loc', 1, true, { category: 1 }, 'refusal 2'],
    ['CSWI1.LocSta', 1, true, { category: 2 }, 'ok'],
    ['CSWI1.LocSta', 1, true, { category: 3 }, 'refusal 2'],
    ['CSWI1.LocSta', 1, true, { category: 6 }, 'refusal 2'],
    ['CSWI1.LocSta', 0, true, { category: 5 }, 'refusal 2'],
    ['CSWI1.LocSta', 0, true, { category: 3 }, 'ok'],
    ['CSWI1.CmdBlk', 1, true, {}, 'refusal 9'],
    ['XCBR1.BlkOpn', 1, false, {}, 'refusal 9'],
    ['XCBR1.BlkOpn', 1, true, {}, 'ok'],
    ['XCBR1.BlkCls', 1, true, {}, 'refusal 9'],
    ['XCBR1.BlkCls', 1, false, {}, 'ok'],
    ['CILO1.EnaCls', 0, true, { checksInterlocking: true }, 'refusal 10'],
    ['CILO1.EnaCls', 1, true, { checksInterlocking: true }, 'ok'],
    ['CILO1.EnaCls', 0, true, {}, 'ok'],
    ['CILO1.EnaOpn', 0, false, { checksInterlocking: true }, 'refusal 10'],
    ['RSYN1.Rel', 0, true, { checksSynchronism: true }, 'refusal 11'],
    ['RSYN1.Rel', 0, false, { checksSynchronism: true }, 'ok'],
    ['RSYN1.Rel', 1, true, { checksSynchronism: true }, 'ok'],
    ['CSWI1.Beh', 5, true, {}, 'refusal 8'],
    ['LLN0.Mod', 5, true, {}, 'refusal 8'],
    ['CSWI1.Beh', 3, true, {}, 'refusal 8'],
    ['CSWI1.Beh', 3, true, { isTest: true }, 'ok'],
    ['CSWI1.Beh', 2, true, {}, 'ok'],
    ['CSWI1.Beh', 4, true, {}, 'refusal 8'],
    ['CSWI1.Beh', 1, true, { isTest: true }, 'refusal 8'],
    ['CSWI1.Beh', 2, true, { isTest: true }, 'refusal 8'],
  ])('%s %s, command %s with %o: %s', async (name, value, isOn, asked, expected) => {
    const bay = await Bay.open([name, 'XCBR1.Pos'].filter((each) => !/Beh|Mod/.test(each)));
    await bay.set(name, value);
    expect(await bay.operate(isOn, asked)).toBe(expected);
    // off: nothing was moved before a breaker that stands nowhere
    const moved = expected === 'ok' && !/Beh/.test(name);
    expect(await bay.position()).toBe(moved || (name === 'CSWI1.Beh' && value === 3 && expected === 'ok') ? (isOn ? 2 : 1) : 0);
  });

  it.each([2, 3, 5, 6])('LocSta that nobody has set refuses no category: %i', async (category) => {
    const bay = await Bay.open(['CSWI1.LocSta', 'XCBR1.Pos']);
    expect(await bay.operate(true, { category })).toBe('ok');
    expect(await bay.position()).toBe(2);
  });

  it('MltLev lets every level command', async () => {
    const bay = await Bay.open(['CSWI1.LocSta', 'CSWI1.MltLev']);
    await bay.set('CSWI1.LocSta', 0);
    expect(await bay.operate(true)).toBe('refusal 2');
    await bay.set('CSWI1.MltLev');
    expect(await bay.operate(true)).toBe('ok');
  });

  it('all of them at once on the breaker itself, and free when they are gone', async () => {
    const bay = await Bay.open(AROUND);
    await bay.set('CSWI1.LocSta');
    for (const [name, cause] of [
      ['XCBR1.BlkCls', 9],
      ['XCBR1.Loc', 2],
    ] as const) {
      await bay.set(name);
      expect(await bay.operate(true, {}, BREAKER)).toBe(`refusal ${cause}`);
    }
    for (const name of ['XCBR1.BlkCls', 'XCBR1.Loc']) await bay.set(name, 0);
    expect(await bay.operate(true, {}, BREAKER)).toBe('ok');
    expect([await bay.position(), await bay.position('XCBR1')]).toEqual([2, 2]);
  });

  it('a selection without value where no command could follow', async () => {
    const bay = await Bay.open(AROUND, 2);
    await bay.set('CSWI1.LocSta');
    await bay.set('XCBR1.BlkOpn');
    expect(await bay.client.select(POS)).toBe(POS);
    expect(await bay.operate(false)).toBe('refusal 9');
    await bay.set('XCBR1.BlkCls');
    expect(await bay.client.select(POS)).toBe('');
  });

  it('the test bit while nobody has set the behaviour: taken, and nothing moves', async () => {
    const bay = await Bay.open([]);
    await bay.set('CSWI1.Beh', 0);
    expect(await bay.operate(true, { isTest: true })).toBe('ok');
    expect(bay.client.told).toContain('termination +');
    expect(await bay.position()).toBe(0);
    expect(bay.channel.notices.at(-1)).toContain('did not reach the process');
  });

  it.each([
    ['blocked', 2, false],
    ['test/blocked', 4, true],
  ] as const)('places and blockings are changed while outputs are %s, a switch is not', async (_, behaviour, isTest) => {
    const names = ['LocSta', 'CmdBlk', 'Blk', 'BlkOpn', 'BlkCls'];
    const control = (id: number, name: string) => point(id, yk, `LD/CSWI1.${name}[CO]`, { protocol: { control_model: 1 } });
    const beh = point(30, yx, 'LD/CSWI1.Beh.stVal[ST]');
    const states = [...names, 'Pos'].map((name, at) => point(20 + at, yx, `LD/CSWI1.${name}.stVal[ST]`));
    const channel = new ServedChannel({ points: [...[...names, 'Pos'].map((name, at) => control(at + 1, name)), ...states, beh] });
    await channel.connection.execute({ point: beh, step: 'operate', value: behaviour, options: {} }, context());
    const client = await Controller.open(channel);
    const changed = async (name: string) => {
      const key = `LD/CSWI1$ST$${name}$stVal`;
      const before = await client.read(key);
      expect(await client.send(`LD/CSWI1$CO$${name}`, 'Oper', boolean(true), { isTest })).toBeNull();
      return JSON.stringify(await client.read(key)) !== JSON.stringify(before);
    };
    expect(await changed('Pos')).toBe(false);
    for (const name of names) expect([name, await changed(name)]).toEqual([name, true]);
  });

  it('a setpoint beyond its range', async () => {
    const points = [
      point(1, yt, 'LD/GGIO1.AnOut1[CO]'),
      point(2, yt, 'LD/GGIO1.AnOut1.minVal.f[CF]', { code: 'least' }),
      point(3, yt, 'LD/GGIO1.AnOut1.maxVal.f[CF]', { code: 'most' }),
    ];
    const channel = new ServedChannel({ points });
    const client = await Controller.open(channel);
    const setpoint = (value: number) => ({ kind: 'structure', items: [{ kind: 'float', value, width: 32 }] }) as const;
    const send = (value: number) => client.send('LD/GGIO1$CO$AnOut1', 'Oper', setpoint(value));
    expect(await send(1e6)).toBeNull();
    for (const [at, value] of [
      [1, -10],
      [2, 10],
    ] as const) {
      const bound = points[at] as PointConfig;
      await channel.connection.execute({ point: bound, step: 'operate', value, options: {} }, context());
    }
    expect([await send(10.5), await send(-10.5), await send(10)]).toEqual([11, 11, null]);
  });
});
