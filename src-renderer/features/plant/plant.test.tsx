import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { Providers } from '../../app/providers.tsx';
import { useUiStore } from '../../app/ui-store.ts';
import { StatusBar } from '../service/status-bar.tsx';
import { aChannel, aServiceInfo, aTask, fakeService, giveSize, theSettings } from '../testing/fake-service.ts';
import PlantView from './plant-view.tsx';
import { wholeRounds } from './use-tasks.ts';

const STARTED = { started_at: '2026-03-01T08:00:00.000Z', task_id: '11111111-1111-4111-8111-111111111111' };
const { health } = aChannel();
const CHANNELS = [
  aChannel({ health: { ...health, suspended: [{ slave_id: 15, timeouts: 3, next_probe_at: '2026-03-01T08:00:05.000Z' }] } }),
  aChannel({ id: 2, name: 'Meter', status: 'error', last_error: 'Nothing listens on port 502.' }),
  aChannel({ id: 3, name: 'Twin', conn_type: 1, health: { ...health, clients: 2 } }),
  aChannel({ id: 4, name: 'Spare', status: 'stopped' }),
];
const TASKS = [
  {
    channel_id: 1,
    auto: aTask({
      ...STARTED,
      state: 'running',
      cycle_count: 5,
      success: 584,
      fail: 4,
      last_cycle_ms: 284.2,
      config: { ...aTask().config, cycle_interval_ms: 2000 },
      last_error: 'Unit 15 did not answer.',
    }),
    manual: aTask(),
  },
  { channel_id: 2, auto: aTask(), manual: aTask({ ...STARTED, state: 'failed', last_error: 'The channel is gone.' }) },
  { channel_id: 3, auto: aTask(), manual: aTask() },
  { channel_id: 4, auto: aTask(), manual: aTask({ ...STARTED, state: 'running', current: 30, total: 40, success: 30 }) },
];

function show(view: React.ReactNode) {
  const service = fakeService({
    listChannels: () => CHANNELS,
    listTasks: () => TASKS,
    listJobs: () => [],
    serviceInfo: () => aServiceInfo(),
    getSettings: () => theSettings(),
    startDevice: () => ({ ...aChannel(), status: 'starting' }),
    stopDevice: () => ({ ...aChannel(), status: 'stopping' }),
  });
  render(<Providers env="test">{view}</Providers>);
  return service;
}

async function cellsOf(name: string): Promise<(string | null)[]> {
  const row = await screen.findByRole('row', { name: new RegExp(`^${name}`) });
  return [...row.querySelectorAll('td')].map((cell) => cell.textContent);
}

beforeEach(() => {
  giveSize();
  useUiStore.setState({ showsPlant: true, selectedChannelId: 1 });
});

it('keeps the counts of the last whole round while the next one is under way', () => {
  const tasks = (change: Partial<ReturnType<typeof aTask>>) =>
    new Map([[1, { channel_id: 1, auto: aTask({ ...STARTED, state: 'running', total: 40, ...change }), manual: aTask() }]]);
  const whole = wholeRounds(new Map(), tasks({ current: 40, success: 37, fail: 3 }));
  const next = wholeRounds(whole, tasks({ current: 5, success: 5 }));
  expect(next.get(1)).toMatchObject({ success: 37, fail: 3 });
  expect(wholeRounds(next, tasks({ current: 40, success: 40 })).get(1)).toMatchObject({ success: 40, fail: 0 });
  // another task is not the one before
  const other = tasks({ task_id: '22222222-2222-4222-8222-222222222222', current: 5, success: 5 });
  expect(wholeRounds(next, other).get(1)).toMatchObject({ success: 5, fail: 0 });
});

describe('plant', () => {
  it('tells of every channel how it is read and what is wrong', async () => {
    show(<PlantView />);
    await waitFor(async () =>
      expect(await cellsOf('PCS 1')).toEqual([
        '127.0.0.1:502 · Modbus TCP client',
        'Running',
        'Automatic',
        '2 s (284 ms)',
        '584',
        '4',
        '1',
        'Unit 15 did not answer.',
        '',
      ]),
    );
    expect((await cellsOf('Meter')).slice(1)).toEqual(['Error', 'Failed', '–', '0', '0', '0', 'Nothing listens on port 502.', '']);
    expect((await cellsOf('Twin')).slice(1)).toEqual(['Running', '2 clients', '–', '–', '–', '–', '', '']);
    expect((await cellsOf('Spare')).slice(2, 7)).toEqual(['Once, 75 %', '–', '30', '0', '0']);
  });

  it('leads to a channel by its name', async () => {
    show(<PlantView />);
    await userEvent.setup().click(await screen.findByRole('button', { name: 'Meter' }));
    expect(useUiStore.getState()).toMatchObject({ selectedChannelId: 2, showsPlant: false });
  });

  it('starts what is stopped, stops what is started, and one by one', async () => {
    const user = userEvent.setup();
    const service = show(<PlantView />);
    await user.click(await screen.findByTestId('plant-start-all'));
    await waitFor(() => expect(service.of('startDevice')).toEqual([{ channel_id: 2 }, { channel_id: 4 }]));
    await user.click(screen.getByTestId('plant-stop-all'));
    await waitFor(() => expect(service.of('stopDevice')).toEqual([{ channel_id: 1 }, { channel_id: 3 }]));
    await user.click(within(await screen.findByRole('row', { name: /^Spare/ })).getByTestId('start-channel'));
    await waitFor(() => expect(service.of('startDevice')).toHaveLength(3));
  });
});

describe('status bar', () => {
  it('says that it waits for the service in place of counts and of a lock that nobody knows yet', async () => {
    show(<StatusBar />);
    expect(screen.getByTestId('status-bar').textContent).toBe('Waiting for the service…');
    expect(await screen.findByText('4 channels')).toBeTruthy();
    expect(screen.getByTestId('status-bar').textContent).not.toContain('Waiting');
  });

  it('counts channels, reads and what is silent, and names the API', async () => {
    const service = show(<StatusBar />);
    await waitFor(() => expect(screen.getByTestId('status-reading').textContent).toBe('2 reading'));
    const bar = screen.getByTestId('status-bar').textContent;
    for (const part of ['4 channels', '1 without connection', '1 silent', 'API 127.0.0.1:8991']) expect(bar).toContain(part);
    expect(screen.queryByTestId('status-job')).toBeNull();
    expect(service.of('listTasks').length).toBeGreaterThan(0);
  });
});
