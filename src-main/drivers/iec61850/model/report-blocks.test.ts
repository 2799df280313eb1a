import { describe, expect, it } from 'vitest';
import { runSteps } from '../../../platform/steps.ts';
import { ServedChannel } from '../server/testing/served-channel.ts';
import { ClientBench, sclDocument } from '../testing/client-bench.ts';
import { compareBlocks } from './report-blocks.ts';

/** Differences between the device of `bay.cid` and a file that says something else. */
async function differences(...changes: readonly (readonly [from: string, to: string])[]) {
  const document = sclDocument('bay.cid');
  const text = changes.reduce((changed, [from, to]) => {
    expect(changed).toContain(from);
    return changed.replace(from, to);
  }, document.text);
  const bench = await ClientBench.open(new ServedChannel({ document }), { document: { ...document, text } });
  return runSteps(bench.model.differences())?.items;
}
const LLN0 = 'BAY1LD0/LLN0';
const member = (block: string, name: string, file: string, device: string) => ({
  kind: 'report-block',
  reference: `${LLN0}$${block}$${name}`,
  file,
  device,
});

describe('report control blocks of a file beside those of the device', () => {
  it('that are the same: nothing', async () => {
    expect(await differences()).toEqual([]);
  });

  it('with another data set, revision, trigger or option', async () => {
    const found = await differences(
      ['datSet="dsMeas" confRev="1" buffered', 'datSet="dsStat" confRev="7" buffered'],
      ['<TrgOps dchg="true" gi="false"/>', '<TrgOps dchg="true" qchg="true" gi="true"/>'],
      ['<OptFields entryID="true"/>', '<OptFields seqNum="true" bufOvfl="true"/>'],
    );
    expect(found).toEqual([
      member('BR$brcbMeas', 'DatSet', `${LLN0}$dsStat`, `${LLN0}$dsMeas`),
      member('BR$brcbMeas', 'ConfRev', '7', '1'),
      member('BR$brcbMeas', 'TrgOps', 'dchg, qchg, gi', 'dchg'),
      member('BR$brcbMeas', 'OptFlds', 'seqNum, bufOvfl', 'entryID'),
    ]);
  });

  it('with another report id, of each instance', async () => {
    expect(await differences(['rptID="STAT"', 'rptID="OTHER"'])).toEqual([
      member('RP$urcbStat01', 'RptID', 'OTHER', 'STAT'),
      member('RP$urcbStat02', 'RptID', 'OTHER', 'STAT'),
    ]);
  });

  it('that only one of both has are named as such, one by one', async () => {
    expect(await differences(['name="brcbMeas"', 'name="brcbOther"'])).toEqual([
      { kind: 'only-in-file', reference: `${LLN0}$BR$brcbOther`, file: 'report control block', device: '' },
      { kind: 'only-in-device', reference: `${LLN0}$BR$brcbMeas`, file: '', device: 'report control block' },
    ]);
    const withoutBuffered = await differences(['buffered="true" ', '']);
    expect(withoutBuffered).toEqual([
      { kind: 'only-in-file', reference: `${LLN0}$RP$brcbMeas`, file: 'report control block', device: '' },
      { kind: 'only-in-device', reference: `${LLN0}$BR$brcbMeas`, file: '', device: 'report control block' },
    ]);
  });

  it('members of a data set in another order, and one less', async () => {
    const first = '<FCDA ldInst="LD0" lnClass="GGIO" lnInst="1" doName="Ind1" fc="ST"/>';
    const second = first.replace('Ind1', 'Ind2');
    const set = { kind: 'data-set', reference: `${LLN0}$dsStat` };
    expect(await differences([first, '<!-- -->'], [second, `${second}${first}`])).toEqual([
      {
        ...set,
        file: 'member 1: BAY1LD0/GGIO1$ST$Ind2',
        device: 'member 1: BAY1LD0/GGIO1$ST$Ind1, the same members in another order',
      },
    ]);
    const last = '<FCDA ldInst="LD0" prefix="Q1" lnClass="CSWI" lnInst="1" doName="Pos" daName="q" fc="ST"/>';
    expect(await differences([last, ''])).toEqual([{ ...set, file: '3 members', device: 'member 4: BAY1LD0/Q1CSWI1$ST$Pos$q' }]);
  });
});

describe('spellings that mean the same', () => {
  const key = 'REAL/LLN0$RP$urcb';
  const rename = (name: string) => name.replace(/^TEMPLATE\//, 'REAL/');
  it('an empty report id is the name of the block, a template names its own device, segmentation is no option of a file', () => {
    const file = new Map(
      Object.entries({ RptID: 'TEMPLATE/LLN0$RP$urcb', DatSet: 'TEMPLATE/LLN0$ds', ConfRev: '01', OptFlds: '0100000000' }),
    );
    const device = new Map(Object.entries({ RptID: '', DatSet: 'REAL/LLN0.ds', ConfRev: '1', OptFlds: '0100000001' }));
    expect(compareBlocks(key, file, device, rename)).toEqual([]);
  });

  it('what one of both does not say is no difference', () => {
    expect(compareBlocks(key, new Map([['ConfRev', '1']]), new Map([['DatSet', 'x']]), rename)).toEqual([]);
  });
});
