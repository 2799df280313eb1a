import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CheckRun, CheckSession } from '#shared/contract/check.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { Providers } from '../../app/providers.tsx';
import { aChannel, aPoint, aServiceInfo, fakeService, theSettings } from '../testing/fake-service.ts';
import { useArmingStore } from '../write/arming.ts';
import { useCheckMemory } from './check-store.ts';
import { GuidedView } from './guided-view.tsx';

const ID = (at: number) => `11111111-1111-4111-8111-11111111111${at}`;
const SESSION: CheckSession = {
  id: 1,
  uuid: ID(0),
  name: 'Visit',
  created_at: '2026-03-01T08:00:00.000Z',
  cover: {},
  logo: null,
  items: 2,
  results: 0,
  counts: { not_checked: 2, passed: 0, failed: 0, blocked: 0, check_again: 0, accepted: 0 },
};

type Item = NonNullable<CheckRun['item']>;
const item = (at: number, change: Partial<Item> = {}): Item => ({
  item: ID(at),
  channel_id: 1,
  channel: 'PCS 1',
  point_id: at,
  frame_type: 1,
  code: `P${at}`,
  name: `Point ${at}`,
  group: '',
  expectation: { kind: 'states', states: [0, 1] },
  is_there: true,
  is_watched: true,
  is_ready: true,
  now: null,
  wanted: [],
  changes: 0,
  is_moving: false,
  others: [],
  hint: [],
  waiting_ms: 0,
  ...change,
});
const runAt = (present: Item | null): CheckRun => ({
  session_id: 1,
  way: 'guided',
  operator: 'Li',
  state: present ? 'running' : 'ended',
  started_at: '2026-03-01T08:00:00.000Z',
  total: 2,
  position: 0,
  done: 0,
  item: present,
  latest: null,
  left_ms: null,
  moved: [],
  not_moved: null,
  not_ready: null,
  waiting: 0,
  results: [],
  error: null,
});

let run: CheckRun;
let now: number;
function show() {
  const service = fakeService({
    checkRun: () => ({ run }),
    checkStep: ({ item: asked }) => {
      if (asked !== run.item?.item) throw new AppError('STATE_CONFLICT', quoted(`The check is at ${run.item?.code} now.`));
      run = runAt(item(2));
      return run;
    },
    sendCheckCommand: () => runAt(null),
    listChannels: () => [aChannel()],
    pointTable: () => ({ total: 1, items: [aPoint({ id: 1, code: 'P1', frame_type: 2 })] }),
    serviceInfo: () => aServiceInfo(),
    getSettings: () => theSettings(),
    listProtocols: () => [],
  });
  render(
    <Providers env="test">
      <GuidedView session={SESSION} />
    </Providers>,
  );
  return service;
}
const press = (key: string) => fireEvent.keyDown(screen.getByTestId('guided'), { key });
const shown = (code: string) => waitFor(() => expect(screen.getByTestId('guided').dataset.item).toBe(code));

beforeEach(() => {
  now = 1000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  useCheckMemory.setState({ operator: 'Li', remark: null, isSpoken: false });
  useArmingStore.setState({ armings: {} });
});
afterEach(() => vi.restoreAllMocks());

it('takes no key for the item that the program itself has just come to, and takes it a moment later', async () => {
  run = runAt(item(1));
  const service = show();
  await shown('P1');
  run = runAt(item(2));
  await shown('P2');
  press(' ');
  expect((await screen.findByTestId('guided-trouble')).textContent).toContain('just changed');
  expect(service.of('checkStep')).toEqual([]);
  now += 601;
  press('f');
  await waitFor(() => expect(service.of('checkStep')).toMatchObject([{ item: ID(2), action: 'fail' }]));
});

it('says what is checked now where a step came too late, and appends nothing', async () => {
  run = runAt(item(1));
  const service = show();
  await shown('P1');
  run = runAt(item(2));
  press('s');
  await waitFor(() => expect(service.of('checkStep')).toMatchObject([{ item: ID(1), action: 'skip' }]));
  await shown('P2');
});

it('has the keyboard with its first item, and leaves it to a remark that was begun before the page was at rest', async () => {
  const late: (() => void)[] = [];
  const { setTimeout: later } = globalThis;
  // where the keyboard goes first is decided a moment after a dialog has opened
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms?: number) => {
    if (ms !== undefined) return later(work, ms);
    late.push(work);
    return 0;
  }) as typeof setTimeout);
  run = runAt(item(1));
  show();
  await shown('P1');
  expect(document.activeElement).toBe(screen.getByTestId('guided'));
  expect(late.length).toBeGreaterThan(0);
  press('m');
  act(() => {
    for (const work of late) work();
  });
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Remark: P1' }));
});

it('sends a remark with the result of its item', async () => {
  useCheckMemory.setState({ remark: { sessionId: 1, item: ID(1), code: 'P1', text: 'terminal 4' } });
  run = runAt(item(1));
  const service = show();
  await shown('P1');
  press('f');
  await waitFor(() => expect(service.of('checkStep')).toMatchObject([{ action: 'fail', remark: 'terminal 4' }]));
  await waitFor(() => expect(useCheckMemory.getState().remark).toBeNull());
});

it('sends a command only in an armed channel, after a confirmation, once', async () => {
  run = runAt(item(1, { frame_type: 2, expectation: { kind: 'command', value: 1, feedback: null, within_ms: 5000 } }));
  const service = show();
  await shown('P1');
  press('Enter');
  const send = await screen.findByTestId('check-send-do');
  expect(screen.getByTestId('check-send').textContent).toContain('Write 1 V to P1 Voltage on channel PCS 1?');
  expect(send.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(send);
  expect(service.of('sendCheckCommand')).toEqual([]);
  fireEvent.click(await screen.findByRole('button', { name: 'Arm writing' }));
  await waitFor(() => expect(screen.getByTestId('check-send-do').getAttribute('aria-disabled')).toBeNull());
  fireEvent.click(screen.getByTestId('check-send-do'));
  await waitFor(() => expect(service.of('sendCheckCommand')).toEqual([{ item: ID(1) }]));
});

it('offers no command of another service: a point of the same numbers here is another one', async () => {
  const expectation = { kind: 'command', value: 1, feedback: null, within_ms: 5000 } as const;
  run = runAt(item(1, { frame_type: 2, expectation, service: 'Cabinet 7', is_watched: false }));
  show();
  await shown('P1');
  expect(screen.getByTestId('guided').textContent).toContain('Cabinet 7 · PCS 1');
  expect(screen.getByTestId('guided-status').textContent).toContain('Only Cabinet 7 sends it');
  expect(screen.queryByTestId('guided-send')).toBeNull();
  press('Enter');
  press('m');
  expect(await screen.findByRole('textbox', { name: 'Remark: P1' })).not.toBeNull();
  expect(screen.queryByTestId('check-send')).toBeNull();
});

it('says why nothing is known of an item whose service is silent', async () => {
  const trouble = { code: 'remote.silent', params: { name: 'Cabinet 7', seconds: 3 } };
  run = runAt(item(1, { service: 'Cabinet 7', trouble }));
  show();
  await shown('P1');
  expect(screen.getByTestId('guided-status').textContent).toContain('Cabinet 7 did not answer within 3 s.');
});
