import { act, render, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { GivenFile as Given, WindowBridge } from '#shared/client/window-bridge.ts';
import { Providers } from '../../app/providers.tsx';
import { setLanguage } from '../../i18n/index.ts';
import { closeChannelDialog, useChannelDialogStore } from './channel-dialog-store.ts';
import { GivenFile } from './given-file.tsx';

let waiting: Given | null = null;
let tell: () => void = () => {};
const dialog = () => useChannelDialogStore.getState().dialog;

beforeEach(async () => {
  await setLanguage('en');
  closeChannelDialog();
  const bridge: Partial<WindowBridge> = {
    async takeFile() {
      const file = waiting;
      waiting = null;
      return file;
    },
    onFileGiven(run) {
      tell = run;
      return () => {
        tell = () => {};
      };
    },
  };
  Object.assign(window, { loopcheck: bridge });
});
afterEach(() => void Reflect.deleteProperty(window, 'loopcheck'));

const page = (isCovered = false) => (
  <Providers env="test">
    <GivenFile />
    {isCovered ? <div aria-modal="true" role="dialog" /> : null}
  </Providers>
);
const aFile = (name: string): Given => ({ name, bytes: new TextEncoder().encode('<SCL/>') });

it('begins a new channel with the file that waited, and with one that comes later', async () => {
  waiting = aFile('a.scd');
  render(page());
  await waitFor(() => expect(dialog()).toMatchObject({ kind: 'add', file: { name: 'a.scd', size: 6 } }));
  act(closeChannelDialog);
  act(() => tell());
  waiting = aFile('b.cid');
  act(() => tell());
  await waitFor(() => expect(dialog()).toMatchObject({ file: { name: 'b.cid' } }));
});

it('pushes nothing aside that is open, and says what to do', async () => {
  waiting = aFile('a.scd');
  const { findByText } = render(page(true));
  expect(await findByText('A dialog is open. Close it, then open a.scd once more.')).toBeTruthy();
  expect(dialog()).toBeNull();
});
