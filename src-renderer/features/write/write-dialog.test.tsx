import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CommandResult, Point } from '#shared/contract/points.ts';
import { AppError } from '#shared/domain/errors.ts';
import { Providers } from '../../app/providers.tsx';
import { useUiStore } from '../../app/ui-store.ts';
import { IEC61850 } from '../model/testing/model-data.ts';
import { aChannel, aPoint, fakeService } from '../testing/fake-service.ts';
import { WriteDialog } from './write-dialog.tsx';
import { useWriteStore } from './write-store.ts';

const SETPOINT = aPoint({
  id: 9,
  code: 'YT001',
  name: 'Power setpoint',
  frame_type: 3,
  unit: 'kW',
  min_limit: -100,
  max_limit: 100,
  value: 10,
});
const BREAKER = aPoint({ id: 8, code: 'YK001', name: 'Breaker', frame_type: 2, decode: '0x20', unit: '', value: 0 });
const ACCEPTED: CommandResult = {
  outcome: 'accepted',
  stages: [
    { name: 'sent', at: '2026-03-01T08:00:05.100Z', detail: 'function 16' },
    { name: 'confirmed', at: '2026-03-01T08:00:05.120Z', detail: '' },
  ],
  reaction: { point_id: 1, code: 'YC001', before: 10, after: 42.5, delay_ms: 120 },
  audit_id: 17,
};
const readBack = (value: number) => () => ({ total: 1, items: [{ ...SETPOINT, value, updated_at: '2026-03-01T08:00:05.140Z' }] });

function show(point: Point, answers: Parameters<typeof fakeService>[0] = {}, channel = aChannel()) {
  const service = fakeService(answers);
  render(
    <Providers env="test">
      <WriteDialog />
    </Providers>,
  );
  useWriteStore.getState().open({ channel, point });
  return service;
}

async function writeValue(user: ReturnType<typeof userEvent.setup>, text: string) {
  await user.type(await screen.findByTestId('write-value'), text);
  await user.click(screen.getByTestId('write-next'));
  await user.click(await screen.findByTestId('write-send'));
}

beforeEach(() => {
  useWriteStore.getState().close();
  useUiStore.setState({ armed: true });
});

describe('write dialog', () => {
  it('sends nothing before the window is armed, and offers to arm it', async () => {
    useUiStore.setState({ armed: false });
    const user = userEvent.setup();
    const service = show(SETPOINT, { command: () => ACCEPTED, pointTable: readBack(42.5) });
    expect(await screen.findByTestId('write-disarmed')).toBeTruthy();
    await user.type(screen.getByTestId('write-value'), '42.5{Enter}');
    expect(screen.queryByTestId('write-send')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Arm writing' }));
    expect(useUiStore.getState().armed).toBe(true);
    await user.click(screen.getByTestId('write-next'));
    expect(await screen.findByTestId('write-send')).toBeTruthy();
    expect(service.calls.map((call) => call.name).filter((name) => name !== 'listProtocols')).toEqual([]);
  });

  it('names a point by its reference alone where there are no slaves', async () => {
    const user = userEvent.setup();
    const reference = 'LD0/PTOV1.StrVal.setMag.f[SP]';
    show({ ...SETPOINT, reference }, { listProtocols: () => [IEC61850] }, aChannel({ protocol_type: 5 }));
    await user.type(await screen.findByTestId('write-value'), '42,5{Enter}');
    await waitFor(() => {
      const text = screen.getByTestId('write-confirm-text').textContent;
      expect(text).toBe(`Write 42.5 kW to YT001 Power setpoint on channel PCS 1, ${reference}?`);
    });
  });

  it('names channel and point twice before it sends, once', async () => {
    const user = userEvent.setup();
    const service = show(SETPOINT, { command: () => ACCEPTED, pointTable: readBack(42.5) });
    await user.type(await screen.findByTestId('write-value'), '42,5{Enter}');
    expect((await screen.findByTestId('write-target')).textContent).toContain('PCS 1');
    expect(screen.getByTestId('write-confirm-text').textContent).toBe(
      'Write 42.5 kW to YT001 Power setpoint on channel PCS 1, address 100 (0x0064), slave 1?',
    );
    await user.click(screen.getByTestId('write-send'));
    await screen.findByTestId('write-outcome');
    expect(service.of('command')).toEqual([
      { channel_id: 1, point_id: 9, frame_type: 3, step: 'operate', value: 42.5, options: { read_back: true } },
    ]);
  });

  it('shows an accepted command with stages, reaction and the value read back', async () => {
    const user = userEvent.setup();
    show(SETPOINT, { command: () => ACCEPTED, pointTable: readBack(42.5) });
    await writeValue(user, '42.5');
    const outcome = await screen.findByTestId('write-outcome');
    expect(outcome.textContent).toContain('Accepted');
    expect(outcome.textContent).toContain('Read back42.500 kW');
    expect(outcome.textContent).toContain('The value read back is the written one.');
    expect(outcome.textContent).toContain('YC001: 10 → 42.5 (after 120 ms)');
    expect(outcome.textContent).toContain('Audit entry 17');
  });

  it('says when the value read back differs', async () => {
    const user = userEvent.setup();
    show(SETPOINT, { command: () => ACCEPTED, pointTable: readBack(40) });
    await writeValue(user, '42.5');
    expect((await screen.findByTestId('write-outcome')).textContent).toContain('The value read back differs from the written one.');
  });

  it('shows a refusal of the device as rejected', async () => {
    const user = userEvent.setup();
    show(SETPOINT, { command: () => ({ ...ACCEPTED, outcome: 'rejected', reaction: null }) });
    await writeValue(user, '42.5');
    expect((await screen.findByTestId('write-outcome')).textContent).toContain('Rejected');
  });

  it('says that an unknown outcome is unknown', async () => {
    const user = userEvent.setup();
    show(SETPOINT, { command: () => ({ ...ACCEPTED, outcome: 'unknown', reaction: null }), pointTable: readBack(42.5) });
    await writeValue(user, '42.5');
    expect((await screen.findByTestId('write-outcome')).textContent).toContain('Read the point before anything is sent again.');
  });

  it('tells a refused request from one whose answer was lost', async () => {
    const user = userEvent.setup();
    const service = show(SETPOINT, {
      command: () => {
        throw new AppError('CONFIG_RANGE', 'The value must lie between -3276.8 and 3276.7.');
      },
    });
    await writeValue(user, '9999');
    expect((await screen.findByTestId('error-notice')).textContent).toContain('between -3276.8 and 3276.7');
    expect(screen.getByTestId('write-outcome').textContent).not.toContain('Unknown');
    service.answers.command = () => {
      throw new TypeError('network');
    };
    await user.click(screen.getByRole('button', { name: 'Write again' }));
    await user.click(screen.getByTestId('write-next'));
    await user.click(await screen.findByTestId('write-send'));
    await waitFor(() => expect(screen.getByTestId('write-outcome').textContent).toContain('Unknown'));
  });

  it('warns outside the limits and does not block', async () => {
    const user = userEvent.setup();
    show(SETPOINT);
    await user.type(await screen.findByTestId('write-value'), '150');
    expect(screen.getByText('Outside the limits -100 to 100. It can still be sent.')).toBeTruthy();
    expect(screen.getByTestId('write-next').getAttribute('aria-disabled')).toBeNull();
    await user.clear(screen.getByTestId('write-value'));
    await user.type(screen.getByTestId('write-value'), '1x');
    expect(screen.getByText('A number is needed.')).toBeTruthy();
  });

  it('switches a control on and off', async () => {
    const user = userEvent.setup();
    const service = show(BREAKER, { command: () => ACCEPTED, pointTable: () => ({ total: 0, items: [] }) });
    await user.click(await screen.findByText('On (1)'));
    await user.click(screen.getByTestId('write-next'));
    await user.click(await screen.findByTestId('write-send'));
    await screen.findByTestId('write-outcome');
    expect(service.of('command')[0]).toMatchObject({ point_id: 8, frame_type: 2, value: 1 });
  });

  it('keeps the value pending in the table until the device has answered, also when the dialog is closed', async () => {
    const user = userEvent.setup();
    let answer: (result: CommandResult) => void = () => {};
    show(SETPOINT, {
      command: () =>
        new Promise<CommandResult>((resolve) => {
          answer = resolve;
        }),
      pointTable: readBack(42.5),
    });
    await writeValue(user, '42.5');
    await waitFor(() => expect(useWriteStore.getState().pending).toEqual({ 9: 42.5 }));
    useWriteStore.getState().close();
    answer(ACCEPTED);
    expect(await screen.findByText('YT001: Accepted')).toBeTruthy();
    expect(useWriteStore.getState().pending).toEqual({});
  });

  it('sets what a serving channel serves without arming', async () => {
    useUiStore.setState({ armed: false });
    const user = userEvent.setup();
    const service = show(
      aPoint({ id: 5, code: 'YC005' }),
      { updatePoint: () => aPoint({ id: 5, code: 'YC005', value: 12 }) },
      aChannel({ conn_type: 1 }),
    );
    await writeValue(user, '12');
    expect((await screen.findByTestId('write-outcome')).textContent).toContain('Value set');
    expect(service.of('updatePoint')).toEqual([{ point_id: 5, frame_type: 0, value: 12 }]);
  });
});
