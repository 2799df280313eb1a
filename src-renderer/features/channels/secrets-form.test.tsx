import { screen, waitFor } from '@testing-library/dom';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { invalidField } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { Providers } from '../../app/providers.tsx';
import { setLanguage } from '../../i18n/index.ts';
import { aChannel, fakeService } from '../testing/fake-service.ts';
import { closeChannelDialog, openChannelDialog } from './channel-dialog-store.ts';
import { ChannelDialogs } from './channel-dialogs.tsx';

const PRESENT = { channel_id: 1, secrets: { password_02: true, password_04: false, operator_code: true, station_key: false } };

async function show() {
  openChannelDialog({ kind: 'secrets', channel: aChannel({ name: 'Line 1' }) });
  render(
    <Providers env="test">
      <ChannelDialogs />
    </Providers>,
  );
  await screen.findByTestId('secrets-form');
  return userEvent.setup();
}

beforeEach(async () => {
  await setLanguage('en');
  closeChannelDialog();
});

describe('passwords of a channel', () => {
  it('say only whether they are set, and send what was changed', async () => {
    const service = fakeService({ channelSecrets: () => PRESENT, updateChannelSecrets: () => PRESENT });
    const user = await show();
    const level2 = screen.getByLabelText('Password of level 02');
    expect(level2).toMatchObject({ type: 'password', value: '', placeholder: 'set' });
    expect(screen.getByLabelText('Station key')).toMatchObject({ placeholder: 'not set' });
    expect(screen.getByTestId('save-secrets')).toHaveProperty('disabled', true);
    await user.type(screen.getByLabelText('Password of level 04'), '918273');
    await user.click(screen.getByLabelText('Remove: Operator code'));
    expect(screen.getByLabelText('Operator code')).toMatchObject({ placeholder: 'is removed on saving' });
    await user.click(screen.getByTestId('save-secrets'));
    await waitFor(() => expect(service.of('updateChannelSecrets')).toHaveLength(1));
    expect(service.of('updateChannelSecrets')).toEqual([{ channel_id: 1, secrets: { password_04: '918273', operator_code: null } }]);
    await waitFor(() => expect(screen.queryByTestId('secrets-form')).toBeNull());
  });

  it('show at its field what the service refused', async () => {
    fakeService({
      channelSecrets: () => PRESENT,
      updateChannelSecrets: () => {
        throw invalidField('secrets.password_02', quoted('has not its form: 6 digits'));
      },
    });
    const user = await show();
    await user.type(screen.getByLabelText('Password of level 02'), '1');
    await user.click(screen.getByTestId('save-secrets'));
    expect(await screen.findByText('has not its form: 6 digits')).toBeTruthy();
    expect(screen.getByTestId('secrets-form')).toBeTruthy();
  });
});
