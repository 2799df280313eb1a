import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exchangeContext } from '../testing/sinks.ts';
import type { MmsClient, RequestOptions } from './association/mms-client.ts';
import { variableOf } from './binding.ts';
import { encodeService } from './mms/codec.ts';
import type { VariableSpec } from './mms/pdu.ts';
import { sclText } from './model/testing/files.ts';
import { operatedBy, readVariables } from './reads.ts';
import { ServedChannel } from './server/testing/served-channel.ts';
import { ClientBench, yc, yk, yx } from './testing/client-bench.ts';

const FOLDER = new URL('.', import.meta.url);

/** `bay.cid` with a data set of status and of a control object, and a control object before the status. */
const withControls = sclText('bay.cid').replace(
  '<DataSet name="dsMeas">',
  `<DataSet name="dsCtl"><FCDA ldInst="LD0" lnClass="GGIO" lnInst="1" doName="Ind1" fc="ST"/>
   <FCDA ldInst="LD0" prefix="Q1" lnClass="CSWI" lnInst="1" doName="Pos" fc="CO"/></DataSet>
   <DataSet name="dsOnly"><FCDA ldInst="LD0" prefix="Q1" lnClass="CSWI" lnInst="1" doName="Pos" daName="SBOw" fc="CO"/></DataSet><DataSet name="dsMeas">`,
);
const served = () => new ServedChannel({ document: { name: 'bay.cid', text: withControls } });
const IND1 = yx(1, 'BAY1LD0/GGIO1.Ind1.stVal[ST]');

/** Names of a Read that a device could take for a Select: everything under CO, a logical node as a whole, SBO in any place. */
const operating = (bench: ClientBench) =>
  bench.reads().flatMap(({ names }) => names.filter((name) => /\$CO(\$|$)|\bSBOw?\b/.test(name) || !name.includes('$')));

async function readSet(bench: ClientBench, name: string) {
  const reading = bench.client.dataSets.read(name, exchangeContext());
  reading.catch(() => undefined);
  await bench.rest();
  return reading;
}

describe('no Read asks for values of control objects', () => {
  it('every Read of the client is made in one place', () => {
    const sources = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.includes('test') && !/^(mms|server|explain)\//.test(name.replaceAll('\\', '/')))
      .filter((name) => /service: 'read'/.test(readFileSync(new URL(name.replaceAll('\\', '/'), FOLDER), 'utf8')));
    expect(sources).toEqual(['reads.ts']);
  });

  it.each([true, false])('points, tasks, data sets, tree, setting groups and files (model learnt: %s)', async (isLearnt) => {
    const control = [
      yk(2, 'BAY1LD0/Q1CSWI1.Pos[CO]'),
      yk(3, 'BAY1LD0/Q1CSWI1.Pos'),
      yk(4, 'BAY1LD0/GGIO1.SPCSO1'),
      yc(5, 'BAY1LD0/Q1CSWI1.Pos.Oper.ctlVal[CO]'),
      yx(6, 'BAY1LD0/Q1CSWI1.Pos.SBOw'),
      yx(7, 'BAY1LD0/Q1CSWI1.Pos.SBO[ST]'),
    ];
    const bench = await ClientBench.open(served(), { protocol: { learn_model: isLearnt }, points: [IND1, ...control] });
    for (const mode of ['batch', 'single'] as const) {
      const readings = await bench.read([IND1, ...control.slice(0, 5)], mode);
      expect(readings.get(1)).toMatchObject({ kind: 'value' });
      for (const { id } of control.slice(0, 5))
        expect(readings.get(id)).toMatchObject({ kind: 'failure', error: { code: 'CONFIG_INVALID' } });
      const [batch] = bench.client.plan([control[5] as typeof IND1], { mode, skipKnownHoles: false }).batches;
      if (batch) await expect(bench.client.read(batch, exchangeContext())).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    }
    for (const name of bench.client.dataSets.names()) await readSet(bench, name).catch(() => undefined);
    await bench.operate('setting_groups');
    await bench.operate('list_files');
    await bench.operate('browse');
    await bench.rest();
    expect(operating(bench)).toEqual([]);
    expect(bench.reads().length).toBeGreaterThan(3);
  });

  it.each([
    'BAY1LD0/Q1CSWI1.Pos[CO]',
    'BAY1LD0/Q1CSWI1.Pos.SBOw[CO]',
    'BAY1LD0/Q1CSWI1.Pos.SBO[CO]',
    'BAY1LD0/Q1CSWI1$CO$Pos$Oper$ctlVal',
    'BAY1LD0/Q1CSWI1[CO]',
    'BAY1LD0/Q1CSWI1$CO',
    'BAY1LD0/Q1CSWI1.CO.Pos.Oper.Check',
    'BAY1LD0/Q1CSWI1.Pos.SBO[ST]',
    'BAY1LD0/Q1CSWI1',
    'BAY1LD0/Q1CSWI1.Pos',
  ])('read_attribute %s is refused before anything is sent, and says what would be right', async (reference) => {
    const bench = await ClientBench.open(served(), { protocol: { learn_model: false } });
    await expect(bench.operate('read_attribute', { reference })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(/\[ST\]|LD\/LN\.DO\.DA\[FC\]/),
    });
    expect(bench.asked).toEqual([]);
  });

  it('a list of variables is asked in the same octets each time, and one that would operate is refused each time', async () => {
    const asked: (Uint8Array | undefined)[] = [];
    const client = {
      request: async (_request: unknown, { service }: RequestOptions = {}) => {
        asked.push(service);
        return { service: 'read', spec: null, results: [{ kind: 'boolean', value: true }] };
      },
    } as unknown as Pick<MmsClient, 'request'>;
    const [harmless, operates] = [[variableOf('LD', 'GGIO1', 'ST', ['Ind1'])], [variableOf('LD', 'CSWI1', 'CO', ['Pos', 'SBO'])]];
    for (const _ of [1, 2]) {
      await readVariables(client, harmless, {});
      await expect(readVariables(client, operates, {})).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    }
    expect(asked).toEqual([asked[0], asked[0]]);
    const request = { service: 'read', spec: { kind: 'variables', items: harmless }, withSpecification: false } as const;
    expect([asked[0] === asked[1], asked[0]]).toEqual([true, encodeService(request)]);
  });

  it('a data set with a control object is read without it, and the log says which member and why', async () => {
    const bench = await ClientBench.open(served(), { points: [IND1] });
    const { values, readings } = await readSet(bench, 'BAY1LD0/LLN0$dsCtl');
    expect([...values.keys()]).toEqual(['BAY1LD0/GGIO1$ST$Ind1$stVal', 'BAY1LD0/GGIO1$ST$Ind1$q', 'BAY1LD0/GGIO1$ST$Ind1$t']);
    expect(readings).toMatchObject([{ pointId: 1, value: 1 }]);
    expect(bench.notices).toEqual([
      expect.stringMatching(/^Data set BAY1LD0\/LLN0\$dsCtl: BAY1LD0\/Q1CSWI1\$CO\$Pos could not be read\. .*would operate Select/),
    ]);
    await expect(readSet(bench, 'BAY1LD0/LLN0$dsOnly')).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    expect(operating(bench)).toEqual([]);
    await expect(
      bench.operate('create_data_set', { name: 'BAY1LD0/LLN0$mine', members: ['BAY1LD0/GGIO1.Ind1[ST]', 'BAY1LD0/Q1CSWI1.Pos[CO]'] }),
    ).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });

  it('whatever the name of a variable', () => {
    const part = fc.constantFrom('CO', 'ST', 'MX', 'Pos', 'SBO', 'SBOw', 'Oper', 'Ind1', 'LLN0', 'x(3)', 'phsA(2)');
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 5 }),
        fc.option(fc.constantFrom('CO', 'ST', 'MX', 'CF')),
        (path, constraint) => {
          const spec: VariableSpec = variableOf('LD', 'CSWI1', constraint, path);
          const item = spec.name.item.split('$');
          const isUnder = item[1] === undefined || item[1] === 'CO' || path.some((step) => step === 'SBO' || step === 'SBOw');
          expect(operatedBy(spec) !== null).toBe(isUnder);
        },
      ),
    );
  });
});

describe('write_attribute touches no control block', () => {
  it.each([
    ['BAY1LD0/LLN0.urcbStat01.RptEna[RP]', /enable_report does that/],
    ['BAY1LD0/LLN0.urcbStat01.Resv[RP]', /enable_report does that/],
    ['BAY1LD0/LLN0.urcbStat01.GI[RP]', /enable_report does that/],
    ['BAY1LD0/LLN0.brcbMeas.PurgeBuf[BR]', /enable_report does that/],
    ['BAY1LD0/LLN0.brcbMeas.EntryID[BR]', /enable_report does that/],
    ['BAY1LD0/LLN0.brcbMeas.ResvTms[BR]', /enable_report does that/],
    ['BAY1LD0/LLN0$BR$brcbMeas$DatSet', /enable_report does that/],
    ['BAY1LD0/LLN0.SGCB.ActSG[SP]', /setting_groups reads them/],
    ['BAY1LD0/LLN0.SGCB.EditSG[SP]', /setting_groups reads them/],
    ['BAY1LD0/LLN0$SP$SGCB$CnfEdit', /setting_groups reads them/],
    ['BAY1LD0/LLN0.SGCB.ResvTms[SP]', /setting_groups reads them/],
    ['BAY1LD0/LLN0.lcb.LogEna[LG]', /no operation for logs/],
    ['BAY1LD0/LLN0.gcb.GoEna[GO]', /no operation for GOOSE/],
    ['BAY1LD0/LLN0.msv.SvEna[MS]', /no operation for sampled values/],
    ['BAY1LD0/LLN0.usv.Resv[US]', /no operation for sampled values/],
    ['BAY1LD0/Q1CSWI1.Pos.Oper[CO]', /command its point/],
  ])('%s', async (reference, words) => {
    const bench = await ClientBench.open(served());
    const before = bench.asked.length;
    for (const value of [true, 1, '']) {
      await expect(bench.operate('write_attribute', { reference, value })).rejects.toMatchObject({
        code: 'CONFIG_INVALID',
        message: expect.stringMatching(words),
      });
    }
    expect(bench.asked.length).toBe(before);
  });

  it('nor does a point', async () => {
    const bench = await ClientBench.open(served());
    const before = bench.asked.length;
    const active = { ...yc(1, 'BAY1LD0/LLN0.SGCB.ActSG[SP]'), frame_type: 3 as const };
    await expect(bench.command(active, 2)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    expect(bench.asked.length).toBe(before);
    expect(await bench.value(yc(2, 'BAY1LD0/LLN0.SGCB.ActSG[SP]'))).toMatchObject({ value: 1 });
  });
});
