/** Our client commands our simulated device in every behaviour, with and without the test bit: what it says before the step is what comes (IEC 61850-7-4, annex A). */
import { describe, expect, it } from 'vitest';
import { english } from '#shared/messages/index.ts';
import { exchangeContext } from '../testing/sinks.ts';
import { context } from './server/testing/asking.ts';
import { ServedChannel } from './server/testing/served-channel.ts';
import { ClientBench, yk, yx } from './testing/client-bench.ts';

const CONTROL = yk(1, 'LD/GGIO1.SPCSO1[CO]', { protocol: { control_model: 3 } });
const MODE = yk(2, 'LD/GGIO1.Mod[CO]');
const BEHAVIOUR = yx(3, 'LD/GGIO1.Beh.stVal[ST]');
const STATE = yx(4, 'LD/GGIO1.SPCSO1.stVal[ST]');
const STATION = yx(6, 'LD/GGIO1.LocSta.stVal[ST]');
const MODE_STATE = yx(5, 'LD/GGIO1.Mod.stVal[ST]');

/** What the client says of the behaviour, what becomes of the command, and whether the object has moved. */
type Row = readonly [remark: string | null, outcome: string, hasMoved: boolean];
const REFUSED_TEST = 'commands with the test bit are refused';
const UNTESTED = 'commands without the test bit are refused';
const UNMOVED = 'a command is taken and does not reach the process';
const UNKNOWN = 'not known: a command with the test bit may be refused, or taken without effect';
const OFF = 'no command is carried out';

class Pair {
  readonly served = new ServedChannel({ points: [CONTROL, MODE, BEHAVIOUR, STATE, MODE_STATE, STATION] });
  readonly bench: ClientBench;

  constructor() {
    this.bench = new ClientBench(this.served);
  }

  static async of(behaviour: number): Promise<Pair> {
    const pair = new Pair();
    await pair.served.connection.execute({ point: BEHAVIOUR, step: 'operate', value: behaviour, options: {} }, context());
    await pair.bench.start();
    return pair;
  }

  async remark(test: boolean, point = CONTROL): Promise<string | null> {
    const asked = this.bench.client.commandState(point, { test }, exchangeContext());
    await this.bench.rest();
    const remark = (await asked).items.find(({ name }) => name === 'Beh')?.remark ?? null;
    return remark && english(remark);
  }

  async operate(test: boolean, point = CONTROL, value = 1) {
    const done = this.bench.client.execute({ point, step: 'operate', value, options: { test } }, exchangeContext());
    await this.bench.rest();
    const { outcome, refusal } = await done;
    if (outcome === 'rejected') expect(english(refusal?.detail ?? '')).toContain('blocked-by-mode (8)');
    return outcome;
  }

  async shown(point = STATE): Promise<unknown> {
    const shown = await this.bench.value(point);
    return typeof shown === 'object' ? shown.value : shown;
  }
}

describe('what is said before a command is what comes of it', () => {
  it.each<[behaviour: number, name: string, plain: Row, test: Row]>([
    [1, 'on', [null, 'accepted', true], [REFUSED_TEST, 'rejected', false]],
    [2, 'blocked', [UNMOVED, 'accepted', false], [REFUSED_TEST, 'rejected', false]],
    [3, 'test', [UNTESTED, 'rejected', false], ['a command with the test bit does operate the outputs', 'accepted', true]],
    [
      4,
      'test/blocked',
      [UNTESTED, 'rejected', false],
      ['a command with the test bit is taken and does not reach the process', 'accepted', false],
    ],
    [5, 'off', [OFF, 'rejected', false], [OFF, 'rejected', false]],
    [0, 'never set', [null, 'accepted', true], [UNKNOWN, 'accepted', false]],
  ])('behaviour %i, %s', async (behaviour, _, plain, test) => {
    for (const [isTest, [remark, outcome, hasMoved]] of [
      [false, plain],
      [true, test],
    ] as const) {
      const pair = await Pair.of(behaviour);
      expect(await pair.remark(isTest)).toBe(remark);
      expect(await pair.operate(isTest)).toBe(outcome);
      expect(await pair.shown()).toBe(hasMoved ? 1 : 0);
    }
  });

  it('who has control is not known until the device sets it, and refuses nobody until then', async () => {
    const said = async (pair: Pair, category: number) => {
      const asked = pair.bench.client.commandState(CONTROL, { originator_category: category }, exchangeContext());
      await pair.bench.rest();
      const found = (await asked).items.find(({ name }) => name === 'LocSta');
      return [english(found?.value ?? ''), found?.remark ? english(found.remark) : null];
    };
    const pair = await Pair.of(1);
    expect(await said(pair, 2)).toEqual(['not known', 'the device has not set it: a station or a remote centre may be refused']);
    expect(await pair.operate(false)).toBe('accepted');
    await pair.served.connection.execute({ point: STATION, step: 'operate', value: 0, options: {} }, context());
    expect(await said(pair, 2)).toEqual(['no', 'originator categories of the station (2 and 5) may be refused']);
    expect(await said(pair, 3)).toEqual(['no', null]);
    await pair.served.connection.execute({ point: STATION, step: 'operate', value: 0, options: { flags: ['IV'] } }, context());
    expect((await said(pair, 3))[0]).toBe('not known');
  });

  it.each([2, 3, 4, 5])('behaviour %i does not keep the mode from being changed', async (behaviour) => {
    const pair = await Pair.of(behaviour);
    expect(await pair.remark(false, MODE)).toBeNull();
    expect(await pair.operate(false, MODE, 1)).toBe('accepted');
    expect(await pair.shown(MODE_STATE)).toBe(1);
  });
});
