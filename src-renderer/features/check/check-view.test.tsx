import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import type { CheckSession } from '#shared/contract/check.ts';
import { Providers } from '../../app/providers.tsx';
import { useUiStore } from '../../app/ui-store.ts';
import { aChannel, aServiceInfo, fakeService, theSettings } from '../testing/fake-service.ts';
import { showCheckDialog } from './check-store.ts';
import CheckView from './check-view.tsx';

const session = (id: number): CheckSession => ({
  id,
  uuid: `11111111-1111-4111-8111-11111111111${id}`,
  name: `Visit ${id}`,
  created_at: '2026-03-01T08:00:00.000Z',
  cover: {},
  logo: null,
  items: 0,
  results: 0,
  counts: { not_checked: 0, passed: 0, failed: 0, blocked: 0, check_again: 0, accepted: 0 },
});

let there: readonly CheckSession[];
function show() {
  const service = fakeService({
    listChecks: () => ({ items: [...there] }),
    checkItems: () => ({ total: 0, items: [] }),
    checkRun: () => ({ run: null }),
    listChannels: () => [aChannel({ id: 1, name: 'Feeder 1' }), aChannel({ id: 2, name: 'Feeder 2' })],
    listRemotes: () => ({ items: [] }),
    serviceInfo: () => aServiceInfo(),
    getSettings: () => theSettings(),
    listProtocols: () => [],
  });
  render(
    <Providers env="test">
      <CheckView />
    </Providers>,
  );
  return service;
}
const list = () => screen.findByTestId('check-file-open');
const asked = () => useUiStore.getState().check?.sessionId;

beforeEach(() => {
  act(() => useUiStore.getState().showCheck(null));
  showCheckDialog(null);
});

it('stays at a session that is younger than the list on the screen', async () => {
  there = [session(1)];
  show();
  await list();
  there = [session(1), session(2)];
  act(() => useUiStore.getState().showCheck(2));
  expect((await screen.findByTestId('check-session-view')).getAttribute('aria-label')).toBe('Visit 2');
  expect(asked()).toBe(2);
});

it('leads to the list from a session that is gone', async () => {
  there = [session(1)];
  const service = show();
  await list();
  const before = service.of('listChecks').length;
  act(() => useUiStore.getState().showCheck(2));
  await waitFor(() => expect(asked()).toBeNull());
  expect(service.of('listChecks').length).toBe(before + 1);
});

it.each([
  ['the channel it was opened from', { channelId: 2 }, 'Feeder 2'],
  ['the first one where nobody has chosen', { channelId: null }, 'Feeder 1'],
  ['none for one that is gone', { channelId: 9 }, null],
  ['none where it was opened from the plant', null, null],
])('a new session proposes %s', async (_name, checkFrom, expected) => {
  there = [];
  useUiStore.setState({ checkFrom });
  const service = show();
  await userEvent.setup().click(await screen.findByTestId('check-new-open'));
  await screen.findByTestId('check-new');
  const field = document.querySelector('[data-path="channels"]')?.closest('.mantine-MultiSelect-root');
  const chosen = () => [...(field?.querySelectorAll('.mantine-Pill-label') ?? [])].map((pill) => pill.textContent);
  await waitFor(() => expect(service.of('listChannels').length).toBeGreaterThan(0));
  await waitFor(() => expect(chosen()).toEqual(expected ? [expected] : []));
});
