import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { Providers } from '../../app/providers.tsx';
import { useChannelDialogStore } from '../channels/channel-dialog-store.ts';
import { aChannel, aTask, fakeService, giveSize } from '../testing/fake-service.ts';
import LinePanel from './line-panel.tsx';
import { aSlaveUse, linePlan, lineStats } from './testing/line-data.ts';

function show(change = {}, channel = aChannel({ conn_type: 0, protocol_type: 2, com_port: 'COM3' })) {
  const service = fakeService({
    lineStats: () => lineStats(),
    linePlan: () => linePlan(),
    autoReadStatus: () => aTask(),
    manualReadStatus: () => aTask(),
    ...change,
  });
  render(
    <Providers env="test">
      <LinePanel channel={channel} />
    </Providers>,
  );
  return service;
}

const rows = async () => within(await screen.findByTestId('line-slaves')).findAllByRole('row');
const text = (testId: string) => screen.getByTestId(testId).textContent;

beforeEach(() => {
  giveSize();
  useChannelDialogStore.setState({ dialog: null });
});

describe('line tab', () => {
  it('shows what came of comparing reports with a read, where that is done', async () => {
    const compared = { count: 12, last_at: '2026-03-01T08:00:00.000Z', points: 40, differing: 3 };
    show({ lineStats: () => lineStats({ compared }) });
    await screen.findByTestId('line-summary');
    expect(text('line-compared')).toBe('Reports wrong3');
  });

  it('shows load, latency and errors of the line as a whole', async () => {
    show({ lineStats: () => lineStats({ checksum_errors: 7, late: 2 }) });
    await screen.findByTestId('line-summary');
    expect(text('line-load')).toBe('Load13 %');
    expect(text('line-busy')).toBe('In use30 %');
    expect(text('line-latency')).toBe('Latency p50 / p95 / p9940 / 80 / 120 ms');
    expect(text('line-checksum_errors')).toBe('CRC errors7');
    expect(text('line-late')).toBe('Late2');
    expect(screen.queryByTestId('line-compared')).toBeNull();
    expect(screen.getAllByRole('img', { name: 'load 13 %, in use 30 %' }).length).toBeGreaterThan(1);
  });

  it('names the checksum of ASCII frames no CRC', async () => {
    const ascii = aChannel({ conn_type: 0, protocol_type: 2, com_port: 'COM3', protocol: { framing: 'ascii' } });
    show({ lineStats: () => lineStats({ checksum_errors: 7 }) }, ascii);
    await screen.findByTestId('line-summary');
    expect(text('line-checksum_errors')).toBe('Checksum7');
  });

  it('shows each slave, its functions where it has several, and who is silent', async () => {
    const slaves = [aSlaveUse(1, [3]), aSlaveUse(2, [1, 3], { timeouts: 3, is_suspended: true, turn_round_ms: null })];
    show({ lineStats: () => lineStats({ slaves }) });
    const found = (await rows()).map((row) => row.textContent).filter((line) => line !== '');
    expect(found[1]).toBe('Slave 1function 313 %30 %500040 / 80 / 120 ms5.0 ms · 10 ms');
    expect(found[2]).toContain('Slave 2silent');
    expect(found[2]).toContain('–');
    expect(found.slice(3)).toEqual(['function 113 %30 %500040 / 80 / 120 ms', 'function 313 %30 %500040 / 80 / 120 ms']);
  });

  it('sets the predicted cycle beside the real one and the planned one, and warns of an overrun', async () => {
    show({ autoReadStatus: () => aTask({ state: 'running', predicted_cycle_ms: 1240, last_cycle_ms: 1315.5 }) });
    await waitFor(() => expect(text('cycle-real')).toBe('Last round1.32 s'));
    expect(text('cycle-predicted')).toBe('Predicted1.24 s');
    expect(text('cycle-planned')).toBe('Planned cycle1.00 s');
    expect(screen.getByText('A round takes longer than the planned cycle: the next one begins at once.')).toBeTruthy();
  });

  it('predicts before anything was read, and says where it had to assume', async () => {
    const slaves = [{ slave_id: 1, requests: 12, octets: 900, predicted_ms: 1200, turn_round_ms: 10, is_measured: false }];
    show({ linePlan: () => linePlan({ slaves }), lineStats: () => lineStats({ slaves: [], latency_ms: null }) });
    await waitFor(() => expect(text('cycle-predicted')).toBe('Predicted1.20 s'));
    expect(text('cycle-real')).toBe('Last round–');
    expect(screen.getByText('1 slave was not measured yet and is reckoned with 10 ms.')).toBeTruthy();
    expect(screen.getByText('Nothing was asked yet')).toBeTruthy();
  });

  it('shows what larger gaps would gain, and leads to the setting', async () => {
    const user = userEvent.setup();
    const channel = aChannel();
    show({}, channel);
    const gaps = within(await screen.findByTestId('line-gaps'));
    expect(gaps.getAllByRole('row').map((row) => row.textContent)).toEqual([
      'Gap up toRequestsRoundGain',
      '0121.20 snow',
      '481.02 s15 %',
      '164900 ms25 %',
    ]);
    await user.click(screen.getByTestId('line-edit-gap'));
    expect(useChannelDialogStore.getState().dialog).toEqual({ kind: 'edit', channel });
  });

  it('on TCP counts requests in place of line time', async () => {
    const gaps = [{ max_gap: 4, requests: 9, octets: 900, predicted_cycle_ms: null }];
    show({ linePlan: () => linePlan({ predicted_cycle_ms: null, larger_gaps: gaps }), lineStats: () => lineStats({ load_percent: null }) });
    expect((await screen.findByTestId('line-gaps')).textContent).toContain('49–25 %');
    expect(text('line-load')).toBe('Load–');
    expect(screen.getByText('The line is fast enough not to matter; a round waits for the devices.')).toBeTruthy();
  });

  it('asks for the plan of the mode that is read in', async () => {
    const service = show({ autoReadStatus: () => aTask({ mode: 'single', state: 'running', started_at: '2026-03-01T08:00:00.000Z' }) });
    await waitFor(() => expect(service.of('linePlan').at(-1)).toEqual({ channel_id: '1', mode: 'single' }));
  });

  it('counts anew on request', async () => {
    const user = userEvent.setup();
    const service = show({ resetLineStats: () => lineStats({ requests: 0 }) });
    await user.click(await screen.findByTestId('line-reset'));
    await waitFor(() => expect(service.of('resetLineStats')).toEqual([{ channel_id: 1 }]));
  });

  it('asks nothing of a server but what it carried', async () => {
    const service = show({ lineStats: () => lineStats({ slaves: [], latency_ms: null, requests: 0 }) }, aChannel({ conn_type: 1 }));
    expect(await screen.findByText('A server asks nobody')).toBeTruthy();
    expect(service.of('linePlan')).toEqual([]);
    expect(screen.queryByTestId('line-cycle')).toBeNull();
  });

  it('explains why nothing can be shown', async () => {
    show({
      lineStats: () => {
        throw new AppError('CONFIG_NOT_FOUND', quoted('There is no channel 1.'));
      },
    });
    expect((await screen.findByTestId('error-notice')).textContent).toContain('There is no channel 1.');
  });
});
