import { describe, expect, it } from 'vitest';
import { CommandState } from '#shared/contract/points.ts';
import { quoted, say } from '#shared/messages/index.ts';
import { stateItemRow, stateRow } from './command-state.ts';

const AT = Date.UTC(2026, 0, 1);
const FREE = { items: [], steps: ['select', 'operate'], missingOptions: ['test'], selection: null, obstacle: null } as const;

describe('what stands before a command', () => {
  it('has no selection and no obstacle where there is none', () => {
    const row = stateRow(FREE, AT);
    expect(row).toEqual({
      read_at: '2026-01-01T00:00:00.000Z',
      items: [],
      steps: ['select', 'operate'],
      missing_options: ['test'],
      selection: null,
      obstacle: null,
      obstacle_message: null,
    });
    expect(CommandState.parse(row)).toEqual(row);
  });

  it('tells how long a selection stands', () => {
    expect(stateRow({ ...FREE, selection: { remainingMs: 1500, isEndless: false } }, AT).selection).toEqual({
      remaining_ms: 1500,
      is_endless: false,
    });
  });

  it('tells an obstacle in words and as a message', () => {
    const obstacle = say('service.channel_read_only', { channel: 'PCS 1' });
    expect(stateRow({ ...FREE, obstacle }, AT)).toMatchObject({
      obstacle: expect.stringContaining('PCS 1'),
      obstacle_message: obstacle,
    });
  });

  it.each([
    [null, null, null],
    [quoted('refused'), 'refused', quoted('refused')],
  ])('an item with the remark %j', (remark, words, message) => {
    const item = { name: 'Beh', label: quoted('Behaviour'), value: quoted('on'), remark };
    const row = {
      name: 'Beh',
      label: 'Behaviour',
      label_message: quoted('Behaviour'),
      value: 'on',
      value_message: quoted('on'),
      remark: words,
      remark_message: message,
    };
    expect(stateItemRow(item)).toEqual(row);
    expect(stateRow({ ...FREE, items: [item] }, AT).items).toEqual([row]);
  });
});
