import { screen, waitFor } from '@testing-library/dom';
import { act, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { POLL } from '../api/hooks.ts';
import { aChannel, aServiceInfo, aTask, fakeService, giveSize, theSettings } from '../features/testing/fake-service.ts';
import { useArmingStore } from '../features/write/arming.ts';
import { setLanguage } from '../i18n/index.ts';
import { App } from './app.tsx';
import { Providers } from './providers.tsx';
import { useUiStore } from './ui-store.ts';

const base = () =>
  fakeService({
    serviceInfo: () => aServiceInfo(),
    getSettings: () => theSettings(),
    projectInfo: () => ({ path: '/data/site.loopcheck', name: 'site', schema_version: 1, size_bytes: 4096, channels: 2, points: 3 }),
    listChannels: () => [
      aChannel({ id: 1, name: 'PCS 1' }),
      aChannel({ id: 2, name: 'Meter', status: 'error', last_error: 'Nothing listens on port 502.' }),
    ],
    listProtocols: () => [],
    pointTable: () => ({ total: 0, items: [] }),
    autoReadStatus: () => aTask(),
    manualReadStatus: () => aTask(),
    listEvents: () => ({ items: [], last_seq: 0, dropped: 0 }),
  });

function show() {
  render(
    <Providers env="test">
      <App />
    </Providers>,
  );
  return userEvent.setup();
}

beforeEach(async () => {
  giveSize();
  useArmingStore.setState({ armings: {} });
  await setLanguage('en');
  useUiStore.setState({ selectedChannelId: null, tab: 'events', sidebarOpen: true });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('page', () => {
  it('shows channels with their state in words, and the reason of an error', async () => {
    base();
    const user = show();
    expect(await screen.findByRole('heading', { name: 'PCS 1' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: /^Meter/ }));
    expect(await screen.findByRole('heading', { name: 'Meter' })).toBeTruthy();
    expect((await screen.findByTestId('last-error')).textContent).toContain('Nothing listens on port 502.');
    expect(screen.getAllByText('Error').length).toBeGreaterThan(0);
  });

  it('tells what is wrong with the files of the service, and offers the step that helps', async () => {
    const service = base();
    let isConfirmed = false;
    service.answers.serviceInfo = () =>
      aServiceInfo({
        warnings: isConfirmed
          ? []
          : [
              { code: 'disk_full', params: { detail: 'SQLITE_FULL' }, message: 'The disk is full.' },
              { code: 'project_lost', params: { detail: 'it was deleted' }, message: 'The file is lost.' },
              { code: 'channel_damaged', params: { channel_id: 2, channel: 'Meter' }, message: 'Channel "Meter" is not as it was stored.' },
            ],
      });
    service.answers.confirmChannel = () => {
      isConfirmed = true;
      return aChannel({ id: 2, name: 'Meter' });
    };
    const user = show();
    expect(await screen.findByText('The disk is full')).toBeTruthy();
    expect(screen.getByText(/Free some space/)).toBeTruthy();
    expect(screen.getByText('Channel Meter is not as it was stored')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'It is right as it is' }));
    await waitFor(() => expect(service.of('confirmChannel')).toEqual([{ channel_id: 2 }]));
    await waitFor(() => expect(screen.queryByText('The disk is full')).toBeNull());
  });

  it('starts disarmed, and read-only disarms', async () => {
    const service = base();
    service.answers.updateSettings = () => theSettings({ read_only: true });
    const user = show();
    await screen.findByText('Safe');
    await user.click(screen.getByRole('switch', { name: 'Arm writes of PCS 1' }));
    expect(await screen.findByText(/^Armed (10:00|\d:[0-5]\d)$/)).toBeTruthy();
    expect(screen.getAllByTestId('armed-mark')).toHaveLength(1);
    service.answers.serviceInfo = () => aServiceInfo({ read_only: true });
    await user.click(screen.getByRole('switch', { name: 'Read-only' }));
    expect(await screen.findByText('Safe')).toBeTruthy();
    await waitFor(() => expect(service.of('updateSettings')).toEqual([{ read_only: true }]));
    await waitFor(() => expect(screen.getByRole('switch', { name: 'Arm writes of PCS 1' })).toHaveProperty('disabled', true));
  });

  it('says that the service is away, and finds it again by itself', async () => {
    const service = base();
    const away = () => {
      throw new AppError('TRANSPORT_NOT_CONNECTED', quoted('The service does not answer.'));
    };
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const nextLook = () => act(() => vi.advanceTimersByTimeAsync(POLL.status));
    show();
    await screen.findByRole('heading', { name: 'PCS 1' });
    service.answers.serviceInfo = away;
    await nextLook();
    expect(await screen.findByTestId('service-banner')).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'PCS 1' })).toBeTruthy();
    service.answers.serviceInfo = () => aServiceInfo();
    await nextLook();
    await waitFor(() => expect(screen.queryByTestId('service-banner')).toBeNull());
  });

  it('asks for the token of a service that needs one', async () => {
    const service = base();
    service.answers.serviceInfo = () => {
      if (sessionStorage.getItem('loopcheck.token') !== 'secret') throw new AppError('ACCESS_TOKEN', quoted('A token is needed.'));
      return aServiceInfo();
    };
    const user = show();
    await user.type(await screen.findByLabelText('Token'), 'secret');
    await user.click(screen.getByRole('button', { name: 'Open' }));
    await waitFor(() => expect(screen.queryByLabelText('Token')).toBeNull());
    expect(sessionStorage.getItem('loopcheck.token')).toBe('secret');
    sessionStorage.clear();
  });

  it('changes its language at once', async () => {
    base();
    const user = show();
    await user.click(await screen.findByTestId('language'));
    await user.click(await screen.findByText('中文'));
    expect(await screen.findByText('安全')).toBeTruthy();
    expect(localStorage.getItem('loopcheck.language')).toBe('zh-CN');
    await setLanguage('en');
  });
});
