import { screen, waitFor } from '@testing-library/dom';
import { act, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WindowBridge } from '#shared/client/window-bridge.ts';
import type { ProtocolDescriptor } from '#shared/contract/channels.ts';
import type { DocumentDevices } from '#shared/contract/iec61850.ts';
import type { MissingPart, ProjectTextReport, RecentProject } from '#shared/contract/projects.ts';
import { AppError, invalidField } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { POLL } from '../../api/hooks.ts';
import { Providers } from '../../app/providers.tsx';
import { useUiStore } from '../../app/ui-store.ts';
import { setLanguage } from '../../i18n/index.ts';
import { formatDateTime } from '../../ui/time.ts';
import { useChannelDialogStore } from '../channels/channel-dialog-store.ts';
import { IEC61850 } from '../model/testing/model-data.ts';
import { aChannel, fakeService, giveSize } from '../testing/fake-service.ts';
import { MissingBar } from './missing-section.tsx';
import { ProjectDialogs } from './project-dialogs.tsx';
import { showNewChannel, showReadText, showStep, useProjectsStore } from './projects-store.ts';
import StartPage from './start-page.tsx';

const MODBUS: ProtocolDescriptor = {
  protocol_type: 1,
  key: 'modbus-tcp',
  name: 'Modbus TCP',
  conn_types: [1, 2],
  default_port: 502,
  default_baud_rate: 9600,
  default_parity: 'N',
  modes: ['batch', 'single'],
  channel_fields: ['timeout_ms', 'max_gap', 'auto_reconnect'],
  channel_schema: { type: 'object', properties: {} },
  point_fields: [],
  point_schema: {},
  commands: ['operate'],
};
const info = { path: '/data/site.loopcheck', name: 'site', schema_version: 7, size_bytes: 4096, channels: 1, points: 3 };
const recent = (name: string, change: Partial<RecentProject> = {}): RecentProject => ({
  path: `/data/${name}.loopcheck`,
  name,
  opened_at: '2026-03-01T08:00:00.000Z',
  state: 'ready',
  reason: null,
  reason_message: null,
  ...change,
});
const missingPort: MissingPart = {
  kind: 'serial_port',
  channel_id: 1,
  channel: 'PCS 1',
  message: 'Serial port COM7 is not on this computer.',
  message_code: 'project.no_port',
  params: { port: 'COM7' },
};

function service(
  items: readonly RecentProject[] = [recent('site', { state: 'open' }), recent('other')],
  missing: readonly MissingPart[] = [],
) {
  return fakeService({
    projectInfo: () => info,
    recentProjects: () => ({ folder: '/data/projects', items: [...items] }),
    missingParts: () => ({ items: [...missing] }),
    listChannels: () => [aChannel({ status: 'stopped' })],
    openProject: ({ path }) => ({ ...info, path: String(path), name: 'opened' }),
    backupProject: ({ path }) => ({ path: String(path), size_bytes: 1 }),
    forgetProject: () => ({ forgotten: true }),
  });
}

function show() {
  render(
    <Providers env="test">
      <StartPage />
      <MissingBar />
      <ProjectDialogs />
    </Providers>,
  );
  return userEvent.setup();
}

beforeEach(async () => {
  await setLanguage('en');
  useProjectsStore.setState({ step: null, newChannel: null, hiddenMissing: '', asksDemo: false, readsText: false });
  useUiStore.setState({ showsStart: false });
});
afterEach(() => {
  Reflect.deleteProperty(window, 'loopcheck');
  vi.useRealTimers();
});

describe('the start page', () => {
  it('opens a recent project at once when nothing runs, and says why another one cannot be opened', async () => {
    const calls = service([
      recent('site', { state: 'open' }),
      recent('other'),
      recent('gone', {
        state: 'missing',
        reason: 'There is no project file.',
        reason_message: { code: 'store.no_file', params: { path: '/data/gone.loopcheck' } },
      }),
    ]);
    const user = show();
    expect(await screen.findByText(/deleted, renamed or moved/)).toBeTruthy();
    expect(screen.getByText(formatDateTime('2026-03-01T08:00:00.000Z'))).toBeTruthy();
    expect(screen.getByRole('button', { name: /^gone/ })).toHaveProperty('disabled', true);
    await user.click(screen.getByRole('button', { name: /^other/ }));
    await waitFor(() => expect(calls.of('openProject')).toEqual([{ path: '/data/other.loopcheck' }]));
  });

  it('asks first when channels would stop', async () => {
    const calls = service();
    calls.answers.listChannels = () => [aChannel({ status: 'running' })];
    const user = show();
    await screen.findByRole('button', { name: /^other/ });
    await waitFor(() => expect(calls.of('listChannels').length).toBeGreaterThan(0));
    await user.click(screen.getByRole('button', { name: /^other/ }));
    expect(await screen.findByText('1 started channel stops.')).toBeTruthy();
    expect(calls.of('openProject')).toEqual([]);
    await user.click(screen.getByTestId('project-go'));
    await waitFor(() => expect(calls.of('openProject')).toEqual([{ path: '/data/other.loopcheck', create: false }]));
  });

  it('takes a project off the list', async () => {
    const calls = service();
    const user = show();
    await user.click(await screen.findByRole('button', { name: 'Take other off the list; its file stays' }));
    expect(calls.of('forgetProject')).toEqual([{ path: '/data/other.loopcheck' }]);
  });
});

describe('the dialog of a project', () => {
  it('keeps what was written, and says what was wrong', async () => {
    const calls = service();
    calls.answers.openProject = () => {
      throw new AppError('STATE_STORE', quoted('Project file x: there is no folder /none; make it.'));
    };
    const user = show();
    act(() => showStep({ kind: 'new', path: '/data/projects/project.loopcheck' }));
    const field = await screen.findByLabelText('File');
    await user.clear(field);
    await user.type(field, 'plant 7');
    await user.click(screen.getByTestId('project-go'));
    expect(await screen.findByText(/there is no folder/)).toBeTruthy();
    expect(calls.of('openProject')).toEqual([{ path: '/data/projects/plant 7.loopcheck', create: true }]);
    expect(field).toHaveProperty('value', 'plant 7');
  });

  it('begins with the file chooser of the system in the window, and does nothing when that is closed', async () => {
    const calls = service();
    const asked: unknown[] = [];
    let answer: string | null = null;
    const bridge: WindowBridge = {
      platform: 'win32',
      api: async () => ({ status: 500, body: null }),
      async chooseProject(choice) {
        asked.push(choice);
        return answer;
      },
      printRecord: async () => ({ kind: 'closed' }),
      showMenu: async () => undefined,
      onCommand: () => () => undefined,
      takeFile: async () => null,
      onFileGiven: () => () => undefined,
    };
    Object.assign(window, { loopcheck: bridge });
    const user = show();
    await user.click(await screen.findByTestId('begin-open'));
    await waitFor(() => expect(asked).toEqual([{ kind: 'open', path: '' }]));
    expect(screen.queryByTestId('project-go')).toBeNull();
    answer = 'C:\\site\\a.loopcheck';
    await user.click(screen.getByTestId('begin-open'));
    await user.click(await screen.findByTestId('project-go'));
    await waitFor(() => expect(calls.of('openProject')).toEqual([{ path: 'C:\\site\\a.loopcheck', create: false }]));
  });
});

describe('a new channel', () => {
  it('leads back to the step whose field the service refuses', async () => {
    const calls = service();
    calls.answers.listProtocols = () => [MODBUS];
    calls.answers.listJobs = () => [];
    calls.answers.addChannel = () => {
      throw invalidField('ip', quoted('is no address of the plant'));
    };
    const user = show();
    act(() => showNewChannel('doctor'));
    await user.type(await screen.findByLabelText(/^Name/), 'Far');
    await user.click(screen.getByTestId('new-channel-next'));
    await waitFor(() => expect(screen.getByTestId('new-channel-next').textContent).toBe('Add and examine'));
    await user.click(screen.getByTestId('new-channel-next'));
    expect(await screen.findByText(/is no address of the plant/)).toBeTruthy();
    expect(screen.getByLabelText(/^Name/)).toHaveProperty('value', 'Far');
    expect(calls.of('addChannel')).toHaveLength(1);
  });
});

describe('a new channel by keyboard alone', () => {
  it('goes on from step to step with Enter, and back', async () => {
    const calls = service();
    calls.answers.listProtocols = () => [MODBUS];
    calls.answers.listJobs = () => [];
    const user = show();
    act(() => showNewChannel('doctor'));
    await user.type(await screen.findByLabelText(/^Name/), 'Far{Enter}');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/^Timeout/)));
    await user.click(screen.getByTestId('new-channel-back'));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/^Name/)));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/^Timeout/)));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(calls.of('addChannel')).toHaveLength(1));
  });
});

describe('a new channel from a file', () => {
  const devices: DocumentDevices = {
    name: 'station.scd',
    octets: 6,
    title: 'SCD of schema 2007B4',
    warnings: [],
    choices: [
      { value: 'A', label: 'A', addresses: [] },
      {
        value: 'B',
        label: 'B',
        about: { device: 'B', access_point: 'P1', manufacturer: 'ACME', type: 'R-2', description: '' },
        addresses: [{ value: 'Bus/P1', ip: '10.1.2.3', port: 8102, protocol: { remote_transport_selector: '0002' } }],
      },
    ],
  };
  const ASSOCIATION = {
    type: 'object',
    properties: { ied_name: { type: 'string', default: '' }, remote_transport_selector: { type: 'string', default: '0001' } },
  };
  const file = () => new File(['<SCL/>'], 'station.scd');
  const input = () => document.querySelector<HTMLInputElement>('input[type=file]') ?? document.createElement('input');

  function begin() {
    giveSize();
    const calls = service();
    calls.answers.listProtocols = () => [MODBUS, { ...IEC61850, channel_schema: ASSOCIATION }];
    calls.answers.listJobs = () => [];
    calls.answers.documentDevices = () => devices;
    calls.answers.startDoctor = () => {
      throw new AppError('STATE_CONFLICT', quoted('no doctor here'));
    };
    calls.answers.addChannel = ({ name }) => aChannel({ id: 9, name: String(name), protocol_type: 5, status: 'stopped' });
    calls.answers.updateChannel = () => aChannel({ id: 9, name: 'B', protocol_type: 5, status: 'stopped' });
    return calls;
  }
  async function chooseB(user: ReturnType<typeof userEvent.setup>) {
    await user.click(screen.getByTestId('begin-file'));
    await screen.findByTestId('device-file-dialog');
    await user.upload(input(), file());
    await user.click(await screen.findByRole('radio', { name: 'Choose B, 10.1.2.3:8102' }));
    await user.click(screen.getByTestId('device-take'));
    await waitFor(() => expect(screen.queryByTestId('device-file-dialog')).toBeNull());
  }
  async function submit(user: ReturnType<typeof userEvent.setup>) {
    await user.click(screen.getByTestId('new-channel-next'));
    await waitFor(() => expect(screen.getByTestId('new-channel-next').textContent).toBe('Add and examine'));
    await user.click(screen.getByTestId('new-channel-next'));
  }

  it('is filled in by the device that is chosen, and takes the file with it', async () => {
    const calls = begin();
    const stored: unknown[] = [];
    calls.answers.storeDocument = ({ channel_id, mode, choice, address }) => {
      stored.push([Number(channel_id), mode, choice, address]);
      return { ...devices, choice: 'B', stored: true };
    };
    const user = show();
    await chooseB(user);
    expect(screen.getByLabelText(/^Name/)).toHaveProperty('value', 'B');
    expect(screen.getByTestId('device-file-taken').textContent).toBe('B of station.scd, which is kept with the channel.');
    await submit(user);
    await waitFor(() => expect(stored).toEqual([[9, 'store', undefined, undefined]]));
    expect(calls.of('addChannel')).toMatchObject([
      { name: 'B', protocol_type: 5, ip: '10.1.2.3', port: 8102, protocol: { ied_name: 'B', remote_transport_selector: '0002' } },
    ]);
  });

  it('is added once: where the file is refused, the form says so, and the next attempt gives the file alone', async () => {
    const calls = begin();
    let attempts = 0;
    calls.answers.storeDocument = () => {
      attempts += 1;
      if (attempts === 1) throw new AppError('STATE_STORE_FULL', quoted('the disk is full'));
      return { ...devices, choice: 'B', stored: true };
    };
    const user = show();
    await chooseB(user);
    await submit(user);
    expect(await screen.findByText('the disk is full')).toBeTruthy();
    await user.click(screen.getByTestId('new-channel-next'));
    await waitFor(() => expect(attempts).toBe(2));
    await waitFor(() => expect(screen.queryByText('the disk is full')).toBeNull());
    expect(calls.of('addChannel')).toHaveLength(1);
    expect(calls.of('updateChannel')).toMatchObject([{ channel_id: 9 }]);
  });

  it('goes on without the file, and without what it filled in', async () => {
    const calls = begin();
    const user = show();
    await chooseB(user);
    await user.click(screen.getByTestId('device-file-drop'));
    expect(screen.getByLabelText(/^Name/)).toHaveProperty('value', '');
    await user.type(screen.getByLabelText(/^Name/), 'Own');
    await submit(user);
    await waitFor(() => expect(calls.of('addChannel')).toMatchObject([{ name: 'Own', ip: '127.0.0.1', port: 102, conn_type: 2 }]));
    expect(calls.of('storeDocument')).toEqual([]);
  });

  it('says why a file is refused', async () => {
    const calls = begin();
    calls.answers.documentDevices = () => {
      throw new AppError('CONFIG_INVALID', quoted('a.cid, line 1: this is no XML'));
    };
    const user = show();
    await user.click(screen.getByTestId('begin-file'));
    await screen.findByTestId('device-file-dialog');
    await user.upload(input(), file());
    expect(await screen.findByText('a.cid, line 1: this is no XML')).toBeTruthy();
    expect(screen.getByTestId('document-drop')).toBeTruthy();
  });
});

describe('what is missing', () => {
  it('is named with the step that helps, and the bar is put aside until something else is missing', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const calls = service(undefined, [missingPort]);
    const user = show();
    const bar = await screen.findByTestId('missing-bar');
    expect(bar.textContent).toContain('This project lacks 1 thing here');
    await user.click(screen.getByRole('button', { name: 'Settings…' }));
    expect(useChannelDialogStore.getState().dialog).toMatchObject({ kind: 'edit', channel: { id: 1 } });
    await user.click(screen.getByRole('button', { name: 'Later' }));
    expect(screen.queryByTestId('missing-bar')).toBeNull();
    calls.answers.missingParts = () => ({ items: [missingPort, { ...missingPort, kind: 'secrets', message: 'Passwords.' }] });
    await act(() => vi.advanceTimersByTimeAsync(POLL.slow));
    expect(screen.queryByTestId('missing-bar')).not.toBeNull();
  });
});

describe('a text', () => {
  const report = (change: Partial<ProjectTextReport> = {}): ProjectTextReport => ({
    mode: 'preview',
    applied: false,
    version: 1,
    counts: { channels: 1, points: 2, errors: 0, warnings: 0 },
    channels: [{ name: 'PCS 1', protocol_type: 1, points: 2, is_taken: false }],
    errors: [],
    warnings: [],
    project: null,
    ...change,
  });
  const choose = async (user: ReturnType<typeof userEvent.setup>) => {
    act(() => showReadText(true));
    await screen.findByTestId('text-dialog');
    const input = document.querySelector('input[type=file]');
    await user.upload(input as HTMLInputElement, new File(['{}'], 'plant.json'));
  };

  it('with errors names their places and cannot be applied', async () => {
    const calls = service();
    calls.answers.importProjectText = () =>
      report({
        counts: { channels: 1, points: 2, errors: 1, warnings: 0 },
        errors: [
          {
            path: 'channels[2].points[14].address',
            message: 'must be at least 0, not -1',
            message_code: 'field.least',
            params: { limit: 0, given: -1 },
          },
        ],
      });
    const user = show();
    await choose(user);
    expect((await screen.findByTestId('text-errors')).textContent).toContain('channels[2].points[14].address');
    expect(screen.getByTestId('text-apply')).toHaveProperty('disabled', true);
  });

  it('whose names are taken makes a new project, and is added where they are free', async () => {
    const calls = service();
    calls.answers.importProjectText = ({ mode }) =>
      mode === 'preview'
        ? report({ channels: [{ name: 'PCS 1', protocol_type: 1, points: 2, is_taken: true }] })
        : report({ applied: true, mode: 'new', project: info });
    const user = show();
    await choose(user);
    const apply = await screen.findByTestId('text-apply');
    await user.click(screen.getByRole('radio', { name: 'Add to the open project' }));
    await waitFor(() => expect(apply).toHaveProperty('disabled', true));
    await user.click(screen.getByRole('radio', { name: 'New project' }));
    await user.click(apply);
    await waitFor(() =>
      expect(calls.of('importProjectText').at(-1)).toMatchObject({ mode: 'new', path: '/data/projects/plant.loopcheck' }),
    );
  });
});
