import { describe, expect, it } from 'vitest';
import { exchangeContext } from '../testing/sinks.ts';
import { ServedChannel } from './server/testing/served-channel.ts';
import { ClientBench, yc, yx } from './testing/client-bench.ts';

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
    const reading = bench.client.dataSets.read('TLD/LLN0$all', exchangeContext());
    reading.catch(() => undefined);
    await bench.rest();
    const { values } = await reading;
    expect([values.size, values.get('TLD/GGIO0$ST$Str$stVal'), values.get('TLD/GGIO11$ST$Str$stVal')]).toEqual([12, LONG, 'short']);
  });
});

describe('a member of a data set that is larger than a PDU', () => {
  /** Two texts of 255 octets in one member, and a small member beside it. */
  const TWO = `<SCL version="2007" revision="B"><IED name="T"><AccessPoint name="P"><Server><LDevice inst="LD">
    <LN0 lnClass="LLN0" inst="" lnType="L"><DataSet name="all">
      <FCDA ldInst="LD" lnClass="GGIO" lnInst="1" doName="Str" fc="ST"/><FCDA ldInst="LD" lnClass="GGIO" lnInst="2" doName="Str" daName="q" fc="ST"/>
      </DataSet><DataSet name="one"><FCDA ldInst="LD" lnClass="GGIO" lnInst="1" doName="Str" fc="ST"/></DataSet></LN0>
    <LN lnClass="GGIO" inst="1" lnType="G"><DOI name="Str"><DAI name="stVal"><Val>${'a'.repeat(150)}</Val></DAI><SDI name="more"><DAI name="text">
      <Val>${'b'.repeat(150)}</Val></DAI><DAI name="count"><Val>7</Val></DAI></SDI></DOI></LN>
    <LN lnClass="GGIO" inst="2" lnType="G"/></LDevice></Server></AccessPoint></IED>
    <DataTypeTemplates><LNodeType id="L" lnClass="LLN0"/><LNodeType id="G" lnClass="GGIO"><DO name="Str" type="V"/></LNodeType>
    <DOType id="V" cdc="VSS"><DA name="stVal" bType="VisString255" fc="ST"/><DA name="more" bType="Struct" type="M" fc="ST"/>
      <DA name="q" bType="Quality" fc="ST"/></DOType>
    <DAType id="M"><BDA name="text" bType="VisString255"/><BDA name="count" bType="INT32"/></DAType></DataTypeTemplates></SCL>`;
  const STR = yx(1, 'TLD/GGIO1.Str.stVal[ST]');

  async function readSet(bench: ClientBench, name: string) {
    const reading = bench.client.dataSets.read(`TLD/LLN0$${name}`, exchangeContext());
    reading.catch(() => undefined);
    await bench.rest();
    return reading;
  }

  it.each([true, false])('is read by its components, and so from then on (model learnt: %s)', async (isLearnt) => {
    const served = new ServedChannel({ document: { name: 'texts.cid', text: TWO } });
    const bench = await ClientBench.open(served, { protocol: { max_pdu_size: 300, learn_model: isLearnt }, points: [STR] });
    const { values, readings } = await readSet(bench, 'all');
    expect(Object.fromEntries(values)).toEqual({
      'TLD/GGIO1$ST$Str$stVal': 'a'.repeat(150),
      [`TLD/GGIO1$ST$Str$more${isLearnt ? '$text' : '(0)'}`]: 'b'.repeat(150),
      [`TLD/GGIO1$ST$Str$more${isLearnt ? '$count' : '(1)'}`]: 7,
      'TLD/GGIO1$ST$Str$q': 'good',
      'TLD/GGIO2$ST$Str$q': 'good',
    });
    if (isLearnt) expect(readings).toMatchObject([{ pointId: 1, kind: 'value', valueText: 'a'.repeat(150) }]);
    const before = bench.asked.length;
    expect((await readSet(bench, 'all')).values.size).toBe(5);
    const again = bench.asked.length - before;
    expect(again).toBeLessThan(before);
    expect(bench.asked.slice(-again)).toEqual(Array.from({ length: again }, () => 'read'));
    expect((await readSet(bench, 'one')).values.size).toBe(4);
    expect(bench.notices).toEqual([]);
  });

  it('fails alone where a part of it is still too large, and the log says why once', async () => {
    const served = new ServedChannel({ document: { name: 'texts.cid', text: TWO.replace('b'.repeat(150), 'b'.repeat(250)) } });
    const bench = await ClientBench.open(served, { protocol: { max_pdu_size: 240 }, points: [STR] });
    const { values, readings } = await readSet(bench, 'all');
    expect([...values.keys()]).toEqual([
      'TLD/GGIO1$ST$Str$stVal',
      'TLD/GGIO1$ST$Str$more$count',
      'TLD/GGIO1$ST$Str$q',
      'TLD/GGIO2$ST$Str$q',
    ]);
    expect(readings).toMatchObject([{ kind: 'value' }]);
    await readSet(bench, 'all');
    expect(bench.notices).toEqual([
      expect.stringMatching(/^Data set TLD\/LLN0\$all: TLD\/GGIO1\$ST\$Str\$more\$text could not be read\. .*resource/),
    ]);
  });

  it('no follow-up request is sent once a stop is wanted', async () => {
    const served = new ServedChannel({ document: { name: 'texts.cid', text: TWO } });
    const bench = await ClientBench.open(served, { protocol: { max_pdu_size: 300 } });
    const before = bench.asked.length;
    const reading = bench.client.dataSets.read('TLD/LLN0$all', exchangeContext({ isStopping: () => true }));
    const failed = expect(reading).rejects.toMatchObject({ code: 'DEVICE_EXCEPTION' });
    await bench.rest();
    await failed;
    expect(bench.asked.length - before).toBe(1);
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
