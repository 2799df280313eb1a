import { describe, expect, it } from 'vitest';
import type { Asdu } from '../codec/asdu.ts';
import { makeAsdu } from '../codec/make.ts';
import { yc, yx } from '../testing/client-bench.ts';
import { StationBench } from '../testing/station-bench.ts';

const ONE = { commonAddress: 1 };

describe('parameters', () => {
  const threshold = (value: number, qpm = 1, address = 100) =>
    makeAsdu({
      typeId: 112,
      cause: 6,
      ...ONE,
      objects: [{ kind: 'parameterFloat', address, value, qualifier: qpm, time: null }],
    });
  const activation = (value: number, address: number, cause = 6) =>
    makeAsdu({ typeId: 113, cause, ...ONE, objects: [{ kind: 'activation', address, value, time: null }] });
  const table = [yc(1, 100, 13, { protocol: { type_id: 13, dead_band: 2 } }), yc(2, 101, 13), yc(3, 200, 15), yx(4, 300), yx(5, 301)];
  const started = async (protocol = {}) => {
    const bench = new StationBench({ points: table, protocol });
    const client = await bench.connect().start();
    client.take();
    /** Sends one request; answers cause and sign. */
    const ask = async (asdu: Asdu) => {
      await client.send(asdu);
      const [answer] = client.asdus;
      client.take();
      return `${answer?.isTest ? 'T' : ''}${answer?.isNegative ? '-' : ''}${answer?.cause}`;
    };
    /** How many of the steps from 0 by 1 are sent. */
    const sent = async (steps: number) => {
      await bench.set(1, 1000);
      await bench.set(1, 0);
      client.take();
      for (let step = 1; step <= steps; step++) await bench.set(1, step);
      const { length } = client.asdus;
      client.take();
      return length;
    };
    /** Addresses of the states in the next cyclic transmission. */
    const cyclic = async () => {
      await bench.clock.advance(10_000);
      const addresses = client.asdus.flatMap(({ cause, objects }) => (cause === 1 ? objects.map(({ address }) => address) : []));
      client.take();
      return addresses.filter((address) => address >= 300);
    };
    return { bench, ask, sent, cyclic };
  };

  it('a threshold holds at once instead of the dead band, also when the table changes', async () => {
    const { bench, ask, sent } = await started();
    expect(await sent(12)).toBe(6);
    expect(await ask(threshold(4))).toBe('7');
    expect(await sent(12)).toBe(3);
    bench.station.pointsChanged([...table, yx(9, 9)]);
    expect(await sent(12)).toBe(3);
  });

  it('one that is not in operation waits for its activation, of the object or of all, and is taken out again', async () => {
    const { ask, sent } = await started();
    expect([await ask(activation(2, 100)), await ask(activation(1, 0))]).toEqual(['-7', '-7']);
    expect(await ask(threshold(6, 0x81))).toBe('7');
    expect(await sent(12)).toBe(6);
    expect([await ask(activation(2, 101)), await ask(activation(2, 100))]).toEqual(['-7', '7']);
    expect(await sent(12)).toBe(2);
    expect([await ask(activation(1, 0, 8)), await sent(12)]).toEqual(['9', 6]);
    expect([await ask(activation(1, 0)), await sent(12)]).toEqual(['7', 2]);
    expect([await ask(activation(2, 100, 8)), await ask(activation(2, 100, 8)), await sent(12)]).toEqual(['9', '-9', 6]);
  });

  it('a test (T) loads, activates and takes out nothing, and is answered as the real request would be', async () => {
    const { ask, sent } = await started();
    const test = (asdu: Asdu) => ask({ ...asdu, isTest: true });
    expect([await test(threshold(4)), await sent(12)]).toEqual(['T7', 6]);
    // not loaded for a later activation either
    expect([await test(threshold(6, 0x81)), await ask(activation(2, 100))]).toEqual(['T7', '-7']);
    expect([await test(activation(2, 100)), await test(threshold(1, 1, 999)), await test(activation(7, 100))]).toEqual([
      'T-7',
      'T-47',
      'T-7',
    ]);
    expect([await ask(threshold(6, 0x81)), await test(activation(2, 100)), await sent(12)]).toEqual(['7', 'T7', 6]);
    expect([await ask(activation(1, 0)), await sent(12)]).toEqual(['7', 2]);
    expect([await test(activation(1, 0, 8)), await sent(12)]).toEqual(['T9', 2]);
    expect([await test(activation(2, 100, 8)), await sent(12)]).toEqual(['T9', 2]);
  });

  it('a test (T) begins and ends no cyclic transmission', async () => {
    const { ask, cyclic } = await started({ cyclic_s: 10 });
    expect([await ask(activation(3, 300)), await cyclic()]).toEqual(['7', [300]]);
    expect([await ask({ ...activation(3, 300, 8), isTest: true }), await cyclic()]).toEqual(['T9', [300]]);
    expect([await ask({ ...activation(3, 301), isTest: true }), await cyclic()]).toEqual(['T7', [300]]);
  });

  it('what is unknown or means nothing is refused', async () => {
    const { ask } = await started();
    const answers = [];
    for (const asdu of [
      threshold(1, 1, 999),
      threshold(1, 1, 200),
      activation(1, 100),
      activation(2, 999),
      activation(3, 200),
      activation(7, 100),
      { ...threshold(1), cause: 8 },
      activation(3, 100, 5),
    ]) {
      answers.push(await ask(asdu));
    }
    expect(answers).toEqual(['-47', '-47', '-47', '-47', '-7', '-7', '-45', '-45']);
  });
});
