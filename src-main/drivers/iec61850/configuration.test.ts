import { describe, expect, it } from 'vitest';
import type { DeviceModelView, PointSuggestion } from '../spi/model.ts';
import { DeviceModel } from './model/device-model.ts';
import { readSclDevice } from './model/scl/device.ts';
import { openScl } from './model/scl/file.ts';
import { ServedChannel } from './server/testing/served-channel.ts';
import { ClientBench, yc } from './testing/client-bench.ts';

const SCALE = (name: string) => `<DA name="${name}" bType="Struct" type="Scale" fc="CF"/>`;
const VALUES = (factor: number | string, offset: number | string) =>
  `<DAI name="scaleFactor"><Val>${factor}</Val></DAI><DAI name="offset"><Val>${offset}</Val></DAI>`;

/** A merging unit with raw samples, a meter and a voltage whose magnitude and angle are integers. */
const FILE = {
  name: 'raw.cid',
  text: `<SCL version="2007" revision="B"><IED name="T"><AccessPoint name="P"><Server><LDevice inst="LD">
    <LN0 lnClass="LLN0" inst="" lnType="L"/>
    <LN lnClass="TCTR" inst="1" lnType="N">
      <DOI name="Amp"><SDI name="instMag"><DAI name="i"><Val>12000</Val></DAI></SDI><SDI name="sVC">${VALUES('0.001', '-2.5')}</SDI>
        <SDI name="units"><DAI name="SIUnit"><Val>A</Val></DAI><DAI name="multiplier"><Val>k</Val></DAI></SDI></DOI>
      <DOI name="Plain"><SDI name="sVC">${VALUES(0, 0)}</SDI></DOI>
      <DOI name="Wh"><DAI name="actVal"><Val>400</Val></DAI><DAI name="pulsQty"><Val>0.25</Val></DAI></DOI>
      <DOI name="Vec"><SDI name="cVal"><SDI name="mag"><DAI name="i"><Val>7</Val></DAI></SDI><SDI name="ang"><DAI name="i"><Val>9</Val></DAI></SDI></SDI>
        <SDI name="magSVC">${VALUES(10, 0)}</SDI><SDI name="angSVC">${VALUES('0.1', 1)}</SDI></DOI>
      <DOI name="Set"><SDI name="setMag"><DAI name="i"><Val>3</Val></DAI></SDI><SDI name="sVC">${VALUES(2, 1)}</SDI></DOI>
    </LN></LDevice></Server></AccessPoint></IED>
    <DataTypeTemplates><LNodeType id="L" lnClass="LLN0"/>
    <LNodeType id="N" lnClass="TCTR"><DO name="Amp" type="SAV"/><DO name="Plain" type="SAV"/><DO name="Float" type="SAVF"/><DO name="Wh" type="BCR"/>
      <DO name="Vec" type="CMV"/><DO name="Set" type="ASG"/></LNodeType>
    <DOType id="SAV" cdc="SAV"><DA name="instMag" bType="Struct" type="Int" fc="MX"/><DA name="q" bType="Quality" fc="MX"/>
      <DA name="units" bType="Struct" type="Unit" fc="CF"/>${SCALE('sVC')}</DOType>
    <DOType id="SAVF" cdc="SAV"><DA name="instMag" bType="Struct" type="Real" fc="MX"/><DA name="q" bType="Quality" fc="MX"/>${SCALE('sVC')}</DOType>
    <DOType id="BCR" cdc="BCR"><DA name="actVal" bType="INT64" fc="ST"/><DA name="q" bType="Quality" fc="ST"/><DA name="pulsQty" bType="FLOAT32" fc="CF"/></DOType>
    <DOType id="CMV" cdc="CMV"><DA name="cVal" bType="Struct" type="Vector" fc="MX"/><DA name="q" bType="Quality" fc="MX"/>${SCALE('magSVC')}${SCALE('angSVC')}</DOType>
    <DOType id="ASG" cdc="ASG"><DA name="setMag" bType="Struct" type="Int" fc="SP"/>${SCALE('sVC')}</DOType>
    <DAType id="Int"><BDA name="i" bType="INT32"/></DAType><DAType id="Real"><BDA name="f" bType="FLOAT32"/></DAType>
    <DAType id="Vector"><BDA name="mag" bType="Struct" type="Int"/><BDA name="ang" bType="Struct" type="Int"/></DAType>
    <DAType id="Unit"><BDA name="SIUnit" bType="Enum" type="SIUnit"/><BDA name="multiplier" bType="Enum" type="multiplier"/></DAType>
    <DAType id="Scale"><BDA name="scaleFactor" bType="FLOAT32"/><BDA name="offset" bType="FLOAT32"/></DAType>
    <EnumType id="SIUnit"><EnumVal ord="1"/><EnumVal ord="5">A</EnumVal></EnumType><EnumType id="multiplier"><EnumVal ord="0"/><EnumVal ord="3">k</EnumVal></EnumType>
    </DataTypeTemplates></SCL>`,
};

function pointOf(view: DeviceModelView, name: string) {
  const [found] = view.suggestPoints([`TLD/TCTR1.${name}`]);
  return (found as Extract<PointSuggestion, { point: unknown }>).point;
}

const EXPECTED = [
  ['Amp', 'instMag.i[MX]', { unit: 'kA', mul_coe: 0.001, add_coe: -2.5 }],
  ['Wh', 'actVal[ST]', { unit: '', mul_coe: 0.25, add_coe: 0 }],
  ['Vec', 'cVal.mag.i[MX]', { unit: '', mul_coe: 10, add_coe: 0 }],
  ['Vec.cVal.ang', 'i[MX]', { unit: 'deg', mul_coe: 0.1, add_coe: 1 }],
  ['Set', 'setMag.i[SP]', { unit: '', mul_coe: 2, add_coe: 1 }],
] as const;
const UNSCALED = ['Plain', 'Float'];

describe('unit and scale of raw values', () => {
  it.each(EXPECTED)('%s by the file', (name, rest, scale) => {
    const view = new DeviceModel();
    view.setFile(readSclDevice(openScl(FILE.name, FILE.text), '').model, 0);
    expect(pointOf(view, name)).toMatchObject({ reference: `TLD/TCTR1.${name}.${rest}`, ...scale });
  });

  it('by the device where there is no file, with one request', async () => {
    const bench = await ClientBench.open(new ServedChannel({ document: FILE }));
    expect(bench.count('read')).toBe(1);
    for (const [name, rest, scale] of EXPECTED) {
      expect(pointOf(bench.model, name)).toMatchObject({ reference: `TLD/TCTR1.${name}.${rest}`, ...scale });
    }
  });

  it('a factor that was never set, and a value that is no integer, have none', async () => {
    const bench = await ClientBench.open(new ServedChannel({ document: FILE }));
    for (const name of UNSCALED) expect(Object.keys(pointOf(bench.model, name))).not.toContain('mul_coe');
  });

  it('makes raw values the engineering ones, in both directions', async () => {
    const bench = await ClientBench.open(new ServedChannel({ document: FILE }));
    const scaled = (name: string) => {
      const { frame_type, reference, mul_coe = 1, add_coe = 0 } = pointOf(bench.model, name);
      return { ...yc(1, reference, { mul_coe, add_coe }), frame_type };
    };
    expect(await bench.value(scaled('Amp'))).toMatchObject({ value: 9.5 });
    expect(await bench.value(scaled('Wh'))).toMatchObject({ value: 100 });
    expect(await bench.command(scaled('Set'), 21)).toMatchObject({ outcome: 'accepted' });
    expect((await bench.operate('read_attribute', { reference: 'TLD/TCTR1.Set.setMag.i[SP]' })).result).toEqual({ value: 10 });
  });
});

describe('reading the configuration', () => {
  it('is cut to the PDU, and leaves out what the device refuses', async () => {
    const accessErrors = new Map([['TLD/TCTR1$CF$Amp$units', 3]]);
    const served = new ServedChannel({ document: FILE, faults: { accessErrors } });
    const bench = await ClientBench.open(served, { protocol: { max_pdu_size: 200 } });
    expect(bench.count('read')).toBeGreaterThan(1);
    expect(pointOf(bench.model, 'Amp')).toMatchObject({ unit: '', mul_coe: 0.001 });
    expect(pointOf(bench.model, 'Set')).toMatchObject({ mul_coe: 2 });
  });

  it('a device that does not answer it is known all the same', async () => {
    const bench = new ClientBench(new ServedChannel({ document: FILE, faults: { silent: ['read'] } }), {
      protocol: { request_timeout_s: 2 },
    });
    const started = bench.start();
    await bench.rest();
    await bench.served.clock.advance(2100);
    await started;
    await bench.rest();
    expect(bench.model.status.state).toBe('known');
    expect(Object.keys(pointOf(bench.model, 'Amp'))).not.toContain('mul_coe');
    expect(bench.losses).toEqual([]);
  });
});
