import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import { exchangeContext } from '../../../testing/sinks.ts';
import type { MmsValue } from '../../mms/types.ts';
import { point } from '../testing/asking.ts';
import { boolean, Controller } from '../testing/controlling.ts';
import { ServedChannel } from '../testing/served-channel.ts';

const ON = boolean(true);
const STEP = (bits: number): MmsValue => ({ kind: 'bit-string', size: 2, octets: Uint8Array.of(bits << 6) });
const HIGHER = STEP(2);
const LOWER = STEP(1);

const da = (name: string, fc: string, type: string, value = '') =>
  `<DA name="${name}" fc="${fc}" ${type}>${value === '' ? '' : `<Val>${value}</Val>`}</DA>`;
const basic = (name: string) => `bType="${name}"`;
const struct = (name: string) => `bType="Struct" type="${name}"`;
const bda = (name: string, type: string) => `<BDA name="${name}" ${type}/>`;
const oper = (id: string, value: string) =>
  `<DAType id="${id}">${bda('ctlVal', basic(value))}${bda('operTm', basic('Timestamp'))}${bda('origin', struct('Originator'))}${bda('ctlNum', basic('INT8U'))}${bda('T', basic('Timestamp'))}${bda('Test', basic('BOOLEAN'))}${bda('Check', basic('Check'))}</DAType>`;
const common = (model: number, type: string) =>
  `${da('q', 'ST', basic('Quality'))}${da('t', 'ST', basic('Timestamp'))}${da('origin', 'ST', struct('Originator'))}${da('ctlNum', 'ST', basic('INT8U'))}${da('stSeld', 'ST', basic('BOOLEAN'))}${da('ctlModel', 'CF', basic('INT8'), String(model))}${da('sboTimeout', 'CF', basic('INT32U'), '5000')}${da('SBOw', 'CO', struct(type))}${da('Oper', 'CO', struct(type))}${da('Cancel', 'CO', struct(type))}`;

/** An edition 2 node with everything that an object tells of its commands: a switch, and a tap changer with a range. */
const FILE = {
  name: 'tap.cid',
  text: `<SCL xmlns="http://www.iec.ch/61850/2003/SCL"><Header id="tap"/><IED name="T"><AccessPoint name="S1"><Server><LDevice inst="LD"><LN0 lnClass="LLN0" inst="" lnType="L0"/><LN lnClass="CSWI" inst="1" lnType="SW"/><LN lnClass="ATCC" inst="1" lnType="TC"/></LDevice></Server></AccessPoint></IED>
<DataTypeTemplates><LNodeType id="L0" lnClass="LLN0"><DO name="Beh" type="ENS"/></LNodeType><LNodeType id="SW" lnClass="CSWI"><DO name="Pos" type="DPC"/></LNodeType>
<LNodeType id="TC" lnClass="ATCC"><DO name="TapChg" type="BSC"/><DO name="EndPosR" type="SPS"/></LNodeType>
<DOType id="ENS" cdc="ENS">${da('stVal', 'ST', basic('INT8'), '1')}</DOType><DOType id="SPS" cdc="SPS">${da('stVal', 'ST', basic('BOOLEAN'))}</DOType>
<DOType id="DPC" cdc="DPC">${da('stVal', 'ST', basic('Dbpos'))}${common(4, 'OperSwitch')}</DOType>
<DOType id="BSC" cdc="BSC">${da('valWTr', 'ST', struct('ValWithTrans'))}${common(3, 'OperStep')}${da('minVal', 'CF', basic('INT8'), '-2')}${da('maxVal', 'CF', basic('INT8'), '1')}</DOType>
<DAType id="ValWithTrans">${bda('posVal', basic('INT8'))}${bda('transInd', basic('BOOLEAN'))}</DAType>
<DAType id="Originator">${bda('orCat', basic('INT8'))}${bda('orIdent', basic('Octet64'))}</DAType>${oper('OperSwitch', 'BOOLEAN')}${oper('OperStep', 'Tcmd')}
</DataTypeTemplates></SCL>`,
};
const POS = 'TLD/CSWI1$CO$Pos';
const TAP = 'TLD/ATCC1$CO$TapChg';

async function device(protocol: Readonly<Record<string, unknown>> = {}) {
  const channel = new ServedChannel({ document: FILE, protocol, points: [point(1, FrameType.yx, 'TLD/CSWI1.Pos.stVal[ST]')] });
  return { channel, client: await Controller.open(channel) };
}

describe('what an object tells of its commands', () => {
  it('is the selection, then originator and number of what was carried out', async () => {
    const { client, channel } = await device();
    const selected = () => client.read('TLD/CSWI1$ST$Pos$stSeld');
    const identifier = new TextEncoder().encode('panel 7');
    expect(await selected()).toEqual(boolean(false));
    await client.send(POS, 'SBOw', ON, { category: 3, identifier, number: 200 });
    expect(await selected()).toEqual(ON);
    expect(await client.read('TLD/CSWI1$ST$Pos$ctlNum')).toEqual({ kind: 'unsigned', value: 0 });
    await client.send(POS, 'Oper', ON, { category: 3, identifier, number: 200 });
    expect(await selected()).toEqual(boolean(false));
    expect(await client.read('TLD/CSWI1$ST$Pos$ctlNum')).toEqual({ kind: 'unsigned', value: 200 });
    expect(await client.read('TLD/CSWI1$ST$Pos$origin')).toEqual({
      kind: 'structure',
      items: [
        { kind: 'integer', value: 3 },
        { kind: 'octet-string', octets: identifier },
      ],
    });
    await client.send(POS, 'SBOw', boolean(false));
    await channel.clock.advance(5000);
    expect(await selected()).toEqual(boolean(false));
  });

  it('the time of a selection is that of the object, 0 for none', async () => {
    const { client, channel } = await device();
    await client.send(POS, 'SBOw', ON);
    await channel.clock.advance(5000);
    expect(await client.send(POS, 'Oper', ON)).toBe(3);
    expect(await client.write('TLD/CSWI1', 'CF$Pos$sboTimeout', { kind: 'unsigned', value: 0 })).toBeNull();
    await client.send(POS, 'SBOw', ON);
    await channel.clock.advance(3_600_000);
    expect(await client.send(POS, 'Oper', ON)).toBeNull();
    expect(await client.write('TLD/CSWI1', 'CF$Pos$sboTimeout', { kind: 'unsigned', value: 4_294_967_295 })).toBeNull();
    await client.send(POS, 'SBOw', boolean(false));
    await channel.clock.advance(2_147_483_647);
    expect(await client.send(POS, 'Oper', boolean(false))).toBeNull();
  });
});

describe('a command with a time', () => {
  it('waits for it, may be cancelled, and is carried out then', async () => {
    const { client, channel } = await device();
    const at = (ms: number) => channel.clock.wallMs() + ms;
    const operateAt = at(10_000);
    await client.send(POS, 'SBOw', ON, { operateAt });
    expect(await client.send(POS, 'Oper', ON, { operateAt })).toBeNull();
    await channel.clock.advance(9999);
    expect(client.told).not.toContain('termination +');
    expect(await client.send(POS, 'SBOw', ON)).toBe(2);
    await channel.clock.advance(1);
    expect(client.told.at(-1)).toBe('termination +');
    const off = { operateAt: at(5000) };
    await client.send(POS, 'SBOw', boolean(false), off);
    await client.send(POS, 'Oper', boolean(false), off);
    expect(await client.send(POS, 'Cancel', boolean(false), off)).toBeNull();
    expect(client.told.at(-1)).toBe('termination 15');
    await channel.clock.advance(10_000);
    expect(await client.read('TLD/CSWI1$ST$Pos$stVal')).toMatchObject({ octets: Uint8Array.of(0x80) });
  });

  it('that is over is refused; what stands against it then ends it', async () => {
    const { client, channel } = await device();
    await client.send(POS, 'SBOw', ON, { operateAt: 1000 });
    expect(await client.send(POS, 'Oper', ON, { operateAt: 1000 })).toBe(3);
    expect(client.told.slice(-2)).toEqual(['refusal 16', 'Oper 3']);
    const operateAt = channel.clock.wallMs() + 3000;
    await client.send(POS, 'SBOw', ON, { operateAt });
    await client.send(POS, 'Oper', ON, { operateAt });
    const [, switched] = [0, point(1, FrameType.yx, 'TLD/CSWI1.Pos.stVal[ST]')];
    const exchange = exchangeContext();
    await channel.connection.execute({ point: switched, step: 'operate', value: 1, options: {} }, exchange);
    await channel.clock.advance(3000);
    expect(client.told.at(-1)).toBe('termination 5');
  });

  it('goes by the wall clock, also when somebody sets it', async () => {
    const { client, channel } = await device();
    const operateAt = channel.clock.wallMs() + 86_400_000;
    await client.send(POS, 'SBOw', ON, { operateAt });
    await client.send(POS, 'Oper', ON, { operateAt });
    channel.clock.setWall(86_400_000);
    await channel.clock.advance(1000);
    expect(client.told.at(-1)).toBe('termination +');
  });
});

describe('a tap changer', () => {
  it('goes step by step to the end of its range', async () => {
    const { client } = await device();
    const steps: (number | null)[] = [];
    for (const command of [HIGHER, HIGHER, LOWER, LOWER, LOWER, LOWER]) steps.push(await client.send(TAP, 'Oper', command));
    expect(steps).toEqual([null, 3, null, null, null, 3]);
    expect(client.told.filter((each) => each === 'refusal 7')).toHaveLength(2);
    expect(await client.read('TLD/ATCC1$ST$TapChg$valWTr$posVal')).toEqual({ kind: 'integer', value: -2 });
    expect(await client.send(TAP, 'Oper', STEP(0))).toBeNull();
  });
});
