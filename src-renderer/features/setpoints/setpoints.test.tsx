import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { TouchedSetpoint } from '#shared/contract/setpoints.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { Providers } from '../../app/providers.tsx';
import { aChannel, aServiceInfo, fakeService, giveSize } from '../testing/fake-service.ts';
import { arm } from '../write/arming.ts';
import { SetpointsButton } from './setpoints-button.tsx';

const CHANNEL = aChannel({ conn_type: 2 });

function touched(change: Partial<TouchedSetpoint> = {}): TouchedSetpoint {
  return {
    channel_id: CHANNEL.id,
    point_id: 1,
    code: 'P_SET',
    name: 'Power',
    unit: 'kW',
    before: 40.5,
    before_at: '2026-03-01T10:00:00.000Z',
    value: 50,
    sent_at: '2026-03-01T10:00:01.000Z',
    outcome: 'accepted',
    audit_id: 3,
    obstacle: null,
    ...change,
  };
}

const LIST = [touched(), touched({ point_id: 2, code: 'Q_SET', before: null, before_at: null, obstacle: 'not_known' })];

function show(change: Parameters<typeof fakeService>[0] = {}, channel = CHANNEL) {
  giveSize();
  const service = fakeService({
    listChannels: () => [channel],
    serviceInfo: () => aServiceInfo(),
    touchedSetpoints: () => ({ items: LIST }),
    ...change,
  });
  render(
    <Providers env="test">
      <SetpointsButton channel={channel} />
    </Providers>,
  );
  return service;
}

const opened = async () => userEvent.click(await screen.findByTestId('setpoints'));

describe('written setpoints', () => {
  it('are counted, and nothing is shown or asked where there can be none', async () => {
    const { of } = show({ touchedSetpoints: () => ({ items: [] }) });
    await waitFor(() => expect(of('touchedSetpoints').length).toBeGreaterThan(0));
    expect(screen.queryByTestId('setpoints')).toBeNull();
    const served = show({}, aChannel({ id: 9, conn_type: 1 }));
    expect(served.of('touchedSetpoints')).toEqual([]);
  });

  it('are written back only through an armed channel, without those that have nothing to bring back', async () => {
    const item = { point_id: 1, value: 40.5, outcome: 'rejected', detail: 'Illegal Data Address', audit_id: 4, is_equal: null } as const;
    const detail_message = { code: 'quoted', params: { text: 'Illegal Data Address' } } as const;
    const { of } = show({ restoreSetpoints: () => ({ items: [{ ...item, detail_message }], left: 0 }) });
    await opened();
    expect(screen.getAllByTestId('setpoint-row').map((row) => row.textContent)).toEqual([
      expect.stringContaining('40.5 kW'),
      expect.stringContaining('The value before was never read.'),
    ]);
    const button = screen.getByTestId('setpoints-restore');
    await userEvent.click(button);
    expect(of('restoreSetpoints')).toEqual([]);
    arm(CHANNEL);
    await waitFor(() => expect(button.getAttribute('aria-disabled')).toBeNull());
    await userEvent.click(button);
    await waitFor(() => expect(of('restoreSetpoints')).toEqual([{ channel_id: CHANNEL.id, point_ids: [1] }]));
    expect(await screen.findByText(/Refused\..*Illegal Data Address/)).toBeDefined();
  });

  it('are sent once: an error is shown, and nothing is tried again', async () => {
    arm(CHANNEL);
    const { of } = show({
      restoreSetpoints: () => {
        throw new AppError('TRANSPORT_NOT_CONNECTED', quoted('The service does not answer.'));
      },
    });
    await opened();
    await userEvent.click(screen.getByTestId('setpoints-restore'));
    expect(await screen.findByRole('alert')).toBeDefined();
    expect(of('restoreSetpoints')).toHaveLength(1);
  });

  it('are taken as right, those that are selected or all', async () => {
    const { of } = show({ keepSetpoints: () => ({ kept: 1 }) });
    await opened();
    await userEvent.click(screen.getByTestId('setpoints-keep'));
    await userEvent.click(screen.getByText('Q_SET'));
    await userEvent.click(screen.getByTestId('setpoints-keep'));
    await waitFor(() => expect(of('keepSetpoints').map((input) => input.point_ids)).toEqual([[1, 2], [2]]));
  });

  it('that are all as they were say so, with the keyboard on the way out', async () => {
    arm(CHANNEL);
    let left = [touched()];
    const item = {
      point_id: 1,
      value: 40.5,
      outcome: 'accepted',
      detail: '',
      detail_message: quoted(''),
      audit_id: 4,
      is_equal: true,
    } as const;
    show({
      touchedSetpoints: () => ({ items: left }),
      restoreSetpoints: () => {
        left = [];
        return { items: [item], left: 0 };
      },
    });
    await opened();
    await userEvent.click(screen.getByTestId('setpoints-restore'));
    expect(await screen.findByText(/1 is as before/)).toBeDefined();
    const dialog = screen.getByTestId('setpoints-dialog');
    expect(await within(dialog).findByText('Nothing is left to be written back.')).toBeDefined();
    const close = within(dialog).getByRole('button', { name: 'Close' });
    expect(document.activeElement).toBe(close);
    await userEvent.click(close);
    await waitFor(() => expect(screen.queryByTestId('setpoints-dialog')).toBeNull());
  });
});
