import { screen, waitFor } from '@testing-library/dom';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ProtocolDescriptor } from '#shared/contract/channels.ts';
import { invalidField } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { Providers } from '../../app/providers.tsx';
import { setLanguage } from '../../i18n/index.ts';
import { aChannel, aPoint, fakeService } from '../testing/fake-service.ts';
import { METER_NOTATION } from '../testing/protocols.ts';
import { PointFormHost } from './point-form-host.tsx';
import { closePointForm, openPointForm } from './point-form-store.ts';

const fields = ['code', 'name', 'slave_id', 'address', 'func_code', 'decode', 'mul_coe', 'min_limit'];
const modbus: ProtocolDescriptor = {
  protocol_type: 1,
  key: 'modbus-tcp',
  name: 'Modbus TCP',
  conn_types: [2],
  default_port: 502,
  default_baud_rate: 9600,
  default_parity: 'N',
  modes: ['batch'],
  channel_fields: [],
  channel_schema: {},
  point_fields: ([0, 1, 2, 3] as const).map((frame_type) => ({ frame_type, fields })),
  point_schema: {},
  commands: ['operate'],
};
const channel = aChannel({ address_base: 1 });

function show() {
  render(
    <Providers env="test">
      <PointFormHost />
    </Providers>,
  );
  return userEvent.setup();
}

beforeEach(async () => {
  await setLanguage('en');
  closePointForm();
});

describe('point form', () => {
  it('shows an address in every spelling and what goes over the wire, and stays open for the next point', async () => {
    const service = fakeService({
      listChannels: () => [channel],
      listProtocols: () => [modbus],
      addPoints: () => ({ step_id: 1, items: [aPoint()] }),
    });
    openPointForm({ channelId: 1 });
    const user = show();
    await user.type(await screen.findByLabelText(/^Code/), 'YC009');
    await user.type(screen.getByLabelText(/^Address/), '0x10');
    expect(screen.getByText('16 · 0x0010 · 40016 · on the wire 15 (0x000F)')).toBeTruthy();
    await user.click(screen.getByLabelText('Keep open for the next point'));
    await user.click(screen.getByTestId('save-point'));
    await waitFor(() => expect(screen.getByLabelText(/^Code/)).toHaveProperty('value', 'YC010'));
    expect(screen.getByLabelText(/^Address/)).toHaveProperty('value', '18');
    expect(service.of('addPoints')[0]).toMatchObject({
      channel_id: 1,
      points: [{ frame_type: 0, code: 'YC009', address: 16, slave_id: 1, func_code: 3, decode: '0x41', mul_coe: 1, min_limit: null }],
    });
  });

  it('offers decode codes with their letters', async () => {
    fakeService({ listChannels: () => [channel], listProtocols: () => [modbus] });
    openPointForm({ channelId: 1 });
    const user = show();
    await user.click(await screen.findByRole('combobox', { name: 'Decode' }));
    expect(await screen.findByText('0x45 float32 CDAB')).toBeTruthy();
  });

  it('refuses an address that is none, and puts the answer of the service at its field', async () => {
    const service = fakeService({
      listChannels: () => [channel],
      listProtocols: () => [modbus],
      addPoints: () => {
        throw invalidField('points.0.code', quoted('is used in this channel'));
      },
    });
    openPointForm({ channelId: 1 });
    const user = show();
    await user.type(await screen.findByLabelText(/^Code/), 'A');
    await user.type(screen.getByLabelText(/^Address/), '12x');
    await user.click(screen.getByTestId('save-point'));
    expect(await screen.findByText(/decimal or as 0x0010\.$/)).toBeTruthy();
    expect(service.of('addPoints')).toEqual([]);
    await user.clear(screen.getByLabelText(/^Address/));
    await user.type(screen.getByLabelText(/^Address/), '12');
    await user.click(screen.getByTestId('save-point'));
    expect(await screen.findByText('is used in this channel')).toBeTruthy();
  });

  it('edits a point without writing to the device: only what changed goes to edit_point', async () => {
    const service = fakeService({ listChannels: () => [channel], listProtocols: () => [modbus], editPoint: () => aPoint() });
    openPointForm({ channelId: 1, point: aPoint() });
    const user = show();
    const name = await screen.findByLabelText('Name');
    await user.clear(name);
    await user.type(name, 'DC voltage');
    await user.click(screen.getByTestId('save-point'));
    await waitFor(() => expect(service.of('editPoint')).toEqual([{ point_id: 1, frame_type: 0, name: 'DC voltage' }]));
    expect(service.calls.filter((call) => call.name === 'updatePoint' || call.name === 'command')).toEqual([]);
  });

  it('shows what the protocol knows of an address, and takes what was probably meant', async () => {
    const meters: ProtocolDescriptor = {
      ...modbus,
      protocol_type: 4,
      key: 'dlt645',
      name: 'DL/T 645',
      hints: true,
      notation: METER_NOTATION,
    };
    const service = fakeService({
      listChannels: () => [aChannel({ protocol_type: 4 })],
      listProtocols: () => [meters],
      pointItems: ({ search }) =>
        search === 'phase'
          ? [
              {
                address: 0x02010100,
                address_text: '02010100',
                name_en: 'Voltage phase A',
                name_zh: 'A相电压',
                format: 'XXX.X',
                unit: 'V',
                writable: false,
              },
            ]
          : [],
      pointHint: ({ address }) =>
        Number(address) === 0x02010100
          ? {
              address_text: '02010100',
              item: { name_en: 'Voltage phase A', name_zh: 'A相电压', format: 'XXX.X', unit: 'V', writable: false },
              suggestion: null,
              advice: '',
            }
          : {
              address_text: '001EABF4',
              item: null,
              suggestion: { address: 0x02010100, protocol: { edition: 2007 }, name_en: 'Voltage phase A', name_zh: 'A相电压' },
              advice: 'x',
            },
    });
    openPointForm({ channelId: 1 });
    const user = show();
    await screen.findByTestId('point-form');
    const field = () => document.querySelector<HTMLInputElement>('[data-path="address"]') as HTMLInputElement;
    await user.type(field(), 'phase');
    await user.click(await screen.findByRole('option', { name: '0x02010100 Voltage phase A V' }));
    expect(field().value).toBe('0x02010100');
    await user.clear(field());
    await user.type(field(), '02010100');
    expect((await screen.findByTestId('item-hint')).textContent).toMatch(/001EABF4 is not in the dictionary.*its format is needed/);
    await user.click(screen.getByRole('button', { name: 'Meant is 0x02010100, Voltage phase A (2007)' }));
    await waitFor(() => expect(screen.getByTestId('item-hint').textContent).toBe('02010100 Voltage phase A · XXX.X · V'));
    expect(field().value).toBe('0x02010100');
    expect(service.of('pointHint').at(-1)).toEqual({ protocol_type: '4', address: String(0x02010100), edition: '2007' });
  });
});

describe('editing many points', () => {
  const points = [aPoint({ id: 1, code: 'U1', address: 10 }), aPoint({ id: 2, code: 'U2', address: 20 })];
  function open(editPoints: (input: Readonly<Record<string, unknown>>) => { step_id: number; items: typeof points }) {
    const service = fakeService({ listChannels: () => [channel], listProtocols: () => [modbus], editPoints });
    openPointForm({ channelId: 1, points });
    return { service, user: show() };
  }
  const box = (path: string) => document.querySelector<HTMLInputElement>(`[data-path="${path}"]`) as HTMLInputElement;

  it('sends what was entered for each point, and nothing else', async () => {
    const { service, user } = open(() => ({ step_id: 1, items: points }));
    await screen.findByTestId('bulk-form');
    expect(box('address').placeholder).toBe('several values');
    expect(screen.getByTestId('bulk-save')).toHaveProperty('disabled', true);
    await user.type(box('address'), '=x+100');
    await user.type(box('name'), 'Voltage');
    await user.click(screen.getByRole('button', { name: 'Leave Name as it is' }));
    expect(screen.getByTestId('bulk-count').textContent).toBe('2 of 2 points change');
    await user.click(screen.getByTestId('bulk-save'));
    await waitFor(() => expect(screen.queryByTestId('bulk-form')).toBeNull());
    expect(service.of('editPoints')).toEqual([
      {
        channel_id: 1,
        points: [
          { point_id: 1, frame_type: 0, address: 110 },
          { point_id: 2, frame_type: 0, address: 120 },
        ],
      },
    ]);
  });

  it('says why fields are missing where types are mixed', async () => {
    fakeService({ listChannels: () => [channel], listProtocols: () => [modbus] });
    openPointForm({ channelId: 1, points: [aPoint({ id: 1, frame_type: 0 }), aPoint({ id: 2, code: 'S', frame_type: 1 })] });
    show();
    expect((await screen.findByTestId('bulk-form')).textContent).toContain('YC, YX together');
    expect(box('unit')).toBeNull();
  });

  it('names the point that the service refuses, and keeps what was entered', async () => {
    const { user } = open(() => {
      throw invalidField('points.1.address', quoted('must be free'));
    });
    await screen.findByTestId('bulk-form');
    await user.type(box('address'), '=x+1');
    await user.click(screen.getByTestId('bulk-save'));
    expect((await screen.findByTestId('bulk-refusals')).textContent).toBe('U2, Address: must be free');
    expect(box('address').value).toBe('=x+1');
  });

  it.each([
    ['address', '-5'],
    ['address', '9999999999'],
    ['address', '=x/3'],
    ['code', ''],
    ['mul_coe', ''],
    ['name', 'x'.repeat(201)],
  ])('tells at the field what is out of bounds, and sends nothing: %s %s', async (path, entry) => {
    const { service, user } = open(() => ({ step_id: 1, items: points }));
    await screen.findByTestId('bulk-form');
    await user.type(box(path), 'q');
    await user.clear(box(path));
    await user.click(box(path));
    await user.paste(entry);
    await waitFor(() => expect(box(path).getAttribute('aria-invalid')).toBe('true'));
    expect(screen.getByTestId('bulk-save')).toHaveProperty('disabled', true);
    expect(service.of('editPoints')).toEqual([]);
  });
});
