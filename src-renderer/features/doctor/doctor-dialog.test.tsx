import { screen, waitFor, within } from '@testing-library/dom';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DataOf } from '#shared/contract/index.ts';
import type { DoctorJob, Verdict } from '#shared/contract/jobs.ts';
import { ASKING_LAYERS, CONNECTION_LAYERS, DOCTOR_CODES, type DoctorCode, doctorSentence } from '#shared/domain/doctor.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { Providers } from '../../app/providers.tsx';
import { i18n, setLanguage } from '../../i18n/index.ts';
import { useFindStore } from '../find/find-store.ts';
import { JobDialogs } from '../jobs/job-dialogs.tsx';
import { aChannel, fakeService } from '../testing/fake-service.ts';
import { METER_NOTATION } from '../testing/protocols.ts';
import { closeDoctor, openDoctor } from './doctor-store.ts';

const PARAMS = { target: '192.0.2.1:502', host: 'meter', ms: 3000, port: 'COM3', format: '9600 8N1', asked: 1, count: 7 };

function verdict(
  layer: Verdict['layer'],
  state: Verdict['state'],
  code: DoctorCode,
  params: Record<string, string | number> = PARAMS,
): Verdict {
  const { text, next } = doctorSentence(code, params);
  return { layer, state, code, params, text, next_step: next, notes: [] };
}

/** A protocol that has a search. */
const MODBUS_RTU: DataOf<'listProtocols'>[number] = {
  protocol_type: 2,
  key: 'modbus-rtu',
  name: 'Modbus RTU',
  conn_types: [0, 2],
  default_port: 502,
  default_baud_rate: 9600,
  default_parity: 'N',
  modes: ['batch', 'single'],
  channel_fields: [],
  channel_schema: {},
  point_fields: [],
  point_schema: {},
  commands: ['operate'],
  tools: { least_address: 1, most_address: 247, wildcards: false, baud_rates: [9600], formats: ['8N1'], scan_functions: [] },
};

function aJob(change: Partial<DoctorJob> = {}): DoctorJob {
  return {
    id: '00000000-0000-4000-8000-000000000001',
    kind: 'doctor',
    channel_id: 1,
    state: 'done',
    current: 5,
    total: 5,
    activity: '',
    started_at: '2026-03-01T08:00:00.000Z',
    ended_at: '2026-03-01T08:00:02.000Z',
    last_error: null,
    dropped: 0,
    layers: [...ASKING_LAYERS],
    findings: [],
    ...change,
  };
}

function show() {
  render(
    <Providers env="test">
      <JobDialogs />
    </Providers>,
  );
  return userEvent.setup();
}

beforeEach(async () => {
  await setLanguage('en');
  closeDoctor();
  useFindStore.setState({ preset: null });
});

describe('connection doctor', () => {
  it('begins when it is opened, and shows each layer with its next step', async () => {
    const findings = [
      verdict('line', 'bad', 'LINE_REFUSED'),
      ...ASKING_LAYERS.slice(1).map((layer) => verdict(layer, 'skipped', 'NOT_REACHED')),
    ];
    const service = fakeService({
      listChannels: () => [aChannel({ status: 'error' })],
      listJobs: () => [aJob({ findings })],
      startDoctor: () => aJob(),
      listProtocols: () => [],
    });
    show();
    openDoctor(1);
    const line = await screen.findByTestId('doctor-line');
    await waitFor(() => expect(line.dataset.state).toBe('bad'));
    expect(line.textContent).toContain('192.0.2.1:502 is reachable and refuses the connection');
    expect(line.textContent).toContain('Check the port number');
    expect(screen.getByTestId('doctor-table').dataset.state).toBe('skipped');
    expect(service.of('startDoctor')).toEqual([{ channel_id: 1 }]);
  });

  it('shows what it does now, and ends the job when it is closed', async () => {
    const running = aJob({
      state: 'running',
      current: 1,
      ended_at: null,
      activity: 'Asking address 1',
      findings: [verdict('line', 'good', 'LINE_CONNECTED')],
    });
    const service = fakeService({
      listChannels: () => [aChannel()],
      listJobs: () => [running],
      startDoctor: () => running,
      cancelJob: () => running,
      listProtocols: () => [],
    });
    const user = show();
    openDoctor(1);
    expect(await screen.findByText('Asking address 1')).toBeTruthy();
    await waitFor(() => expect(screen.getByTestId('doctor-bytes').dataset.state).toBe('now'));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(service.of('cancelJob')).toEqual([{ job_id: running.id }]));
    await waitFor(() => expect(screen.queryByTestId('doctor-line')).toBeNull());
  });

  it('shows the one that runs already instead of its refusal, and any other refusal', async () => {
    let state: 'running' | 'done' = 'running';
    let refusal = new AppError('STATE_CONFLICT', quoted('A doctor of channel 1 is running.'));
    fakeService({
      listChannels: () => [aChannel()],
      listJobs: () => [aJob({ state })],
      startDoctor: () => {
        throw refusal;
      },
      listProtocols: () => [],
    });
    const user = show();
    openDoctor(1);
    await screen.findByTestId('job-progress');
    expect(screen.queryByTestId('error-notice')).toBeNull();
    state = 'done';
    refusal = new AppError('TRANSPORT_PORT_TAKEN', quoted('COM3 is used by the channel "A".'));
    await waitFor(() => expect(screen.getByTestId('doctor-again').hasAttribute('data-loading')).toBe(false));
    await user.click(screen.getByTestId('doctor-again'));
    expect((await screen.findByTestId('error-notice')).textContent).toContain('COM3 is used by');
  });

  it('leads to the search with the line of the channel', async () => {
    const channel = aChannel({ protocol_type: 2, conn_type: 0, com_port: 'COM3' });
    fakeService({ listChannels: () => [channel], listJobs: () => [aJob()], startDoctor: () => aJob(), listProtocols: () => [MODBUS_RTU] });
    const user = show();
    openDoctor(1);
    await user.click(await screen.findByRole('button', { name: 'Search the line' }));
    expect(useFindStore.getState().preset).toMatchObject({ protocol_type: 2, com_port: 'COM3' });
    expect(await within(document.body).findByText('Search for devices')).toBeTruthy();
  });
});

describe('a channel that talks over a connection', () => {
  const channel = aChannel({ protocol_type: 3, conn_type: 2, port: 2404 });
  const layers: DoctorJob['layers'] = [...CONNECTION_LAYERS, 'startdt', 'sizes', 'station'];
  const findings = [
    verdict('host', 'good', 'LINE_REACHED', { target: '192.0.2.7' }),
    verdict('port', 'good', 'LINE_CONNECTED', { target: '192.0.2.7:2404', ms: 12 }),
    verdict('tls', 'bad', 'TLS_WRONG_NAME', { target: '192.0.2.7:2404', name: 'rtu', names: 'DNS:gateway' }),
    ...(['startdt', 'sizes', 'station'] as const).map((layer) => verdict(layer, 'skipped', 'NOT_REACHED')),
  ];

  it.each([
    ['en', 'Encryption (TLS)', 'not made out to rtu, but to DNS:gateway', 'Set tls_server_name'],
    ['zh-CN', '加密（TLS）', '不是签发给 rtu 的', '将 tls_server_name 设为'],
  ] as const)('shows the layers of its examination and no search, in %s', async (language, title, text, next) => {
    await setLanguage(language);
    fakeService({
      listChannels: () => [channel],
      listJobs: () => [aJob({ layers, findings, total: 6 })],
      startDoctor: () => aJob({ layers }),
      listProtocols: () => [{ ...MODBUS_RTU, protocol_type: 2 }],
    });
    show();
    openDoctor(1);
    const tls = await screen.findByTestId('doctor-tls');
    for (const words of [title, text, next]) expect(tls.textContent).toContain(words);
    expect(screen.getAllByTestId(/^doctor-(host|port|tls|startdt|sizes|station|line|bytes)$/)).toHaveLength(6);
    expect(screen.queryByRole('button', { name: /Search the line|搜索线路/ })).toBeNull();
  });
});

describe('a doctor for one slave', () => {
  it('asks for it alone, also when it is asked again, and says so', async () => {
    const service = fakeService({
      listChannels: () => [aChannel({ protocol_type: 4 })],
      listJobs: () => [aJob()],
      startDoctor: () => aJob(),
      listProtocols: () => [{ ...MODBUS_RTU, protocol_type: 4, notation: METER_NOTATION }],
    });
    const user = show();
    openDoctor(1, [42]);
    const preset = await screen.findByTestId('doctor-preset');
    await waitFor(() => expect(preset.textContent).toBe('About address 000000000042.'));
    await waitFor(() => expect(screen.getByTestId('doctor-again').hasAttribute('data-loading')).toBe(false));
    await user.click(screen.getByTestId('doctor-again'));
    const wanted = { channel_id: 1, slave_ids: [42] };
    await waitFor(() => expect(service.of('startDoctor')).toEqual([wanted, wanted]));
    closeDoctor();
    openDoctor(1);
    await waitFor(() => expect(service.of('startDoctor')).toHaveLength(3));
    expect(service.of('startDoctor')[2]).toEqual({ channel_id: 1 });
    expect(screen.queryByTestId('doctor-preset')).toBeNull();
  });
});

describe('sentences', () => {
  it.each(DOCTOR_CODES)('%s is said in the words of the service in English, and in Chinese', async (code) => {
    const names = [...JSON.stringify(i18n.getResource('en', 'doctor', `codes.${code}`)).matchAll(/\{\{(\w+)\}\}/g)].map(
      (match) => match[1] ?? '',
    );
    const params = Object.fromEntries(names.map((name) => [name, name === 'count' ? 3 : `<${name}>`]));
    const { text, next } = doctorSentence(code, params);
    expect(text).not.toContain('{{');
    expect(i18n.t(`doctor:codes.${code}.text` as 'doctor:open', params)).toBe(text);
    if (next) expect(i18n.t(`doctor:codes.${code}.next` as 'doctor:open', params)).toBe(next);
    await setLanguage('zh-CN');
    const chinese = i18n.t(`doctor:codes.${code}.text` as 'doctor:open', params);
    expect(chinese).toMatch(/[\u4e00-\u9fff]/);
    for (const name of new Set(names))
      expect(`${chinese}${i18n.t(`doctor:codes.${code}.next` as 'doctor:open', params)}`).toContain(String(params[name]));
  });
});
