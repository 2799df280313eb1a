import { screen, waitFor } from '@testing-library/dom';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ProtocolDescriptor } from '#shared/contract/channels.ts';
import { AddChannelBody } from '#shared/contract/channels.ts';
import type { FindJob } from '#shared/contract/jobs.ts';
import { NewPoint } from '#shared/contract/points.ts';
import { Providers } from '../../app/providers.tsx';
import { useUiStore } from '../../app/ui-store.ts';
import { setLanguage } from '../../i18n/index.ts';
import { JobDialogs } from '../jobs/job-dialogs.tsx';
import { aChannel, fakeService, giveSize } from '../testing/fake-service.ts';
import { channelToAdd, initialForm, toFindInput, withProtocol } from './find-model.ts';
import { closeFind, openFind } from './find-store.ts';

const LINES = { wildcards: false, baud_rates: [9600, 19_200], formats: ['8N1', '8E1'] } satisfies Partial<ProtocolDescriptor['tools']>;

function descriptor(change: Partial<ProtocolDescriptor>): ProtocolDescriptor {
  return {
    protocol_type: 1,
    key: 'modbus-tcp',
    name: 'Modbus TCP',
    conn_types: [1, 2],
    default_port: 502,
    default_baud_rate: 9600,
    default_parity: 'N',
    modes: ['batch'],
    channel_fields: [],
    channel_schema: {},
    tools: { least_address: 0, most_address: 255, ...LINES, scan_functions: [] },
    point_fields: [],
    point_schema: {},
    commands: [],
    ...change,
  };
}
const TCP = descriptor({});
const RTU = descriptor({
  protocol_type: 2,
  key: 'modbus-rtu',
  name: 'Modbus RTU',
  conn_types: [0, 3, 1, 2],
  tools: { least_address: 1, most_address: 247, ...LINES, scan_functions: [] },
});
const OTHER = descriptor({ protocol_type: 3, name: 'IEC 104', conn_types: [1, 2] });
const METERS = descriptor({
  protocol_type: 4,
  key: 'dlt645',
  name: 'DL/T 645',
  conn_types: [0, 3, 1, 2],
  default_port: 8899,
  tools: {
    least_address: 0,
    most_address: 999_999_999_999,
    wildcards: true,
    baud_rates: [2400, 1200],
    formats: ['8E1'],
    scan_functions: [],
  },
});
const { tools: _none, ...WITHOUT } = OTHER;

function aJob(change: Partial<FindJob> = {}): FindJob {
  return {
    id: '00000000-0000-4000-8000-000000000002',
    kind: 'find',
    channel_id: null,
    state: 'done',
    current: 3,
    total: 3,
    activity: '',
    started_at: '2026-03-01T08:00:00.000Z',
    ended_at: '2026-03-01T08:00:02.000Z',
    last_error: null,
    dropped: 0,
    predicted_ms: 20_000,
    findings: [],
    channel: null,
    other_master: false,
    points: [],
    notes: [],
    ...change,
  };
}

const DEVICE = {
  slave_id: 5,
  address: '5',
  how: 'answered',
  detail: '',
  line: 'COM3 19200 8E1',
  baud_rate: 19_200,
  format: '8E1',
  latency_ms: 21.5,
  identity: 'ACME X1',
} as const;

function show() {
  render(
    <Providers env="test">
      <JobDialogs />
    </Providers>,
  );
  return userEvent.setup();
}

beforeEach(async () => {
  giveSize();
  await setLanguage('en');
  closeFind();
});

describe('the form', () => {
  it('begins with the medium the protocol has, and offers only protocols that can be searched', () => {
    const all = [TCP, RTU, WITHOUT];
    expect(initialForm(all, {})).toMatchObject({ medium: 'serial', protocol: 2, first: 1, last: 247 });
    expect(initialForm(all, { protocol_type: 1 })).toMatchObject({ medium: 'tcp', protocol: 1, port: 502, last: 255 });
    expect(initialForm(all, { protocol_type: 2, com_port: null, port: 8899 })).toMatchObject({ medium: 'tcp', protocol: 2, port: 8899 });
    expect(withProtocol({ ...initialForm(all, {}), medium: 'tcp' }, all, null).protocol).toBe(1);
    expect(initialForm([WITHOUT], {}).protocol).toBeNull();
  });

  it('is a request only when nothing is missing', () => {
    const form = initialForm([TCP, RTU], { com_port: 'COM3' });
    expect(toFindInput(form)).toMatchObject({ protocol_type: 2, com_port: 'COM3', first_slave: 1, last_slave: 247, timeout_ms: null });
    for (const change of [{ comPort: ' ' }, { baudRates: [] }, { formats: [] }, { first: '' }, { listenMs: 99_999 }]) {
      expect(toFindInput({ ...form, ...change })).toBeNull();
    }
    const tcp = { ...form, medium: 'tcp', port: 1502, timeoutMs: 250 } as const;
    expect(toFindInput(tcp)).toMatchObject({ com_port: null, port: 1502, timeout_ms: 250 });
  });

  it('takes the settings of the protocol, and no addresses where meters are found by wildcards', () => {
    const form = initialForm([RTU, METERS], { protocol_type: 4, com_port: 'COM3' });
    expect(form).toMatchObject({ medium: 'serial', protocol: 4, baudRates: ['2400', '1200'], formats: ['8E1'], hasWildcards: true });
    expect(toFindInput(form)).toMatchObject({ protocol_type: 4, baud_rates: [2400, 1200], first_slave: 1, last_slave: 247 });
    const other = withProtocol(form, [RTU, METERS], 2);
    expect(other).toMatchObject({ baudRates: ['9600', '19200'], formats: ['8N1', '8E1'], hasWildcards: false });
    const tcp = { ...initialForm([RTU, METERS], { protocol_type: 2, com_port: null }), medium: 'tcp' as const };
    expect(withProtocol(tcp, [RTU, METERS], 4).port).toBe(8899);
    expect(withProtocol({ ...tcp, port: 4001 }, [RTU, METERS], 4).port).toBe(4001);
    expect(withProtocol({ ...other, baudRates: ['300'] }, [RTU, METERS], 2).baudRates).toEqual(['300']);
  });

  it('gives the new channel a name that is free', () => {
    const job = aJob({ channel: AddChannelBody.parse({ name: 'COM3 9600 8N1', protocol_type: 2, conn_type: 0 }) });
    const taken = ['COM3 9600 8N1', 'COM3 9600 8N1 (2)'].map((name) => ({ name }));
    expect(channelToAdd(job, taken)?.name).toBe('COM3 9600 8N1 (3)');
    expect(channelToAdd(aJob(), [])).toBeNull();
  });
});

describe('search', () => {
  it('sends the form, and makes a channel of what was found by one click', async () => {
    const channel = AddChannelBody.parse({
      name: 'COM3 19200 8E1',
      protocol_type: 2,
      conn_type: 0,
      com_port: 'COM3',
      baud_rate: 19_200,
      parity: 'E',
    });
    let jobs: FindJob[] = [];
    const service = fakeService({
      listProtocols: () => [TCP, RTU],
      listSerialPorts: () => [],
      listChannels: () => [aChannel({ name: 'COM3 19200 8E1' })],
      listJobs: () => jobs,
      startFind: () => {
        jobs = [aJob({ findings: [DEVICE], channel })];
        return aJob({ state: 'running' });
      },
      addChannel: () => aChannel({ id: 9, name: 'COM3 19200 8E1 (2)' }),
      projectInfo: () => ({ path: '/a', name: 'a', schema_version: 1, size_bytes: 1, channels: 1, points: 0 }),
    });
    const user = show();
    openFind({ protocol_type: 2, com_port: 'COM3' });
    await user.click(await screen.findByTestId('find-start'));
    const row = await screen.findByTestId('found-device');
    expect(row.textContent).toContain('COM3 19200 8E1');
    expect(row.textContent).toContain('ACME X1');
    expect(service.of('startFind')[0]).toMatchObject({
      protocol_type: 2,
      com_port: 'COM3',
      first_slave: 1,
      last_slave: 247,
      listen_ms: 300,
    });
    await user.click(screen.getByTestId('find-make'));
    await waitFor(() =>
      expect(service.of('addChannel')[0]).toMatchObject({ name: 'COM3 19200 8E1 (2)', baud_rate: 19_200, parity: 'E', com_port: 'COM3' }),
    );
    await waitFor(() => expect(useUiStore.getState().selectedChannelId).toBe(9));
    await waitFor(() => expect(screen.queryByTestId('find-start')).toBeNull());
  });

  it('of meters shows numbers with twelve digits and what collided, and adds their points to the channel', async () => {
    const channel = AddChannelBody.parse({ name: 'COM3 2400 8E1', protocol_type: 4, conn_type: 0, com_port: 'COM3' });
    const point = NewPoint.parse({ frame_type: 0, code: 'M000000000042_EP', address: 0x00010000, slave_id: 42 });
    const note = {
      code: 'FIND_COLLISION',
      params: { pattern: 'AAAAAAAAAAAA', line: 'COM3 2400 8E1' },
      text: '',
      next_step: null,
    } as const;
    const meter = { ...DEVICE, slave_id: 42, address: '000000000042', identity: 'DL/T 645-2007' };
    const service = fakeService({
      listProtocols: () => [RTU, METERS],
      listSerialPorts: () => [],
      listChannels: () => [],
      listJobs: () => [aJob({ findings: [meter], channel, points: [point], notes: [note] })],
      addChannel: () => aChannel({ id: 7, name: 'COM3 2400 8E1' }),
      addPoints: () => ({ step_id: 1, items: [] }),
      projectInfo: () => ({ path: '/a', name: 'a', schema_version: 1, size_bytes: 1, channels: 1, points: 0 }),
    });
    const user = show();
    openFind({ protocol_type: 4, com_port: 'COM3' });
    expect((await screen.findByTestId('found-device')).textContent).toContain('000000000042');
    expect(screen.getByTestId('find-note').textContent).toContain('Several answers to AAAAAAAAAAAA came at once on COM3 2400 8E1');
    expect(document.querySelector('[data-path="first_slave"]')).toBeNull();
    await user.click(screen.getByTestId('find-make'));
    await waitFor(() => expect(service.of('addPoints')[0]).toMatchObject({ channel_id: 7, points: [{ code: 'M000000000042_EP' }] }));
    await waitFor(() => expect(useUiStore.getState().selectedChannelId).toBe(7));
  });

  it('tells of another master, and of nothing found', async () => {
    fakeService({
      listProtocols: () => [TCP, RTU],
      listSerialPorts: () => [],
      listChannels: () => [],
      listJobs: () => [aJob({ other_master: true })],
    });
    show();
    openFind();
    expect(await screen.findByText(/Somebody else talks on this line/)).toBeTruthy();
    expect(screen.getByText(/Nothing was found/)).toBeTruthy();
    expect(screen.getByTestId('find-make').hasAttribute('disabled'), 'it has its place all the time').toBe(true);
  });

  it('ends a running job when it is closed', async () => {
    const running = aJob({ state: 'running', activity: 'Asking address 7 on COM3 9600 8N1', ended_at: null });
    const service = fakeService({
      listProtocols: () => [RTU],
      listSerialPorts: () => [],
      listChannels: () => [],
      listJobs: () => [running],
      cancelJob: () => running,
    });
    const user = show();
    openFind();
    expect(await screen.findByText(/Asking address 7/)).toBeTruthy();
    expect(screen.getByText('at most 20.00 s')).toBeTruthy();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(service.of('cancelJob')).toEqual([{ job_id: running.id }]));
  });
});
