import { screen, waitFor, within } from '@testing-library/dom';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { useAction } from '../../api/hooks.ts';
import { DEFAULT_PREFERENCES, usePreferences } from '../../app/preferences.ts';
import { Providers } from '../../app/providers.tsx';
import { useCommand, useRegistry } from '../../commands/registry.ts';
import { setLanguage } from '../../i18n/index.ts';
import { aServiceInfo, fakeService, theSettings } from '../testing/fake-service.ts';
import { SettingsDialog } from './settings-dialog.tsx';

const onClose = vi.fn();
const ran = vi.fn();

function Commands() {
  useCommand({ id: 'one', group: 'go', words: 'Do one thing', key: 'F7', reason: null, run: () => ran('one') });
  useCommand({ id: 'two', group: 'go', words: 'Do another thing', key: 'mod+J', reason: null, run: () => ran('two') });
  return null;
}

/** Another part of the page that asks for the settings again. */
function Elsewhere() {
  const make = useAction('makeToken', ['getSettings']);
  return <button type="button" data-testid="elsewhere" onClick={() => make.mutate({})} />;
}

function show(isOpen = true) {
  const service = fakeService({
    serviceInfo: () => aServiceInfo(),
    getSettings: () => theSettings(),
    updateSettings: (input) => theSettings(input),
    listAudit: () => ({ total: 1500, items: [] }),
    listAccesses: () => ({ items: [], is_open: true }),
    makeToken: () => ({ token: 'a-new-token-of-some-length' }),
    removeToken: () => theSettings(),
  });
  const page = (open: boolean) => (
    <Providers env="test">
      <Commands />
      <Elsewhere />
      {open ? <SettingsDialog onClose={onClose} /> : null}
    </Providers>
  );
  const { rerender } = render(page(isOpen));
  return { service, user: userEvent.setup(), close: () => rerender(page(false)) };
}

beforeEach(async () => {
  onClose.mockReset();
  ran.mockReset();
  useRegistry.setState({ commands: new Map() });
  usePreferences.setState(DEFAULT_PREFERENCES, true);
  await setLanguage('en');
});

describe('display', () => {
  it('holds at once and shows how a time and a number look', async () => {
    const { user } = show();
    const sample = () => screen.getAllByTestId('settings-sample')[0]?.textContent;
    await user.click(screen.getByText('1,5'));
    await user.click(screen.getByTestId('settings-grouped'));
    expect(sample()).toContain('-12\u202f345,678');
    await user.click(screen.getByText('34 px'));
    await user.click(screen.getByText('40001'));
    expect(usePreferences.getState()).toMatchObject({ density: 'wide', addresses: 'reference', decimalSign: 'comma', isGrouped: true });
  });
});

describe('service', () => {
  async function atService() {
    const shown = show();
    await shown.user.click(screen.getByTestId('settings-service'));
    const field = async (name: string) => screen.findByTestId<HTMLInputElement>(`settings-${name}`);
    const write = async (name: string, text: string) => {
      await shown.user.clear(await field(name));
      await shown.user.type(await field(name), text);
    };
    return { ...shown, write };
  }

  it('sends what was changed and nothing else', async () => {
    const { service, user, write } = await atService();
    await write('port', '9001');
    await write('frame_log_bytes', '16');
    await user.click(screen.getByTestId('settings-save'));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(service.of('updateSettings')).toEqual([{ port: 9001, frame_log_bytes: 16_777_216 }]);
  });

  it('leaves alone what somebody else changed while it was open: a lock is not taken away', async () => {
    const { service, user, write } = await atService();
    service.answers.getSettings = () => theSettings({ read_only: true, events_kept: 5000, token_end: 'ngth' });
    const asked = service.of('getSettings').length;
    await user.click(screen.getByTestId('elsewhere'));
    await waitFor(() => expect(service.of('getSettings').length).toBeGreaterThan(asked));
    await write('port', '9001');
    await user.click(screen.getByTestId('settings-save'));
    await waitFor(() => expect(service.of('updateSettings')).toEqual([{ port: 9001 }]));
  });

  it('says what the bounds are, and saves nothing beyond them', async () => {
    const { write } = await atService();
    await write('port', '70000');
    expect(await screen.findByText('1 to 65535')).toBeTruthy();
    expect(screen.getByTestId<HTMLButtonElement>('settings-save').disabled).toBe(true);
    await write('port', '8991');
    expect(screen.queryByText('1 to 65535')).toBeNull();
    // nothing was changed
    expect(screen.getByTestId<HTMLButtonElement>('settings-save').disabled).toBe(true);
  });

  it('asks before entries of the audit are deleted', async () => {
    const { service, user, write } = await atService();
    await write('audit_kept', '1200');
    await user.click(screen.getByTestId('settings-save'));
    expect(service.of('updateSettings')).toEqual([]);
    const confirm = await screen.findByTestId('confirm');
    expect(confirm.textContent).toBe('Delete 300 entries');
    await user.click(confirm);
    await waitFor(() => expect(service.of('updateSettings')).toEqual([{ audit_kept: 1200 }]));
  });

  it('stays open with what was entered when the service refuses', async () => {
    const { service, user, write } = await atService();
    service.answers.updateSettings = () => {
      throw new AppError('STATE_STORE_FULL', quoted('The disk is full.'));
    };
    await write('events_kept', '2000');
    await user.click(screen.getByTestId('settings-save'));
    expect(await screen.findByTestId('error-notice')).toBeTruthy();
    expect(screen.getByTestId<HTMLInputElement>('settings-events_kept').value).toBe('2000');
    expect(onClose).not.toHaveBeenCalled();
  });
});

describe('access', () => {
  async function atAccess() {
    const shown = show();
    await shown.user.click(screen.getByTestId('settings-access'));
    await screen.findByTestId('access-name');
    return shown;
  }
  const access = { name: 'Li', role: 'view', token_end: 'abcd', made_at: '2026-05-06T07:08:09.010Z', used_at: null } as const;

  it('shows the token of somebody once, and forgets it when the access is gone', async () => {
    const { service, user } = await atAccess();
    service.answers.addAccess = () => ({ ...access, token: 'token-of-li-abcd' });
    service.answers.removeAccess = () => ({ removed: true });
    await user.type(screen.getByTestId('access-name'), 'Li');
    service.answers.listAccesses = () => ({ items: [access], is_open: true });
    await user.click(screen.getByTestId('access-add'));
    expect((await screen.findByTestId<HTMLInputElement>('token-text')).value).toBe('token-of-li-abcd');
    expect(service.of('addAccess')).toEqual([{ name: 'Li', role: 'view' }]);
    await user.click(screen.getByRole('button', { name: 'Remove the access of Li' }));
    service.answers.listAccesses = () => ({ items: [], is_open: true });
    await user.click(await screen.findByTestId('confirm'));
    await waitFor(() => expect(screen.queryByTestId('token-text')).toBeNull());
    expect(service.of('removeAccess')).toEqual([{ name: 'Li' }]);
  });

  it('says so where a request without a token passes, and only there', async () => {
    await atAccess();
    expect(screen.getByTestId('access-open')).toBeTruthy();
  });

  it('shows the token of the start once when it is made, and asks before it is made anew or removed', async () => {
    const { service, user } = await atAccess();
    expect((await screen.findByTestId('token-end')).textContent).toBe('none');
    service.answers.getSettings = () => theSettings({ token_end: 'ngth' });
    await user.click(screen.getByTestId('token-make'));
    expect((await screen.findByTestId<HTMLInputElement>('token-text')).value).toBe('a-new-token-of-some-length');
    expect((await screen.findByTestId('token-end')).textContent).toBe('••••••••ngth');
    await user.click(screen.getByTestId('token-make'));
    expect(service.of('makeToken')).toHaveLength(1);
    await user.click(
      within(await screen.findByTestId('confirm').then((button) => button.closest('section') ?? button)).getByText('Cancel'),
    );
    await user.click(screen.getByTestId('token-remove'));
    service.answers.getSettings = () => theSettings();
    await user.click(await screen.findByTestId('confirm'));
    await waitFor(() => expect(screen.getByTestId('token-end').textContent).toBe('none'));
    expect(screen.queryByTestId('token-text')).toBeNull();
  });
});

describe('keys', () => {
  async function atKeys() {
    const shown = show();
    await shown.user.click(screen.getByTestId('settings-keys'));
    return shown;
  }

  it('are changed by pressing another one, which then runs the command', async () => {
    const { user, close } = await atKeys();
    await user.click(screen.getByTestId('key-one'));
    await user.keyboard('{Control>}m{/Control}');
    expect(usePreferences.getState().keys).toEqual({ one: 'mod+M' });
    expect(ran).not.toHaveBeenCalled();
    close();
    await user.keyboard('{F7}{Control>}m{/Control}');
    expect(ran.mock.calls).toEqual([['one']]);
  });

  it('that another command has are refused in words, and Escape leaves all as it was', async () => {
    const { user } = await atKeys();
    await user.click(screen.getByTestId('key-one'));
    await user.keyboard('{Control>}j{/Control}');
    expect((await screen.findByTestId('key-problem')).textContent).toContain('Ctrl+J belongs to: Do another thing.');
    await user.keyboard('{Control>}c{/Control}');
    expect(screen.getByTestId('key-problem').textContent).toContain('Ctrl+C belongs to tables');
    await user.keyboard('x');
    expect(screen.getByTestId('key-problem').textContent).toContain('X cannot be a command');
    await user.keyboard('{Escape}');
    expect(screen.queryByTestId('key-press')).toBeNull();
    expect(onClose).not.toHaveBeenCalled();
    expect(usePreferences.getState().keys).toEqual({});
  });

  it('are taken away with Delete, and given back', async () => {
    const { user } = await atKeys();
    await user.click(screen.getByTestId('key-one'));
    await user.keyboard('{Delete}');
    expect(usePreferences.getState().keys).toEqual({ one: '' });
    // its key is free now
    await user.click(screen.getByTestId('key-two'));
    await user.keyboard('{F7}');
    expect(usePreferences.getState().keys).toEqual({ one: '', two: 'F7' });
    // which cannot have it back as long as the other one has it
    await user.click(screen.getAllByRole('button', { name: 'Usual' })[0] ?? document.body);
    expect(usePreferences.getState().keys).toEqual({ one: '', two: 'F7' });
    await user.click(screen.getAllByRole('button', { name: 'Usual' })[1] ?? document.body);
    await user.click(screen.getAllByRole('button', { name: 'Usual' })[0] ?? document.body);
    expect(usePreferences.getState().keys).toEqual({});
    await user.click(screen.getByTestId('key-two'));
    await user.keyboard('{F8}');
    await user.click(screen.getByRole('button', { name: 'All usual keys' }));
    expect(usePreferences.getState().keys).toEqual({});
  });
});
