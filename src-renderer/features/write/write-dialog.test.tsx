import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CommandResult, Point } from '#shared/contract/points.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { useProjectSession } from '../../app/project-session.ts';
import { Providers } from '../../app/providers.tsx';
import { setLanguage } from '../../i18n/index.ts';
import { IEC61850 } from '../model/testing/model-data.ts';
import { aChannel, aPoint, fakeService } from '../testing/fake-service.ts';
import { IEC104 } from '../testing/protocols.ts';
import { arm, disarm, needsArming, useArmingStore } from './arming.ts';
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
const READ_BACK = { name: 'read_back', at: '2026-03-01T08:00:05.140Z', detail: 'read back' };

function readBack(value: number, equal: boolean): CommandResult {
  return { ...ACCEPTED, stages: [...ACCEPTED.stages, { ...READ_BACK, value, equal }] };
}

function show(point: Point, answers: Parameters<typeof fakeService>[0] = {}, channel = aChannel(), isArmed = true) {
  if (isArmed) arm(channel);
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
  useProjectSession.setState({ session: null });
  useWriteStore.getState().close();
  useWriteStore.setState({ unresolved: {}, pending: {} });
  useArmingStore.setState({ armings: {} });
});
afterEach(async () => {
  vi.useRealTimers();
  await setLanguage('en');
});

describe('write dialog', () => {
  it('sends nothing before the channel is armed, and offers to arm it', async () => {
    const user = userEvent.setup();
    const service = show(SETPOINT, { command: () => ACCEPTED }, aChannel(), false);
    expect(await screen.findByTestId('write-disarmed')).toBeTruthy();
    await user.type(screen.getByTestId('write-value'), '42.5{Enter}');
    expect(screen.queryByTestId('write-send')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Arm writing' }));
    expect(needsArming(aChannel())).toBe(false);
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

  it.each([
    [1, 'Present value10.000 kW'],
    [3, 'Last command10.000 kW'],
  ] as const)('calls the value of a command that cannot be read no present one (protocol %i)', async (protocol_type, text) => {
    show(SETPOINT, { listProtocols: () => [IEC104] }, aChannel({ protocol_type }));
    const target = await screen.findByTestId('write-target');
    await waitFor(() => expect(target.textContent).toContain(text));
  });

  it('names channel and point twice before it sends, once', async () => {
    const user = userEvent.setup();
    useProjectSession.setState({ session: 'site 7' });
    const service = show(SETPOINT, { command: () => ACCEPTED });
    await user.type(await screen.findByTestId('write-value'), '42,5{Enter}');
    expect((await screen.findByTestId('write-target')).textContent).toContain('PCS 1');
    expect(screen.getByTestId('write-confirm-text').textContent).toBe(
      'Write 42.5 kW to YT001 Power setpoint on channel PCS 1, address 100 (0x0064), slave 1?',
    );
    await user.click(screen.getByTestId('write-send'));
    await screen.findByTestId('write-outcome');
    expect(service.of('command')).toEqual([
      {
        ...{ channel_id: 1, point_id: 9, frame_type: 3, step: 'operate', value: 42.5, options: { read_back: true } },
        expect: { code: 'YT001', address: 100, reference: '', slave_id: 1, bit: null, project_session: 'site 7' },
      },
    ]);
  });

  it('shows an accepted command with stages, reaction and the value read back', async () => {
    const user = userEvent.setup();
    const service = show(SETPOINT, { command: () => readBack(42.5, true) });
    await writeValue(user, '42.5');
    const outcome = await screen.findByTestId('write-outcome');
    expect(outcome.textContent).toContain('Accepted');
    expect(outcome.textContent).toContain('Read back42.500 kW');
    expect(outcome.textContent).toContain('The value read back is the written one.');
    expect(outcome.textContent).toContain('YC001: 10 → 42.5 (after 120 ms)');
    expect(outcome.textContent).toContain('Audit entry 17');
    expect(service.of('pointTable')).toEqual([]);
  });

  it('says when the value read back differs', async () => {
    const user = userEvent.setup();
    show(SETPOINT, { command: () => readBack(40, false) });
    await writeValue(user, '42.5');
    expect((await screen.findByTestId('write-outcome')).textContent).toContain('The value read back differs from the written one.');
  });

  it('takes the word of the service for what is equal, not its own reckoning', async () => {
    const user = userEvent.setup();
    show(SETPOINT, { command: () => readBack(42.5, false) });
    await writeValue(user, '42.5');
    expect((await screen.findByTestId('write-outcome')).textContent).toContain('The value read back differs from the written one.');
  });

  it.each([
    ['the related point that reacted', ACCEPTED.reaction, '', 'This point was not read back. Look at YC001, the related point, below.'],
    ['the related point that is set', null, 'YX009', 'This point was not read back. Look at YX009, the related point.'],
    ['the device', null, '', 'This point was not read back. Look at the device itself'],
  ])('claims no read-back that did not take place, and leads to %s', async (_name, reaction, related, text) => {
    const user = userEvent.setup();
    const cached = () => ({ total: 1, items: [{ ...SETPOINT, value: 42.5, updated_at: '2026-03-01T08:00:06.000Z' }] });
    show({ ...SETPOINT, related_code: related }, { command: () => ({ ...ACCEPTED, reaction }), pointTable: cached });
    await writeValue(user, '42.5');
    const outcome = await screen.findByTestId('write-outcome');
    expect(screen.getByTestId('write-no-read-back').textContent).toContain(text);
    expect(screen.queryByTestId('write-comparison')).toBeNull();
    expect(outcome.textContent).not.toContain('The value read back');
  });

  it('shows a refusal of the device as rejected, in its words', async () => {
    const user = userEvent.setup();
    const stages = [...ACCEPTED.stages, { name: 'rejected', at: READ_BACK.at, detail: 'cause 47: unknown object address' }];
    show(SETPOINT, { command: () => ({ ...ACCEPTED, outcome: 'rejected', reaction: null, stages }) });
    await writeValue(user, '42.5');
    expect((await screen.findByTestId('write-outcome')).textContent).toContain('Rejected');
    expect(screen.getByTestId('write-refusal').textContent).toBe('cause 47: unknown object address');
    expect(screen.queryByTestId('write-no-read-back')).toBeNull();
  });

  it('tells a refused request from one whose answer was lost', async () => {
    const user = userEvent.setup();
    const service = show(SETPOINT, {
      command: () => {
        throw new AppError('CONFIG_RANGE', quoted('The value must lie between -3276.8 and 3276.7.'));
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
    const service = show(BREAKER, { command: () => ACCEPTED });
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
    });
    await writeValue(user, '42.5');
    await waitFor(() => expect(useWriteStore.getState().pending).toEqual({ 9: 42.5 }));
    useWriteStore.getState().close();
    answer(ACCEPTED);
    expect(await screen.findByText('YT001: Accepted')).toBeTruthy();
    expect(useWriteStore.getState().pending).toEqual({});
  });

  it('sets what a serving channel serves without arming', async () => {
    const user = userEvent.setup();
    const service = show(
      aPoint({ id: 5, code: 'YC005' }),
      { updatePoint: () => aPoint({ id: 5, code: 'YC005', value: 12 }) },
      aChannel({ conn_type: 1 }),
      false,
    );
    await writeValue(user, '12');
    const outcome = await screen.findByTestId('write-outcome');
    for (const text of ['Value set', 'Served now', 'The channel serves the written value.']) expect(outcome.textContent).toContain(text);
    expect(service.of('updatePoint')).toEqual([
      { point_id: 5, frame_type: 0, value: 12, expect: { code: 'YC005', address: 100, reference: '', slave_id: 1, bit: null } },
    ]);
  });
});

describe('guard of the write dialog', () => {
  async function reachConfirm(user: ReturnType<typeof userEvent.setup>) {
    await user.type(await screen.findByTestId('write-value'), '42.5{Enter}');
    return screen.findByTestId('write-send');
  }

  it('sends once, however often the button is pressed', async () => {
    const user = userEvent.setup();
    const service = show(SETPOINT, { command: () => new Promise<CommandResult>(() => {}) });
    const send = await reachConfirm(user);
    act(() => {
      fireEvent.click(send);
      fireEvent.click(send);
    });
    void useWriteStore.getState().send();
    expect(await screen.findByText('Sent once; waiting for the device…')).toBeTruthy();
    expect(screen.queryByTestId('write-send')).toBeNull();
    expect(service.of('command')).toHaveLength(1);
  });

  it('does not send by the key that led to the confirmation', async () => {
    const user = userEvent.setup();
    const service = show(SETPOINT, { command: () => ACCEPTED });
    await reachConfirm(user);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Back' }));
    await user.keyboard('{Enter}');
    expect(await screen.findByTestId('write-next')).toBeTruthy();
    expect(service.of('command')).toEqual([]);
  });

  it('sends from the confirmation alone', async () => {
    const user = userEvent.setup();
    const service = show(SETPOINT, { command: () => ACCEPTED });
    await user.type(await screen.findByTestId('write-value'), '42.5');
    expect(await useWriteStore.getState().send()).toBeNull();
    expect(service.of('command')).toEqual([]);
  });

  it('needs a number before it goes on', async () => {
    const user = userEvent.setup();
    show(SETPOINT);
    await user.type(await screen.findByTestId('write-value'), '{Enter}');
    await user.click(screen.getByTestId('write-next'));
    expect(screen.getByTestId('write-next').getAttribute('aria-disabled')).toBe('true');
    expect(screen.queryByTestId('write-confirm-text')).toBeNull();
  });

  it('goes back when the arming ends while the confirmation is open, and sends nothing', async () => {
    const user = userEvent.setup();
    const service = show(SETPOINT, { command: () => ACCEPTED });
    const send = await reachConfirm(user);
    act(() => disarm(1));
    expect(await screen.findByTestId('write-disarmed')).toBeTruthy();
    fireEvent.click(send);
    expect(screen.queryByTestId('write-confirm-text')).toBeNull();
    expect(screen.getByTestId<HTMLInputElement>('write-value').value).toBe('42.5');
    expect(service.of('command')).toEqual([]);
  });

  it('sends nothing when the time has run out and no timer has told it yet', async () => {
    const user = userEvent.setup();
    const service = show(SETPOINT, { command: () => ACCEPTED });
    const send = await reachConfirm(user);
    // long behind the end of the ten minutes
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2100, 0, 1) });
    fireEvent.click(send);
    vi.useRealTimers();
    expect(useWriteStore.getState().step).toBe('enter');
    expect(service.of('command')).toEqual([]);
  });
});

describe('a command whose end nobody knows', () => {
  const UNKNOWN: CommandResult = { ...ACCEPTED, outcome: 'unknown', reaction: null };
  const YK104 = { ...BREAKER, related_code: 'YX009' };
  const station = () => aChannel({ protocol_type: 3 });

  it.each([
    [
      'en',
      'The command was sent. The device did not say what became of it. Do not send it again before looking.',
      'Look at YX009',
      'entered in the events',
    ],
    ['zh-CN', '命令已发出，但设备没有应答结果。查看之前请勿再次下发。', '请查看关联测点 YX009', '迟到的确认会记入事件'],
  ] as const)('is told plainly, with where to look (%s)', async (language, plain, where, late) => {
    const user = userEvent.setup();
    show(YK104, { command: () => UNKNOWN, listProtocols: () => [IEC104] }, station());
    await user.click(await screen.findByText('On (1)'));
    await user.click(screen.getByTestId('write-next'));
    await user.click(await screen.findByTestId('write-send'));
    const outcome = await screen.findByTestId('write-outcome');
    await act(() => setLanguage(language));
    for (const text of [plain, where, late]) expect(outcome.textContent).toContain(text);
    expect(screen.queryByTestId('write-no-read-back')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Write again' })).toBeNull();
  });

  it('is not sent again before somebody says that they looked, also by a new dialog', async () => {
    const user = userEvent.setup();
    const channel = aChannel();
    const service = show(SETPOINT, { command: () => UNKNOWN }, channel);
    await writeValue(user, '42.5');
    await user.click(await screen.findByTestId('write-close'));
    act(() => useWriteStore.getState().open({ channel, point: SETPOINT }));
    expect((await screen.findByTestId('write-unresolved')).textContent).toContain('42.5 kW was sent to this point');
    await user.type(screen.getByTestId('write-value'), '42.5{Enter}');
    await user.click(screen.getByTestId('write-next'));
    expect(screen.queryByTestId('write-send')).toBeNull();
    useWriteStore.setState({ step: 'confirm' });
    expect(await useWriteStore.getState().send()).toBeNull();
    await user.click(screen.getByTestId('write-has-looked'));
    service.answers.command = () => ACCEPTED;
    await user.click(screen.getByTestId('write-next'));
    await user.click(await screen.findByTestId('write-send'));
    await screen.findByTestId('write-outcome');
    expect(service.of('command')).toHaveLength(2);
    expect(useWriteStore.getState().unresolved).toEqual({});
  });

  it('has to be looked at after each unanswered sending', async () => {
    const user = userEvent.setup();
    show(SETPOINT, { command: () => UNKNOWN });
    await writeValue(user, '42.5');
    await user.click(await screen.findByRole('button', { name: 'Back' }));
    await user.click(await screen.findByTestId('write-has-looked'));
    await user.click(screen.getByTestId('write-next'));
    await user.click(await screen.findByTestId('write-send'));
    await user.click(await screen.findByRole('button', { name: 'Back' }));
    expect((await screen.findByTestId<HTMLInputElement>('write-has-looked')).checked).toBe(false);
  });

  it('stays open over a write that was refused before it was sent, and holds no other point back', async () => {
    const channel = aChannel();
    useWriteStore.setState({ unresolved: { 9: 42.5 } });
    const user = userEvent.setup();
    show(
      SETPOINT,
      {
        command: () => {
          throw new AppError('CONFIG_RANGE', quoted('The value must lie between -3276.8 and 3276.7.'));
        },
      },
      channel,
    );
    await user.click(await screen.findByTestId('write-has-looked'));
    await writeValue(user, '9999');
    await screen.findByTestId('error-notice');
    expect(useWriteStore.getState().unresolved).toEqual({ 9: 42.5 });
    act(() => useWriteStore.getState().open({ channel, point: BREAKER }));
    await user.click(await screen.findByText('On (1)'));
    expect(screen.queryByTestId('write-unresolved')).toBeNull();
    expect(screen.getByTestId('write-next').getAttribute('aria-disabled')).toBeNull();
  });
});
