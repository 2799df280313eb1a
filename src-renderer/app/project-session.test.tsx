import { notifications } from '@mantine/notifications';
import { act, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CommandResult } from '#shared/contract/points.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { api } from '../api/client.ts';
import { POLL } from '../api/hooks.ts';
import { openImport } from '../features/point-files/point-files-store.ts';
import { openPointForm } from '../features/point-form/point-form-store.ts';
import { aChannel, aPoint, aServiceInfo, aTask, fakeService, giveSize, theSettings } from '../features/testing/fake-service.ts';
import { IEC104 } from '../features/testing/protocols.ts';
import { arm, needsArming, useArmingStore } from '../features/write/arming.ts';
import { rememberSelection, useSelectionStore } from '../features/write/selections.ts';
import { useWriteStore } from '../features/write/write-store.ts';
import { setLanguage } from '../i18n/index.ts';
import { App } from './app.tsx';
import { openDialog } from './dialog-store.ts';
import { useProjectSession } from './project-session.ts';
import { Providers } from './providers.tsx';
import { useUiStore } from './ui-store.ts';

const CHANNEL = aChannel();
const SETPOINT = aPoint({ id: 9, code: 'YT001', name: 'Power', frame_type: 3 });
const ACCEPTED: CommandResult = { outcome: 'accepted', stages: [], reaction: null, audit_id: 1 };
const WORDS = 'Another project was opened: the write dialog is closed, and no channel is armed.';
const CLOSED = 'Another project was opened: the open dialog is closed, and nothing more of it is sent.';

function show() {
  const service = fakeService({
    serviceInfo: () => aServiceInfo(),
    getSettings: () => theSettings(),
    listChannels: () => [CHANNEL],
    listProtocols: () => [{ ...IEC104, protocol_type: 1 }],
    pointTable: () => ({ total: 1, items: [SETPOINT] }),
    pointHistory: () => ({ items: [], undo: null, redo: null, limits: { steps: 100, octets: 1 } }),
    autoReadStatus: () => aTask(),
    manualReadStatus: () => aTask(),
  });
  render(
    <Providers env="test">
      <App />
    </Providers>,
  );
  /** Somebody opens another project, here or at another page. */
  const openAnother = async () => {
    service.answers.serviceInfo = () => aServiceInfo({ project_session: 'second' });
    await act(() => vi.advanceTimersByTimeAsync(POLL.status));
  };
  return { service, openAnother };
}

const sessionIs = (session: string) => waitFor(() => expect(useProjectSession.getState().session).toBe(session));

beforeEach(async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  giveSize();
  notifications.clean();
  await setLanguage('en');
  useProjectSession.setState({ session: null, openings: 0 });
  useArmingStore.setState({ armings: {} });
  useSelectionStore.setState({ selections: {} });
  useWriteStore.setState({ target: null, unresolved: {}, pending: {} });
  useUiStore.setState({ selectedChannelId: 1, tab: 'points', sidebarOpen: true, beside: null });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('another project', () => {
  it('closes the write dialog and disarms every page', async () => {
    const { service, openAnother } = show();
    await sessionIs('first');
    act(() => {
      arm(CHANNEL);
      rememberSelection(9, { channelId: 1, code: 'YT001', value: 1, options: {}, isEndless: true }, null);
      useWriteStore.setState({ unresolved: { 9: 1 } });
      useWriteStore.getState().open({ channel: CHANNEL, point: aPoint({ id: 8, code: 'YT002', frame_type: 3 }) });
    });
    expect(await screen.findByTestId('write-value')).toBeTruthy();
    await openAnother();
    await sessionIs('second');
    await waitFor(() => expect(screen.queryByTestId('write-value')).toBeNull());
    expect(needsArming(CHANNEL)).toBe(true);
    expect(useSelectionStore.getState().selections).toEqual({});
    expect(useWriteStore.getState().unresolved).toEqual({});
    expect(await screen.findByText(WORDS)).toBeTruthy();
    expect(service.of('command')).toEqual([]);
  });

  it('says nothing where nothing was armed, and draws the work anew', async () => {
    const { openAnother } = show();
    await sessionIs('first');
    const before = await screen.findByRole('grid');
    await openAnother();
    await sessionIs('second');
    await waitFor(() => expect(screen.getByRole('grid')).not.toBe(before));
    expect(screen.queryByText(WORDS)).toBeNull();
  });

  it('keeps nothing of an answer that comes after it', async () => {
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    const { service, openAnother } = show();
    let answer: (result: CommandResult) => void = () => undefined;
    service.answers.command = () =>
      new Promise<CommandResult>((resolve) => {
        answer = resolve;
      });
    await sessionIs('first');
    act(() => {
      arm(CHANNEL);
      useWriteStore.getState().open({ channel: CHANNEL, point: SETPOINT });
    });
    await user.type(await screen.findByTestId('write-value'), '42{Enter}');
    await user.click(await screen.findByTestId('write-send'));
    await waitFor(() => expect(service.of('command')).toHaveLength(1));
    expect(service.of('command')[0]).toMatchObject({ expect: { code: 'YT001', project_session: 'first' } });
    await openAnother();
    await sessionIs('second');
    answer({ ...ACCEPTED, outcome: 'unknown' });
    expect(await screen.findByText(/^YT001: /)).toBeTruthy();
    const { target, pending, unresolved } = useWriteStore.getState();
    expect({ target, pending, unresolved }).toEqual({ target: null, pending: {}, unresolved: {} });
  });

  it('closes the form of a point and tells it; what it asks for is meant for the project that it was opened in', async () => {
    const { openAnother } = show();
    await sessionIs('first');
    act(() => openPointForm({ channelId: 1 }));
    expect(await screen.findByTestId('point-form')).toBeTruthy();
    await openAnother();
    await sessionIs('second');
    await waitFor(() => expect(screen.queryByTestId('point-form')).toBeNull());
    expect(await screen.findByText(CLOSED)).toBeTruthy();
  });

  it('closes the import and tells it', async () => {
    const { service, openAnother } = show();
    await sessionIs('first');
    act(() => openImport(1));
    expect(await screen.findByRole('dialog')).toBeTruthy();
    await openAnother();
    await sessionIs('second');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(await screen.findByText(CLOSED)).toBeTruthy();
    expect(service.of('importPoints')).toEqual([]);
  });

  it('leaves open what is about no project', async () => {
    const { openAnother } = show();
    await sessionIs('first');
    act(() => openDialog('about'));
    expect(await screen.findByRole('dialog')).toBeTruthy();
    await openAnother();
    await sessionIs('second');
    expect(screen.getByRole('dialog')).toBeTruthy();
    expect(screen.queryByText(CLOSED)).toBeNull();
  });

  it('is said with everything that changes something, so that the service can refuse it', async () => {
    const { service } = show();
    await sessionIs('first');
    const sent = vi.spyOn(globalThis, 'fetch');
    service.answers.undoPoints = () => {
      throw new AppError('STATE_CONFLICT', quoted('no'));
    };
    await api.call('undoPoints', { channel_id: 1 }).catch(() => {});
    await api.call('listChannels', {});
    const headers = sent.mock.calls.map(([url, init]) => [url, new Headers(init?.headers).get('x-project-session')]);
    expect(headers).toContainEqual(['/api/points/undo', 'first']);
    expect(headers).toContainEqual(['/api/channel/list', null]);
  });
});
