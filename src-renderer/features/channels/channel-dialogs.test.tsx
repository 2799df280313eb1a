import { screen, waitFor, within } from '@testing-library/dom';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ProtocolDescriptor } from '#shared/contract/channels.ts';
import { AppError, invalidField } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { Providers } from '../../app/providers.tsx';
import { useUiStore } from '../../app/ui-store.ts';
import { setLanguage } from '../../i18n/index.ts';
import { aChannel, fakeService } from '../testing/fake-service.ts';
import { closeChannelDialog, openChannelDialog } from './channel-dialog-store.ts';
import { ChannelDialogs } from './channel-dialogs.tsx';

const tcp: ProtocolDescriptor = {
  protocol_type: 1,
  key: 'modbus-tcp',
  name: 'Modbus TCP',
  conn_types: [1, 2],
  default_port: 502,
  default_baud_rate: 9600,
  default_parity: 'N',
  modes: ['batch', 'single'],
  channel_fields: ['timeout_ms', 'max_gap', 'auto_reconnect'],
  channel_schema: { type: 'object', properties: { strange_setting: { type: 'integer', minimum: 1, maximum: 9, default: 2 } } },
  point_fields: [],
  point_schema: {},
  commands: ['operate'],
};

function show() {
  render(
    <Providers env="test">
      <ChannelDialogs />
    </Providers>,
  );
  return userEvent.setup();
}

beforeEach(async () => {
  await setLanguage('en');
  closeChannelDialog();
});

describe('add channel', () => {
  it('begins with the devices of a file that the window was given, at the protocol of such files', async () => {
    const facts = { extensions: ['.scd', '.cid'], max_octets: 1000, choice_setting: 'ied_name', address_setting: null };
    const model = facts as unknown as ProtocolDescriptor['model'];
    const mms: ProtocolDescriptor = { ...tcp, protocol_type: 5, key: 'iec61850', name: 'IEC 61850', default_port: 102, model };
    const service = fakeService({
      listProtocols: () => [tcp, mms],
      listChannels: () => [],
      documentDevices: () => ({
        name: 'a.scd',
        octets: 6,
        title: 'SCL',
        warnings: [],
        choices: [{ value: 'F01', label: 'F01', addresses: [] }],
      }),
    });
    openChannelDialog({ kind: 'add', file: new File(['<SCL/>'], 'a.scd') });
    show();
    expect((await screen.findByTestId('device-file-title')).textContent).toContain('a.scd');
    expect(service.of('documentDevices')).toMatchObject([{ protocol_type: '5' }]);
    expect(service.calls.every(({ name }) => name !== 'addChannel')).toBe(true);
  });

  it('draws a setting it never heard of from the schema, and sends it', async () => {
    const service = fakeService({
      listProtocols: () => [tcp],
      listChannels: () => [],
      addChannel: () => aChannel({ id: 7, name: 'Meter' }),
      startDevice: () => aChannel({ id: 7 }),
      projectInfo: () => ({ path: '/a', name: 'a', schema_version: 1, size_bytes: 1, channels: 1, points: 0 }),
    });
    openChannelDialog({ kind: 'add' });
    const user = show();
    await user.type(await screen.findByLabelText(/^Name/), 'Meter');
    const strange = screen.getByLabelText('Strange setting');
    expect(strange).toHaveProperty('value', '2');
    await user.clear(strange);
    await user.type(strange, '5');
    await user.click(screen.getByTestId('save-channel'));
    await waitFor(() => expect(service.of('startDevice')).toEqual([{ channel_id: 7 }]));
    expect(service.of('addChannel')[0]).toMatchObject({
      name: 'Meter',
      protocol_type: 1,
      conn_type: 2,
      port: 502,
      timeout_ms: 1000,
      protocol: { strange_setting: 5 },
    });
    expect(screen.queryByTestId('channel-form')).toBeNull();
    expect(useUiStore.getState().selectedChannelId).toBe(7);
  });

  it('tells of a start that failed after the dialog has closed', async () => {
    fakeService({
      listProtocols: () => [tcp],
      listChannels: () => [],
      addChannel: () => aChannel({ id: 7, name: 'Meter' }),
      startDevice: () => {
        throw new AppError('TRANSPORT_REFUSED', quoted('Nothing listens on 127.0.0.1:502.'));
      },
      projectInfo: () => ({ path: '/a', name: 'a', schema_version: 1, size_bytes: 1, channels: 1, points: 0 }),
    });
    openChannelDialog({ kind: 'add' });
    const user = show();
    await user.type(await screen.findByLabelText(/^Name/), 'Meter');
    await user.click(screen.getByTestId('save-channel'));
    expect(await screen.findByText(/Nothing listens on 127\.0\.0\.1:502/)).toBeTruthy();
  });

  it('refuses wrong fields before anything is sent, and puts the focus on the first', async () => {
    const service = fakeService({ listProtocols: () => [tcp], listChannels: () => [aChannel({ name: 'PCS 1' })] });
    openChannelDialog({ kind: 'add' });
    const user = show();
    const name = await screen.findByLabelText(/^Name/);
    await user.type(name, 'PCS 1');
    const port = screen.getByLabelText('Port');
    await user.clear(port);
    await user.type(port, '70000');
    const strange = screen.getByLabelText('Strange setting');
    await user.clear(strange);
    await user.type(strange, '10');
    await user.click(screen.getByTestId('save-channel'));
    expect(await screen.findByText('1 to 65535.')).toBeTruthy();
    expect(screen.getByText('1 to 9.')).toBeTruthy();
    expect(screen.getByText(/Names are unique/)).toBeTruthy();
    expect(document.activeElement).toBe(name);
    expect(service.of('addChannel')).toEqual([]);
  });

  it('puts what the service refuses at the field, and tells what has no field', async () => {
    let refusal = invalidField('port', quoted('is reserved here'));
    fakeService({
      listProtocols: () => [tcp],
      listChannels: () => [],
      addChannel: () => {
        throw refusal;
      },
    });
    openChannelDialog({ kind: 'add' });
    const user = show();
    await user.type(await screen.findByLabelText(/^Name/), 'A');
    await user.click(screen.getByTestId('save-channel'));
    expect(await screen.findByText('is reserved here')).toBeTruthy();
    expect(screen.queryByTestId('error-notice')).toBeNull();
    refusal = new AppError('STATE_CONFLICT', quoted('The name A is taken.'));
    await user.click(screen.getByTestId('save-channel'));
    expect((await screen.findByTestId('error-notice')).textContent).toContain('The name A is taken.');
  });
});

describe('edit channel', () => {
  it('sends only what changed and warns that the line is rebuilt', async () => {
    const channel = aChannel({ protocol: { strange_setting: 2 } });
    const service = fakeService({ listProtocols: () => [tcp], listChannels: () => [channel], updateChannel: () => channel });
    openChannelDialog({ kind: 'edit', channel });
    const user = show();
    const port = await screen.findByLabelText('Port');
    expect(screen.queryByText(/Saving stops its tasks/)).toBeNull();
    await user.clear(port);
    await user.type(port, '1502');
    expect(screen.getByText(/Saving stops its tasks/)).toBeTruthy();
    await user.click(screen.getByTestId('save-channel'));
    await waitFor(() => expect(service.of('updateChannel')).toEqual([{ channel_id: 1, port: 1502 }]));
  });
});

describe('delete channel', () => {
  it('names the channel and its points, and starts on Cancel', async () => {
    const channel = aChannel({ name: 'BMS', point_count: 120 });
    const service = fakeService({ listChannels: () => [], deleteChannel: () => channel });
    openChannelDialog({ kind: 'delete', channel });
    const user = show();
    const dialog = await screen.findByRole('dialog');
    expect(dialog.textContent).toContain('BMS');
    expect(dialog.textContent).toContain('120 points are deleted');
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'));
    await user.click(within(dialog).getByRole('button', { name: 'Delete BMS' }));
    await waitFor(() => expect(service.of('deleteChannel')).toEqual([{ channel_id: '1' }]));
  });

  it('closes with Esc and changes nothing', async () => {
    const service = fakeService({});
    openChannelDialog({ kind: 'delete', channel: aChannel() });
    const user = show();
    await screen.findByRole('dialog');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(service.calls).toEqual([]);
  });
});
