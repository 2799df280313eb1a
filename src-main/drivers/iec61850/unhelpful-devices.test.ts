import { describe, expect, it } from 'vitest';
import type { PointConfig } from '../spi/index.ts';
import { exchangeContext } from '../testing/sinks.ts';
import { sclText } from './model/testing/files.ts';
import type { ServerFaults } from './server/faults.ts';
import { ServedChannel } from './server/testing/served-channel.ts';
import { ClientBench, type ClientBenchOptions, sclDocument, yc, yx } from './testing/client-bench.ts';

const IND1 = yx(1, 'BAY1LD0/GGIO1.Ind1.stVal[ST]');
const POS = yx(2, 'BAY1LD0/Q1CSWI1.Pos.stVal[ST]');
const TOTW = yc(3, 'BAY1MEAS/MMXU1.TotW.mag.f[MX]');
const BEH = yx(4, 'BAY1LD0/GGIO1.Beh.stVal[ST]');
const bay = (faults: ServerFaults = {}) => new ServedChannel({ document: sclDocument('bay.cid'), faults });

async function readSet(bench: ClientBench, name: string) {
  const reading = bench.client.dataSets.read(name, exchangeContext());
  reading.catch(() => undefined);
  await bench.rest();
  return reading;
}

describe('data sets and specificationWithResult', () => {
  it.each([
    ['demanded', [true, true]],
    ['refused', [true, false, false]],
    [undefined, [true, true]],
  ] as const)('%s by the device: read all the same, and so from then on', async (listSpecification, forms) => {
    const bench = await ClientBench.open(bay(listSpecification ? { listSpecification } : {}), { points: [IND1] });
    expect((await readSet(bench, 'BAY1LD0/LLN0$dsStat')).values.get('BAY1LD0/GGIO1$ST$Ind1$stVal')).toBe(true);
    expect((await readSet(bench, 'BAY1LD0/LLN0$dsStat')).readings).toMatchObject([{ pointId: 1, value: 1 }]);
    const lists = bench.reads().filter(({ names }) => names[0]?.includes('LLN0$ds'));
    expect(lists.map(({ withSpecification }) => withSpecification)).toEqual(forms);
  });

  it('a data set that is not there is asked for once', async () => {
    const bench = await ClientBench.open(bay({ listSpecification: 'demanded' }));
    await expect(readSet(bench, 'BAY1LD0/LLN0$none')).rejects.toMatchObject({ code: 'DEVICE_EXCEPTION' });
    expect(bench.reads().filter(({ names }) => names[0]?.includes('none'))).toEqual([]);
  });
});

describe('another number of results than was asked for', () => {
  it.each([3, 5])('a device that answers at most %i: smaller requests, and everything is read', async (mostResults) => {
    const bench = await ClientBench.open(bay({ mostResults }), { points: [IND1, POS, TOTW, BEH] });
    const table = [IND1, POS, TOTW, BEH, yx(5, 'BAY1LD0/GGIO1.Ind2.stVal[ST]'), yc(6, 'BAY1MEAS/MMTR1.TotWh.actVal[ST]')];
    const readings = await bench.read(table);
    expect([...readings.values()].map(({ kind }) => kind)).toEqual(table.map(() => 'value'));
    const { values } = await readSet(bench, 'BAY1LD0/LLN0$dsStat');
    expect(values.get('BAY1LD0/Q1CSWI1$ST$Pos$stVal')).toBe('on');
    const before = bench.count('read');
    await bench.read(table);
    expect(bench.count('read') - before).toBeLessThanOrEqual(table.length);
  });

  it('an empty list of results fails the points, each with its reason, and nothing is taken for a value', async () => {
    const bench = await ClientBench.open(bay({ mostResults: 0 }), { points: [IND1, POS] });
    const readings = await bench.read([IND1, POS]);
    for (const id of [1, 2]) {
      expect(readings.get(id)).toMatchObject({
        kind: 'failure',
        error: { code: 'PROTOCOL_MISMATCH', message: expect.stringMatching(/answered 0 results to \d/) },
      });
    }
    await expect(readSet(bench, 'BAY1LD0/LLN0$dsStat')).rejects.toMatchObject({ code: 'PROTOCOL_MISMATCH' });
    const { outcome } = await bench.operate('read_attribute', { reference: 'BAY1LD0/GGIO1.Ind1[ST]' });
    expect(outcome).toBe('rejected');
  });
});

describe('an Identify that never comes', () => {
  it.each([5, 1])('keeps nothing waiting with a window of %i, and is told once', async (window) => {
    const served = bay({ silent: ['identify'] });
    const options: ClientBenchOptions = { protocol: { max_outstanding: window }, document: sclDocument('bay.cid') };
    const bench = new ClientBench(served, options);
    await bench.start();
    // the clock has not moved
    expect(bench.model.status).toMatchObject({ state: 'known', source: 'device', identity: null });
    if (window > 1) expect(await bench.value(TOTW)).toMatchObject({ value: 1234.5 });
    await served.clock.advance(1100);
    await bench.rest();
    expect(bench.notices).toEqual([
      expect.stringMatching(/^The model of the device was learnt without its vendor, model and revision \(Identify\)\. /),
    ]);
    expect(bench.losses).toEqual([]);
    const again = new ClientBench(served, { ...options, memory: bench.memory });
    await again.start();
    expect(again.model.status).toMatchObject({ state: 'known', source: 'cache' });
    await served.clock.advance(1100);
    await again.rest();
    expect(again.notices).toEqual([]);
  });

  it('another device behind the same names and revisions is learnt anew', async () => {
    const first = await ClientBench.open(bay());
    const text = sclText('bay.cid').replace('manufacturer="ACME"', 'manufacturer="Other"');
    const other = await ClientBench.open(new ServedChannel({ document: { name: 'bay.cid', text } }), { memory: first.memory });
    expect(other.model.status).toMatchObject({ state: 'known', source: 'device', identity: { vendor: 'Other' } });
    expect(other.count('type')).toBe(3 + 10);
  });

  it('logical devices in another order are the same device', async () => {
    const first = await ClientBench.open(bay());
    const kept = new Map(first.memory);
    const { fingerprint } = (await import('./channel-memory.ts')).memoryOf(kept);
    if (!fingerprint) throw new Error('nothing was learnt');
    Object.assign(fingerprint, { domains: new Set([...fingerprint.domains].reverse()) });
    const again = await ClientBench.open(bay(), { memory: kept });
    expect(again.model.status.source).toBe('cache');
  });
});

describe('small PDUs', () => {
  const keys = (bench: ClientBench) => {
    const found: string[] = [];
    const visit = (reference: string | null) => {
      for (const node of bench.model.children(reference) ?? []) {
        if (node.childCount === 0 && node.key !== null) found.push(node.key);
        visit(node.reference);
      }
    };
    visit(null);
    return found.sort();
  };

  it.each([1000, 400, 200])('of %i octets: no attribute of the model is missing, and every point reads the same', async (max_pdu_size) => {
    const whole = await ClientBench.open(bay());
    const bench = await ClientBench.open(bay(), { protocol: { max_pdu_size } });
    expect(keys(bench)).toEqual(keys(whole));
    expect(bench.model.status.counts.attributes).toBe(whole.model.status.counts.attributes);
    expect(bench.notices.filter((text) => !text.includes('data set'))).toEqual([]);
    const leaves = keys(whole).filter((key) => /\$(ST|MX|CF|DC)\$/.test(key));
    const table = leaves.map((key, at): PointConfig => yc(at + 1, key));
    const shown = async (each: ClientBench) =>
      [...(await each.read(table)).values()]
        .sort((one, other) => one.pointId - other.pointId)
        .map((reading) =>
          reading.kind === 'value'
            ? [leaves[reading.pointId - 1], reading.value, reading.valueText, reading.quality]
            : reading.error.message,
        );
    expect(await shown(bench)).toEqual(await shown(whole));
  });

  it('objects and data sets are named member by member, whatever the order in which their names are listed', async () => {
    const whole = await ClientBench.open(bay());
    const bench = await ClientBench.open(bay(), { protocol: { max_pdu_size: 200 } });
    for (const reference of ['BAY1MEAS/MMXU1.TotW[MX]', 'BAY1LD0/Q1CSWI1.Pos[ST]', 'BAY1LD0/GGIO1[ST]', 'BAY1LD0/Q1CSWI1.Pos[CF]']) {
      const read = async (each: ClientBench) => (await each.operate('read_attribute', { reference })).result.value;
      expect(await read(bench)).toEqual(await read(whole));
    }
    expect(await bench.operate('setting_groups')).toMatchObject({
      outcome: 'accepted',
      result: { groups: [{ number_of_groups: 2, active_group: 1 }] },
    });
  });

  it('a data set whose members do not fit an answer is told, and read by the members of the file', async () => {
    const long = sclText('bay.cid').replace(
      '<DataSet name="dsMeas">',
      `<DataSet name="dsLong">${Array.from({ length: 8 }, () => '<FCDA ldInst="LD0" lnClass="GGIO" lnInst="1" doName="Ind1" daName="stVal" fc="ST"/>').join('')}
       <FCDA ldInst="MEAS" lnClass="MMXU" lnInst="1" doName="TotW" daName="mag.f" fc="MX"/></DataSet><DataSet name="dsMeas">`,
    );
    const document = { name: 'bay.cid', text: long };
    const served = new ServedChannel({ document });
    const bench = await ClientBench.open(served, { protocol: { max_pdu_size: 300 } });
    expect(bench.model.dataSets().map(({ name, members }) => [name, members.length])).toContainEqual(['BAY1LD0/LLN0$dsLong', 0]);
    expect(bench.notices).toEqual([expect.stringMatching(/learnt without the members of data set BAY1LD0\/LLN0\$dsLong\. .*resource/)]);
    await expect(readSet(bench, 'BAY1LD0/LLN0$dsLong')).rejects.toMatchObject({
      message: expect.stringMatching(/do not fit a PDU of 300 octets.*SCL file/),
    });
    const described = await ClientBench.open(new ServedChannel({ document }), { protocol: { max_pdu_size: 300 }, document });
    expect((await readSet(described, 'BAY1LD0/LLN0$dsLong')).values.get('BAY1MEAS/MMXU1$MX$TotW$mag$f')).toBe(1234.5);
    expect(described.notices[0]).toMatch(/taken from the file/);
    const unlearnt = { protocol: { max_pdu_size: 300, learn_model: false }, document };
    const early = await ClientBench.open(new ServedChannel({ document }), unlearnt);
    expect((await readSet(early, 'BAY1LD0/LLN0$dsLong')).values.get('BAY1MEAS/MMXU1$MX$TotW$mag$f')).toBe(1234.5);
  });
});
