import { screen, waitFor } from '@testing-library/dom';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Channel, ProtocolDescriptor } from '#shared/contract/channels.ts';
import type { FindJob, ScanJob, ScanRow } from '#shared/contract/jobs.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { Providers } from '../../app/providers.tsx';
import { useUiStore } from '../../app/ui-store.ts';
import { setLanguage } from '../../i18n/index.ts';
import { aSlaveUse, lineStats } from '../line/testing/line-data.ts';
import { aSimulation } from '../simulation/testing/a-simulation.ts';
import { aChannel, aPoint, fakeService, giveSize } from '../testing/fake-service.ts';
import { linesOf, pointsFrom } from './scan-model.ts';
import ToolsPanel from './tools-panel.tsx';

const MODBUS: ProtocolDescriptor = {
  protocol_type: 1,
  key: 'modbus-tcp',
  name: 'Modbus TCP',
  conn_types: [1, 2],
  default_port: 502,
  default_baud_rate: 9600,
  default_parity: 'N',
  modes: ['batch'],
  channel_fields: [],
  channel_schema: {},
  tools: {
    least_address: 0,
    most_address: 255,
    wildcards: false,
    baud_rates: [9600],
    formats: ['8N1'],
    scan_functions: [{ code: 3, name: 'Read Holding Registers', largest_block: 125, is_bit: false }],
  },
  point_fields: [],
  point_schema: {},
  commands: [],
};

function aScan(change: Partial<ScanJob> = {}): ScanJob {
  return {
    id: '00000000-0000-4000-8000-000000000003',
    kind: 'scan',
    channel_id: 1,
    state: 'done',
    current: 10,
    total: 10,
    activity: '',
    started_at: '2026-03-01T08:00:00.000Z',
    ended_at: '2026-03-01T08:00:02.000Z',
    last_error: null,
    dropped: 0,
    slave_id: 4,
    func_codes: [3],
    start: 0,
    quantity: 10,
    found: 3,
    requests: 2,
    findings: [
      { func_code: 3, start: 0, quantity: 3, outcome: 'values', detail: '' },
      { func_code: 3, start: 3, quantity: 7, outcome: 'refused', detail: 'exception 2 (Illegal Data Address)' },
    ],
    ...change,
  };
}

const row = (address: number, value: number, func_code = 3): ScanRow => ({
  func_code,
  address,
  point_address: address + 1,
  hex: value.toString(16).padStart(4, '0'),
  value,
});
const ROWS = [row(0, 0x4366), row(1, 0x8000), row(2, 7)];

function aFind(slave: number, place: { readonly ip?: string } = {}): FindJob {
  const { ip, port, protocol_type, conn_type } = aChannel();
  return {
    ...aScan(),
    kind: 'find',
    predicted_ms: 0,
    findings: [{ slave_id: slave, address: String(slave), how: 'answered' }],
    channel: { name: 'Found', protocol_type, conn_type, ip, port, ...place },
    other_master: false,
    points: [],
    notes: [],
  } as unknown as FindJob;
}

function show(channel: Channel = aChannel()) {
  giveSize();
  render(
    <Providers env="test">
      <ToolsPanel channel={channel} />
    </Providers>,
  );
  return userEvent.setup();
}

beforeEach(async () => {
  await setLanguage('en');
  useUiStore.setState({ tab: 'tools' });
});

describe('scan', () => {
  it('asks for the range in the form, and is refused on a stopped channel with the reason', async () => {
    const service = fakeService({ listProtocols: () => [MODBUS], listJobs: () => [], startScan: () => aScan({ state: 'running' }) });
    const user = show();
    const start = await screen.findByLabelText('From address');
    await user.clear(start);
    await user.type(start, '100');
    await user.click(screen.getByTestId('scan-start'));
    await waitFor(() =>
      expect(service.of('startScan')).toMatchObject([
        { channel_id: 1, slave_id: 1, func_codes: [3], start: 100, quantity: 1000, smallest_block: 1 },
      ]),
    );
  });

  it.each([
    [
      'that has answered on this channel',
      { lineStats: () => lineStats({ slaves: [aSlaveUse(4, [3], { responses: 0 }), aSlaveUse(9)] }) },
      '9',
    ],
    ['that a search found at its address', { listJobs: () => [aFind(5)] }, '5'],
    ['1 where nothing is known, also of a search elsewhere', { listJobs: () => [aFind(5, { ip: '10.0.0.9' })] }, '1'],
  ] as const)('begins with the slave %s', async (_which, answers, slave) => {
    fakeService({ listProtocols: () => [MODBUS], listJobs: () => [], ...answers });
    show();
    await screen.findByLabelText('From address');
    const field = () => document.querySelector<HTMLInputElement>('[data-path="scan_slave"]')?.value;
    await waitFor(() => expect(field()).toBe(slave));
  });

  it('does nothing on a stopped channel', async () => {
    const service = fakeService({ listProtocols: () => [MODBUS], listJobs: () => [] });
    const user = show(aChannel({ status: 'stopped' }));
    const button = await screen.findByTestId('scan-start');
    expect(button.getAttribute('aria-disabled')).toBe('true');
    await user.click(button);
    expect(service.of('startScan')).toEqual([]);
  });

  it('shows ranges and values with their pairs, saves the file and makes points', async () => {
    const service = fakeService({
      listProtocols: () => [MODBUS],
      listJobs: () => [aScan()],
      scanRows: () => ({ total: 3, items: ROWS }),
      addPoints: () => ({ step_id: 1, items: [aPoint()] }),
      listChannels: () => [],
      projectInfo: () => ({ path: '/a', name: 'a', schema_version: 1, size_bytes: 1, channels: 1, points: 0 }),
    });
    const user = show();
    expect((await screen.findByTestId('scan-ranges')).textContent).toContain('F3: 3 to 9');
    const values = await screen.findByRole('grid', { name: 'Values' });
    await waitFor(() => expect(values.textContent).toContain('230.5'));
    expect(values.textContent).toContain('40001');
    await user.click(screen.getByTestId('scan-make'));
    expect((await screen.findByTestId('make-preview')).textContent).toBe('3 points: S4F3_1 to S4F3_3');
    await user.click(screen.getByTestId('make-add'));
    await waitFor(() => expect(service.of('addPoints')).toHaveLength(1));
    expect(service.of('addPoints')[0]).toMatchObject({
      channel_id: 1,
      points: [{ frame_type: 0, code: 'S4F3_1', address: 1, slave_id: 4, func_code: 3, decode: '0x20' }, {}, {}],
    });
    await waitFor(() => expect(useUiStore.getState().tab).toBe('points'));
  });
});

describe('identification', () => {
  it('shows the objects by name, and a refusal', async () => {
    let refuses = false;
    fakeService({
      listProtocols: () => [MODBUS],
      listJobs: () => [],
      identifyDevice: () => {
        if (refuses) throw new AppError('DEVICE_EXCEPTION', quoted('Unit 1 answered exception 1 (Illegal Function).'));
        const objects = [
          { id: 0, name: 'VendorName', text: 'ACME', hex: '41 43 4D 45' },
          { id: 130, name: '', text: 'x', hex: '78' },
        ];
        return { slave_id: 1, conformity: 'extended', objects };
      },
    });
    const user = show();
    await user.click(await screen.findByTestId('identify-start'));
    const identity = await screen.findByTestId('identity');
    expect(identity.textContent).toContain('VendorNameACME');
    expect(identity.textContent).toContain('of the maker');
    refuses = true;
    await user.click(screen.getByTestId('identify-start'));
    expect((await screen.findByTestId('error-notice')).textContent).toContain('Illegal Function');
  });

  it('and scan are not there on a channel that serves; its simulation is', async () => {
    fakeService({ listProtocols: () => [MODBUS], listJobs: () => [], simulation: () => aSimulation({ channel_id: 1 }) });
    show(aChannel({ conn_type: 1 }));
    expect(await screen.findByTestId('simulation')).toBeTruthy();
    expect(screen.queryByTestId('scan-start')).toBeNull();
    expect(screen.queryByTestId('tools-scan')).toBeNull();
  });
});

describe('points of a scan', () => {
  const form = { functionCode: 3, decode: '0x42', prefix: 'P', from: 0, to: 100 };
  it('lie one behind the other, only where all their registers are', () => {
    const rows = [0, 1, 2, 3, 5, 6, 7].map((address) => row(address, 0));
    expect(pointsFrom(rows, form, 1).map((point) => point.address)).toEqual([1, 3, 6]);
    expect(pointsFrom(rows, { ...form, decode: '0x62' }, 1).map((point) => point.address)).toEqual([1]);
    expect(pointsFrom(rows, { ...form, decode: '0x20', from: 5, to: 6 }, 1).map((point) => point.code)).toEqual(['P6', 'P7']);
  });

  it('of bits are signals without a decode', () => {
    expect(pointsFrom([row(0, 1, 1)], { ...form, functionCode: 1 }, 2)).toEqual([
      { frame_type: 1, code: 'P1', name: 'P1', address: 1, slave_id: 2, func_code: 1 },
    ]);
  });

  it('have no pair at the end of a run, and none for bits', () => {
    expect(linesOf([row(0, 0x4366), row(1, 0x8000), row(5, 1)]).map((line) => line.abcd)).toEqual(['230.5', '', '']);
    expect(linesOf([row(0, 1, 1), row(1, 1, 1)]).map((line) => line.abcd)).toEqual(['', '']);
    expect(linesOf([row(0, 0xffff), row(1, 0xffff)])[0]).toMatchObject({ signed: -1, abcd: 'NaN', cdab: 'NaN' });
  });
});
