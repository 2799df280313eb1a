import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import type { PointConfig, StagedTable } from '../../spi/index.ts';
import type { MmsClient } from '../association/mms-client.ts';
import { BRCB, FALSE, Reporting, TRUE, text } from './reports/testing/reporting.ts';
import { ask, context, point, value, write } from './testing/asking.ts';
import { named, type ServedChannel } from './testing/served-channel.ts';

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

/** A person sets a point to 1. */
async function set({ connection, clock }: ServedChannel, at: PointConfig): Promise<void> {
  await connection.execute({ point: at, step: 'operate', value: 1, options: {} }, context());
  await clock.advance(100);
}

/** What the log of a logical device names, entry by entry. */
async function logged(client: MmsClient, domain = 'LD'): Promise<string[][]> {
  const name = { scope: 'domain', domain, item: 'LLN0$EventLog' } as const;
  const { entries } = await ask(client, { service: 'read-journal', name, start: null, stop: null, variables: null, after: null });
  return entries.map(({ variables }) => variables.map(({ tag }) => tag).filter((tag) => tag.includes('$ST$')));
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

describe('what is set before the blocks of a table have had their turn', () => {
  it.each([
    ['a member that stays', states(1, 2, 3), state(2), BRCB, ['0: overflow 1=true data-change']],
    ['a member that comes', states(1, 2, 3), state(3), BRCB, ['0: overflow 2=true data-change']],
    [
      'a logical device that comes',
      [...states(1, 2), ...other(1)],
      other(1)[0],
      'LD2/LLN0$BR$brcbStat01',
      ['0: overflow 0=true data-change'],
    ],
  ])('is an entry of the buffered block by the table: %s', async (_, points, at, block, reports) => {
    const device = new Reporting({ points: states(1, 2) });
    const table = await taken(device.channel, points);
    await set(device.channel, at as PointConfig);
    await table.tell?.(async () => undefined);
    const reader = await device.reader();
    await reader.write(block, 'RptEna', TRUE);
    await device.pass(0);
    expect(reader.told()).toEqual(reports);
  });

  it('is an entry also where the block reports a data set of another logical device', async () => {
    const device = new Reporting({ points: [...states(1), ...other(1)] });
    const reader = await device.reader();
    expect(await reader.write(BRCB, 'DatSet', text('LD2/LLN0$dsStat'))).toBeNull();
    const table = await taken(device.channel, [...states(1), ...other(1, 2)]);
    await set(device.channel, other(2)[0] as PointConfig);
    await table.tell?.(async () => undefined);
    await reader.write(BRCB, 'RptEna', TRUE);
    await device.pass(0);
    expect(reader.told()).toEqual(['0: overflow 1=true data-change']);
  });

  it('is in the log, once', async () => {
    const { channel } = new Reporting({ points: states(1) });
    const table = await taken(channel, [...states(1, 2), ...other(1)]);
    await set(channel, state(2));
    await set(channel, other(1)[0] as PointConfig);
    await table.tell?.(async () => undefined);
    const client = await channel.associated();
    expect(await logged(client)).toEqual([['LD/GGIO1$ST$Ind2']]);
    expect(await logged(client, 'LD2')).toEqual([['LD2/GGIO1$ST$Ind1']]);
  });

  it('is in the log once also where it was entered by a block that the table has no longer', async () => {
    const many = Array.from({ length: 150 }, (_, at) => at + 1);
    const { channel } = new Reporting({ points: [...states(...many), ...other(1)] });
    const client = await channel.associated();
    const second = 'LD/LLN0$LG$lcbStat2';
    await write(client, `${second}$LogEna`, FALSE);
    // a reference that a client has written stays when the block goes
    for (const log of ['LD2', 'LD']) expect(await write(client, `${second}$LogRef`, text(`${log}/LLN0$EventLog`))).toBeNull();
    expect(await write(client, `${second}$LogEna`, TRUE)).toBeNull();
    const table = await taken(channel, states(...many.slice(60)));
    await set(channel, state(140));
    await table.tell?.(async () => undefined);
    expect(await logged(client)).toEqual([['LD/GGIO1$ST$Ind140']]);
  });
});

describe('a control block that is gone and has not had its turn', () => {
  it('makes no entries any more, which one that comes again would show', async () => {
    const device = new Reporting({ points: [...states(1), ...other(1)] });
    const reader = await device.reader();
    const block = 'LD2/LLN0$BR$brcbStat01';
    expect(await reader.write(block, 'DatSet', text('LD/LLN0$dsStat'))).toBeNull();
    const table = await taken(device.channel, states(1));
    await set(device.channel, state(1));
    await table.tell?.(async () => undefined);
    await settled(device.channel, [...states(1), ...other(1)]);
    expect(await reader.read(block, 'EntryID')).toBe('0'.repeat(16));
  });
});

describe('a control block that has not had its turn', () => {
  it('keeps the data set of clients that it names from being deleted', async () => {
    const { channel } = new Reporting({ points: [...states(1), ...other(1)] });
    const client = await channel.associated();
    const name = named('LD/LLN0$Own');
    const items = [{ name: named('LD/GGIO1$ST$Ind1'), access: null }];
    await ask(client, { service: 'define-named-variable-list', name, items });
    for (const block of ['LD2/LLN0$BR$brcbStat01', 'LD2/LLN0$LG$lcbStat']) {
      if (block.includes('$LG$')) await write(client, `${block}$LogEna`, FALSE);
      expect(await write(client, `${block}$DatSet`, text('LD/LLN0$Own'))).toBeNull();
      await settled(channel, states(1));
      await taken(channel, [...states(1), ...other(1)]);
      const gone = await ask(client, { service: 'delete-named-variable-list', scope: 0, names: [name] });
      expect(gone, block).toMatchObject({ matched: 1, deleted: 0 });
      await write(client, `${block}$DatSet`, text(''));
    }
  });

  it('tells the entries of the log that it names, also of one that came again', async () => {
    const { channel } = new Reporting({ points: [...states(1), ...other(1)] });
    const client = await channel.associated();
    const block = 'LD/LLN0$LG$lcbStat';
    await write(client, `${block}$LogEna`, FALSE);
    expect(await write(client, `${block}$LogRef`, text('LD2/LLN0$EventLog'))).toBeNull();
    await write(client, `${block}$LogEna`, TRUE);
    await set(channel, state(1));
    const none = { kind: 'octet-string', octets: new Uint8Array(8) };
    expect(await value(client, `${block}$NewEntr`)).not.toEqual(none);
    await settled(channel, states(1));
    await settled(channel, [...states(1), ...other(1)]);
    expect(await value(client, `${block}$NewEntr`)).toEqual(none);
  });
});
