import { act, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { OperationName } from '#shared/contract/index.ts';
import { IEC61850 } from '../features/model/testing/model-data.ts';
import { aChannel, aServiceInfo, aTask, fakeService, giveSize } from '../features/testing/fake-service.ts';
import { setLanguage } from '../i18n/index.ts';
import { App } from './app.tsx';
import type { WorkTab } from './place.ts';
import { Providers } from './providers.tsx';
import { useUiStore } from './ui-store.ts';

/** What each view asks again and again. */
const POLLED: readonly (readonly [WorkTab, OperationName])[] = [
  ['points', 'pointTable'],
  ['model', 'deviceModel'],
  ['frames', 'listFrames'],
  ['line', 'lineStats'],
  ['events', 'listEvents'],
  ['audit', 'listAudit'],
];

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

function setVisible(isVisible: boolean): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(isVisible ? 'visible' : 'hidden');
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(!isVisible);
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
}

beforeEach(async () => {
  giveSize();
  await setLanguage('en');
  vi.useFakeTimers({ shouldAdvanceTime: true });
});
afterEach(() => {
  setVisible(true);
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it.each(POLLED)('a hidden page asks nothing; back on the screen, %s reads %s again at once', async (tab, operation) => {
  const service = fakeService({
    serviceInfo: () => aServiceInfo(),
    listChannels: () => [aChannel({ protocol_type: 5 })],
    listProtocols: () => [IEC61850],
    pointTable: () => ({ total: 0, items: [] }),
    autoReadStatus: () => aTask({ state: 'running', started_at: '2026-03-01T08:00:00.000Z' }),
    manualReadStatus: () => aTask(),
    listEvents: () => ({ items: [], last_seq: 0, dropped: 0 }),
    listAudit: () => ({ total: 0, items: [] }),
    listFrames: () => ({ items: [], first_seq: 0, last_seq: 0, looked_to: 0, dropped: 0 }),
  });
  useUiStore.setState({ selectedChannelId: 1, tab, sidebarOpen: true });
  render(
    <Providers env="test">
      <App />
    </Providers>,
  );
  await waitFor(() => expect(service.of(operation).length).toBeGreaterThan(0));
  await screen.findByTestId('reading-bar');
  await pass(2500);
  expect(service.of(operation).length).toBeGreaterThan(1);

  act(() => setVisible(false));
  // What was under way when the page went has its answer by now.
  await pass(100);
  const before = service.calls.length;
  await pass(120_000);
  expect(service.calls.slice(before).map((call) => call.name)).toEqual([]);

  act(() => setVisible(true));
  await pass(50);
  const asked = new Set(service.calls.slice(before).map((call) => call.name));
  for (const name of [operation, 'listChannels', 'serviceInfo', 'autoReadStatus'] as const) expect(asked).toContain(name);
});
