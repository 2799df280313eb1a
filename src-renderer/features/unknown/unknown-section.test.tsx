import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DataOf } from '#shared/contract/index.ts';
import { invalidField } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { Providers } from '../../app/providers.tsx';
import { setLanguage } from '../../i18n/index.ts';
import { aChannel, aPoint, fakeService, giveSize } from '../testing/fake-service.ts';
import { IEC104 } from '../testing/protocols.ts';
import { UnknownBadge } from './unknown-badge.tsx';
import { UnknownSection } from './unknown-section.tsx';

type Page = DataOf<'unknownObjects'>;

const object = (address: number, change: Partial<Page['items'][number]> = {}): Page['items'][number] => ({
  slave_id: 1,
  address,
  type: 'M_SP_NA_1 (1)',
  frame_type: 1,
  func_code: null,
  decode: '',
  protocol: { type_id: 1 },
  count: 4,
  value: 1,
  value_text: '',
  flags: ['IV'],
  source_time: '2026-03-01T08:00:00.000Z',
  first_seen: '2026-03-01T08:00:00.000Z',
  last_seen: '2026-03-01T08:00:01.000Z',
  ...change,
});
const OBJECTS: Page = { total: 3, items: [object(301), object(302), object(17, { frame_type: null, type: 'type 99' })], dropped: 5 };
const channel = aChannel({ protocol_type: 3, name: 'Station 1' });

function show(answers: Parameters<typeof fakeService>[0] = {}) {
  giveSize();
  const service = fakeService({ listProtocols: () => [IEC104], unknownObjects: () => OBJECTS, ...answers });
  render(
    <Providers env="test">
      <UnknownBadge channel={channel} />
      <UnknownSection channel={channel} descriptor={IEC104} />
    </Providers>,
  );
  return service;
}

beforeEach(() => setLanguage('en'));

describe('objects that are not in the table', () => {
  it('are listed with their last value, counted, and what found no place is told', async () => {
    show();
    expect((await screen.findByTestId('unknown-badge')).textContent).toBe('3');
    const table = await screen.findByRole('grid');
    for (const text of ['301', '0x012D', 'M_SP_NA_1 (1)', 'IV', 'IOA', 'CA']) expect(table.textContent).toContain(text);
    expect(screen.getByText('5 messages were about further objects; the list is full.')).toBeTruthy();
    expect(screen.getByRole('checkbox', { name: 'Select 17' })).toHaveProperty('disabled', true);
  });

  it('become points with the codes of the proposal, which can be changed', async () => {
    const user = userEvent.setup();
    const service = show({ addPoints: () => ({ step_id: 1, items: [aPoint(), aPoint({ id: 2 })] }) });
    await screen.findByRole('checkbox', { name: 'Select 301' });
    await user.click(screen.getByTestId('unknown-all'));
    expect(screen.getByText('2 selected')).toBeTruthy();
    await user.click(screen.getByTestId('unknown-add'));
    const dialog = await screen.findByTestId('add-unknown');
    await user.type(within(dialog).getByTestId('unknown-prefix'), 'S1_');
    const name = within(dialog).getByLabelText('Name of 302');
    await user.clear(name);
    await user.type(name, 'Door');
    await user.click(within(dialog).getByTestId('unknown-do-add'));
    await waitFor(() => expect(screen.queryByTestId('add-unknown')).toBeNull());
    const common = { frame_type: 1, slave_id: 1, protocol: { type_id: 1 } };
    expect(service.of('addPoints')).toEqual([
      {
        channel_id: 1,
        points: [
          { ...common, code: 'S1_YX_301', name: 'M_SP_NA_1 301', address: 301 },
          { ...common, code: 'S1_YX_302', name: 'Door', address: 302 },
        ],
      },
    ]);
    expect(screen.getByText('0 selected')).toBeTruthy();
  });

  it('whose points are refused stay, with the reason at their row', async () => {
    const user = userEvent.setup();
    show({
      addPoints: () => {
        throw invalidField('points.0.bit', quoted('must be 0 to 15'));
      },
    });
    await user.click(await screen.findByRole('checkbox', { name: 'Select 301' }));
    await user.click(screen.getByTestId('unknown-add'));
    await user.click(await screen.findByTestId('unknown-do-add'));
    expect(await screen.findByText('bit: must be 0 to 15')).toBeTruthy();
    const code = screen.getByLabelText('Code of 301');
    await user.clear(code);
    expect(screen.getByText('A code is needed.')).toBeTruthy();
    expect(screen.getByTestId('unknown-do-add')).toHaveProperty('disabled', true);
  });

  it('are none when everything is in the table', async () => {
    show({ unknownObjects: () => ({ total: 0, items: [], dropped: 0 }) });
    expect(await screen.findByText('Every object that came is in the table')).toBeTruthy();
    expect(screen.queryByTestId('unknown-badge')).toBeNull();
  });
});
