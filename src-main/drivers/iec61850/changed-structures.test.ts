import { describe, expect, it } from 'vitest';
import { exchangeContext } from '../testing/sinks.ts';
import { memoryOf } from './channel-memory.ts';
import { sclText } from './model/testing/files.ts';
import { ServedChannel } from './server/testing/served-channel.ts';
import { ClientBench, type ClientBenchOptions, sclDocument, yc, yx } from './testing/client-bench.ts';

const TOTW = yc(1, 'BAY1MEAS/MMXU1.TotW.mag.f[MX]');
const IND1 = yx(2, 'BAY1LD0/GGIO1.Ind1.stVal[ST]');
const IND2 = yx(3, 'BAY1LD0/GGIO1.Ind2.stVal[ST]');
const BEH = yx(4, 'BAY1LD0/GGIO1.Beh.stVal[ST]');
const MINE = 'BAY1LD0/LLN0$dsMine';

async function readSet(bench: ClientBench, name: string) {
  const reading = bench.client.dataSets.read(name, exchangeContext());
  reading.catch(() => undefined);
  await bench.rest();
  return reading;
}

/** The same device, by its names and revisions, before `instMag` was added in front of `mag`. */
function olderDevice(): ServedChannel {
  const text = sclText('bay.cid').replace(/<DA name="instMag"[^>]*>/, '');
  return new ServedChannel({ document: { name: 'bay.cid', text } });
}
const newerDevice = () => new ServedChannel({ document: sclDocument('bay.cid') });

/** The device, as it is behind a client that compared its structures and goes on with the model of the older one. */
async function changedMeanwhile(options: ClientBenchOptions = {}): Promise<ClientBench> {
  const { memory } = await ClientBench.open(olderDevice());
  const bench = await ClientBench.open(newerDevice(), { ...options, memory, protocol: { learn_model: false } });
  memoryOf(memory).proven = null;
  return bench;
}

describe('a device whose structures have changed under the same revision', () => {
  it('is read by the names of its attributes: no value is taken from the place of another one', async () => {
    const bench = await changedMeanwhile();
    for (let round = 0; round < 3; round++) expect(await bench.value(TOTW)).toMatchObject({ value: 1234.5, quality: 'good' });
    const leaves = ['mag$f', 'q', 't'].map((leaf) => `BAY1MEAS/MMXU1$MX$TotW$${leaf}`);
    const asked = bench.reads().map(({ names }) => names);
    // the structure and the data set that holds it once each
    expect(asked).toEqual([['BAY1MEAS/MMXU1$MX$TotW'], leaves, ['BAY1LD0/LLN0$dsMeas'], leaves, leaves]);
  });

  it('its data sets are read by the names of their members', async () => {
    const bench = await changedMeanwhile({ points: [TOTW] });
    const { values, readings } = await readSet(bench, 'BAY1LD0/LLN0$dsMeas');
    expect(values.get('BAY1MEAS/MMXU1$MX$TotW$mag$f')).toBe(1234.5);
    expect(readings).toMatchObject([{ kind: 'value', pointId: 1, value: 1234.5, quality: 'good' }]);
  });
});

describe('a device of whose structures parts of one kind have changed places under the same revision', () => {
  /** `instMag` and `mag` are both a structure of one FLOAT32. */
  function swappedDevice(): ServedChannel {
    const text = sclText('bay.cid').replace(/(<DA name="instMag"[^>]*>)(<DA name="mag"[^>]*>)/, '$2$1');
    expect(text).not.toBe(sclText('bay.cid'));
    return new ServedChannel({ document: { name: 'bay.cid', text } });
  }

  it.each([[[TOTW]], [[]]])(
    'is learnt anew at the next connection, and gives no point the value of its neighbour (table of %#)',
    async (points) => {
      const first = await ClientBench.open(newerDevice(), { points });
      expect(await first.value(TOTW)).toMatchObject({ value: 1234.5 });
      const bench = await ClientBench.open(swappedDevice(), { memory: first.memory, points });
      expect(bench.model.status).toMatchObject({ state: 'known', source: 'device' });
      for (let round = 0; round < 3; round++) expect(await bench.value(TOTW)).toMatchObject({ value: 1234.5, quality: 'good' });
    },
  );

  it('is read by names until its structures are compared, and where they are not', async () => {
    const first = await ClientBench.open(newerDevice());
    const bench = await ClientBench.open(swappedDevice(), { memory: first.memory, points: [TOTW], protocol: { learn_model: false } });
    expect(bench.asked).toEqual([]);
    expect(await bench.value(TOTW)).toMatchObject({ value: 1234.5, quality: 'good' });
    expect(bench.reads().map(({ names }) => names)).toEqual([['mag$f', 'q', 't'].map((leaf) => `BAY1MEAS/MMXU1$MX$TotW$${leaf}`)]);
  });

  it('is read as a whole where it is the same', async () => {
    const first = await ClientBench.open(newerDevice());
    const bench = await ClientBench.open(newerDevice(), { memory: first.memory, points: [TOTW] });
    expect(bench.model.status.source).toBe('cache');
    await bench.value(TOTW);
    expect(bench.reads().at(-1)?.names).toEqual(['BAY1MEAS/MMXU1$MX$TotW']);
  });
});

describe('a data set that another client has made anew with other members of the same kind', () => {
  const members = (...objects: readonly string[]) => objects.map((object) => `BAY1LD0/GGIO1.${object}[ST]`);

  async function redefined() {
    const served = newerDevice();
    const points = [IND1, IND2, BEH];
    const bench = await ClientBench.open(served, { points });
    await bench.operate('create_data_set', { name: MINE, members: members('Ind1', 'Ind2', 'Beh') });
    const own = await bench.read(points);
    expect(own.get(IND1.id)).toMatchObject({ kind: 'value', value: 1 });
    expect((await readSet(bench, MINE)).readings).toHaveLength(3);
    const other = await ClientBench.open(served);
    await other.operate('delete_data_set', { name: MINE });
    await other.operate('create_data_set', { name: MINE, members: members('Ind2', 'Ind1', 'Beh') });
    return { bench, points };
  }

  it('gives no point the value of another one in batches', async () => {
    const { bench, points } = await redefined();
    const readings = await bench.read(points);
    expect([IND1, IND2].map(({ id }) => readings.get(id))).toMatchObject([{ value: 1 }, { value: 0 }]);
  });

  it('is read with the members it has now', async () => {
    const { bench } = await redefined();
    const { values, readings } = await readSet(bench, MINE);
    expect(values.get('BAY1LD0/GGIO1$ST$Ind1$stVal')).toBe(true);
    expect(values.get('BAY1LD0/GGIO1$ST$Ind2$stVal')).toBe(false);
    const readingFor = ({ id }: { readonly id: number }) => readings.find(({ pointId }) => pointId === id);
    expect([IND1, IND2].map(readingFor)).toMatchObject([{ value: 1 }, { value: 0 }]);
  });
});
