import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import type { DriverConnection, PointConfig, StagedTable } from '../../spi/index.ts';
import type { MmsValue } from '../mms/types.ts';
import { ask, context, float, names, point, TABLE, unsigned, value, write } from './testing/asking.ts';
import { ServedChannel } from './testing/served-channel.ts';

const { yc, yx } = FrameType;
const COUNT = 400;

/** A device with two logical devices whose names stay and whose points change places. */
const states = (shift: number): readonly PointConfig[] =>
  Array.from({ length: COUNT }, (_, at) => point(at + 1, yx, `LD${at % 2}/GGIO1.Ind${((at + shift) % COUNT) + 1}.stVal[ST]`));

/** A table made aside by a connection that has this. */
async function staged(
  connection: DriverConnection,
  points: readonly PointConfig[],
  breathe: () => Promise<void> = async () => undefined,
): Promise<StagedTable> {
  const made = await connection.stageTable?.(points, breathe);
  return made ?? expect.fail('nothing is made aside');
}

/** What the sink was told, point by point. */
function shown({ passed }: ServedChannel): ReadonlyMap<number, unknown> {
  return new Map(passed.flatMap(({ readings }) => readings.map((reading) => [reading.pointId, reading] as const)));
}

describe('a table that is made aside', () => {
  it('is served as if it had been told whole', async () => {
    const [whole, aside] = [new ServedChannel({ points: TABLE }), new ServedChannel({ points: TABLE })];
    const more = [...TABLE.filter(({ id }) => id !== 3), ...states(0).map((each) => ({ ...each, id: each.id + 100 }))];
    whole.connection.pointsChanged(more);
    const table = await staged(aside.connection, more);
    table.takeOver();
    await table.tell?.(async () => undefined);
    const [one, other] = [await whole.associated(), await aside.associated()];
    for (const domain of ['BAY1LD0', 'LD0', 'LD1']) {
      for (const kind of [0, 2]) expect(await names(other, kind, domain)).toEqual(await names(one, kind, domain));
    }
    const batch = { slaveId: null, pointIds: more.map(({ id }) => id) };
    expect(await aside.connection.read(batch, context())).toEqual(await whole.connection.read(batch, context()));
    const plan = { mode: 'batch', skipKnownHoles: false } as const;
    expect(aside.connection.plan(more, plan)).toEqual(whole.connection.plan(more, plan));
    expect(shown(aside)).toEqual(shown(whole));
  });

  it('lets others have their turn all the time, also when it shows its points', async () => {
    const { connection } = new ServedChannel();
    const turns = { made: 0, told: 0 };
    const table = await staged(connection, states(0), async () => void turns.made++);
    table.takeOver();
    await table.tell?.(async () => void turns.told++);
    expect(turns.made).toBeGreaterThan(COUNT / 16);
    expect(turns.told).toBeGreaterThanOrEqual(COUNT / 32);
  });

  it('gives the report and log blocks of many logical devices what they have in turns of their own', async () => {
    const { connection } = new ServedChannel();
    const many = Array.from({ length: 60 }, (_, at) => point(at + 1, yx, `LD${at}/GGIO1.Ind1.stVal[ST]`));
    for (const points of [many, many.slice(0, 30), states(0)]) {
      const table = await staged(connection, points);
      table.takeOver();
      let turns = 0;
      await table.tell?.(async () => void turns++);
      // four report blocks and a log block of each
      const devices = new Set(points.map(({ reference }) => reference.slice(0, reference.indexOf('/')))).size;
      expect(turns).toBeGreaterThanOrEqual(5 * devices);
    }
  });

  it('shows a client that asks for a block, or for all of them, before their turn what they have by the table', async () => {
    const bay = (count: number, domain = 'LD') =>
      Array.from({ length: count }, (_, at) => point(at + 1, yx, `${domain}/GGIO1.Ind${at}.stVal[ST]`));
    const channel = new ServedChannel({ points: bay(2) });
    const client = await channel.associated();
    const revision = (block: string) => value(client, `LD/LLN0$BR$${block}$ConfRev`);
    expect(await revision('brcbStat01')).toEqual(unsigned(1));
    const table = await staged(channel.connection, [...bay(3), ...bay(3, 'NEW').map((each) => ({ ...each, id: each.id + 10 }))]);
    table.takeOver();
    expect(await revision('brcbStat01')).toEqual(unsigned(2));
    const all = await value(client, 'LD/LLN0$BR');
    const revisions = (all as { items: { items: { kind: string; value?: number }[] }[] }).items.map(({ items }) =>
      items.find(({ kind }) => kind === 'unsigned'),
    );
    expect(revisions).toEqual([unsigned(2), unsigned(2)]);
    const enabled: MmsValue = { kind: 'boolean', value: true };
    expect(await write(client, 'NEW/LLN0$BR$brcbStat01$RptEna', enabled)).toBeNull();
    expect(await write(client, 'NEW/LLN0$LG$lcbStat$LogEna', { kind: 'boolean', value: false })).toBeNull();
    await table.tell?.(async () => undefined);
    expect(await revision('brcbStat01'), 'once').toEqual(unsigned(2));
    expect(await value(client, 'NEW/LLN0$BR$brcbStat01$RptEna')).toEqual(enabled);
    expect(await value(client, 'NEW/LLN0$LG$lcbStat$LogEna')).toEqual({ kind: 'boolean', value: false });
  });

  it('enters what changes before the turn of a log under its own name', async () => {
    const at = (id: number) => point(id, yx, `LD/GGIO1.Ind${id}.stVal[ST]`);
    const channel = new ServedChannel({ points: [at(1), at(2)] });
    const client = await channel.associated();
    const table = await staged(channel.connection, [at(2), at(3)]);
    table.takeOver();
    const set = async (id: number) => {
      await channel.connection.execute({ point: at(id), step: 'operate', value: 1, options: {} }, context());
      await channel.clock.advance(1);
    };
    await set(2);
    await table.tell?.(async () => undefined);
    await set(3);
    const name = { scope: 'domain', domain: 'LD', item: 'LLN0$EventLog' } as const;
    const { entries } = await ask(client, { service: 'read-journal', name, start: null, stop: null, variables: null, after: null });
    const tags = entries.map(({ variables }) => variables.map(({ tag }) => tag).filter((tag) => tag.includes('$ST$')));
    expect(tags).toEqual([['LD/GGIO1$ST$Ind2'], ['LD/GGIO1$ST$Ind3']]);
  });

  it('changes nothing before it is taken over: values, names and points are the old ones', async () => {
    const [first] = states(0) as [PointConfig];
    const channel = new ServedChannel({ points: states(0) });
    await channel.connection.execute({ point: first, step: 'operate', value: 1, options: {} }, context());
    const client = await channel.associated();
    const before = { names: await names(client, 0, 'LD0'), revision: channel.connection.planRevision };
    const read = async () => (await channel.connection.read({ slaveId: null, pointIds: [1, 2] }, context())).readings;
    const [old] = await read();
    const told = channel.passed.length;
    let looks = 0;
    const table = await staged(channel.connection, states(2), async () => {
      looks += 1;
      const [now] = await read();
      expect(now).toEqual(old);
      expect(channel.connection.planRevision).toBe(before.revision);
    });
    expect(looks).toBeGreaterThan(0);
    expect(await names(client, 0, 'LD0')).toEqual(before.names);
    expect(channel.passed).toHaveLength(told);
    table.takeOver();
    const [after] = await read();
    expect(after, 'the point lies at another place now, whose value nobody set').toMatchObject({ pointId: 1, value: 0 });
    expect(await value(client, 'LD0/GGIO1$ST$Ind1$stVal'), 'the value stays where it was set').toEqual({ kind: 'boolean', value: true });
  });

  it('keeps what a client or the channel sets while it is made, and serves a command right behind', async () => {
    const channel = new ServedChannel({ points: TABLE });
    const [power] = TABLE as [PointConfig];
    const added = point(50, yc, 'NEW/MMXU1.TotW.mag.f[MX]');
    let bits = 0;
    const table = await staged(channel.connection, [...TABLE, added], async () => {
      bits += 1;
      if (bits === 2) await channel.connection.execute({ point: power, step: 'operate', value: 1.5, options: {} }, context());
    });
    table.takeOver();
    await channel.connection.execute({ point: added, step: 'operate', value: 7, options: {} }, context());
    const client = await channel.associated();
    expect(await value(client, 'BAY1LD0/MMXU1$MX$TotW$mag$f')).toEqual(float(1500));
    expect(await value(client, 'NEW/MMXU1$MX$TotW$mag$f')).toEqual(float(7));
    await table.tell?.(async () => undefined);
    expect(shown(channel).get(50), 'shows the value of now, not that of the making').toMatchObject({ value: 7 });
  });

  it('shows nothing any more when the connection is closed', async () => {
    const channel = new ServedChannel();
    const table = await staged(channel.connection, states(0));
    table.takeOver();
    await table.tell?.(async () => {
      if (shown(channel).size > 0) await channel.connection.close();
    });
    expect(shown(channel).size).toBeGreaterThan(0);
    expect(shown(channel).size).toBeLessThan(COUNT);
  });

  it('is needed where points come, go or lie elsewhere, and not where they stay where they are', () => {
    const { connection } = new ServedChannel({ points: TABLE });
    const [before] = TABLE as [PointConfig];
    const to = (changes: Partial<PointConfig>) => [{ before, after: { ...before, ...changes } }];
    expect(connection.isMadeAnew?.(to({ mul_coe: 2, unit: 'W' }), 0)).toBe(false);
    expect(connection.isMadeAnew?.(to({ reference: 'BAY1LD0/MMXU1.TotVAr.mag.f[MX]' }), 0)).toBe(true);
    expect(connection.isMadeAnew?.([], 1)).toBe(true);
  });
});
