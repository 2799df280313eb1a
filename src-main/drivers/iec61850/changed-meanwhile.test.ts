import { describe, expect, it } from 'vitest';
import { english } from '#shared/messages/index.ts';
import { exchangeContext } from '../testing/sinks.ts';
import { memoryOf } from './channel-memory.ts';
import { sclText } from './model/testing/files.ts';
import { ServedChannel } from './server/testing/served-channel.ts';
import { ClientBench, sclDocument, watched, yc } from './testing/client-bench.ts';

const TOTW = 'BAY1MEAS/MMXU1.TotW.mag.f[MX]';
const points = Array.from({ length: 1_200 }, (_, at) => yc(at + 1, TOTW));

/** The device of `bay.cid`, and one of which `instMag` and `mag`, both a structure of one FLOAT32, have changed places. */
const device = () => new ServedChannel({ document: sclDocument('bay.cid') });
function swappedDevice(): ServedChannel {
  const text = sclText('bay.cid').replace(/(<DA name="instMag"[^>]*>)(<DA name="mag"[^>]*>)/, '$2$1');
  return new ServedChannel({ document: { name: 'bay.cid', text } });
}

/** A client that knows the model of the device before, and has not yet asked the present one. */
async function beforeLearning(): Promise<ClientBench> {
  const { memory } = await ClientBench.open(device(), { points });
  return ClientBench.open(swappedDevice(), { memory, points, protocol: { learn_model: false } });
}

describe('a model that is learnt anew', () => {
  it('while a round is planned: no point has the value of its neighbour', async () => {
    const bench = await beforeLearning();
    const steps = bench.client.planSteps(points, { mode: 'batch', skipKnownHoles: false });
    for (let at = 0; at < 30; at++) expect(steps.next().done).toBe(false);
    await bench.operate('browse');
    let step = steps.next();
    while (!step.done) step = steps.next();
    const batches = [...step.value.batches];
    const values = new Set<unknown>();
    for (let batch = batches.shift(); batch; batch = batches.shift()) {
      const answer = bench.client.read(batch, exchangeContext());
      await bench.rest();
      const { readings, next } = await answer;
      for (const reading of readings) values.add(reading.kind === 'value' ? reading.value : reading.error.message);
      batches.unshift(...next);
    }
    expect([...values]).toEqual([1234.5]);
  });

  it('while the points of a large table are looked for in a data set: no point has the value of its neighbour', async () => {
    const bench = await beforeLearning();
    const { model: learnt } = (await ClientBench.open(swappedDevice())).model.index;
    const learn = () => {
      bench.model.use(learnt, 'device', 0);
      memoryOf(bench.memory).proven = null;
    };
    bench.client.pointsChanged(watched(points, 900, learn));
    const reading = bench.client.dataSets.read('BAY1LD0/LLN0$dsMeas', exchangeContext());
    await bench.rest();
    const { readings, values } = await reading;
    expect(values.get('BAY1MEAS/MMXU1$MX$TotW$mag$f')).toBe(1234.5);
    expect(readings).toHaveLength(points.length);
    expect(new Set(readings.map((each) => each.kind === 'value' && each.value))).toEqual(new Set([1234.5]));
  });

  it('before it is told: a report that comes then gives no point the value of its neighbour', async () => {
    const bench = await beforeLearning();
    const enable = (block: string) =>
      bench.operate('enable_report', { block, interrogate: true, triggers: ['data_change', 'general_interrogation'] });
    await enable('BAY1LD0/LLN0.urcbStat01[RP]');
    const { model: learnt } = (await ClientBench.open(swappedDevice())).model.index;
    bench.model.use(learnt, 'device', 0);
    bench.applied.length = 0;
    await enable('BAY1LD0/LLN0.brcbMeas[BR]');
    await bench.served.clock.advance(1_000);
    await bench.rest();
    expect(bench.applied).toHaveLength(points.length);
    expect(new Set(bench.applied.map((each) => each.kind === 'value' && each.value))).toEqual(new Set([1234.5]));
  });
});

describe('a model that was kept and is not compared', () => {
  const enable = (bench: ClientBench) =>
    bench.operate('enable_report', {
      block: 'BAY1LD0/LLN0.brcbMeas[BR]',
      interrogate: true,
      triggers: ['data_change', 'general_interrogation'],
    });
  const applied = (bench: ClientBench) => new Set(bench.applied.map((each) => (each.kind === 'value' ? each.value : each.error.message)));
  const reported = async (bench: ClientBench) => {
    bench.applied.length = 0;
    await bench.operate('interrogate_report', { block: 'BAY1LD0/LLN0.brcbMeas[BR]' });
    await bench.served.clock.advance(1_000);
    await bench.rest();
    return applied(bench);
  };

  it('gives values of reports where the device tells the same structures', async () => {
    const { memory } = await ClientBench.open(device(), { points });
    const bench = await ClientBench.open(device(), { memory, points, protocol: { learn_model: false } });
    await enable(bench);
    expect(await reported(bench)).toEqual(new Set([1234.5]));
    expect(bench.notices).toEqual([]);
  });

  it('gives none where the device has them in another order, until it is learnt; that is told', async () => {
    const bench = await beforeLearning();
    const { stages } = await enable(bench);
    const told = stages.map(({ detail }) => english(detail)).join();
    expect(told).toContain('in another order than the model');
    expect(told).toContain('BAY1MEAS/MMXU1$MX$TotW');
    expect(await reported(bench)).toEqual(new Set());
    await bench.operate('browse');
    expect(await reported(bench)).toEqual(new Set([1234.5]));
  });
});
