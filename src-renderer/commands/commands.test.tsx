import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { prefer, usePreferences } from '../app/preferences.ts';
import { Providers } from '../app/providers.tsx';
import { useUiStore } from '../app/ui-store.ts';
import { aChannel, fakeService } from '../features/testing/fake-service.ts';
import { AppCommands, openPalette } from './app-commands.tsx';
import KeyHelp from './key-help.tsx';
import { keyText } from './key-text.ts';
import CommandPalette from './palette.tsx';
import { useCommand, useRegistry } from './registry.ts';

function Offer({ reason, run }: { readonly reason: string | null; run(): void }) {
  useCommand({ id: 'own', group: 'channel', words: 'Do the thing', key: 'F8', reason, run });
  return null;
}

function show(children: React.ReactNode) {
  fakeService({ listChannels: () => [aChannel(), aChannel({ id: 2, name: 'Meter', status: 'stopped' })] });
  const page = render(<Providers env="test">{children}</Providers>);
  return { user: userEvent.setup(), page };
}

beforeEach(() => {
  useRegistry.setState({ commands: new Map() });
  useUiStore.setState({ selectedChannelId: 1, showsPlant: false });
});

describe('commands', () => {
  it('are run by their key while they are on the screen, with what the screen shows now', async () => {
    const first = vi.fn();
    const second = vi.fn();
    const { user, page } = show(<Offer reason={null} run={first} />);
    await user.keyboard('{F8}');
    page.rerender(
      <Providers env="test">
        <Offer reason={null} run={second} />
      </Providers>,
    );
    await user.keyboard('{F8}');
    page.rerender(<Providers env="test">nothing</Providers>);
    await user.keyboard('{F8}');
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1]);
    expect(useRegistry.getState().commands.size).toBe(0);
  });

  it('keep their place when their words or reason change', async () => {
    const both = (reason: string | null) => (
      <>
        <Offer reason={reason} run={() => {}} />
        <AppCommands />
      </>
    );
    const { page } = show(both(null));
    const ids = () => [...useRegistry.getState().commands.keys()];
    await waitFor(() => expect(ids()).toContain('keys'));
    // without channels the keys of reading say so; they are there now
    await waitFor(() => expect(ids()).not.toContain('read-none'));
    const before = ids();
    page.rerender(<Providers env="test">{both('not now')}</Providers>);
    await waitFor(() => expect(useRegistry.getState().commands.get('own')?.reason).toBe('not now'));
    expect(ids().slice(0, before.length)).toEqual(before);
  });

  it('are run once however long their key is held', async () => {
    const run = vi.fn();
    show(<Offer reason={null} run={run} />);
    fireEvent.keyDown(document.documentElement, { key: 'F8', code: 'F8' });
    for (let times = 0; times < 5; times++) fireEvent.keyDown(document.documentElement, { key: 'F8', code: 'F8', repeat: true });
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('that leave typing alone rest in a text, and not at a tick', async () => {
    const run = vi.fn();
    function Undo() {
      useCommand({ id: 'undo', group: 'points', words: 'Undo', key: 'mod+Z', leavesTyping: true, reason: null, run });
      return (
        <>
          <input aria-label="text" />
          <input aria-label="tick" type="checkbox" />
        </>
      );
    }
    const { user } = show(<Undo />);
    await user.click(screen.getByLabelText('text'));
    await user.keyboard('{Control>}z{/Control}');
    expect(run).not.toHaveBeenCalled();
    await user.click(screen.getByLabelText('tick'));
    await user.keyboard('{Control>}z{/Control}');
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('do nothing while something stands against them, and say so, or a dialog is open', async () => {
    const run = vi.fn();
    const { user, page } = show(<Offer reason="The channel is not started." run={run} />);
    await user.keyboard('{F8}{F8}');
    expect(await screen.findAllByText('The channel is not started.')).toHaveLength(1);
    page.rerender(
      <Providers env="test">
        <Offer reason={null} run={run} />
        <div aria-modal="true" role="dialog" />
      </Providers>,
    );
    await user.keyboard('{F8}');
    expect(run).not.toHaveBeenCalled();
  });

  it('leave a key alone that what has the focus took for itself', async () => {
    const run = vi.fn();
    const { user } = show(
      <>
        <Offer reason={null} run={run} />
        <button type="button" onKeyDown={(event) => event.preventDefault()}>
          taker
        </button>
      </>,
    );
    screen.getByRole('button', { name: 'taker' }).focus();
    await user.keyboard('{F8}');
    expect(run).not.toHaveBeenCalled();
  });

  it('give way where another one was given their key', async () => {
    const chosen = vi.fn();
    const usual = vi.fn();
    const Other = () => {
      useCommand({ id: 'other', group: 'go', words: 'Other', reason: null, run: chosen });
      return null;
    };
    usePreferences.setState({ keys: { other: 'F8' } });
    const { user } = show(
      <>
        <Other />
        <Offer reason={null} run={usual} />
      </>,
    );
    await user.keyboard('{F8}');
    expect([chosen.mock.calls.length, usual.mock.calls.length]).toEqual([1, 0]);
    usePreferences.setState({ keys: {} });
  });

  it('lead from channel to channel, and to the plant', async () => {
    const { user } = show(<AppCommands />);
    await waitFor(() => expect(useRegistry.getState().commands.get('channel-after')?.reason).toBeNull());
    await user.keyboard('{Control>}{ArrowDown}{/Control}');
    expect(useUiStore.getState().selectedChannelId).toBe(2);
    await user.keyboard('{Control>}{ArrowUp}{/Control}');
    await user.keyboard('{Control>}{ArrowUp}{/Control}');
    await waitFor(() => expect(useUiStore.getState().showsPlant).toBe(true));
    await user.keyboard('{Control>}{ArrowDown}{/Control}');
    await user.keyboard('{Control>}{ArrowDown}{/Control}');
    await waitFor(() => expect(useUiStore.getState()).toMatchObject({ showsPlant: false, selectedChannelId: 2 }));
    await waitFor(() => expect(useRegistry.getState().commands.get('channel-after')?.reason).toBe('There is no further channel.'));
    await user.keyboard('{Control>}0{/Control}');
    expect(useUiStore.getState().showsPlant).toBe(true);
  });
});

describe('palette', () => {
  it('finds a command by its words, says why one cannot be run, and opens a channel by its name', async () => {
    const run = vi.fn();
    const { user } = show(
      <>
        <Offer reason={null} run={run} />
        <CommandPalette />
      </>,
    );
    act(openPalette);
    await user.type(await screen.findByPlaceholderText('Search commands and channels'), 'the thing{Enter}');
    expect(run).toHaveBeenCalledTimes(1);
    await waitFor(() => expect(screen.queryByPlaceholderText('Search commands and channels')).toBeNull());
    act(openPalette);
    await user.type(await screen.findByPlaceholderText('Search commands and channels'), 'meter{Enter}');
    expect(useUiStore.getState().selectedChannelId).toBe(2);
  });

  it('finds a command by the words of the field that its name has not', async () => {
    const run = vi.fn();
    function Restore() {
      useCommand({ id: 'setpoints', group: 'points', words: 'Restore', reason: null, run });
      return null;
    }
    const { user } = show(
      <>
        <Restore />
        <CommandPalette />
      </>,
    );
    act(openPalette);
    await user.type(await screen.findByPlaceholderText('Search commands and channels'), 'YT{Enter}');
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('takes the first entry where none is marked yet', async () => {
    const run = vi.fn();
    const { user } = show(
      <>
        <Offer reason={null} run={run} />
        <CommandPalette />
      </>,
    );
    act(openPalette);
    const search = await screen.findByPlaceholderText('Search commands and channels');
    await user.type(search, 'the thing');
    for (const marked of document.querySelectorAll('[data-selected]')) marked.removeAttribute('data-selected');
    await user.keyboard('{Enter}');
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('says why a command cannot be run', async () => {
    const run = vi.fn();
    const { user } = show(
      <>
        <Offer reason="The channel is not started." run={run} />
        <CommandPalette />
      </>,
    );
    act(openPalette);
    await user.type(await screen.findByPlaceholderText('Search commands and channels'), 'the thing');
    expect(await screen.findByText('The channel is not started.')).toBeTruthy();
    await user.keyboard('{Enter}');
    expect(run).not.toHaveBeenCalled();
  });
});

describe('help of the keys', () => {
  it('names the keys of what is on the screen', async () => {
    show(
      <>
        <Offer reason={null} run={() => {}} />
        <KeyHelp onClose={() => {}} />
      </>,
    );
    const help = await screen.findByTestId('key-help');
    await waitFor(() => expect(help.textContent).toContain('F8Do the thing'));
    expect(keyText('mod+ArrowUp')).toBe('Ctrl+↑');
  });

  it('names what other views offer with where it works, each command once and with the key that was chosen', async () => {
    prefer({ keys: { 'edit-points': 'F9' } });
    show(
      <>
        <Offer reason={null} run={() => {}} />
        <KeyHelp onClose={() => {}} />
      </>,
    );
    const help = await screen.findByTestId('key-help');
    await waitFor(() => expect(help.textContent).toContain('F9Edit the selected pointsin the table of points'));
    expect(help.textContent).toContain('Ctrl+FSearch in the framesin the frames');
    expect(help.textContent).toContain('InsAdd a pointin the table of points');
    expect(help.textContent).toContain('–History of changesin the table of points');
    const ids = [...help.querySelectorAll<HTMLElement>('[data-command]')].map(({ dataset }) => dataset.command);
    expect(new Set(ids).size).toBe(ids.length);
    prefer({ keys: {} });
  });
});
