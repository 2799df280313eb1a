import { screen, waitFor, within } from '@testing-library/dom';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { RecordingStatus } from '#shared/contract/history.ts';
import { say } from '#shared/messages/index.ts';
import { Providers } from '../../app/providers.tsx';
import { setLanguage } from '../../i18n/index.ts';
import { aChannel, aPoint, fakeService, giveSize } from '../testing/fake-service.ts';
import { aHistory, raw, time } from './testing/a-history.ts';
import TrendPanel from './trend-panel.tsx';
import { useTrendStore } from './trend-store.ts';

// a canvas is what jsdom does not have; e2e/trends.spec.ts draws
vi.mock('./trend-chart.tsx', () => ({ TrendChart: ({ label }: { readonly label: string }) => <div role="img" aria-label={label} /> }));

const RECORDING: RecordingStatus = {
  file: '/a.loopcheck.history.db',
  file_bytes: 0,
  suspended: null,
  channels: [
    {
      channel_id: 1,
      device_name: 'PCS 1',
      mode: 'off',
      dead_band: 0,
      dead_bands: [],
      trigger: '',
      before_s: 10,
      after_s: 30,
      retention_days: 30,
      max_mb: 500,
      samples: 0,
      bytes: 0,
      oldest: null,
      lost: 0,
    },
  ],
};

beforeEach(async () => {
  giveSize();
  useTrendStore.setState(useTrendStore.getInitialState(), true);
  await setLanguage('en');
});

function show(status: Partial<RecordingStatus> = {}) {
  const service = fakeService({
    listChannels: () => [aChannel()],
    pointTable: () => ({ total: 1, items: [aPoint({ code: 'P', name: 'Power' })] }),
    recordingStatus: () => ({ ...RECORDING, ...status }),
    setRecording: (input) => ({
      channel_id: 1,
      mode: 'changed',
      dead_band: 0,
      dead_bands: [],
      trigger: '',
      before_s: 10,
      after_s: 30,
      retention_days: 30,
      max_mb: 500,
      ...input,
    }),
    readHistory: () => ({
      now: time(10_000),
      from: time(0),
      to: time(10_000),
      items: [aHistory({ samples: raw([1000, 5], [4000, 7.5]), total: 2, live_since: time(500) })],
    }),
    listRemotes: () => ({ items: [] }),
    listEvents: () => ({ items: [], last_seq: 0, dropped: 0 }),
    listAudit: () => ({ total: 0, items: [] }),
  });
  render(
    <Providers env="test">
      <TrendPanel channel={aChannel()} />
    </Providers>,
  );
  return { service, user: userEvent.setup() };
}

async function addPoint(user: ReturnType<typeof userEvent.setup>) {
  await user.click(await screen.findByTestId('trend-point'));
  await user.click(await screen.findByRole('option', { name: 'P · Power' }));
  return screen.findByTestId('trend-curve');
}

describe('the view of trends', () => {
  it('shows the curve of a chosen point, the values at both cursors and their difference', async () => {
    const { service, user } = show();
    expect(screen.getByText('No curves yet')).toBeTruthy();
    const row = await addPoint(user);
    expect(service.of('readHistory')[0]).toMatchObject({ points: '1:0:1', seconds: '600', max_points: '1000' });
    useTrendStore.getState().setCursor('a', 1500);
    useTrendStore.getState().setCursor('b', 5000);
    await waitFor(() => expect(within(row).getByTestId('trend-difference').textContent).toBe('2.5 kW'));
    expect(row.textContent).toContain('5 kW');
    expect(screen.getByTestId('trend-span').textContent).toContain('3.5 s');
    await user.click(within(row).getByRole('button', { name: 'Remove P' }));
    expect(await screen.findByText('No curves yet')).toBeTruthy();
  });

  it('says that a channel is not recorded, and begins to record what changes', async () => {
    const { service, user } = show();
    await addPoint(user);
    expect(await screen.findByText(/PCS 1 is not recorded/)).toBeTruthy();
    expect(screen.getByTestId('trend-live-since').textContent).toContain('live, known since');
    await user.click(screen.getByTestId('trend-record'));
    await waitFor(() => expect(service.of('setRecording')).toEqual([{ channel_id: 1, mode: 'changed' }]));
  });

  it('says in the language of the page why nothing is recorded', async () => {
    await setLanguage('zh-CN');
    show({ suspended: 'x', suspended_message: say('history.overrun') });
    expect(await screen.findByText(/目前未记录：数值到来的速度超过写入速度/)).toBeTruthy();
  });

  it('a range that was zoomed into is asked for as it is, and not again', async () => {
    const { service, user } = show();
    await addPoint(user);
    useTrendStore.getState().show({ kind: 'fixed', from: 2000, to: 3000 });
    await waitFor(() => expect(service.of('readHistory').at(-1)).toMatchObject({ from: time(2000), to: time(3000) }));
    expect(screen.getByTestId('trend-live').getAttribute('aria-pressed')).toBe('false');
    await user.click(screen.getByTestId('trend-live'));
    await waitFor(() => expect(service.of('readHistory').at(-1)).toMatchObject({ seconds: '60' }));
  });

  it('takes over only settings that can be', async () => {
    const { service, user } = show();
    await user.click(await screen.findByTestId('recording-open'));
    const days = await screen.findByTestId('recording-retention_days');
    await user.clear(days);
    expect((screen.getByTestId('recording-save') as HTMLButtonElement).disabled).toBe(true);
    await user.type(days, '7');
    await user.click(screen.getByTestId('recording-save'));
    await waitFor(() =>
      expect(service.of('setRecording')).toEqual([
        {
          channel_id: 1,
          mode: 'off',
          dead_band: 0,
          dead_bands: [],
          trigger: '',
          before_s: 10,
          after_s: 30,
          retention_days: 7,
          max_mb: 500,
        },
      ]),
    );
  });

  it('has dead bands of single points', async () => {
    const { service, user } = show({ channels: [{ ...(RECORDING.channels[0] as RecordingStatus['channels'][number]), mode: 'changed' }] });
    await user.click(await screen.findByTestId('recording-open'));
    await user.click(await screen.findByTestId('recording-add-band'));
    expect((screen.getByTestId('recording-save') as HTMLButtonElement).disabled).toBe(true);
    const row = within(screen.getByTestId('recording-band'));
    await user.type(row.getByPlaceholderText('Code'), 'P');
    await user.clear(row.getByLabelText('Dead band'));
    await user.type(row.getByLabelText('Dead band'), '2.5');
    await user.selectOptions(row.getByLabelText('Measured in'), '%');
    await user.click(screen.getByTestId('recording-save'));
    await waitFor(() =>
      expect(service.of('setRecording')).toMatchObject([{ dead_bands: [{ code: 'P', dead_band: 2.5, kind: 'percent' }] }]),
    );
  });

  it('forgets its points with their project', () => {
    const { add, belongTo } = useTrendStore.getState();
    add('one', { of: null, channelId: 1, frameType: 0, id: 1 });
    add('one', { of: null, channelId: 1, frameType: 0, id: 1 });
    expect(useTrendStore.getState().points).toHaveLength(1);
    belongTo('one');
    expect(useTrendStore.getState().points).toHaveLength(1);
    belongTo('two');
    expect(useTrendStore.getState().points).toEqual([]);
  });
});
