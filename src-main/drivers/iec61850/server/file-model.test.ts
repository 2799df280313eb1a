import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import { runSteps } from '../../../platform/steps.ts';
import { sclDocuments } from '../model/documents.ts';
import { sclText } from '../model/testing/files.ts';
import { ask, float, names, point, unsigned, value, write } from './testing/asking.ts';
import { named, outcome, ServedChannel } from './testing/served-channel.ts';

const { yc, yk, yt } = FrameType;
const BAY = { name: 'bay.cid', text: sclText('bay.cid') };

describe('model of a file', () => {
  const open = async (changes: object = {}) => {
    const channel = new ServedChannel({ document: BAY, points: [], ...changes });
    return { channel, client: await channel.associated() };
  };

  it('serves its values, words of enumerations and data sets', async () => {
    const { client } = await open();
    expect(await names(client, 9, null)).toEqual(['BAY1LD0', 'BAY1MEAS', 'Protection']);
    expect(await value(client, 'BAY1MEAS/MMXU1$MX$TotW$mag$f')).toEqual(float(1234.5));
    expect(await value(client, 'BAY1LD0/Q1CSWI1$ST$Pos$stVal')).toMatchObject({ octets: Uint8Array.of(0x80) });
    expect(await value(client, 'BAY1LD0/Q1CSWI1$CF$Pos$ctlModel')).toEqual({ kind: 'integer', value: 4 });
    expect(await value(client, 'BAY1MEAS/MMTR1$ST$TotWh$actVal')).toEqual({ kind: 'integer', value: 9007199254740993n });
    expect(await value(client, 'BAY1LD0/GGIO1$DC$Ind1$dU')).toEqual({ kind: 'mms-string', text: '门开 door' });
    expect(await value(client, 'BAY1LD0/LLN0$RP$urcbStat01$OptFlds')).toMatchObject({ kind: 'bit-string', size: 10 });
    const list = await ask(client, {
      service: 'read',
      spec: { kind: 'list', name: named('BAY1LD0/LLN0$dsMeas') },
      withSpecification: true,
    });
    expect(list.results.map(({ kind }) => kind)).toEqual(['structure', 'float']);
    expect(list.spec).toEqual({ kind: 'list', name: named('BAY1LD0/LLN0$dsMeas') });
    expect(await ask(client, { service: 'identify' })).toMatchObject({ vendor: 'ACME', model: 'BC-7', revision: '1.2' });
  });

  it('tells the table from the start what clients read, without an event', async () => {
    const totw = 'BAY1MEAS/MMXU1.TotW.mag.f[MX]';
    const before = new Map([[2, Uint8Array.of(0x87, 5, 8, 0x3f, 0x80, 0, 0)]]);
    const absent = point(4, yc, 'BAY1MEAS/MMXU1.None.mag.f[MX]');
    const control = point(5, yk, 'BAY1LD0/Q1CSWI1.Pos[CO]');
    const { channel } = await open({ points: [point(1, yc, totw), point(2, yc, totw), absent, control], before });
    const set = { pointId: 2, value: 1, raw: before.get(2) };
    const same = { pointId: 1, value: 1, raw: new Uint8Array(0), quality: 'good' };
    expect(channel.passed).toMatchObject([{ event: false, readings: [same, set, { kind: 'failure', pointId: 4 }] }]);
    const scaled = { ...point(3, yc, totw), mul_coe: 0.5 };
    channel.connection.pointsChanged?.([point(1, yc, totw), point(2, yc, totw), absent, scaled]);
    expect(channel.passed.slice(1)).toEqual([{ event: false, readings: [expect.objectContaining({ pointId: 3, value: 1 })] }]);
  });

  it('gives the file itself to read, in pieces', async () => {
    const { channel } = await open();
    const client = await channel.associated({ maxPduOctets: 1000 });
    const directory = await ask(client, { service: 'file-directory', name: null, continueAfter: null });
    expect(directory).toMatchObject({ entries: [{ name: ['bay.cid'], size: Buffer.byteLength(BAY.text) }], moreFollows: false });
    for (const name of ['*', '/*', '/']) {
      expect(await ask(client, { service: 'file-directory', name: [name], continueAfter: null })).toEqual(directory);
    }
    expect(await outcome(client, { service: 'file-directory', name: ['none/*'], continueAfter: null })).toContain('file-non-existent');
    const { handle } = await ask(client, { service: 'file-open', name: ['/bay.cid'], position: 0 });
    const parts: Uint8Array[] = [];
    for (let more = true; more; ) {
      const part = await ask(client, { service: 'file-read', handle });
      parts.push(part.octets.slice());
      more = part.moreFollows;
    }
    expect(Buffer.concat(parts).toString()).toBe(BAY.text);
    await ask(client, { service: 'file-close', handle });
    expect(await outcome(client, { service: 'file-close', handle })).toContain('file');
    expect(await outcome(client, { service: 'file-open', name: ['none'], position: 0 })).toContain('file-non-existent');
    expect(await outcome(client, { service: 'file-open', name: ['bay.cid'], position: 10 ** 6 })).toContain('position-invalid');
    for (let count = 0; count < 8; count++) await ask(client, { service: 'file-open', name: ['bay.cid'], position: 0 });
    expect(await outcome(client, { service: 'file-open', name: ['bay.cid'], position: 0 })).toContain('resource');
  });

  it('has setting groups: select, edit, confirm', async () => {
    const served = [point(1, yt, 'Protection/PTOC1.StrVal.setMag.f[SG]')];
    const text = BAY.text.replace(
      '<LDevice inst="PROT" ldName="Protection">\n          <LN0 lnClass="LLN0" inst="" lnType="LLN0_T"/>',
      '<LDevice inst="PROT" ldName="Protection">\n          <LN0 lnClass="LLN0" inst="" lnType="LLN0_T"><SettingControl numOfSGs="2" actSG="1"/></LN0>',
    );
    const { channel, client } = await open({ document: { name: 'bay.cid', text }, points: served });
    const block = 'Protection/LLN0$SP$SGCB';
    const setting = (constraint: string) => `Protection/PTOC1$${constraint}$StrVal$setMag$f`;
    expect(await value(client, setting('SG'))).toEqual(float(1.5));
    expect(await value(client, setting('SE'))).toEqual({ kind: 'failure', code: 2 });
    expect(await write(client, setting('SE'), float(7))).toBe(2);
    expect(await write(client, setting('SG'), float(7))).toBe(3);
    expect(await write(client, `${block}$CnfEdit`, { kind: 'boolean', value: true })).toBe(2);
    expect(await write(client, `${block}$EditSG`, unsigned(2))).toBeNull();
    expect(await write(client, setting('SE'), float(7))).toBeNull();
    expect(await value(client, setting('SG'))).toEqual(float(1.5));
    expect(await write(client, `${block}$CnfEdit`, { kind: 'boolean', value: true })).toBeNull();
    expect(await value(client, `${block}$EditSG`)).toEqual(unsigned(0));
    expect(await write(client, `${block}$ActSG`, unsigned(9))).toBe(11);
    expect(await write(client, `${block}$ActSG`, { kind: 'integer', value: 2 })).toBe(7);
    expect(await write(client, `${block}$NumOfSG`, unsigned(1))).toBe(3);
    expect(await write(client, `${block}$ActSG`, unsigned(2))).toBeNull();
    expect(await value(client, setting('SG'))).toEqual(float(7));
    expect(channel.passed.at(-1)).toMatchObject({ event: true, readings: [{ pointId: 1, value: 7 }] });
    expect(await write(client, `${block}$ActSG`, unsigned(1))).toBeNull();
    expect(await value(client, setting('SG'))).toEqual(float(1.5));
    expect(await write(client, `${block}$EditSG`, unsigned(3))).toBe(11);
  });

  it('is what was made of its file before, as a thread does for a large one; the file is not read again', async () => {
    const memory = new Map();
    const { device } = sclDocuments;
    if (device) runSteps(device.take(memory, [...device.make(BAY, { ied_name: '' })]));
    const { client } = await open({ document: { name: 'bay.cid', text: 'not read' }, memory });
    expect(await value(client, 'BAY1MEAS/MMXU1$MX$TotW$mag$f')).toEqual(float(1234.5));
  });

  it('says what is wrong with a file, and which device it lacks', () => {
    expect(() => new ServedChannel({ document: { name: 'a.cid', text: 'no' } })).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID' }),
    );
    expect(() => new ServedChannel({ document: BAY, protocol: { ied_name: 'BAY9' } })).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID' }),
    );
  });
});
