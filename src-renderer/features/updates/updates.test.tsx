import { screen, waitFor } from '@testing-library/dom';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import type { UpdateNotice } from '#shared/contract/updates.ts';
import { AppError, invalidField } from '#shared/domain/errors.ts';
import { quoted, say } from '#shared/messages/index.ts';
import { openDialog, useDialogStore } from '../../app/dialog-store.ts';
import { Providers } from '../../app/providers.tsx';
import { setLanguage } from '../../i18n/index.ts';
import { aServiceInfo, fakeService, theSettings } from '../testing/fake-service.ts';
import { UpdateMark } from './update-mark.tsx';
import { UpdateSettings } from './update-settings.tsx';

const OFF: UpdateNotice = {
  state: 'off',
  place: '',
  file: null,
  version: null,
  date: null,
  notes: null,
  files: [],
  looked_at: null,
  trouble: null,
};
const PLACE = 'D:\\Loopcheck';
const NEWER: UpdateNotice = {
  ...OFF,
  state: 'newer',
  place: PLACE,
  file: `${PLACE}\\loopcheck-update.json`,
  version: '9.1.0',
  date: '2026-12-01',
  notes: '- <b>New</b>: a thing\n- another',
  files: [{ name: 'a.exe', place: `${PLACE}\\a.exe`, octets: 2048, sha256: 'ab'.repeat(32) }],
  looked_at: '2026-12-02T08:00:00.000Z',
};

function show(first: UpdateNotice) {
  let notice = first;
  const service = fakeService({
    serviceInfo: () => aServiceInfo({ version: '0.2.0' }),
    getSettings: () => theSettings({ update_place: notice.place }),
    updateNotice: () => notice,
    lookForUpdate: () => notice,
    updateSettings: (input) => {
      if (input.update_place === 'here') throw invalidField('update_place', say('update.place'));
      notice = { ...NEWER, place: String(input.update_place) };
      return theSettings({ update_place: notice.place });
    },
  });
  render(
    <Providers env="test">
      <UpdateMark />
      <UpdateSettings />
    </Providers>,
  );
  return {
    service,
    user: userEvent.setup(),
    become: (next: UpdateNotice) => {
      notice = next;
    },
  };
}

beforeEach(async () => {
  openDialog(null);
  await setLanguage('en');
});

describe('newer versions', () => {
  it('are told with what is new, where they lie and what to compare; markup stays text', async () => {
    const { user } = show(NEWER);
    const told = await screen.findByTestId('update-newer');
    expect(told.textContent).toContain('Version 9.1.0 of 2026-12-01 is there; this is 0.2.0.');
    expect(screen.getByTestId('update-notes').textContent).toBe(NEWER.notes);
    expect(told.querySelector('b, a')).toBeNull();
    expect(told.textContent).toContain(`${PLACE}\\a.exe`);
    expect(told.textContent).toContain('ab'.repeat(32));
    await user.click(screen.getByTestId('status-update'));
    expect(useDialogStore.getState()).toMatchObject({ open: 'settings', tab: 'updates' });
    openDialog('settings');
    expect(useDialogStore.getState().tab).toBe('display');
  });

  it.each(['off', 'unsigned', 'current'] as const)('are not told when the answer is %s', async (state) => {
    show({ ...OFF, state, place: state === 'off' ? '' : PLACE, version: state === 'current' ? '0.1.0' : null });
    expect((await screen.findByTestId(`update-${state}`)).textContent).not.toContain('{{');
    expect(screen.queryByTestId('status-update')).toBeNull();
    expect(screen.queryByTestId('update-newer')).toBeNull();
  });

  it('are not told by a notice that cannot be trusted, and the reason is', async () => {
    const trouble = say('update.signature', { file: PLACE });
    show({ ...OFF, state: 'failed', place: PLACE, file: PLACE, looked_at: NEWER.looked_at, trouble });
    const told = await screen.findByTestId('update-failed');
    expect(told.textContent).toContain(`${PLACE} is not signed with the key of this program`);
    expect(screen.queryByTestId('status-update')).toBeNull();
  });
});

describe('the place', () => {
  it('is saved, and asked again on demand', async () => {
    const { user, service, become } = show(OFF);
    const field = await screen.findByTestId('update-place');
    expect(screen.getByTestId('update-save').hasAttribute('disabled')).toBe(true);
    expect(screen.getByTestId('update-look').hasAttribute('disabled')).toBe(true);
    await user.type(field, PLACE);
    await user.click(screen.getByTestId('update-save'));
    expect(await screen.findByTestId('update-newer')).toBeTruthy();
    expect(service.of('updateSettings')).toEqual([{ update_place: PLACE }]);
    become({ ...NEWER, version: '9.2.0' });
    await user.click(screen.getByTestId('update-look'));
    await waitFor(() => expect(screen.getByTestId('status-update').textContent).toContain('9.2.0'));
    expect(service.of('lookForUpdate')).toEqual([{}]);
  });

  it('that is refused says what would be right, and what was written stays', async () => {
    const { user } = show(OFF);
    await user.type(await screen.findByTestId('update-place'), 'here');
    await user.click(screen.getByTestId('update-save'));
    expect((await screen.findByTestId('update-place-wrong')).textContent).toContain('must be the whole path of a folder');
    expect((screen.getByTestId('update-place') as HTMLInputElement).value).toBe('here');
  });

  it('that cannot be kept says why', async () => {
    const { user, service } = show(OFF);
    service.answers.updateSettings = () => {
      throw new AppError('STATE_STORE_FULL', quoted('The disk is full.'));
    };
    await user.type(await screen.findByTestId('update-place'), PLACE);
    await user.click(screen.getByTestId('update-save'));
    expect((await screen.findByTestId('error-notice')).textContent).toContain('The disk is full.');
  });
});
