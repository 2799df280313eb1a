import { describe, expect, it } from 'vitest';
import { ServedChannel } from './server/testing/served-channel.ts';
import { ClientBench, exchange, yc, yx } from './testing/client-bench.ts';

const LONG = 'x'.repeat(250);

/** A device with `count` nodes; the text of each of `long` is much longer than texts usually are. */
function device(count: number, long: readonly number[]): ServedChannel {
  const nodes = Array.from({ length: count }, (_, at) => {
    const value = long.includes(at) ? LONG : 'short';
    return `<LN lnClass="GGIO" inst="${at}" lnType="G"><DOI name="Str"><DAI name="stVal"><Val>${value}</Val></DAI></DOI></LN>`;
  });
  const members = Array.from(
    { length: count },
    (_, at) => `<FCDA ldInst="LD" lnClass="GGIO" lnInst="${at}" doName="Str" daName="stVal" fc="ST"/>`,
  );
  const text = `<SCL version="2007" revision="B"><IED name="T"><AccessPoint name="P"><Server><LDevice inst="LD">
    <LN0 lnClass="LLN0" inst="" lnType="L"><DataSet name="all">${members.join('')}</DataSet></LN0>${nodes.join('')}</LDevice></Server></AccessPoint></IED>
    <DataTypeTemplates><LNodeType id="L" lnClass="LLN0"/><LNodeType id="G" lnClass="GGIO"><DO name="Str" type="V"/></LNodeType>
    <DOType id="V" cdc="VSS"><DA name="stVal" bType="VisString255" fc="ST"/><DA name="q" bType="Quality" fc="ST"/><DA name="t" bType="Timestamp" fc="ST"/></DOType>
    </DataTypeTemplates></SCL>`;
  return new ServedChannel({ document: { name: 'texts.cid', text } });
}

const points = (count: number) => Array.from({ length: count }, (_, at) => yx(at + 1, `TLD/GGIO${at}.Str.stVal[ST]`));

describe('answers that do not fit a PDU', () => {
  it('are asked for in halves, and in such sizes from then on', async () => {
    const table = points(24);
    const all = Array.from({ length: 24 }, (_, at) => at);
    const bench = await ClientBench.open(device(24, all), { protocol: { max_pdu_size: 2000 } });
    const planned = bench.client.plan(table, { mode: 'batch', skipKnownHoles: false }).batches.length;
    const before = bench.count('read');
    const readings = await bench.read(table);
    expect([...readings.values()].every((reading) => reading.kind === 'value' && reading.valueText === LONG)).toBe(true);
    expect(readings.size).toBe(24);
    const first = bench.count('read') - before;
    expect(first).toBeGreaterThan(planned);
    const again = bench.client.plan(table, { mode: 'batch', skipKnownHoles: false }).batches.length;
    expect(again).toBeGreaterThan(planned);
    await bench.read(table);
    expect(bench.count('read') - before - first).toBeLessThanOrEqual(first - planned + 1);
  });

  it('one that is too long alone fails alone, the others are read together as before', async () => {
    const table = points(6);
    const bench = await ClientBench.open(device(6, [2]), { protocol: { max_pdu_size: 220 } });
    const readings = await bench.read(table);
    expect(readings.get(3)).toMatchObject({ kind: 'failure', error: { code: 'DEVICE_EXCEPTION' } });
    expect(
      [...readings.values()]
        .filter(({ kind }) => kind === 'value')
        .map(({ pointId }) => pointId)
        .sort(),
    ).toEqual([1, 2, 4, 5, 6]);
    const plan = bench.client.plan(table, { mode: 'batch', skipKnownHoles: false });
    expect(plan.batches.some(({ pointIds }) => pointIds.length > 1)).toBe(true);
  });

  it('a data set is read member by member', async () => {
    const bench = await ClientBench.open(device(12, [0, 1, 2, 3]), { protocol: { max_pdu_size: 1000 } });
    const reading = bench.client.dataSets.read('TLD/LLN0$all', exchange());
    reading.catch(() => undefined);
    await bench.rest();
    const { values } = await reading;
    expect([values.size, values.get('TLD/GGIO0$ST$Str$stVal'), values.get('TLD/GGIO11$ST$Str$stVal')]).toEqual([12, LONG, 'short']);
  });
});

describe('a Read of many points', () => {
  it('takes as many requests as the octets need, at most a tenth more', async () => {
    const table = Array.from({ length: 600 }, (_, at) => yc(at + 1, `SIMLD0/MMXU${at + 1}.TotW.mag.f[MX]`));
    const served = new ServedChannel({ points: table });
    const bench = await ClientBench.open(served, { protocol: { max_pdu_size: 1500 } });
    const before = bench.count('read');
    const readings = await bench.read(table);
    expect([...readings.values()].filter(({ kind }) => kind === 'value').length).toBe(600);
    // request octets of an item: 10 and the names of domain and item (fact sheet, section 11)
    const octets = table.reduce((sum, { reference }) => sum + 10 + reference.replace('.mag.f[MX]', '').length + 2, 0);
    expect(bench.count('read') - before).toBeLessThanOrEqual(Math.ceil((octets / (1500 - 50)) * 1.1));
  });
});
