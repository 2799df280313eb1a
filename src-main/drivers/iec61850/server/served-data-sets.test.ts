import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import type { DataSetAccess } from '../../spi/index.ts';
import { shownAmong } from '../../testing/engineering.ts';
import { sclText } from '../model/testing/files.ts';
import { ask, context, point, write } from './testing/asking.ts';
import { named, ServedChannel } from './testing/served-channel.ts';

const { yc, yx } = FrameType;
const IND1 = point(1, yx, 'BAY1LD0/GGIO1.Ind1.stVal[ST]');
const TOTW = point(2, yc, 'BAY1MEAS/MMXU1.TotW.mag.f[MX]', { mul_coe: 2 });
const EXCHANGE = context();
const STAT = 'BAY1LD0/LLN0$dsStat';

function bay(options: ConstructorParameters<typeof ServedChannel>[0] = {}) {
  const channel = new ServedChannel({ document: { name: 'bay.cid', text: sclText('bay.cid') }, points: [IND1, TOTW], ...options });
  return { channel, sets: channel.connection.dataSets as DataSetAccess };
}

describe('data sets on the channel of the simulated device', () => {
  it('are those of the file, and read back what is served, without I/O', async () => {
    const { channel, sets } = bay();
    expect(sets.names()).toEqual([STAT, 'BAY1LD0/LLN0$dsMeas']);
    const { values, readings } = await sets.read('BAY1LD0/LLN0.dsMeas', EXCHANGE);
    expect(Object.fromEntries(values)).toMatchObject({ 'BAY1MEAS/MMXU1$MX$TotW$mag$f': 1234.5, 'BAY1MEAS/MMXU1$MX$TotW$q': 'good' });
    expect(readings.map((reading) => shownAmong([TOTW], reading))).toMatchObject([{ pointId: 2, value: 2469, quality: 'good' }]);
    expect(channel.writes).toEqual([]);
  });

  it('have what the table or a client wrote last', async () => {
    const { channel, sets } = bay();
    await channel.connection.execute({ point: IND1, step: 'operate', value: 1, options: { flags: ['test'] } }, EXCHANGE);
    const { values, readings } = await sets.read(STAT, EXCHANGE);
    expect([values.get('BAY1LD0/GGIO1$ST$Ind1$stVal'), values.get('BAY1LD0/GGIO1$ST$Ind1$q')]).toEqual([true, 'good test']);
    expect(readings).toMatchObject([{ pointId: 1, value: 1, flags: ['test'], sourceTime: channel.clock.wallMs() }]);
    channel.connection.pointsChanged([]);
    expect((await sets.read(STAT, EXCHANGE)).readings).toEqual([]);
  });

  it('of clients are there as long as they are defined', async () => {
    const { channel, sets } = bay();
    const client = await channel.associated();
    const name = named('BAY1LD0/LLN0$dsMine');
    const items = [{ name: named('Protection/PTOC1$SP$OpDlTmms$setVal'), access: null }];
    await ask(client, { service: 'define-named-variable-list', name, items });
    await write(client, 'Protection/PTOC1$SP$OpDlTmms$setVal', { kind: 'integer', value: 250 });
    expect(sets.names()).toEqual([STAT, 'BAY1LD0/LLN0$dsMeas', 'BAY1LD0/LLN0$dsMine']);
    expect(Object.fromEntries((await sets.read('BAY1LD0/LLN0$dsMine', EXCHANGE)).values)).toEqual({
      'Protection/PTOC1$SP$OpDlTmms$setVal': 250,
    });
    await ask(client, { service: 'delete-named-variable-list', scope: 0, names: [name] });
    await expect(sets.read('BAY1LD0/LLN0$dsMine', EXCHANGE)).rejects.toMatchObject({
      code: 'CONFIG_NOT_FOUND',
      message: expect.stringContaining(`it has ${STAT}`),
    });
  });

  it('a member that is refused is left out, and its points say why', async () => {
    const { sets } = bay({ faults: { accessErrors: new Map([['BAY1LD0/GGIO1$ST$Ind1', 3]]) } });
    const { values, readings } = await sets.read(STAT, EXCHANGE);
    expect(values.has('BAY1LD0/GGIO1$ST$Ind1$stVal')).toBe(false);
    expect(values.has('BAY1LD0/GGIO1$ST$Ind2$stVal')).toBe(true);
    expect(readings).toMatchObject([{ kind: 'failure', error: { message: expect.stringContaining('object-access-denied (3)') } }]);
  });

  it('of a point table are its states and measurements', async () => {
    const { sets } = bay({ document: null });
    expect(sets.names()).toEqual(['BAY1LD0/LLN0$dsStat', 'BAY1MEAS/LLN0$dsMeas']);
    expect((await sets.read('BAY1MEAS/LLN0$dsMeas', EXCHANGE)).readings).toMatchObject([{ pointId: 2, kind: 'value' }]);
    const none = new ServedChannel({ points: [] }).connection.dataSets as DataSetAccess;
    await expect(none.read(STAT, EXCHANGE)).rejects.toMatchObject({ message: expect.stringContaining('it has none') });
  });
});
