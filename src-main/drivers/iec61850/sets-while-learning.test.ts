import { describe, expect, it } from 'vitest';
import { exchangeContext } from '../testing/sinks.ts';
import { memoryOf } from './channel-memory.ts';
import { sclText } from './model/testing/files.ts';
import type { ServerFaults } from './server/faults.ts';
import { ServedChannel } from './server/testing/served-channel.ts';
import { ClientBench, type ClientBenchOptions, yx } from './testing/client-bench.ts';

const STAT = 'BAY1LD0/LLN0$dsStat';
const MEAS = 'BAY1LD0/LLN0$dsMeas';
const document = { name: 'bay.cid', text: sclText('bay.cid') };
const bay = (faults: ServerFaults = {}) => new ServedChannel({ document, faults });

/** A client behind its association, and whether the data sets of its device are known: nothing yet, `known`, or why not. */
async function opened(faults: ServerFaults, options: ClientBenchOptions = {}) {
  const bench = new ClientBench(bay(faults), options);
  const started = bench.start();
  await bench.served.clock.advance((faults.delayMs ?? 0) * 2);
  await started;
  const stop = new AbortController();
  const seen = { known: '' };
  const waiting = () => {
    seen.known = '';
    void bench.client.dataSets.learnt(stop.signal).then(
      () => (seen.known = 'known'),
      ({ code, message }: Error & { code: string }) => (seen.known = `${code} ${message}`),
    );
  };
  waiting();
  return { bench, stop, seen, waiting, advance: (ms: number) => bench.served.clock.advance(ms) };
}

describe('who reads data sets while the model is learnt', () => {
  it('waits for a device that answers late, and then has their names', async () => {
    const { bench, seen, advance } = await opened({ delayMs: 1000 });
    await advance(2000);
    expect([seen.known, bench.client.dataSets.names()]).toEqual(['', []]);
    await advance(30_000);
    expect([seen.known, bench.client.dataSets.names()]).toEqual(['known', [MEAS, STAT]]);
  });

  it('does not wait for Identify, which this device never answers', async () => {
    const { bench, seen, advance } = await opened({ silent: ['identify'] });
    await advance(0);
    expect([seen.known, bench.client.dataSets.names()]).toEqual(['known', [MEAS, STAT]]);
  });

  it('waits a minute for a device that is slower, is told how far it is, and finds the names later', async () => {
    const { bench, seen, waiting, advance } = await opened({ delayMs: 9000 }, { protocol: { max_outstanding: 1 } });
    await advance(59_000);
    expect(seen.known).toBe('');
    await advance(2000);
    expect(seen.known).toMatch(/^TIMEOUT_RESPONSE .*still being learnt after 60 s \(\d+ of \d+ steps\)/);
    for (let minute = 0; minute < 20 && seen.known !== 'known'; minute++) {
      waiting();
      await advance(61_000);
    }
    expect([seen.known, bench.client.dataSets.names()]).toEqual(['known', [MEAS, STAT]]);
  });

  it('is told why a silent device is not known', async () => {
    const { bench, seen, advance } = await opened({ silent: ['get-name-list'] });
    await advance(50_000);
    expect(seen.known).toMatch(
      /^TIMEOUT_RESPONSE The data sets of the device are not known, because its model could not be learnt: .*did not answer/,
    );
    expect(bench.client.dataSets.names()).toEqual([]);
  });

  it('is told at once when the connection ends meanwhile', async () => {
    const { seen, advance } = await opened({ closeAfterAnswers: 6 });
    await advance(0);
    expect(seen.known).toMatch(/^(TRANSPORT|PROTOCOL|FRAME|CANCELLED)\w* The data sets of the device are not known/);
  });

  it('ends its wait at once when it is stopped', async () => {
    const { seen, stop, advance } = await opened({ delayMs: 1000 });
    stop.abort();
    await advance(0);
    expect(seen.known).toMatch(/^CANCELLED/);
  });

  it('is told where nobody asks for the model', async () => {
    const { seen, advance } = await opened({}, { protocol: { learn_model: false } });
    await advance(0);
    expect(seen.known).toMatch(/^STATE_CONFLICT .*learn_model/);
  });

  it('has the names of the file where nobody asks for the model', async () => {
    const { bench, seen, advance } = await opened({}, { protocol: { learn_model: false }, document });
    await advance(0);
    expect([seen.known, bench.client.dataSets.names()]).toEqual(['known', [STAT, MEAS]]);
  });
});

describe('a data set that another client made since the model was learnt', () => {
  const OURS = 'BAY1LD0/LLN0$dsTheirs';
  const IND2 = yx(1, 'BAY1LD0/GGIO1.Ind2.stVal[ST]');

  async function made(protocol: Readonly<Record<string, unknown>> = {}) {
    const served = bay();
    const bench = await ClientBench.open(served, { points: [IND2], protocol });
    const other = await ClientBench.open(served);
    await other.operate('create_data_set', { name: OURS, members: ['BAY1LD0/GGIO1.Ind2[ST]'] });
    const run = async <Answer>(asked: Promise<Answer>) => {
      asked.catch(() => undefined);
      await bench.rest();
      return asked;
    };
    return {
      bench,
      find: (name: string) => run(bench.client.dataSets.find(name, exchangeContext())),
      read: () => run(bench.client.dataSets.read(OURS, exchangeContext())),
    };
  }

  it.each([true, false])('is found by its name in any spelling, listed, and read (learn_model %s)', async (learn_model) => {
    const { bench, find, read } = await made({ learn_model });
    expect(bench.client.dataSets.names()).not.toContain(OURS);
    expect(await find('BAY1LD0/LLN0.dsTheirs')).toBe(true);
    expect(bench.client.dataSets.names()).toEqual(learn_model ? [MEAS, STAT, OURS] : [OURS]);
    if (learn_model) expect(bench.model.dataSets().at(-1)).toEqual({ name: OURS, members: ['BAY1LD0/GGIO1$ST$Ind2'], isDeletable: true });
    const { readings, values } = await read();
    // without a model it is not known where the point lies in the member
    expect(readings).toMatchObject(learn_model ? [{ pointId: 1, value: 0 }] : []);
    expect([...values.keys()][0]).toContain('BAY1LD0/GGIO1$ST$Ind2');
    // its members are those that were asked for to find it
    expect(bench.count('names')).toBe(learn_model ? 7 : 0);
  });

  it.each(['found', 'made here'])('changes nothing of another one that is not read by its places any more (%s)', async (which) => {
    const { bench, find } = await made();
    const { unreadableSets } = memoryOf(bench.memory).limits;
    // its members are others than the model has: batches read its points by their names
    for (const name of [STAT, 'BAY1MEAS/LLN0$dsOld']) unreadableSets.add(name);
    if (which === 'found') await find(OURS);
    else await bench.operate('create_data_set', { name: 'BAY1LD0/LLN0$dsOurs', members: ['BAY1LD0/GGIO1.Ind1[ST]'] });
    // those of the logical device were asked for anew
    expect([...unreadableSets]).toEqual(which === 'found' ? [STAT, 'BAY1MEAS/LLN0$dsOld'] : ['BAY1MEAS/LLN0$dsOld']);
  });

  it('is listed by browse', async () => {
    const { bench } = await made();
    await bench.operate('browse');
    expect(bench.client.dataSets.names()).toContain(OURS);
  });

  it('is not found where there is none, and a device that does not answer says so', async () => {
    const { bench, find } = await made();
    const asked = bench.count('directory');
    expect(await find('BAY1LD0/LLN0.dsNobody')).toBe(false);
    expect(await find('no/name/of a set!')).toBe(false);
    expect(bench.count('directory') - asked).toBe(1);
    expect(bench.client.dataSets.names()).toEqual([MEAS, STAT]);
    const silent = await ClientBench.open(bay({ silent: ['get-named-variable-list-attributes'] }), { protocol: { learn_model: false } });
    const finding = silent.client.dataSets.find(OURS, exchangeContext());
    finding.catch(() => undefined);
    await silent.served.clock.advance(60_000);
    await expect(finding).rejects.toMatchObject({ code: 'TIMEOUT_RESPONSE' });
    expect(silent.client.dataSets.names()).toEqual([]);
  });
});
