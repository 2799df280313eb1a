import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import type { PointConfig, PointReading } from '../../spi/index.ts';
import { shownAmong } from '../../testing/engineering.ts';
import { testPoint } from '../../testing/points.ts';
import type { MmsValue } from '../mms/types.ts';
import { timeQuality, utcMs } from '../model/time.ts';
import { ask, context, float, names, point, TABLE, value, write } from './testing/asking.ts';
import { named, ServedChannel } from './testing/served-channel.ts';

const { yc, yk, yt, yx } = FrameType;

describe('model of a point table', () => {
  it('is browsed with types, quality, time and descriptions', async () => {
    const channel = new ServedChannel({ points: TABLE });
    const client = await channel.associated();
    expect(await names(client, 9, null)).toEqual(['BAY1LD0']);
    const all = await names(client, 0, 'BAY1LD0');
    expect(all).toContain('LLN0$DC$NamPlt$vendor');
    expect(all.filter((name) => name.startsWith('MMXU1$MX$TotW'))).toEqual([
      'MMXU1$MX$TotW',
      'MMXU1$MX$TotW$mag',
      'MMXU1$MX$TotW$mag$f',
      'MMXU1$MX$TotW$q',
      'MMXU1$MX$TotW$t',
    ]);
    expect(all.filter((name) => name.startsWith('GGIO1$CO')).slice(0, 2)).toEqual(['GGIO1$CO', 'GGIO1$CO$SPCSO1']);
    const { type } = await ask(client, { service: 'get-variable-access-attributes', name: named('BAY1LD0/XCBR1$ST$Pos') });
    expect(type).toMatchObject({ components: [{ name: 'stVal', type: { kind: 'bit-string', size: 2 } }, { name: 'q' }, { name: 't' }] });
    expect(await value(client, 'BAY1LD0/GGIO1$DC$Ind1$dU')).toEqual({ kind: 'mms-string', text: 'point 3' });
    expect(await value(client, 'BAY1LD0/GGIO1$CF$SPCSO1$ctlModel')).toEqual({ kind: 'integer', value: 1 });
    expect(await value(client, 'BAY1LD0/GGIO1$ST$Beh$stVal')).toEqual({ kind: 'integer', value: 1 });
  });

  it('has the type that a point says, where the name of its attribute tells another one', async () => {
    const said = (id: number, served_type: string) => ({ protocol: { served_type }, id });
    const points = [
      point(1, yx, 'LD/GGIO1.Stage.stVal[ST]', said(1, 'INT16')),
      point(2, yx, 'LD/GGIO1.Sw.stVal[ST]', said(2, 'Dbpos')),
      point(3, yc, 'LD/GGIO1.Dbl.mag.f[MX]', said(3, 'FLOAT64')),
      point(4, yx, 'LD/GGIO1.Ind1.stVal[ST]', said(4, 'no such type')),
    ];
    const channel = new ServedChannel({ points });
    for (const [at, value] of [300, 3, 0.1].entries()) {
      await channel.connection.execute({ point: points[at] as PointConfig, step: 'operate', value, options: {} }, context());
    }
    const client = await channel.associated();
    expect(await value(client, 'LD/GGIO1$ST$Stage$stVal')).toEqual({ kind: 'integer', value: 300 });
    expect(await value(client, 'LD/GGIO1$ST$Sw$stVal')).toMatchObject({ kind: 'bit-string', size: 2 });
    expect(await value(client, 'LD/GGIO1$MX$Dbl$mag$f')).toEqual({ kind: 'float', value: 0.1, width: 64 });
    expect(await value(client, 'LD/GGIO1$ST$Ind1$stVal')).toEqual({ kind: 'boolean', value: false });
  });

  it('takes what was set a while ago with its time', async () => {
    const points = [point(1, yx, 'LD/GGIO1.Ind1.stVal[ST]')];
    const channel = new ServedChannel({ points });
    channel.connection.serve?.([{ point: points[0] as PointConfig, value: 1, flags: ['questionable', 'clock_failure'], agoMs: 2500 }]);
    const client = await channel.associated();
    const time = await value(client, 'LD/GGIO1$ST$Ind1$t');
    expect(utcMs(time as MmsValue)).toBe(channel.clock.wallMs() - 2500);
    expect(timeQuality(time as MmsValue)?.flags).toEqual(['clock_failure']);
  });

  it.each([1, 2, 3, 4])('has controls of model %i with what tells of the last command, and with Cancel', async (model) => {
    const points = [
      point(1, yk, 'LD/GGIO1.SPCSO1[CO]', { protocol: { control_model: model } }),
      point(2, yt, 'LD/GGIO1.AnOut1[CO]', { protocol: { control_model: model } }),
    ];
    const client = await new ServedChannel({ points }).associated();
    const parts = async (key: string) => {
      const { type } = await ask(client, { service: 'get-variable-access-attributes', name: named(key) });
      return type.kind === 'structure' ? type.components.map(({ name }) => name) : [];
    };
    const selected = model === 2 || model === 4 ? ['stSeld'] : [];
    expect(await parts('LD/GGIO1$ST$SPCSO1')).toEqual(['origin', 'ctlNum', 'stVal', 'q', 't', ...selected]);
    expect(await parts('LD/GGIO1$MX$AnOut1')).toEqual(['origin', 'ctlNum', 'mxVal', 'q', 't', ...selected]);
    expect(await parts('LD/GGIO1$ST$SPCSO1$origin')).toEqual(['orCat', 'orIdent']);
    const select = model === 2 ? ['SBO'] : model === 4 ? ['SBOw'] : [];
    for (const object of ['SPCSO1', 'AnOut1']) expect(await parts(`LD/GGIO1$CO$${object}`)).toEqual([...select, 'Oper', 'Cancel']);
    expect(await parts('LD/GGIO1$CO$SPCSO1$Cancel')).toEqual(['ctlVal', 'origin', 'ctlNum', 'T', 'Test']);
  });

  it('has no control services for a point that shows its status only', async () => {
    const points = [point(1, yk, 'LD/GGIO1.SPCSO1[CO]', { protocol: { control_model: 0 } })];
    const client = await new ServedChannel({ points }).associated();
    const all = await names(client, 0, 'LD');
    expect(all.filter((name) => name.startsWith('GGIO1$ST$SPCSO1$'))).toEqual(['q', 'stVal', 't'].map((name) => `GGIO1$ST$SPCSO1$${name}`));
  });

  it('has data sets of its states and measurements', async () => {
    const client = await new ServedChannel({ points: TABLE }).associated();
    expect(await names(client, 2, 'BAY1LD0')).toEqual(['LLN0$dsMeas', 'LLN0$dsStat']);
    const { items, isDeletable } = await ask(client, {
      service: 'get-named-variable-list-attributes',
      name: named('BAY1LD0/LLN0$dsMeas'),
    });
    expect(isDeletable).toBe(false);
    expect(items.map(({ name }) => name.item)).toEqual(['MMXU1$MX$TotW', 'MMXU1$MX$PhV$phsA']);
  });

  it('tells its model, changes with the table, and keeps values', async () => {
    const told: string[] = [];
    const channel = new ServedChannel({
      points: TABLE,
      onModel: function* (model, source) {
        yield;
        told.push(`${source} ${model.devices.length}`);
      },
    });
    const [first] = TABLE;
    if (!first) throw new Error('no point');
    await channel.connection.execute({ point: first, step: 'operate', value: 1.5, options: {} }, context());
    const client = await channel.associated();
    const more = [...TABLE, point(9, yx, 'BAY2LD0/GGIO1.Ind1.stVal[ST]'), point(10, yc, 'BAY2LD0/MHAI1.HA.phsAHar(3).cVal.mag.f[MX]')];
    channel.connection.pointsChanged(more);
    expect(told).toEqual(['table 1', 'table 2']);
    expect(await names(client, 9, null)).toEqual(['BAY1LD0', 'BAY2LD0']);
    expect(await value(client, 'BAY1LD0/MMXU1$MX$TotW$mag$f')).toEqual(float(1500));
    const { type } = await ask(client, { service: 'get-variable-access-attributes', name: named('BAY2LD0/MHAI1$MX$HA$phsAHar') });
    expect(type).toMatchObject({ kind: 'array', count: 4 });
  });

  it('leaves out points that name no value, and says why', async () => {
    const strange = [
      point(1, yx, 'nonsense'),
      point(2, yk, 'LD0/GGIO1.SPCSO1[CO]'),
      point(3, yc, 'LD0/MMXU1.A[MX]'),
      point(4, yx, 'LD0/GGIO1.Ind1[ST]'),
    ];
    const { connection } = new ServedChannel({ points: strange });
    const plan = connection.plan(strange, { mode: 'batch', skipKnownHoles: false });
    expect(plan.batches.flatMap(({ pointIds }) => pointIds)).toEqual([3, 4]);
    expect(plan.excluded.map(({ pointId, error }) => `${pointId} ${error.code}`)).toEqual(['1 CONFIG_INVALID', '2 CONFIG_INVALID']);
  });
});

describe('points', () => {
  const execute = (channel: ServedChannel, id: number, value: number, options: Record<string, unknown> = {}) => {
    const found = TABLE.find((each) => each.id === id);
    if (!found) throw new Error('no such point');
    return channel.connection.execute({ point: found, step: 'operate', value, options }, context());
  };
  const read = async (channel: ServedChannel, id: number): Promise<PointReading | undefined> => {
    const { readings } = await channel.connection.read({ slaveId: null, pointIds: [id] }, context());
    return readings[0] && shownAmong(TABLE, readings[0]);
  };

  it('are set, read back, and seen by clients with quality and time', async () => {
    const channel = new ServedChannel({ points: TABLE });
    const client = await channel.associated();
    await execute(channel, 1, 1.5, { flags: ['questionable', 'OV'] });
    expect(await read(channel, 1)).toMatchObject({
      value: 1.5,
      quality: 'good',
      flags: ['questionable', 'OV'],
      sourceTime: channel.clock.wallMs(),
    });
    expect(await value(client, 'BAY1LD0/MMXU1$MX$TotW$q')).toMatchObject({ size: 13, octets: Uint8Array.of(0xe0, 0) });
    await execute(channel, 4, 1);
    expect(await value(client, 'BAY1LD0/XCBR1$ST$Pos$stVal')).toMatchObject({ octets: Uint8Array.of(0x80) });
    expect(await read(channel, 4)).toMatchObject({ value: 1, flags: [] });
    await execute(channel, 7, 2 ** 60);
    expect(await value(client, 'BAY1LD0/MMTR1$ST$TotWh$actVal')).toEqual({ kind: 'integer', value: 2n ** 60n });
    expect(await read(channel, 7)).toMatchObject({ valueText: String(2n ** 60n) });
    expect(channel.passed.every(({ event }) => !event)).toBe(true);
  });

  it('of which one was edited are those of the whole table, and keep their values', async () => {
    const [whole, edited] = [new ServedChannel({ points: TABLE }), new ServedChannel({ points: TABLE })];
    for (const channel of [whole, edited]) await execute(channel, 1, 3);
    const ids = TABLE.map(({ id }) => id);
    const first = TABLE.find(({ id }) => id === 1) ?? testPoint();
    const changes = [{ mul_coe: 0.5 }, { max_limit: 9, note: 'x' }, { reference: 'BAY1LD0/MMXU1.TotVAr.mag.f[MX]' }, { name: 'anew' }];
    let before = first;
    for (const change of changes) {
      const after = { ...before, ...change };
      whole.connection.pointsChanged(TABLE.map((each) => (each.id === 1 ? after : each)));
      edited.connection.pointsEdited?.({ before: [before], after: [after] });
      const all = { slaveId: null, pointIds: ids };
      expect(await edited.connection.read(all, context())).toEqual(await whole.connection.read(all, context()));
      expect(edited.passed.map(({ readings }) => readings)).toEqual(whole.passed.map(({ readings }) => readings));
      before = after;
    }
  });

  it('refuse values and steps that do not suit', async () => {
    const channel = new ServedChannel({ points: TABLE });
    await expect(execute(channel, 3, 2)).rejects.toMatchObject({ code: 'CONFIG_RANGE' });
    await expect(execute(channel, 8, 2 ** 40)).rejects.toMatchObject({ code: 'CONFIG_RANGE' });
    await expect(execute(channel, 6, 1)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await expect(execute(channel, 1, 1, { flags: ['nonsense'] })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    const [first = testPoint()] = TABLE;
    await expect(channel.connection.execute({ point: first, step: 'select', value: 1, options: {} }, context())).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    });
    const gone = { ...first, id: 99 };
    await expect(channel.connection.execute({ point: gone, step: 'operate', value: 1, options: {} }, context())).rejects.toMatchObject({
      code: 'CONFIG_NOT_FOUND',
    });
  });

  it('follow the writes of clients, which are events', async () => {
    const channel = new ServedChannel({ points: TABLE });
    const client = await channel.associated();
    expect(await write(client, 'BAY1LD0/PTOC1$SP$StrVal$setMag$f', float(2.5))).toBeNull();
    expect(channel.passed.slice(1)).toMatchObject([{ event: true, readings: [{ pointId: 5, value: 2.5 }] }]);
    expect(await read(channel, 5)).toMatchObject({ value: 2.5 });
    expect(
      await write(client, 'BAY1LD0/PTOC1$SP$StrVal', { kind: 'structure', items: [{ kind: 'structure', items: [float(3)] }] }),
    ).toBeNull();
    expect(await read(channel, 5)).toMatchObject({ value: 3 });
  });

  it('go on with what was served before, where the type is the same', async () => {
    const octets = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));
    const before = new Map([
      [1, octets('870508449a5000')],
      [3, octets('870508449a5000')],
      [5, octets('ff')],
    ]);
    const channel = new ServedChannel({ points: TABLE, before });
    expect(await read(channel, 1)).toMatchObject({ value: 1.2345 });
    expect(await read(channel, 3)).toMatchObject({ value: 0 });
    expect(await read(channel, 5)).toMatchObject({ value: 0 });
  });

  it('are answered in groups, or one by one', () => {
    const many = Array.from({ length: 1001 }, (_, index) => point(index + 1, yx, `LD0/GGIO1.Ind${index + 1}.stVal[ST]`));
    const { connection } = new ServedChannel({ points: many });
    expect(connection.plan(many, { mode: 'batch', skipKnownHoles: false }).batches.map(({ pointIds }) => pointIds.length)).toEqual([
      500, 500, 1,
    ]);
    expect(connection.plan(many.slice(0, 3), { mode: 'single', skipKnownHoles: false }).batches.length).toBe(3);
  });
});
