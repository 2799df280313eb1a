import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { Providers } from '../../app/providers.tsx';
import { setLanguage } from '../../i18n/index.ts';
import { aChannel, aServiceInfo, fakeService } from '../testing/fake-service.ts';
import { IEC104 } from '../testing/protocols.ts';
import { arm, disarm, useArmingStore } from '../write/arming.ts';
import { OperationsSection } from './operations-section.tsx';
import { type OperationReport, useOperationsStore } from './operations-store.ts';

const REPORT: OperationReport = {
  outcome: 'accepted',
  stages: [{ name: 'done', at: '2026-03-01T08:00:05.100Z', detail: 'Common address 1: terminated' }],
  result: { stations: [{ common_address: 1, offset_ms: -12, station_time: '2026-03-01T08:00:05.000Z' }] },
};

function show(
  answers: Parameters<typeof fakeService>[0] = {},
  channel = aChannel({ protocol_type: 3, name: 'Station 1' }),
  isArmed = true,
) {
  if (isArmed) arm(channel);
  const service = fakeService({ serviceInfo: () => aServiceInfo(), ...answers });
  render(
    <Providers env="test">
      <OperationsSection channel={channel} operations={IEC104.operations ?? []} />
    </Providers>,
  );
  return service;
}

beforeEach(async () => {
  useOperationsStore.setState({ runs: {}, chosen: {} });
  useArmingStore.setState({ armings: {} });
  await setLanguage('en');
});

describe('operations of a channel', () => {
  it('run with the parameters of the form, and show outcome, stages and result', async () => {
    const user = userEvent.setup();
    const service = show({ deviceOperation: () => REPORT });
    expect(screen.getByText(/left out: each of the table; 65535: all stations · 1 to 65535/)).toBeTruthy();
    await user.type(screen.getByLabelText('Common address'), '3');
    await user.click(screen.getByTestId('operation-run'));
    const outcome = await screen.findByTestId('operation-outcome');
    expect(service.of('deviceOperation')).toEqual([
      { channel_id: 1, operation: 'general_interrogation', params: { common_address: 3, group: 0 } },
    ]);
    for (const text of ['Done', 'Common address 1: terminated', 'Station ahead by', '-12 ms']) expect(outcome.textContent).toContain(text);
  });

  it('offer the words of a list to choose from, in the language of the pages, and show lists in words', async () => {
    const user = userEvent.setup();
    const operation = {
      name: 'report_blocks',
      summary: '',
      effect: 'query' as const,
      writes: false,
      conn_types: [2 as const],
      params_schema: {
        type: 'object',
        properties: {
          triggers: { type: 'array', default: [], items: { type: 'string', enum: ['data_change', 'quality_change', 'integrity'] } },
        },
      },
    };
    const service = fakeService({
      serviceInfo: () => aServiceInfo(),
      deviceOperation: () => ({ ...REPORT, result: { blocks: [{ triggers: ['data_change', 'integrity'] }] } }),
    });
    await setLanguage('zh-CN');
    render(
      <Providers env="test">
        <OperationsSection channel={aChannel()} operations={[operation]} />
      </Providers>,
    );
    const field = screen.getByRole('combobox', { name: '触发选项（TrgOps）' });
    expect(field).toHaveProperty('value', '');
    await user.click(field);
    await user.click(await screen.findByRole('option', { name: '完整性周期', hidden: true }));
    await user.click(await screen.findByRole('option', { name: '数据变化', hidden: true }));
    await user.click(screen.getByTestId('operation-run'));
    expect((await screen.findByTestId('operation-outcome')).textContent).toContain('数据变化; 完整性周期');
    expect(service.of('deviceOperation')).toMatchObject([{ params: { triggers: ['data_change', 'integrity'] } }]);
  });

  it('say what is wrong with a parameter, and send nothing', async () => {
    const user = userEvent.setup();
    const service = show();
    await user.clear(screen.getByLabelText('Group'));
    await user.type(screen.getByLabelText('Group'), '17');
    await user.click(screen.getByTestId('operation-run'));
    expect(await screen.findByText('0 to 16.')).toBeTruthy();
    expect(service.of('deviceOperation')).toEqual([]);
  });

  it('that change the device are not sent when the arming ended over an open confirmation', async () => {
    const user = userEvent.setup();
    const service = show({ deviceOperation: () => REPORT });
    await user.click(screen.getByTestId('operation-counter_freeze'));
    await user.click(screen.getByTestId('operation-run'));
    const send = await screen.findByTestId('operation-send');
    disarm(1);
    await user.click(send);
    expect(await screen.findByTestId('write-disarmed')).toBeTruthy();
    expect(service.of('deviceOperation')).toEqual([]);
  });

  it('that change the device need an armed channel and a confirmation', async () => {
    const user = userEvent.setup();
    const channel = aChannel({ protocol_type: 3, name: 'Station 1' });
    const service = show({ deviceOperation: () => ({ ...REPORT, outcome: 'rejected', result: {}, audit_id: 12 }) }, channel, false);
    await user.click(screen.getByTestId('operation-counter_freeze'));
    await user.click(screen.getByTestId('operation-run'));
    expect(screen.queryByTestId('operation-send')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Arm writing' }));
    await user.click(screen.getByTestId('operation-run'));
    expect((await screen.findByTestId('operation-target')).textContent).toContain('Action: Freeze');
    expect(screen.getByTestId('operation-confirm-text').textContent).toBe(
      'Run "Freeze or reset counters" on channel Station 1, 127.0.0.1:502?',
    );
    expect(service.of('deviceOperation')).toEqual([]);
    await user.click(screen.getByTestId('operation-send'));
    const outcome = (await screen.findByTestId('operation-outcome')).textContent;
    expect(outcome).toContain('Rejected');
    expect(outcome).toContain('Audit entry 12');
    expect(service.of('deviceOperation')).toHaveLength(1);
  });

  it('say why they are not possible', async () => {
    const user = userEvent.setup();
    show({}, aChannel({ protocol_type: 3, read_only: true }));
    expect(screen.queryByText(/read-only/)).toBeNull();
    await user.click(screen.getByTestId('operation-counter_freeze'));
    expect(screen.getByText('This changes something in the device, and the channel is read-only.')).toBeTruthy();
    expect(screen.getByTestId('operation-run').getAttribute('aria-disabled')).toBe('true');
  });

  it('tell a refused request from one whose answer was lost', async () => {
    const user = userEvent.setup();
    const service = show({
      deviceOperation: () => {
        throw new AppError('STATE_NOT_STARTED', quoted('Channel Station 1 is not started.'));
      },
    });
    await user.click(screen.getByTestId('operation-run'));
    expect((await screen.findByTestId('error-notice')).textContent).toContain('is not started');
    expect(screen.getByTestId('operation-outcome').textContent).toContain('Not sent');
    service.answers.deviceOperation = () => {
      throw new TypeError('network');
    };
    await user.click(screen.getByTestId('operation-run'));
    await waitFor(() => expect(screen.getByTestId('operation-outcome').textContent).toContain('Unknown'));
  });

  it('that write tell their end also when the panel was left', async () => {
    arm(aChannel({ protocol_type: 3, name: 'Station 1' }));
    const user = userEvent.setup();
    let answer: (report: OperationReport) => void = () => {};
    const service = fakeService({
      serviceInfo: () => aServiceInfo(),
      deviceOperation: () =>
        new Promise<OperationReport>((resolve) => {
          answer = resolve;
        }),
    });
    const panel = (isOpen: boolean) => (
      <Providers env="test">
        {isOpen ? (
          <OperationsSection channel={aChannel({ protocol_type: 3, name: 'Station 1' })} operations={IEC104.operations ?? []} />
        ) : null}
      </Providers>
    );
    const { rerender } = render(panel(true));
    await user.click(screen.getByTestId('operation-counter_freeze'));
    await user.click(screen.getByTestId('operation-run'));
    await user.click(await screen.findByTestId('operation-send'));
    await waitFor(() => expect(service.of('deviceOperation')).toHaveLength(1));
    rerender(panel(false));
    answer(REPORT);
    expect(await screen.findByText('Freeze or reset counters, Station 1: Done')).toBeTruthy();
  });

  it('speak Chinese', async () => {
    await setLanguage('zh-CN');
    show();
    expect(screen.getByTestId('operation-general_interrogation').textContent).toBe('总召唤');
    expect(screen.getByText(/留空：点表中的每个公共地址/)).toBeTruthy();
    await setLanguage('en');
  });
});
