import { describe, expect, it } from 'vitest';
import { runSteps } from '../../../../../platform/steps.ts';
import { ServedChannel } from '../../../server/testing/served-channel.ts';
import { ClientBench, sclDocument } from '../../../testing/client-bench.ts';
import { findDifferences } from '../../differences.ts';
import { sclDocuments } from '../../documents.ts';
import { readSclDevice } from '../device.ts';
import { openScl } from '../file.ts';
import { deviceNames, nodeNameOf } from './names.ts';
import { commonOrder } from './order.ts';
import { escaped } from './xml-text.ts';

const CHANNEL = {
  ip: '192.0.2.10',
  port: 8102,
  protocol: { remote_transport_selector: '0001', remote_session_selector: '', remote_ap_title: '1.1.999.1', remote_ae_qualifier: 12 },
};

/** What a client has learnt of a device, written, and read again. */
async function roundTrip(served: ServedChannel, options: ConstructorParameters<typeof ClientBench>[1] = {}, iedName = '') {
  const { model } = await ClientBench.open(served, options);
  const written = runSteps(model.exportDocument({ ...CHANNEL, protocol: { ...CHANNEL.protocol, ied_name: iedName } }));
  const scl = openScl(written.name, written.text);
  const { model: read, warnings } = readSclDevice(scl, '');
  const { index, blocks, device } = model;
  if (!device) throw new Error('nothing was learnt');
  return { model, written, read, warnings, index, differences: runSteps(findDifferences(read, device, blocks)).items };
}

const bay = () => new ServedChannel({ document: sclDocument('bay.cid') });

describe('a model that was learnt from a device', () => {
  it('is the same when the file is read again, but for what the file names as left out', async () => {
    const { written, warnings, differences } = await roundTrip(bay());
    expect(warnings).toEqual([]);
    expect(written.leftOut.filter((each) => !each.startsWith('common data class'))).toEqual(['BAY1LD0/LLN0.gcb01[GO]']);
    expect(differences).toEqual([{ kind: 'only-in-device', reference: 'BAY1LD0/LLN0$GO', file: '', device: 'structure of 1' }]);
  });

  it('has its data sets, report control blocks and setting groups', async () => {
    const { read, model } = await roundTrip(bay());
    const [first] = read.devices;
    expect(first?.dataSets).toEqual(model.device?.devices[0]?.dataSets.map((set) => ({ ...set, isDeletable: false })));
    const values = first?.nodes.find(({ name }) => name === 'LLN0')?.notes?.values;
    expect(values?.get('BR$brcbMeas$DatSet')).toBe('BAY1LD0/LLN0$dsMeas');
    expect(values?.get('RP$urcbStat01$IntgPd')).toBe('5000');
    expect(values?.get('SP$SGCB$NumOfSG')).toBe('2');
  });

  it('has its logs, and the blocks that enter into them, also into one of another logical node', async () => {
    const { name, text } = sclDocument('bay.cid');
    const logs =
      '<LogControl name="lcbStat" datSet="dsStat" logName="GeneralLog" logEna="true"><TrgOps dchg="true" qchg="true" gi="false"/></LogControl>' +
      '<LogControl name="lcbMeas" lnClass="GGIO" lnInst="1" logName="Other" logEna="false" intgPd="5000"><TrgOps period="true"/></LogControl>' +
      '<Log name="GeneralLog"/>';
    const withLogs = text.replace(/<LN0[^>]*>/, (open) => `${open}${logs}`);
    const { read, written, differences } = await roundTrip(new ServedChannel({ document: { name, text: withLogs } }));
    const values = read.devices[0]?.nodes.find((node) => node.name === 'LLN0')?.notes?.values;
    const block = (which: string) =>
      ['LogEna', 'LogRef', 'DatSet', 'TrgOps', 'IntgPd'].map((member) => values?.get(`LG$${which}$${member}`));
    expect(block('lcbStat')).toEqual(['true', 'BAY1LD0/LLN0$GeneralLog', 'BAY1LD0/LLN0$dsStat', '011000', '0']);
    expect(block('lcbMeas')).toEqual(['false', 'BAY1LD0/GGIO1$Other', '', '000011', '5000']);
    expect(written.text.match(/<Log name="[^"]*"/g)).toEqual(['<Log name="GeneralLog"', '<Log name="Other"']);
    expect(differences).toEqual([{ kind: 'only-in-device', reference: 'BAY1LD0/LLN0$GO', file: '', device: 'structure of 1' }]);
  });

  it('writes a setting that can be edited once, under SE, which stands for SG as well', async () => {
    const { written } = await roundTrip(bay());
    expect([written.text.includes('fc="SE"'), written.text.match(/<DA [^>]*fc="SG"/)]).toEqual([true, null]);
  });

  it('has control models and scales as the device has them', async () => {
    const { read } = await roundTrip(bay());
    const switchNode = read.devices[0]?.nodes.find(({ name }) => name === 'Q1CSWI1');
    expect(switchNode?.notes?.values.get('CF$Pos$ctlModel')).toBe('sbo-with-enhanced-security');
  });

  it('says where the device is, so that a channel can be made of it', async () => {
    const { written } = await roundTrip(bay(), {}, 'BAY1');
    const { choices, warnings } = sclDocuments.read(written);
    expect(warnings).toEqual([]);
    expect(choices).toMatchObject([
      {
        value: 'BAY1',
        addresses: [
          {
            ip: '192.0.2.10',
            port: 8102,
            protocol: { remote_transport_selector: '0001', remote_ap_title: '1.1.999.1', remote_ae_qualifier: 12 },
          },
        ],
      },
    ]);
  });

  it('with the file of the channel: classes, words and descriptions of the file, and nothing without a class', async () => {
    const { written, read, differences } = await roundTrip(bay(), { document: sclDocument('bay.cid') });
    expect(written.leftOut).toEqual(['BAY1LD0/LLN0.gcb01[GO]']);
    expect(differences).toHaveLength(1);
    expect(read.devices[0]?.nodes.find(({ name }) => name === 'Q1CSWI1')?.notes?.description).toBe('Breaker Q1');
    // a unit that its enumeration has no word for
    expect(written.text).toContain('<DAI name="SIUnit">');
    expect(written.text).not.toMatch(/"SIUnit">\s*<Val>0</);
    expect(written.text).toContain('manufacturer="ACME" type="BC-7"');
  });

  it.each([
    ['relay-ed1.icd', ''],
    ['station-ed21.scd', 'F01'],
  ])('of another edition: %s', async (name, iedName) => {
    const served = new ServedChannel({ document: sclDocument(name), protocol: { ied_name: iedName } });
    const { warnings, differences } = await roundTrip(served);
    expect(warnings).toEqual([]);
    expect(differences).toEqual([]);
  });

  it('is served by our own device as it was', async () => {
    const { written } = await roundTrip(bay());
    const served = new ServedChannel({ document: { name: written.name, text: written.text } });
    const again = await ClientBench.open(served);
    const first = await ClientBench.open(bay());
    const { counts } = again.model.status;
    expect(counts.dataSets).toBe(first.model.status.counts.dataSets);
    expect(counts.logicalNodes).toBe(first.model.status.counts.logicalNodes);
    expect(counts.dataObjects).toBe(first.model.status.counts.dataObjects);
  });
});

describe('names', () => {
  it.each([
    ['LLN0', { prefix: '', logicalClass: 'LLN0', instance: '' }],
    ['LPHD1', { prefix: '', logicalClass: 'LPHD', instance: '1' }],
    ['Q0CSWI12', { prefix: 'Q0', logicalClass: 'CSWI', instance: '12' }],
    ['ABCDMMXU', { prefix: 'ABCD', logicalClass: 'MMXU', instance: '' }],
    ['lower1', null],
  ])('of the logical node %s', (name, expected) => {
    expect(nodeNameOf(name)).toEqual(expected);
  });

  it('of the device: the one that is wanted where it fits, what all domains begin with, else the domains as a whole', () => {
    const instances = (domains: readonly string[], wanted = '') => {
      const { ied, instances: found } = deviceNames(domains, wanted);
      return [ied, ...[...found.values()].map(({ instance, isNamed }) => (isNamed ? `=${instance}` : instance))];
    };
    expect(instances(['BAY1LD0', 'BAY1MEAS'])).toEqual(['BAY1', 'LD0', 'MEAS']);
    expect(instances(['BAY1LD0', 'BAY1MEAS'], 'BAY')).toEqual(['BAY', '1LD0', '1MEAS']);
    expect(instances(['BAY1', 'BAY1MEAS'])).toEqual(['BAY1', '=BAY1', 'MEAS']);
    expect(instances(['BAY1LD0', 'LD0'], 'BAY1')).toEqual(['BAY1', '=BAY1LD0', '=LD0']);
    expect(instances(['simpleIOGenericIO'])).toEqual(['simpleIOGeneric', 'IO']);
    expect(instances(['TABLD0'])).toEqual(['TAB', 'LD0']);
    expect(instances(['TEMPLATERelay'])).toEqual(['TEMPLATE', 'Relay']);
    expect(instances(['PLC'])).toEqual(['IED1', '=PLC']);
    expect(instances(['simpleIOGenericIO'], 'simpleIO')).toEqual(['simpleIO', 'GenericIO']);
    expect(instances(['A', 'B'], 'PLC')).toEqual(['PLC', '=A', '=B']);
  });
});

describe('the common order of lists', () => {
  it('keeps the order of each', () => {
    expect(
      commonOrder([
        ['a', 'd'],
        ['a', 'b', 'd'],
        ['c', 'd'],
      ]),
    ).toEqual(['a', 'b', 'c', 'd']);
    expect(
      commonOrder([
        ['a', 'c'],
        ['b', 'a'],
      ]),
    ).toEqual(['b', 'a', 'c']);
  });

  it('comes to an end where they contradict each other', () => {
    expect(
      commonOrder([
        ['a', 'b'],
        ['b', 'a'],
      ]),
    ).toEqual(['a', 'b']);
  });
});

it('text of a device cannot end an element or attribute', () => {
  expect(escaped('a<b>"c"&\u0000d')).toBe('a&lt;b&gt;&quot;c&quot;&amp;d');
});
