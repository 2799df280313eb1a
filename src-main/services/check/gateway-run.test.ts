import { describe, expect, it } from 'vitest';
import type { CheckResult } from '#shared/contract/check.ts';
import { AppError } from '#shared/domain/errors.ts';
import { english, quoted, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { taskConfig } from '../../runtime/testing/harness.ts';
import { type GatewayOptions, GatewayRun } from './gateway-run.ts';
import { resultRow } from './results.ts';
import { OwnBench, yc, yx } from './testing/own-bench.ts';
import { SimulatedDevice } from './testing/simulated-device.ts';

/** What the gateway shows above of a value that was set below; undefined: nothing of it. */
type Wire = (value: number) => number | undefined;
const straight: Wire = (value) => value;

/** A gateway between a simulated device and the points of a channel: each code by its wire, to the point of the same code unless `to` names another. */
class Site {
  readonly own: OwnBench;
  readonly below: SimulatedDevice;
  readonly wires: Record<string, Wire> = {};
  readonly to: Record<string, string> = {};
  /** Each value that was set, before it is above. */
  onSet: (code: string, value: number) => void = () => {};

  private constructor(own: OwnBench) {
    this.own = own;
    const { channel, plant } = own.bench;
    plant.value = 0;
    this.below = new SimulatedDevice(channel.driver, new Map(own.items.map(({ pointId }) => [pointId, 0])));
    this.below.onSet = ({ code }, value) => {
      this.onSet(code, value);
      const shown = (this.wires[code] ?? straight)(value);
      if (shown !== undefined) plant.values.set(own.item(this.to[code] ?? code).pointId, shown);
    };
  }

  static async open(rows: Parameters<typeof OwnBench.open>[0]): Promise<Site> {
    return new Site(await OwnBench.open(rows));
  }

  begin(options: Partial<GatewayOptions> = {}): GatewayRun {
    const { deps, check, items, bench } = this.own;
    const pairs = items.map((item) => ({ item, below: bench.channel.points.config(item.pointId) ?? expect.fail() }));
    const asked = { operator: 'Li', tolerance: 0, percent: 0, settleMs: 300, withinMs: 3000 };
    return new GatewayRun(deps, check, { ...asked, below: this.below.channel, items: pairs, ...options });
  }

  /** To its end. */
  async end(run: GatewayRun): Promise<Record<string, unknown[]>> {
    for (let look = 0; run.isRunning && look < 4000; look++) await this.own.clock.advance(20);
    expect(run.isRunning).toBe(false);
    const codes = new Map(this.own.items.map(({ uuid, code }) => [uuid, code]));
    return Object.fromEntries(this.own.stored.map((entry) => [codes.get(entry.item), told(resultRow(entry))]));
  }

  trace(options: Partial<GatewayOptions> = {}): Promise<Record<string, unknown[]>> {
    return this.end(this.begin(options));
  }
}
const told = ({ verdict, findings, remark }: CheckResult) => [
  verdict,
  ...findings.map(({ name }) => name),
  ...(remark === '' ? [] : [remark]),
];
const passed = ['passed'];

describe('the test of a gateway', () => {
  it('passes what arrives, with both sides of it, and leaves the values below as they were', async () => {
    const site = await Site.open([yc('P'), yx('S')]);
    site.below.values.set(1, 77);
    const run = site.begin();
    expect(run.snapshot()).toMatchObject({ way: 'unattended', state: 'running', total: 2, position: 0, item: null, error: null });
    expect(await site.end(run)).toEqual({ P: passed, S: passed });
    expect(run.snapshot()).toMatchObject({ position: 2, done: 2, error: null });
    const [p, s] = site.own.stored.map(resultRow);
    expect(p).toMatchObject({
      seen: [
        { channel_id: 9, code: 'P', value: 10_000, is_reference: true },
        { channel_id: 1, code: 'P', value: 10_000 },
      ],
      expectation: { kind: 'values', references: [{ value: 10_000, tolerance: 0, percent: 0 }] },
    });
    // each state once, on both sides
    expect(s?.seen.map(({ value }) => value)).toEqual([1, 1, 0, 0]);
    expect(site.below.set.slice(-2)).toEqual([
      ['P', 77],
      ['S', 0],
    ]);
    expect(site.own.clock.pending).toBe(0);
  });

  it('compares states exactly, however far measurements may be off', async () => {
    for (const near of [{ tolerance: 5 }, { percent: 100 }]) {
      const site = await Site.open([yx('S'), yx('T'), yx('U')]);
      Object.assign(site.wires, { S: () => undefined, U: (value: number) => 1 - value });
      expect(await site.trace(near)).toEqual({ S: ['failed', 'dead'], T: passed, U: ['failed', 'swapped'] });
      expect(resultRow(site.own.stored[1] ?? expect.fail()).expectation).toEqual({
        kind: 'values',
        references: [1, 0].map((value) => ({ value, tolerance: 0, percent: 0 })),
      });
    }
  });

  it('takes a measurement that is within its tolerance, and no other one', async () => {
    const site = await Site.open([yc('P'), yc('Q'), yc('R')]);
    Object.assign(site.wires, { P: (value: number) => value + 3, Q: (value: number) => value - 3.5, R: (value: number) => value - 3 });
    expect(await site.trace({ tolerance: 3 })).toEqual({ P: passed, Q: ['failed', 'wrong_value'], R: passed });
  });

  it('compares an enumeration exactly, also one whose texts the device below alone has', async () => {
    const texts = { protocol: { enum_texts: { 0: 'off', 1: 'standby', 2: 'on' } } };
    const site = await Site.open([yc('E', texts), yc('F', texts), yc('G', texts)]);
    Object.assign(site.wires, { E: (value: number) => value + 1, F: (value: number) => value - 1 });
    const { points } = site.own.bench.channel;
    const run = site.begin({ tolerance: 3 });
    points.update({ ...(points.config(2) ?? expect.fail()), protocol: {} });
    expect(await site.end(run)).toEqual({ E: ['failed', 'wrong_value'], F: ['failed', 'wrong_value'], G: passed });
  });

  it('names what is missing, crossed, turned and scaled, and what stands there already is no arrival', async () => {
    const site = await Site.open([yc('P'), yc('Q'), yc('R'), yc('X'), yx('S'), yx('T'), yx('U')]);
    Object.assign(site.to, { P: 'Q', Q: 'P' });
    Object.assign(site.wires, {
      R: () => undefined,
      X: (value: number) => value * 10,
      S: (value: number) => 1 - value,
      T: () => undefined,
    });
    const found = await site.trace();
    expect(found).toEqual({
      ...{ P: ['failed', 'crossed'], Q: ['failed', 'crossed'], R: ['failed', 'dead'], X: ['failed', 'factor'] },
      ...{ S: ['failed', 'swapped'], T: ['failed', 'dead'], U: passed },
    });
    const results = site.own.stored.map(resultRow);
    const said = (at: number) => results[at]?.findings[0]?.said;
    expect(said(0)).toEqual(say('check.found_crossed_value', { value: 10_001, wanted: 10_000, code: 'Q' }));
    expect(said(2)).toEqual(say('check.found_not_arrived', { value: 0, wanted: 10_002, seconds: 3 }));
    expect(said(4)).toEqual(say('check.found_inverse'));
    // of the rounds of T the first of each state, and both are shown with what was above
    expect(results[5]?.seen.map(({ value }) => value)).toEqual([1, 0, 0, 0]);
  });

  it("calls a signal crossed that shows the states of another one in every round, and wrong where it shows nobody's", async () => {
    const site = await Site.open([yx('S'), yx('T'), yx('U'), yx('V')]);
    const { values } = site.own.bench.plant;
    site.below.onSet = ({ code, id }, value) => {
      if (code === 'S' || code === 'U') values.set(id, value);
      if (code === 'S') values.set(site.own.item('T').pointId, value);
      if (code === 'V') values.set(id, 2);
    };
    expect(await site.trace()).toEqual({ S: passed, T: ['failed', 'crossed'], U: passed, V: ['failed', 'wrong_value'] });
    expect(resultRow(site.own.stored[1] ?? expect.fail()).findings[0]?.said.params).toMatchObject({ code: 'S' });
  });

  it('keeps the round in which a signal was wrong, where the first of each state were right', async () => {
    const site = await Site.open(['S', 'T', 'U', 'V', 'W'].map((code) => yx(code)));
    let round = 0;
    site.onSet = (code) => {
      if (code === 'T') round += 1;
    };
    // its states are 1, 1, 0 and 0
    site.wires.T = (value) => (round === 4 ? 1 - value : value);
    expect((await site.trace()).T).toEqual(['failed', 'wrong_value']);
    const { seen, expectation } = resultRow(site.own.stored[1] ?? expect.fail());
    expect(seen.map(({ value }) => value)).toEqual([1, 1, 0, 0, 0, 1]);
    expect(expectation.kind === 'values' && expectation.references.length).toBe(2);
  });

  it('passes no point that was not there in one of the rounds, and none that was read from another place in one', async () => {
    const happens: ((site: Site, round: number) => void)[] = [
      ({ own: { bench } }, round) => {
        const { points } = bench.channel;
        const config = points.config(1) ?? kept;
        kept = config;
        if (round === 1) points.remove([1]);
        else if (round === 2) {
          points.add([config ?? expect.fail()]);
          bench.plant.values.set(1, 1);
        }
      },
      ({ own: { bench } }, round) => {
        const { points } = bench.channel;
        if (round > 0) points.update({ ...(points.config(1) ?? expect.fail()), address: round === 1 ? 77 : 1 });
      },
    ];
    let kept: ReturnType<OwnBench['bench']['channel']['points']['config']>;
    for (const happen of happens) {
      const site = await Site.open([yx('S'), yx('T'), yx('U')]);
      let round = 0;
      site.onSet = (code) => {
        if (code === 'S') happen(site, round++);
      };
      const found = await site.trace({ withinMs: 1000 });
      expect(found).toEqual({ S: ['blocked', expect.stringContaining('S')], T: passed, U: passed });
    }
  });

  it('takes a state that stood there already for none that arrived, where nothing was received in that round', async () => {
    const site = await Site.open([yx('S'), yx('T')]);
    const { plant } = site.own.bench;
    for (const code of ['S', 'T']) site.own.read(code, 1);
    // the first answer comes in the second round
    plant.latencyMs = 3500;
    let sets = 0;
    site.onSet = () => {
      sets += 1;
      if (sets > 2) plant.latencyMs = 1;
    };
    expect(await site.trace()).toEqual({ S: ['failed', 'dead'], T: ['failed', 'dead'] });
    const { findings, seen } = resultRow(site.own.stored[0] ?? expect.fail());
    expect(findings[0]?.said).toEqual(say('check.found_not_arrived', { value: 1, wanted: 1, seconds: 3 }));
    expect(seen.map(({ value }) => value)).toEqual([1, 1, 0, 0]);
  });

  it('counts of two reads the second, where the first may answer what was asked before', async () => {
    for (const [settleMs, reads] of [
      [300, 2],
      [1000, 1],
    ] as const) {
      const site = await Site.open([yx('S')]);
      const { exchanges } = site.own.bench.plant;
      site.own.read('S', 1);
      const before: number[] = [];
      site.onSet = () => void before.push(exchanges.length);
      expect(await site.trace({ settleMs })).toEqual({ S: passed });
      // one that looks whether it is there, then those behind the settling
      expect((before[1] ?? 0) - (before[0] ?? 0)).toBe(1 + reads);
    }
  });

  it('blocks what a line did not bring that was lost in the round, also where it stands again at the end', async () => {
    const site = await Site.open([yc('P'), yx('S'), yx('T')]);
    let sets = 0;
    site.onSet = () => {
      sets += 1;
      // within the first round
      if (sets === 2) site.own.clock.after(150, () => site.own.bench.net.lose());
    };
    site.wires.P = () => undefined;
    const found = await site.trace({ withinMs: 5000 });
    expect(site.own.bench.channel.state().status).toBe('running');
    expect(found).toEqual({ P: ['blocked', expect.stringContaining('PCS 1')], S: passed, T: passed });
  });

  it('fails what is wrong in a round that is complete, and names the round that is not', async () => {
    const site = await Site.open([yx('S'), yx('T'), yx('U'), yx('V')]);
    const { own } = site;
    let sets = 0;
    site.onSet = () => {
      sets += 1;
      // within the second round of four
      if (sets === 5) own.clock.after(150, () => own.bench.net.lose());
    };
    Object.assign(site.wires, {
      S: (value: number) => 1 - value,
      T: () => undefined,
      U: (value: number) => (sets > 4 && sets < 9 ? 1 - value : value),
    });
    const found = await site.trace({ withinMs: 5000 });
    const lost = say('check.line_lost', { channel: 'PCS 1' });
    const remark = english(say('check.rounds_untold', { rounds: ['2'], all: 4, reason: lost }));
    expect(remark).toContain('2 of 4');
    expect(found).toEqual({
      ...{ S: ['failed', 'swapped', remark], T: ['failed', 'dead', remark] },
      ...{ U: ['blocked', remark], V: passed },
    });
    // nothing of the round that says nothing stands in the evidence
    expect(resultRow(own.stored[0] ?? expect.fail()).seen.map(({ value }) => value)).toEqual([1, 0, 0, 1]);
  });

  it('calls a signal crossed or turned only where the rounds that are complete leave nothing else', async () => {
    const codes = ['A', 'B', 'C', 'D', 'E', 'F', 'G'];
    // which of four rounds is lost, what one of them shows, and what is said of it
    for (const [lost, code, shows, finding] of [
      // turned, or what G has
      [0, 'B', (set: Record<string, number>) => 1 - (set.B ?? 0), 'wrong_value'],
      // what B has, or A
      [1, 'C', (set: Record<string, number>) => set.B, 'wrong_value'],
      // what D has, and nobody else
      [3, 'E', (set: Record<string, number>) => set.D, 'crossed'],
    ] as const) {
      const site = await Site.open(codes.map((each) => yx(each)));
      const { own } = site;
      const set: Record<string, number> = {};
      let sets = 0;
      site.below.onSet = (point, value) => {
        const { values } = own.bench.plant;
        set[point.code] = value;
        if (point.code !== code) values.set(point.id, value);
        const shown = shows(set);
        if (shown !== undefined) values.set(own.item(code).pointId, shown);
        if (sets++ === lost * codes.length) own.clock.after(150, () => own.bench.net.lose());
      };
      const found = await site.trace({ withinMs: 5000 });
      expect(found[code]).toEqual(['failed', finding, expect.stringContaining(`${lost + 1} of 4`)]);
    }
  });

  it('blocks what somebody else changed below, and fails it where another round shows it wrong', async () => {
    const site = await Site.open([yc('P'), yc('Q'), yx('S'), yx('T'), yx('U')]);
    const { own, below } = site;
    const other = (code: string, value: number) => {
      const { pointId } = own.item(code);
      below.values.set(pointId, value);
      own.bench.plant.values.set(pointId, value);
    };
    let sets = 0;
    site.onSet = () => {
      sets += 1;
      // within the first round
      if (sets === 5)
        own.clock.after(50, () => {
          other('P', 7);
          other('S', 0);
        });
      // within the second one
      if (sets === 7) own.clock.after(50, () => other('T', 0));
      // behind its arrival
      if (sets === 7) own.clock.after(900, () => below.values.set(own.item('U').pointId, 1));
    };
    site.wires.T = (value) => 1 - value;
    const changed = (code: string, value: number, wanted: number) => say('check.source_changed', { channel: 'Below', code, value, wanted });
    const missed = (rounds: string[], reason: Message) => english(say('check.rounds_untold', { rounds, all: 3, reason }));
    const run = site.begin();
    expect(await site.end(run)).toEqual({
      P: ['blocked', english(changed('P', 7, 10_000))],
      Q: passed,
      S: ['blocked', english(changed('S', 0, 1))],
      T: ['failed', 'dead', missed(['2', '3'], changed('T', 0, 1))],
      U: ['blocked', missed(['3'], say('check.source_left', { channel: 'Below', code: 'U' }))],
    });
    // it is theirs from then on: neither set any more nor put back
    expect(['P', 'Q', 'S', 'T', 'U'].map((code) => below.values.get(own.item(code).pointId))).toEqual([7, 0, 0, 0, 1]);
    expect(['P', 'S', 'T', 'U'].map((code) => below.set.filter(([each]) => each === code).length)).toEqual([1, 1, 2, 2]);
    expect(run.snapshot().error?.said).toEqual(say('check.changed_left', { codes: ['P', 'S', 'T', 'U'] }));
  });

  it('takes what arrived before somebody else changed it below', async () => {
    const site = await Site.open([yc('P')]);
    site.onSet = (_, value) => {
      if (value === 10_000) site.own.clock.after(50, () => site.below.values.set(1, 7));
    };
    const run = site.begin();
    expect(await site.end(run)).toEqual({ P: passed });
    expect([site.below.values.get(1), run.snapshot().error?.said]).toEqual([7, say('check.changed_left', { codes: ['P'] })]);
  });

  it('puts back what stood there right before the first set, and tells what nobody could and what somebody else changed apart', async () => {
    const site = await Site.open([yc('P'), yc('Q'), yc('R')]);
    const { below, own } = site;
    const run = site.begin({ withinMs: 1000 });
    // behind its start, before it has set anything
    below.values.set(1, 55);
    site.onSet = (code) => {
      if (code !== 'R') return;
      below.refused.add('Q');
      own.clock.after(600, () => below.values.set(3, 8));
    };
    await site.end(run);
    expect([...below.values.values()]).toEqual([55, 10_001, 8]);
    expect(run.snapshot().error?.said).toEqual(say('check.not_put_back_nor_changed', { codes: ['Q'], changed: ['R'] }));
  });

  it('puts back what was changed by what it has set into another point: they share a register', async () => {
    const site = await Site.open([yc('P'), yc('Q'), yx('S'), yx('T')]);
    const { below, own } = site;
    below.values.set(1, 5);
    below.values.set(2, 5);
    const run = site.begin({ withinMs: 1000 });
    site.onSet = (code, value) => {
      if (code === 'P' || code === 'Q') for (const id of [1, 2]) below.values.set(id, value);
    };
    // somebody changes something else meanwhile
    own.clock.after(100, () => below.values.set(4, 7));
    await site.end(run);
    expect([...below.values.values()]).toEqual([5, 5, 0, 7]);
    expect(run.snapshot().error?.said).toEqual(say('check.changed_left', { codes: ['T'] }));
  });

  it('calls no point changed by somebody whose device below was stopped: it could not be put back', async () => {
    const site = await Site.open([yc('P'), yx('S')]);
    const { below } = site;
    const run = site.begin({ withinMs: 1000 });
    await site.own.clock.advance(50);
    below.stop();
    await site.end(run);
    expect(run.snapshot().error?.said).toEqual(say('check.not_put_back', { codes: ['P', 'S'] }));
  });

  it('calls no point changed by somebody that was deleted below: it could not be put back', async () => {
    const site = await Site.open([yc('P'), yc('Q')]);
    const { below } = site;
    const run = site.begin({ withinMs: 1000 });
    site.onSet = (code) => {
      if (code !== 'Q' || below.refused.size > 0) return;
      below.values.delete(1);
      below.refused.add('P');
    };
    await site.end(run);
    expect(run.snapshot().error?.said).toEqual(say('check.not_put_back', { codes: ['P'] }));
  });

  it('fails what is wrong in the rounds in which its point was there, and names the one in which it was gone', async () => {
    for (const [wire, found] of [
      [straight, ['blocked']],
      [(value: number) => 1 - value, ['failed', 'swapped']],
    ] as const) {
      const site = await Site.open([yx('S'), yx('T'), yx('U')]);
      const { points } = site.own.bench.channel;
      const config = points.config(1) ?? expect.fail();
      site.wires.S = wire;
      let round = 0;
      site.onSet = (code) => {
        if (code !== 'S') return;
        round += 1;
        if (round === 2) points.remove([1]);
        if (round === 3) points.add([config]);
      };
      const remark = english(say('check.rounds_untold', { rounds: ['2'], all: 3, reason: say('check.point_gone', { code: 'S' }) }));
      expect(await site.trace({ withinMs: 1000 })).toEqual({ S: [...found, remark], T: passed, U: passed });
    }
  });

  it('sets a point below once for all items that are read of it', async () => {
    const site = await Site.open([yc('P'), yc('Q'), yx('S'), yx('T')]);
    const { own, below } = site;
    const { points } = own.bench.channel;
    own.read('Q', 10_000);
    own.bench.plant.values.set(2, 10_000);
    const pair = (code: string, id: number) => ({ item: own.item(code), below: points.config(id) ?? expect.fail() });
    const items = [pair('P', 1), pair('Q', 1), pair('S', 3), pair('T', 3)];
    below.onSet = ({ id }, value) => {
      own.bench.plant.values.set(id, value);
      own.bench.plant.values.set(id + 1, value);
    };
    expect(await site.trace({ items })).toEqual({ P: passed, Q: passed, S: passed, T: passed });
    // what stood above of any of them proves nothing
    expect(below.set[0]).toEqual(['P', 10_001]);
    expect(below.set.filter(([code]) => code === 'P')).toHaveLength(2);
  });

  it('blocks what is lost at the end', async () => {
    const site = await Site.open([yc('P')]);
    site.wires.P = () => undefined;
    const run = site.begin();
    await site.own.clock.advance(1000);
    Object.assign(site.own.bench.channel, { state: () => ({ status: 'reconnecting' }) });
    expect(await site.end(run)).toEqual({ P: ['blocked', expect.stringContaining('PCS 1')] });
  });

  it('fails what the device calls bad, with its quality and flags', async () => {
    const site = await Site.open([yc('P')]);
    site.own.bench.plant.moods.set(1, 'refuse');
    expect(await site.trace()).toEqual({ P: ['failed', 'bad_quality'] });
    expect(resultRow(site.own.stored[0] ?? expect.fail()).findings[0]?.said.params).toMatchObject({ quality: 'invalid' });
  });

  it('blocks what could not be set below, with its reason, whatever is seen of it', async () => {
    const site = await Site.open([yc('P'), yc('Q')]);
    site.below.refused.add('P');
    const run = site.begin();
    expect(await site.end(run)).toEqual({ P: ['blocked', expect.any(String)], Q: passed });
    expect(run.snapshot().error?.said).toEqual(say('check.not_put_back', { codes: ['P'] }));
  });

  it('blocks what has no value of its own', async () => {
    const site = await Site.open([yc('P'), yc('Q')]);
    Object.assign(site.own.bench.channel.driver, {
      checkValue({ code }: { code: string }) {
        if (code === 'P') throw new RangeError('no room');
      },
    });
    expect(await site.trace()).toEqual({ P: ['blocked', english(say('check.no_unique', { code: 'P' }))], Q: passed });
  });

  it('blocks what is gone at the end', async () => {
    const site = await Site.open([yc('P'), yx('S')]);
    const run = site.begin();
    await site.own.clock.advance(200);
    site.own.bench.channel.points.remove([1]);
    expect(await site.end(run)).toEqual({ P: ['blocked', expect.stringContaining('P')], S: passed });
  });

  it('starts no read beside a task that reads already', async () => {
    const site = await Site.open([yc('P')]);
    const { bench, clock } = site.own;
    bench.channel.startTask('automatic', taskConfig({ cycle_interval_ms: 1000 }));
    await clock.advance(500);
    const before = bench.plant.exchanges.length;
    const run = site.begin({ withinMs: 5000 });
    await clock.advance(400);
    expect(bench.plant.exchanges.length).toBe(before);
    expect(await site.end(run)).toEqual({ P: passed });
    const stopped = bench.channel.stop();
    await clock.advance(10_000);
    await stopped;
  });

  it('gives a value the time it is allowed, and then goes on', async () => {
    for (const [afterMs, verdict] of [
      [2500, passed],
      [8000, ['failed', 'dead']],
    ] as const) {
      const site = await Site.open([yc('P')]);
      const { plant } = site.own.bench;
      site.below.onSet = ({ id }, value) => void site.own.clock.after(afterMs, () => plant.values.set(id, value));
      expect(await site.trace()).toEqual({ P: verdict });
      await site.own.clock.advance(10_000);
    }
  });

  it('puts back and ends when it is stopped and when another project is opened, and enters nothing', async () => {
    for (const end of [(_: Site, run: GatewayRun) => run.stop(), ({ own }: Site) => own.leave()]) {
      const site = await Site.open([yc('P'), yc('Q')]);
      site.wires.P = () => undefined;
      const run = site.begin();
      await site.own.clock.advance(500);
      expect(site.below.values.get(1)).toBe(10_000);
      end(site, run);
      await site.own.clock.advance(200);
      expect([run.isRunning, run.snapshot().error, site.own.stored.length]).toEqual([false, null, 0]);
      expect([...site.below.values.values()]).toEqual([0, 0]);
      expect(site.own.logged).toEqual([]);
    }
  });

  it('judges nothing more while what it judged has no room, and says at the end what could not be put back', async () => {
    const rows = Array.from({ length: 60 }, (_, at) => yc(`P${at}`));
    const site = await Site.open(rows);
    const { own, below } = site;
    own.fault = new AppError('STATE_STORE_FULL', quoted('The disk is full.'));
    const run = site.begin();
    await own.clock.advance(5000);
    expect(run.snapshot()).toMatchObject({ state: 'running', waiting: 50, done: 0, error: { text: 'The disk is full.' } });
    below.refused.add('P7');
    run.stop();
    await own.clock.advance(500);
    expect(run.snapshot()).toMatchObject({ state: 'ended', waiting: 50, error: { text: 'The disk is full.' } });
    own.fault = null;
    await own.clock.advance(2000);
    expect(run.snapshot()).toMatchObject({
      waiting: 0,
      done: 50,
      error: { said: { code: 'check.not_put_back', params: { codes: ['P7'] } } },
    });
  });

  it('goes on with the rest when there is room again', async () => {
    const site = await Site.open(Array.from({ length: 60 }, (_, at) => yc(`P${at}`)));
    site.own.fault = new AppError('STATE_STORE_FULL', quoted('The disk is full.'));
    const run = site.begin();
    await site.own.clock.advance(5000);
    site.own.fault = null;
    expect(Object.values(await site.end(run))).toEqual(Array.from({ length: 60 }, () => passed));
    expect(run.snapshot()).toMatchObject({ done: 60, waiting: 0, error: null });
  });

  it('lets nobody decide beside it', async () => {
    const site = await Site.open([yc('P')]);
    const run = site.begin();
    await expect(run.decide('x', 'pass', '')).rejects.toMatchObject({ said: { code: 'check.no_run' } });
    await site.end(run);
  });
});
