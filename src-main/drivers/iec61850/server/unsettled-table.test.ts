import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import type { PointConfig, StagedTable } from '../../spi/index.ts';
import { BRCB, FALSE, Reporting, TRUE } from './reports/testing/reporting.ts';
import { point, value, write } from './testing/asking.ts';
import type { ServedChannel } from './testing/served-channel.ts';

const { yx } = FrameType;
const state = (id: number, domain = 'LD') => point(id, yx, `${domain}/GGIO1.Ind${id}.stVal[ST]`);
const states = (...ids: readonly number[]) => ids.map((id) => state(id));
const other = (...ids: readonly number[]) => ids.map((id) => ({ ...state(id, 'LD2'), id: id + 1000, code: `Q${id}` }));

/** Serves a table; its blocks have not had their turn. */
async function taken({ connection }: ServedChannel, points: readonly PointConfig[]): Promise<StagedTable> {
  const table = await connection.stageTable?.(points, async () => undefined);
  table?.takeOver();
  return table ?? expect.fail('nothing is made aside');
}

async function settled(channel: ServedChannel, points: readonly PointConfig[]): Promise<void> {
  await (await taken(channel, points)).tell?.(async () => undefined);
}

describe('a table whose blocks have not had their turn, behind which another comes', () => {
  it('ends the association of a client whose enabled block has other members only then', async () => {
    const device = new Reporting({ points: states(1, 2) });
    const reader = await device.reader();
    await reader.write(BRCB, 'RptEna', TRUE);
    await taken(device.channel, [...states(1, 2), ...other(1)]);
    await taken(device.channel, states(1, 2, 3));
    await device.pass(0);
    expect(reader.client.isOpen).toBe(false);
    expect(await (await device.reader()).read(BRCB, 'ConfRev')).toBe(2);
  });

  it('leaves a log enabled whose logical device goes and comes again', async () => {
    const { channel } = new Reporting({ points: [...states(1), ...other(1)] });
    const client = await channel.associated();
    const enabled = 'LD2/LLN0$LG$lcbStat$LogEna';
    for (const to of [FALSE, TRUE]) expect(await write(client, enabled, to)).toBeNull();
    await taken(channel, [...states(1), ...other(1, 2)]);
    await taken(channel, states(1));
    await settled(channel, [...states(1), ...other(1)]);
    expect(await value(client, enabled)).toEqual(TRUE);
  });
});
