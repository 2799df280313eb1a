import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ProtocolDescriptor } from '#shared/contract/channels.ts';
import type { CommandResult, CommandState, Point } from '#shared/contract/points.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted, say } from '#shared/messages/index.ts';
import { names } from '#shared/messages/message.ts';
import { Providers } from '../../app/providers.tsx';
import { setLanguage } from '../../i18n/index.ts';
import { IEC61850 } from '../model/testing/model-data.ts';
import { aChannel, aPoint, fakeService } from '../testing/fake-service.ts';
import { arm, disarm, useArmingStore } from './arming.ts';
import { useSelectionStore } from './selections.ts';
import { WriteDialog } from './write-dialog.tsx';
import { useWriteStore } from './write-store.ts';

const CONTROLS = '^[^[]*(\\[CO\\])?$';
/** A protocol that declares what the dialog shows; its number says nothing to the dialog. */
const PROTOCOL: ProtocolDescriptor = {
  ...IEC61850,
  protocol_type: 5,
  commands: ['operate', 'select', 'execute', 'cancel'],
  command_state: true,
  cancels_under_way: true,
  command_options_schema: {
    type: 'object',
    properties: {
      test: { type: 'boolean', default: false, is_test: true, references: CONTROLS },
      interlock_check: { type: 'boolean', default: false, references: CONTROLS },
      originator_category: { enum: [1, 2, 3, 4, 5, 6, 7, 8], default: 2, references: CONTROLS },
      originator_identifier: { type: 'string', maxLength: 64, default: 'LC', max_octets: 64, references: CONTROLS },
      operate_at: { type: 'string', format: 'date-time', references: CONTROLS },
      flags: { type: 'array', items: { type: 'string' }, side: 'server' },
    },
  },
};
const BREAKER = aPoint({
  id: 8,
  code: 'CB1',
  name: 'Breaker',
  frame_type: 2,
  decode: '',
  unit: '',
  reference: 'LD0/CSWI1.Pos[CO]',
  updated_at: null,
  quality: 'never',
});
const channel = aChannel({ protocol_type: 5 });
/** What every step says of its point. */
const AGREED = { expect: { code: 'CB1', address: 100, reference: 'LD0/CSWI1.Pos[CO]', slave_id: 1, bit: null } };
const AT = '2026-03-01T08:00:05.100Z';
const result = (change: Partial<CommandResult> = {}): CommandResult => ({
  outcome: 'accepted',
  stages: [{ name: 'confirmed', at: AT, detail: '' }],
  reaction: null,
  audit_id: 17,
  ...change,
});
const SELECTED = (remaining_ms: number | null, is_endless = false) => result({ selection: { remaining_ms, is_endless } });
const BEH = {
  name: 'Beh',
  label: 'Behaviour',
  label_message: say('control.label_behaviour'),
  value: 'test',
  value_message: say('common.text', { text: names('test', '测试（test）') }),
  remark: 'commands without the test bit are refused',
  remark_message: say('control.remark_test_alone'),
};
const state = (change: Partial<CommandState> = {}): CommandState => ({
  read_at: AT,
  items: [BEH],
  steps: ['operate', 'select', 'execute', 'cancel'],
  missing_options: [],
  selection: null,
  obstacle: null,
  obstacle_message: null,
  ...change,
});

type Answers = Parameters<typeof fakeService>[0];
function show(answers: Answers = {}, point: Point = BREAKER) {
  arm(channel);
  const service = fakeService({ listProtocols: () => [PROTOCOL], listChannels: () => [channel], commandState: () => state(), ...answers });
  render(
    <Providers env="test">
      <WriteDialog />
    </Providers>,
  );
  act(() => useWriteStore.getState().open({ channel, point }));
  return service;
}

const user = () => userEvent.setup();
type User = ReturnType<typeof user>;

async function choose(by: User, text = 'On (1)') {
  await by.click(await screen.findByText(text));
  await by.click(screen.getByTestId('write-next'));
}

/** Through the confirmation, when the state has been read. */
async function confirm(by: User, testId = 'write-send') {
  await waitFor(() => expect(screen.getByTestId(testId).getAttribute('aria-disabled')).toBeNull());
  await by.click(screen.getByTestId(testId));
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

beforeEach(() => {
  useWriteStore.getState().close();
  useWriteStore.setState({ unresolved: {}, pending: {} });
  useArmingStore.setState({ armings: {} });
  useSelectionStore.setState({ selections: {} });
});
afterEach(async () => {
  vi.useRealTimers();
  await setLanguage('en');
});

describe('options of a command', () => {
  it('are folded away, declared by the protocol, and sent only where they are not the default', async () => {
    const by = user();
    const service = show({ command: () => result() });
    await by.click(await screen.findByTestId('write-options'));
    await by.click(screen.getByRole('switch', { name: /^Interlock check/ }));
    await by.click(screen.getByRole('combobox', { name: 'Originator category (orCat)' }));
    await by.click(await screen.findByRole('option', { name: '3 remote control' }));
    await choose(by);
    expect((await screen.findByTestId('write-given')).textContent).toBe(
      'Options: Interlock check · Originator category (orCat): 3 remote control',
    );
    await confirm(by);
    await screen.findByTestId('write-outcome');
    const options = { interlock_check: true, originator_category: 3 };
    expect(service.of('command')).toEqual([
      { channel_id: 1, point_id: 8, frame_type: 2, step: 'operate', value: 1, options: { read_back: true, ...options }, ...AGREED },
    ]);
    expect(service.of('commandState')).toEqual([{ channel_id: 1, point_id: 8, frame_type: 2, options }]);
  });

  it.each([
    ['en', 'Options', 'At most 64 octets; this has 68.'],
    ['zh-CN', '选项', '最多 64 个字节，现为 68 个。'],
  ] as const)('an identification is counted in octets (%s)', async (language, title, text) => {
    await setLanguage(language);
    const by = user();
    show();
    const fold = await screen.findByTestId('write-options');
    expect(fold.textContent).toContain(title);
    await by.click(fold);
    const field = document.querySelector<HTMLInputElement>('[data-path="originator_identifier"]');
    if (!field) throw new Error('no field');
    await by.click(field);
    await by.paste('发'.repeat(22));
    expect(await screen.findByText(text)).toBeTruthy();
    await by.click(screen.getByText(/\(1\)/));
    expect(screen.getByTestId('write-next').getAttribute('aria-disabled')).toBe('true');
    await by.clear(field);
    await by.paste('发'.repeat(21));
    await waitFor(() => expect(screen.getByTestId('write-next').getAttribute('aria-disabled')).toBeNull());
  });

  it('of a control are not offered for a plain setting, and none on a channel that serves', async () => {
    show({}, { ...BREAKER, reference: 'LD0/PTOC1.Str.setVal[SP]' });
    await screen.findByText('On (1)');
    await waitFor(() => expect(screen.queryByTestId('write-options')).toBeNull());
    act(() => useWriteStore.getState().open({ channel: { ...channel, conn_type: 1 }, point: BREAKER }));
    await screen.findByText('On (1)');
    expect(screen.queryByTestId('write-options')).toBeNull();
  });

  it.each([
    ['en', 'Test', 'Send as a test'],
    ['zh-CN', '测试', '以测试方式下发'],
  ] as const)('a test is marked before and after it is sent (%s)', async (language, label, send) => {
    await setLanguage(language);
    const by = user();
    show({ command: () => result() });
    await by.click(await screen.findByTestId('write-options'));
    await by.click(screen.getByRole('switch', { name: new RegExp(`^${label}`) }));
    await choose(by, language === 'en' ? 'On (1)' : '合 (1)');
    expect(await screen.findByTestId('write-test')).toBeTruthy();
    expect(screen.getByTestId('write-send').textContent).toBe(send);
    await confirm(by);
    expect(within(await screen.findByTestId('write-outcome')).getByTestId('write-test')).toBeTruthy();
  });

  it('that the device has no place for keep the command back, in words', async () => {
    const by = user();
    const service = show({ commandState: () => state({ missing_options: ['test'] }) });
    await by.click(await screen.findByTestId('write-options'));
    await by.click(screen.getByRole('switch', { name: /^Test/ }));
    await choose(by);
    expect((await screen.findByTestId('write-obstacle')).textContent).toContain('no place for: Test');
    await by.click(screen.getByTestId('write-send'));
    expect(service.of('command')).toEqual([]);
  });
});

describe('the state before a command', () => {
  it.each([
    ['en', 'Behaviour Beh', 'test', 'commands without the test bit are refused'],
    ['zh-CN', '行为 Beh', '测试（test）', '不带测试标志的命令会被拒绝'],
  ] as const)('is shown before the person confirms (%s)', async (language, label, value, remark) => {
    await setLanguage(language);
    const by = user();
    let answer: (told: CommandState) => void = () => {};
    const service = show({
      commandState: () =>
        new Promise<CommandState>((resolve) => {
          answer = resolve;
        }),
      command: () => result(),
    });
    await choose(by, language === 'en' ? 'On (1)' : '合 (1)');
    await screen.findByTestId('write-before');
    await by.click(screen.getByTestId('write-send'));
    expect(service.of('command')).toEqual([]);
    act(() => answer(state()));
    const row = await screen.findByRole('row');
    expect(row.textContent).toBe(`${label}${value} ${remark}`);
    expect(service.of('commandState')).toHaveLength(1);
  });

  it('is asked for once, and again by hand', async () => {
    const by = user();
    const service = show();
    await choose(by);
    await screen.findByRole('row');
    await by.click(screen.getByRole('button', { name: 'Ask again' }));
    await waitFor(() => expect(service.of('commandState')).toHaveLength(2));
  });

  it('that cannot be read is told, and holds nothing back', async () => {
    const by = user();
    const service = show({
      commandState: () => {
        throw new AppError('TIMEOUT_RESPONSE', quoted('The device did not answer.'));
      },
      command: () => result(),
    });
    await choose(by);
    expect((await screen.findByTestId('error-notice')).textContent).toContain('did not answer');
    await confirm(by);
    await screen.findByTestId('write-outcome');
    expect(service.of('command')).toHaveLength(1);
  });

  it('that stands in the way of every command is the reason why nothing is sent', async () => {
    const by = user();
    const service = show({
      commandState: () =>
        state({ steps: [], obstacle: 'CB1 cannot be commanded.', obstacle_message: say('control.status_only', { point: 'CB1' }) }),
    });
    await choose(by);
    expect((await screen.findByTestId('write-obstacle')).textContent).toContain('status-only (0)');
    expect(screen.queryByTestId('write-select')).toBeNull();
    await by.click(screen.getByTestId('write-send'));
    expect(service.of('command')).toEqual([]);
  });
});

describe('select, then execute', () => {
  async function select(by: User, remaining: number | null, answers: Answers = {}) {
    const service = show({ command: () => SELECTED(remaining), ...answers });
    await choose(by);
    await confirm(by, 'write-select');
    await screen.findByTestId('write-selection');
    return service;
  }

  it('executes with what was selected, value and options, and not by the key that led there', async () => {
    const by = user();
    const service = show({ command: () => SELECTED(600_000) });
    await by.click(await screen.findByTestId('write-options'));
    await by.click(screen.getByRole('switch', { name: /^Test/ }));
    await choose(by);
    await confirm(by, 'write-select');
    expect((await screen.findByTestId('write-outcome')).textContent).toContain('Nothing is operated yet');
    expect(document.activeElement).toBe(screen.getByTestId('write-cancel-selection'));
    service.answers.command = () => result();
    await by.click(screen.getByTestId('write-execute'));
    await screen.findByText('The device confirmed the command.');
    const given = { test: true };
    expect(service.of('command')).toEqual([
      { channel_id: 1, point_id: 8, frame_type: 2, step: 'select', value: 1, options: given, ...AGREED },
      { channel_id: 1, point_id: 8, frame_type: 2, step: 'execute', value: 1, options: { read_back: true, ...given }, ...AGREED },
    ]);
    expect(useSelectionStore.getState().selections).toEqual({});
  });

  it('shows a selection that stands behind its command, and executes it again', async () => {
    const by = user();
    const service = await select(by, 600_000);
    service.answers.command = () => SELECTED(20_000);
    for (let time = 0; time < 2; time++) {
      await by.click(screen.getByTestId('write-execute'));
      await screen.findByText('The device confirmed the command.');
      expect(screen.getByTestId('write-countdown').textContent).toContain('0:20');
    }
    service.answers.command = () => result();
    await by.click(screen.getByTestId('write-cancel-selection'));
    await waitFor(() => expect(useSelectionStore.getState().selections).toEqual({}));
    expect(service.of('command').map((sent) => (sent as { step: string }).step)).toEqual(['select', 'execute', 'execute', 'cancel']);
  });

  it.each(['rejected', 'unknown'] as const)(
    'keeps a selection that the device says stands behind a command that ended %s',
    async (outcome) => {
      const by = user();
      const service = await select(by, 600_000);
      service.answers.command = () => ({ ...SELECTED(20_000), outcome });
      await by.click(screen.getByTestId('write-execute'));
      await waitFor(() => expect(screen.getByTestId('write-countdown').textContent).toContain('0:20'));
      service.answers.command = () => result({ outcome });
      await by.click(screen.getByTestId('write-execute'));
      await waitFor(() => expect(useSelectionStore.getState().selections).toEqual({}));
    },
  );

  it.each([
    ['en', 'The selection ends in 0:30', 'The selection has run out'],
    ['zh-CN', '选择将在 0:30 后失效', '选择已超时'],
  ] as const)('counts down and tells when the time has run out; nothing can be executed then (%s)', async (language, left, over) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const by = user();
    const service = await select(by, 30_000);
    await act(() => setLanguage(language));
    expect(screen.getByTestId('write-countdown').textContent).toBe(left);
    await pass(15_000);
    expect(screen.getByTestId('write-countdown').textContent).toMatch(/0:1[45]/);
    await pass(16_000);
    expect((await screen.findByTestId('write-selection-over')).textContent).toContain(over);
    expect(screen.queryByTestId('write-execute')).toBeNull();
    expect(await useWriteStore.getState().sendSelected('execute')).toBeNull();
    expect(service.of('command')).toHaveLength(1);
  });

  it.each([
    ['the device says that it does not end by itself', SELECTED(null, true), 'The selection stands until it is executed or cancelled'],
    ['the device does not say when it ends', SELECTED(null), 'The device does not say how long it keeps the selection'],
    ['the protocol does not tell', result({}), 'The device does not say how long it keeps the selection'],
  ])('does not count where %s', async (_, answer, words) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const by = user();
    await select(by, null, { command: () => answer });
    await pass(60_000);
    expect(screen.getByTestId('write-countdown').textContent).toBe(words);
  });

  it('stands when the dialog is closed, and is there when it is opened again', async () => {
    const by = user();
    const service = await select(by, 600_000);
    act(() => useWriteStore.getState().close());
    act(() => useWriteStore.getState().open({ channel, point: BREAKER }));
    expect((await screen.findByTestId('write-selection')).textContent).toContain('On (1) is selected for CB1');
    service.answers.command = () => result();
    await by.click(screen.getByTestId('write-cancel-selection'));
    await screen.findByText('Cancelled. Nothing is selected or under way any more.');
    expect(service.of('command')[1]).toEqual({ channel_id: 1, point_id: 8, frame_type: 2, step: 'cancel', ...AGREED });
    expect(useSelectionStore.getState().selections).toEqual({});
  });

  it('is told as a notification when it runs out behind a closed dialog', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const by = user();
    await select(by, 5000);
    act(() => useWriteStore.getState().close());
    await pass(6000);
    expect(await screen.findByText('CB1: The selection has run out')).toBeTruthy();
  });

  it('ends with its connection', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const by = user();
    const service = await select(by, null);
    service.answers.listChannels = () => [{ ...channel, status: 'reconnecting' }];
    await pass(3000);
    expect((await screen.findByTestId('write-selection-over')).textContent).toContain('The connection ended');
  });

  it('that the service does not know any more is forgotten, with its reason', async () => {
    const by = user();
    const service = await select(by, 600_000);
    service.answers.command = () => {
      throw new AppError('STATE_CONFLICT', quoted('CB1 is not selected on this connection.'));
    };
    await by.click(screen.getByTestId('write-execute'));
    expect((await screen.findByTestId('error-notice')).textContent).toContain('not selected');
    expect(screen.queryByTestId('write-selection')).toBeNull();
  });

  it('is not offered where the device says that it has no selection', async () => {
    const by = user();
    show({ commandState: () => state({ steps: ['operate'] }) });
    await choose(by);
    await screen.findByRole('row');
    expect(screen.queryByTestId('write-select')).toBeNull();
  });

  it('nothing is executed once the channel is disarmed', async () => {
    const by = user();
    const service = await select(by, 600_000);
    act(() => disarm(1));
    await by.click(screen.getByTestId('write-execute'));
    expect(await useWriteStore.getState().sendSelected('execute')).toBeNull();
    expect(service.of('command')).toHaveLength(1);
  });
});

describe('a cancel of the command under way', () => {
  it('is sent beside it, once, and the command is followed to its own end', async () => {
    const by = user();
    let end: (told: CommandResult) => void = () => {};
    const service = show({
      command: ({ step }) =>
        step === 'cancel'
          ? result()
          : new Promise<CommandResult>((resolve) => {
              end = resolve;
            }),
    });
    await choose(by);
    await confirm(by);
    await by.click(await screen.findByTestId('write-cancel-command'));
    await screen.findByText('The device took the cancel. What became of the command follows here.');
    expect(screen.queryByTestId('write-cancel-command')).toBeNull();
    act(() => end(result({ outcome: 'rejected', stages: [{ name: 'rejected', at: AT, detail: 'abortion-by-cancel (15)' }] })));
    expect((await screen.findByTestId('write-refusal')).textContent).toBe('abortion-by-cancel (15)');
    expect(service.of('command').map(({ step }) => step)).toEqual(['operate', 'cancel']);
  });

  it('that was refused is told, and can be sent again', async () => {
    const by = user();
    show({
      command: ({ step }) => {
        if (step === 'cancel') throw new AppError('STATE_CONFLICT', quoted('There is nothing to cancel.'));
        return new Promise<CommandResult>(() => {});
      },
    });
    await choose(by);
    await confirm(by);
    await by.click(await screen.findByTestId('write-cancel-command'));
    expect(await screen.findByText('The cancel did not succeed; the command goes on.')).toBeTruthy();
    expect(screen.getByTestId('write-cancel-command')).toBeTruthy();
  });
});

describe('words of states', () => {
  it.each([
    ['en', 'YX1: Off (0) → Intermediate (2)'],
    ['zh-CN', 'YX1：分 (0) → 中间态 (2)'],
  ] as const)('a double point that reacted is told in words (%s)', async (language, text) => {
    await setLanguage(language);
    const by = user();
    const reaction = { point_id: 1, code: 'YX1', frame_type: 1, before: 0, after: 2, after_text: 'intermediate', delay_ms: 9 } as const;
    show({ command: () => result({ reaction }) });
    await choose(by, language === 'en' ? 'On (1)' : '合 (1)');
    await confirm(by);
    expect((await screen.findByTestId('write-outcome')).textContent).toContain(text);
  });

  it('an enumeration keeps its own word, a measurement its number', async () => {
    const by = user();
    const reaction = { point_id: 1, code: 'YX1', frame_type: 1, before: 1, before_text: 'blocked', after: 2, delay_ms: 9 } as const;
    const service = show({ command: () => result({ reaction }) });
    await choose(by);
    await confirm(by);
    expect((await screen.findByTestId('write-outcome')).textContent).toContain('YX1: blocked → Intermediate (2)');
    service.answers.command = () => result({ reaction: { ...reaction, frame_type: 0, before_text: '' } });
    await by.click(screen.getByRole('button', { name: 'Write again' }));
    await by.click(screen.getByTestId('write-next'));
    await confirm(by);
    expect((await screen.findByTestId('write-outcome')).textContent).toContain('YX1: 1 → 2');
  });
});
