import { act, render, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { PageMenu, WindowBridge } from '#shared/client/window-bridge.ts';
import { usePreferences } from '../app/preferences.ts';
import { Providers } from '../app/providers.tsx';
import { setLanguage } from '../i18n/index.ts';
import { useCommand, useRegistry } from './registry.ts';
import { WindowMenu } from './window-menu.tsx';

const sent: PageMenu[] = [];
let choose: (id: string) => void = () => {};
const ran = vi.fn();

function Offer({ reason }: { readonly reason: string | null }) {
  useCommand({ id: 'own', group: 'channel', words: 'Do the thing', key: 'F8', reason, run: ran });
  return null;
}

const page = (reason: string | null, isCovered = false) => (
  <Providers env="test">
    <Offer reason={reason} />
    <WindowMenu />
    {isCovered ? <div aria-modal="true" role="dialog" /> : null}
  </Providers>
);

beforeEach(async () => {
  await setLanguage('en');
  sent.length = 0;
  ran.mockReset();
  useRegistry.setState({ commands: new Map() });
  const bridge: Partial<WindowBridge> = {
    showMenu: async (menu) => void sent.push(menu),
    onCommand(run) {
      choose = run;
      return () => {
        choose = () => {};
      };
    },
  };
  Object.assign(window, { loopcheck: bridge });
});
afterEach(async () => {
  Reflect.deleteProperty(window, 'loopcheck');
  usePreferences.setState({ keys: {} });
  await setLanguage('en');
});

const group = () => sent.at(-1)?.groups.find(({ items }) => items.length > 0);

it('has the commands on the screen, and follows them, their keys and the language', async () => {
  const { rerender } = render(page(null));
  await waitFor(() =>
    expect(group()).toEqual({ words: 'Channel', items: [{ id: 'own', words: 'Do the thing', key: 'F8', isEnabled: true }] }),
  );
  rerender(page('Not now.'));
  await waitFor(() => expect(group()?.items[0]?.isEnabled).toBe(false));
  act(() => usePreferences.setState({ keys: { own: 'mod+M' } }));
  await waitFor(() => expect(group()?.items[0]?.key).toBe('mod+M'));
  await act(() => setLanguage('zh-CN'));
  await waitFor(() => expect([sent.at(-1)?.language, group()?.words]).toEqual(['zh-CN', '通道']));
});

it('runs what is chosen, unless something stands against it, a dialog is open, or it is gone', async () => {
  const { rerender, unmount } = render(page(null));
  await waitFor(() => expect(sent.length).toBeGreaterThan(0));
  act(() => choose('own'));
  act(() => choose('unheard-of'));
  expect(ran).toHaveBeenCalledTimes(1);
  rerender(page('Not now.'));
  await waitFor(() => expect(useRegistry.getState().commands.get('own')?.reason).toBe('Not now.'));
  act(() => choose('own'));
  rerender(page(null, true));
  act(() => choose('own'));
  unmount();
  choose('own');
  expect(ran).toHaveBeenCalledTimes(1);
});
