import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InputOf } from '#shared/contract/index.ts';
import { freePort, type RunningCore, startCore } from './testing/running-core.ts';

let running: RunningCore;
let channelId = 0;
beforeAll(async () => {
  running = await startCore();
  const settings = { name: 'Pasted into', protocol_type: 1 as const, conn_type: 2 as const, port: await freePort() };
  channelId = (await running.api.call('addChannel', settings)).data.id;
});
afterAll(() => running.close());

const rows = (...lines: (string | number)[][]) => lines.map((cells) => cells.join('\t')).join('\r\n');

async function paste(text: string, pasted: InputOf<'importPoints'>['pasted'], mode: 'preview' | 'merge' = 'merge') {
  return (await running.api.call('importPoints', { channel_id: channelId, mode, pasted, file: new File([text], 'clipboard.txt') })).data;
}

async function table() {
  const { items } = (await running.api.call('pointTable', { channel_id: channelId, page: 1, page_size: 100 })).data;
  return items.map(({ code, frame_type, address, mul_coe, unit, note }) => ({ code, frame_type, address, mul_coe, unit, note }));
}

describe('rows from the clipboard', () => {
  it('without a header line have the columns of the export of the type that is shown', async () => {
    const report = await paste(rows(['U1', 'Voltage, phase A', 1, '0x0010', 3, '0x41', 0.1], ['U2', '', '', 18]), '0');
    expect(report).toMatchObject({ applied: true, counts: { rows: 2, yc: 2, merge: { added: 2 } } });
    expect(await table()).toMatchObject([
      { code: 'U1', frame_type: 0, address: 16, mul_coe: 0.1 },
      { code: 'U2', frame_type: 0, address: 18, mul_coe: 1 },
    ]);
    const { undo } = (await running.api.call('pointHistory', { channel_id: channelId })).data;
    expect(undo?.name).toBe('Paste rows');
  });

  it('of all types name theirs in the first column', async () => {
    expect(await paste(rows(['遥信', 'Q1', 'Breaker', 1, 5]), 'all')).toMatchObject({ applied: true, counts: { yx: 1 } });
  });

  it('have the columns of this table where its points use more than the field has', async () => {
    await running.api.call('addPoints', { channel_id: channelId, points: [{ frame_type: 3, code: 'S1', address: 100, unit: 'kW' }] });
    const exported = ['S2', 'Set point', 1, 104, 6, '0x20', 1, 0, 50, '', '', 'kvar'];
    expect(await paste(rows(exported), '3')).toMatchObject({ applied: true });
    expect((await table()).find(({ code }) => code === 'S2')).toMatchObject({ frame_type: 3, unit: 'kvar' });
  });

  it('below a header line have its columns, and the type that is shown where they name none', async () => {
    const report = await paste(rows(['Code', 'Address', 'Value', 'Quality'], ['Q2', 7, 12.5, 'Good']), '1');
    expect(report).toMatchObject({ applied: true, counts: { yx: 1 }, warnings: [{ rule: 'columns_left_out' }] });
    expect((await table()).find(({ code }) => code === 'Q2')).toMatchObject({ frame_type: 1, address: 7, note: '' });
    expect(await paste(rows(['Code', 'Address'], ['Q3', 8]), 'all')).toMatchObject({ applied: false, errors: [{ rule: 'type_unknown' }] });
  });

  it('with errors change nothing, and each is told with its row', async () => {
    const before = await table();
    const report = await paste(rows(['U1', 'x', 1, 'ten'], ['', 'no code', 1, 5], ['U9', '', 1, 9], ['U9', '', 1, 9]), '0');
    expect(report.applied).toBe(false);
    expect(report.errors.map(({ rule, row }) => [rule, row])).toEqual([
      ['not_number', 1],
      ['required', 2],
      ['code_twice', 4],
    ]);
    expect(await table()).toEqual(before);
  });

  it('with more cells than columns tell which are not used', async () => {
    const wide = await paste(rows(['U7', '', 1, 70, 3, '0x41', 1, 0, '', '', 'k', 'l', 'm']), '0', 'preview');
    expect(wide.warnings).toMatchObject([{ rule: 'column_unnamed' }, { rule: 'column_unnamed' }, { rule: 'column_unnamed' }]);
    expect(await paste('', '0', 'preview')).toMatchObject({ errors: [{ rule: 'file_empty' }] });
    expect(await paste('\0\u0001', '0', 'preview')).toMatchObject({ errors: [{ rule: 'file_unreadable' }] });
  });
});
