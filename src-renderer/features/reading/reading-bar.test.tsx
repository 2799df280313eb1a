import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DataOf } from '#shared/contract/index.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { Providers } from '../../app/providers.tsx';
import { closeDoctor, useDoctorStore } from '../doctor/doctor-store.ts';
import { usePointsStore } from '../points/points-store.ts';
import { publishTicked, useTableScope } from '../points/table-scope.ts';
import { aChannel, aPoint, aTask, fakeService } from '../testing/fake-service.ts';
import { REFERENCE_NOTATION } from '../testing/protocols.ts';
import { ReadingBar } from './reading-bar.tsx';
import { useReadingStore } from './reading-store.ts';

const MODBUS: DataOf<'listProtocols'>[number] = {
  protocol_type: 1,
  key: 'modbus-tcp',
  name: 'Modbus TCP',
  conn_types: [1, 2],
  default_port: 502,
  default_baud_rate: 9600,
  default_parity: 'N',
  modes: ['batch', 'single'],
  channel_fields: [],
  channel_schema: {},
  point_fields: [],
  point_schema: {},
  commands: ['operate'],
};
const RUNNING = aTask({ state: 'running', started_at: '2026-03-01T08:00:00.000Z', task_id: '11111111-1111-4111-8111-111111111111' });

function show(change = {}, channel = aChannel()) {
  const service = fakeService({
    listProtocols: () => [MODBUS],
    autoReadStatus: () => aTask(),
    manualReadStatus: () => aTask(),
    ...change,
  });
  const page = render(
    <Providers env="test">
      <ReadingBar channel={channel} />
    </Providers>,
  );
  return { service, page };
}

beforeEach(() => {
  useReadingStore.setState({ drafts: {} });
  usePointsStore.setState({ views: {} });
  useTableScope.setState({ ticked: {} });
});

/** Mode, cycle, pause and filters are behind a button that says the first two. */
async function openSettings(user: ReturnType<typeof userEvent.setup>) {
  await user.click(screen.getByTestId('read-settings'));
  await screen.findByTestId('read-cycle');
}

describe('reading bar', () => {
  it('offers only the modes of the protocol', async () => {
    const user = userEvent.setup();
    show();
    await openSettings(user);
    await waitFor(() => expect(screen.getByTestId<HTMLInputElement>('read-mode').value).toBe('Batch'));
    await user.click(screen.getByTestId('read-mode'));
    expect((await screen.findAllByRole('option')).map((option) => option.textContent)).toEqual(['Batch', 'Point by point']);
  });

  it('reads once with the entered configuration and follows the progress to its end', async () => {
    const user = userEvent.setup();
    let current = 0;
    const { service } = show({
      manualRead: () => aTask({ ...RUNNING, total: 20 }),
      manualReadStatus: () => {
        if (service.of('manualRead').length === 0) return aTask();
        current = Math.min(20, current + 10);
        return aTask({ ...RUNNING, state: current < 20 ? 'running' : 'idle', current, total: 20, success: current - 1, fail: 1 });
      },
    });
    await waitFor(() => expect(screen.getByTestId('auto-state').textContent).toBe('Automatic: Off'));
    expect(screen.queryByTestId('manual-progress')).toBeNull();
    await user.click(screen.getByTestId('read-once'));
    expect(await screen.findByTestId('read-cancel')).toBeTruthy();
    await waitFor(() => expect(screen.getByTestId('manual-progress').textContent).toBe('20 of 201 failed19 read'));
    expect(screen.getByTestId('read-once')).toBeTruthy();
    expect(service.of('manualRead')[0]).toMatchObject({
      device_name: 'PCS 1',
      mode: 'batch',
      cycle_interval_ms: 1000,
      request_interval_ms: 0,
    });
  });

  it('cancels a round and shows that it is still ending', async () => {
    const user = userEvent.setup();
    const { service } = show({
      manualReadStatus: () => aTask({ ...RUNNING, state: service.of('stopManualRead').length > 0 ? 'stopping' : 'running' }),
      stopManualRead: () => aTask({ ...RUNNING, state: 'stopping' }),
    });
    await user.click(await screen.findByTestId('read-cancel'));
    await waitFor(() => expect(screen.getByTestId('read-cancel').textContent).toBe('Cancelling…'));
  });

  it('tells bounds at the field, and starts nothing meanwhile', async () => {
    const user = userEvent.setup();
    const { service } = show();
    await openSettings(user);
    const cycle = screen.getByTestId('read-cycle');
    await user.clear(cycle);
    await user.type(cycle, '50');
    expect(await screen.findByText('100 to 3600000 ms')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Done' }));
    await user.keyboard('{Control>}r{/Control}{F5}');
    expect(screen.getByTestId('auto-start').getAttribute('aria-disabled')).toBe('true');
    expect(service.of('startAutoRead')).toEqual([]);
    expect(service.of('manualRead')).toEqual([]);
  });

  it('shows the configuration of a task that somebody else started, locked', async () => {
    const user = userEvent.setup();
    show({
      autoReadStatus: () =>
        aTask({ ...RUNNING, cycle_count: 7, last_error: 'Unit 9 did not answer.', config: { ...RUNNING.config, cycle_interval_ms: 5000 } }),
    });
    await waitFor(() => expect(screen.getByTestId('read-settings').textContent).toBe('Batch · 5 s'));
    await openSettings(user);
    expect(screen.getByTestId<HTMLInputElement>('read-cycle').value).toBe('5 000 ms');
    expect(screen.getByTestId<HTMLInputElement>('read-cycle').readOnly).toBe(true);
    expect(screen.getByTestId('auto-rounds').textContent).toBe('Rounds 7');
    expect(screen.getByTestId('reading-last-error').textContent).toContain('Last error: Unit 9 did not answer.');
    expect(screen.getByTestId('read-once').getAttribute('aria-disabled')).toBe('true');
  });

  it('tells how long a round takes on a slow line, before it starts and beside the real time', async () => {
    let status = aTask({ predicted_cycle_ms: 6210 });
    show({ autoReadStatus: () => status });
    await openSettings(userEvent.setup());
    await waitFor(() => expect(screen.getByTestId('reading-predicted').textContent).toBe('A round takes about 6.2 s on this line.'));
    status = aTask({ ...RUNNING, predicted_cycle_ms: 270, last_cycle_ms: 284.2 });
    const both = 'A round takes about 0.27 s on this line. The last one took 0.28 s.';
    await waitFor(() => expect(screen.getByTestId('reading-predicted').textContent).toBe(both));
  });

  it('starts and stops automatic reading with Ctrl+R', async () => {
    const user = userEvent.setup();
    let isOn = false;
    const status = () => (isOn ? RUNNING : aTask());
    const { service } = show({
      autoReadStatus: status,
      startAutoRead: () => {
        isOn = true;
        return status();
      },
      stopAutoRead: () => {
        isOn = false;
        return status();
      },
    });
    await waitFor(() => expect(screen.getByTestId('auto-state').dataset.state).toBe('idle'));
    await user.keyboard('{Control>}r{/Control}');
    await waitFor(() => expect(screen.getByTestId('auto-state').dataset.state).toBe('running'));
    await user.keyboard('{Control>}r{/Control}');
    await waitFor(() => expect(screen.getByTestId('auto-state').dataset.state).toBe('idle'));
    expect([service.of('startAutoRead').length, service.of('stopAutoRead').length]).toEqual([1, 1]);
  });

  it('explains a conflict', async () => {
    const user = userEvent.setup();
    show({
      startAutoRead: () => {
        throw new AppError('STATE_CONFLICT', quoted('An automatic task with another configuration is running.'), { data: RUNNING });
      },
    });
    await waitFor(() => expect(screen.getByTestId('auto-state').dataset.state).toBe('idle'));
    await user.click(screen.getByTestId('auto-start'));
    expect((await screen.findByTestId('reading-conflict')).textContent).toContain('Not started');
  });

  it('stops nothing when the page is left, and reads the state again on return', async () => {
    const { service, page } = show({ autoReadStatus: () => RUNNING });
    await waitFor(() => expect(screen.getByTestId('auto-state').dataset.state).toBe('running'));
    page.unmount();
    expect(service.of('stopAutoRead')).toEqual([]);
    render(
      <Providers env="test">
        <ReadingBar channel={aChannel()} />
      </Providers>,
    );
    await waitFor(() => expect(screen.getByTestId('auto-state').dataset.state).toBe('running'));
  });

  it('says that the channel is not started', async () => {
    const { service } = show({}, aChannel({ status: 'stopped' }));
    await userEvent.setup().hover(screen.getByTestId('auto-start'));
    expect(await screen.findByText('The channel is not started.')).toBeTruthy();
    await userEvent.setup().keyboard('{F5}');
    expect(service.of('manualRead')).toEqual([]);
  });
});

describe('read once reads what it says', () => {
  const TICKED = [
    { frame_type: 0, id: 7 },
    { frame_type: 1, id: 9 },
  ] as const;

  async function hint(user: ReturnType<typeof userEvent.setup>) {
    await user.hover(screen.getByTestId('read-once'));
    return (await screen.findByRole('tooltip')).textContent;
  }

  it('the ticked rows, by the button and by F5', async () => {
    const user = userEvent.setup();
    const { service } = show({ manualRead: () => aTask({ ...RUNNING, state: 'idle', total: 2, current: 2, success: 2 }) });
    await waitFor(() => expect(screen.getByTestId('auto-state').dataset.state).toBe('idle'));
    publishTicked(1, TICKED);
    await waitFor(() => expect(screen.getByTestId('read-once').textContent).toBe('Read 2 rows'));
    expect(await hint(user)).toContain('Read the 2 ticked rows one time (F5)');
    await user.click(screen.getByTestId('read-once'));
    await waitFor(() => expect(service.of('manualRead')).toHaveLength(1));
    await user.keyboard('{F5}');
    await waitFor(() => expect(service.of('manualRead')).toHaveLength(2));
    for (const body of service.of('manualRead')) expect(body).toMatchObject({ points: TICKED, slave_id: null, point_types: [] });
    publishTicked(1, []);
    await waitFor(() => expect(screen.getByTestId('read-once').textContent).toBe('Read once'));
  });

  it('all that pass the filters of the table, once for a double press', async () => {
    const user = userEvent.setup();
    const { service } = show({
      manualRead: () => aTask({ ...RUNNING, state: 'idle' }),
      pointTable: () => ({ total: 1, items: [aPoint({ id: 7 })] }),
    });
    await waitFor(() => expect(screen.getByTestId('auto-state').dataset.state).toBe('idle'));
    publishTicked(1, []);
    usePointsStore.getState().setFilter(1, { search: 'U' });
    await waitFor(async () => expect(await hint(user)).toContain('passes the filters'));
    fireEvent.click(screen.getByTestId('read-once'));
    fireEvent.click(screen.getByTestId('read-once'));
    await waitFor(() => expect(service.of('manualRead')).toEqual([expect.objectContaining({ points: [{ frame_type: 0, id: 7 }] })]));
    expect(service.of('pointTable')).toHaveLength(1);
  });

  it('everything, without a word of points, when nothing is ticked or filtered', async () => {
    const user = userEvent.setup();
    const { service } = show({ manualRead: () => aTask({ ...RUNNING, state: 'idle' }) });
    await waitFor(() => expect(screen.getByTestId('auto-state').dataset.state).toBe('idle'));
    publishTicked(1, []);
    expect(await hint(user)).toBe('Read every point that can be read one time (F5)');
    await user.click(screen.getByTestId('read-once'));
    await waitFor(() => expect(service.of('manualRead')).toHaveLength(1));
    expect(service.of('manualRead')[0]).not.toHaveProperty('points');
  });

  it.each([
    [0, 'No point passes the filters of this bar and of the table.'],
    [12_345, '12345 points pass the search or the quality of the table; 10000 at most'],
  ])('or says why not: %i points found', async (total, text) => {
    const user = userEvent.setup();
    const { service } = show({ pointTable: () => ({ total, items: [] }) });
    await waitFor(() => expect(screen.getByTestId('auto-state').dataset.state).toBe('idle'));
    publishTicked(1, []);
    usePointsStore.getState().setFilter(1, { search: 'U' });
    await user.click(screen.getByTestId('read-once'));
    expect((await screen.findByTestId('reading-scope')).textContent).toContain(text);
    expect(service.of('manualRead')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByTestId('reading-scope')).toBeNull();
  });

  it('says when the service cannot be asked for the points', async () => {
    const user = userEvent.setup();
    const { service } = show();
    await waitFor(() => expect(screen.getByTestId('auto-state').dataset.state).toBe('idle'));
    publishTicked(1, []);
    usePointsStore.getState().setFilter(1, { quality: 'stale' });
    await user.click(screen.getByTestId('read-once'));
    expect(await screen.findByTestId('error-notice')).toBeTruthy();
    expect(service.of('manualRead')).toEqual([]);
  });
});

describe('what is wrong', () => {
  const channel = aChannel();
  const silent = (slaves: readonly number[], change = {}) => {
    const suspended = slaves.map((slave_id) => ({ slave_id, timeouts: 3, next_probe_at: '2026-03-01T08:00:05.000Z' }));
    return aChannel({ ...change, health: { ...channel.health, suspended } });
  };
  beforeEach(closeDoctor);

  it('leads from a round with failures to the cause, for the slaves that are silent', async () => {
    const user = userEvent.setup();
    show({ autoReadStatus: () => aTask({ ...RUNNING, last_error: 'Unit 13 did not answer.' }) }, silent([13]));
    await user.click(await screen.findByTestId('reading-cause'));
    expect(useDoctorStore.getState()).toEqual({ channelId: 1, slaveIds: [13] });
  });

  it('leads to the cause of silent slaves before any read, and examines 16 of many', async () => {
    const user = userEvent.setup();
    const many = Array.from({ length: 40 }, (_, index) => index + 1);
    show({}, silent(many));
    expect(await screen.findByText('40 slaves silent')).toBeTruthy();
    await user.click(screen.getByTestId('health-cause'));
    expect(useDoctorStore.getState().slaveIds).toHaveLength(16);
  });

  it('names no slave where the protocol has none', async () => {
    const user = userEvent.setup();
    show({ listProtocols: () => [{ ...MODBUS, protocol_type: 5, notation: REFERENCE_NOTATION }] }, silent([1], { protocol_type: 5 }));
    await waitFor(async () => {
      await user.click(screen.getByTestId('health-cause'));
      expect(useDoctorStore.getState()).toEqual({ channelId: 1, slaveIds: [] });
    });
  });

  it('is the last error of the channel before that of a read', async () => {
    const change = { status: 'error' as const, last_error: 'Nothing listens on port 502.' };
    show({ autoReadStatus: () => aTask({ ...RUNNING, last_error: 'Unit 13 did not answer.' }) }, aChannel(change));
    expect((await screen.findByTestId('last-error')).textContent).toBe('Nothing listens on port 502.');
    expect(screen.queryByTestId('reading-last-error')).toBeNull();
  });

  it('is nothing while all answer', async () => {
    show();
    await waitFor(() => expect(screen.getByTestId('auto-state').dataset.state).toBe('idle'));
    expect(screen.queryByTestId('health-cause')).toBeNull();
  });
});
