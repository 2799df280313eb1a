import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { CommandResult } from '#shared/contract/points.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { holdActions, sendActions } from '../../api/held-requests.ts';
import { noteSession, useProjectSession } from '../../app/project-session.ts';
import { aChannel, aPoint, fakeService } from '../testing/fake-service.ts';
import { arm, disarm, useArmingStore } from './arming.ts';
import { resetWrites } from './reset-writes.ts';
import { rememberSelection, useSelectionStore } from './selections.ts';
import { mustLook, useWriteStore } from './write-store.ts';

const channel = aChannel();
const serving = aChannel({ id: 4, conn_type: 1 });
const point = aPoint({ id: 8, code: 'YK001', frame_type: 2 });
const other = aPoint({ id: 9, code: 'YK002', frame_type: 2 });
const KEY = { point_id: 8, frame_type: 2, expect: { code: 'YK001', address: 100, reference: '', slave_id: 1, bit: null } };
const KEPT = { channelId: 1, code: 'YK001', value: 1, options: { test: true }, isEndless: false };

const result = (change: Partial<CommandResult> = {}): CommandResult => ({
  outcome: 'accepted',
  stages: [{ name: 'confirmed', at: '2026-03-01T08:00:05.100Z', detail: '' }],
  reaction: null,
  audit_id: 17,
  ...change,
});
const refusal = (code: ConstructorParameters<typeof AppError>[0] = 'CONFIG_INVALID') => new AppError(code, quoted('no'));
const write = () => useWriteStore.getState();
const selections = () => useSelectionStore.getState().selections;

/** A dialog at the step before a command. */
function confirming(target = { channel, point }, value: number | null = 1) {
  write().open(target);
  write().setValue(value);
  write().goTo('confirm');
}

/** An answer that comes when it is told to. */
function later<Answer>() {
  let settle: (answer: Answer | AppError) => void = () => {};
  const answer = new Promise<Answer>((resolve, reject) => {
    settle = (given) => (given instanceof AppError ? reject(given) : resolve(given));
  });
  return { answer, settle };
}

beforeEach(() => {
  vi.unstubAllGlobals();
  useProjectSession.setState({ session: null, openings: 0 });
  sendActions();
  resetWrites();
  arm(channel);
});

describe('the dialog of a write', () => {
  it('opens with nothing of the command before it', async () => {
    fakeService({ command: () => result() });
    confirming();
    write().setOptions({ test: true });
    write().setMissingOptions(['test']);
    expect(write().missingOptions).toEqual(['test']);
    write().setHasLooked(true);
    await write().send();
    useProjectSession.setState({ session: 'site 7' });
    write().open({ channel, point: other });
    const clear = {
      step: 'enter',
      value: null,
      options: {},
      missingOptions: [],
      asked: 'operate',
      end: null,
      cancel: null,
      hasLooked: false,
    };
    expect(write()).toMatchObject({ ...clear, target: { point: other }, session: 'site 7' });
    write().setValue(3);
    write().close();
    expect(write()).toMatchObject({ ...clear, target: null });
  });

  it('keeps what was entered and agreed to on the way between its steps, and asks for a look again behind an end', async () => {
    fakeService({ command: () => result({ outcome: 'rejected' }) });
    confirming();
    write().setHasLooked(true);
    write().goTo('enter');
    expect(write()).toMatchObject({ step: 'enter', value: 1, hasLooked: true });
    write().goTo('confirm');
    await write().send();
    expect(write()).toMatchObject({ step: 'done', end: { kind: 'command' } });
    useWriteStore.setState({ cancel: { end: null } });
    write().goTo('enter');
    expect(write()).toMatchObject({ step: 'enter', end: null, cancel: null, value: 1, hasLooked: false });
  });

  it('forgets an ended selection when it is left, and behind its end; a standing one stays', () => {
    const end = (ended: 'over' | null) => {
      rememberSelection(8, KEPT, null);
      useSelectionStore.setState(({ selections: { 8: kept } }) => ({ selections: kept ? { 8: { ...kept, ended } } : {} }));
    };
    write().close();
    write().open({ channel, point });
    end(null);
    write().close();
    expect(selections()).toHaveProperty('8');
    end('over');
    write().close();
    expect(selections()).toHaveProperty('8');
    write().open({ channel, point });
    write().goTo('confirm');
    expect(selections()).toHaveProperty('8');
    useWriteStore.setState({ step: 'done' });
    write().goTo('enter');
    expect(selections()).toEqual({});
    end('over');
    write().close();
    expect(selections()).toEqual({});
    end('over');
    useWriteStore.setState({ target: null, step: 'done' });
    write().goTo('enter');
    expect(selections()).toHaveProperty('8');
  });
});

describe('a command of the dialog', () => {
  it('is sent once, as it was agreed to, and is shown under way till it ends', async () => {
    const { answer, settle } = later<CommandResult>();
    const service = fakeService({ command: () => answer });
    useProjectSession.setState({ session: 'site 7' });
    confirming();
    write().setOptions({ test: true });
    useWriteStore.setState({ pending: { 9: 5 }, cancel: { end: null } });
    const sent = write().send();
    expect(write()).toMatchObject({ step: 'sending', asked: 'operate', value: 1, pending: { 8: 1, 9: 5 }, cancel: null });
    expect(await write().send()).toBeNull();
    settle(result());
    expect(await sent).toEqual({ kind: 'command', result: result() });
    expect(write()).toMatchObject({ step: 'done', end: { kind: 'command', result: result() } });
    expect(write().pending).toEqual({ 9: 5 });
    expect(write().unresolved).toEqual({});
    const expected = { ...KEY, expect: { ...KEY.expect, project_session: 'site 7' } };
    expect(service.calls).toEqual([
      { name: 'command', input: { channel_id: 1, ...expected, step: 'operate', value: 1, options: { read_back: true, test: true } } },
    ]);
  });

  it('leaves from the step of agreement only, with a value and a target', async () => {
    const service = fakeService({ command: () => result() });
    write().open({ channel, point });
    write().setValue(1);
    expect(await write().send()).toBeNull();
    confirming(undefined, null);
    expect(await write().send()).toBeNull();
    confirming();
    useWriteStore.setState({ target: null });
    expect(await write().send()).toBeNull();
    expect(await write().sendSelected('execute')).toBeNull();
    await write().cancelCommand();
    confirming();
    disarm(channel.id);
    const steps: string[] = [];
    const leave = useWriteStore.subscribe(({ step }) => steps.push(step));
    expect(await write().send()).toBeNull();
    leave();
    expect(steps).toEqual(['enter']);
    expect(write()).toMatchObject({ step: 'enter', end: null });
    expect(write().pending).toEqual({});
    expect(service.calls).toEqual([]);
  });

  it('goes on when its dialog is closed, and another one does not show its end', async () => {
    const { answer, settle } = later<CommandResult>();
    fakeService({ command: () => answer });
    confirming();
    const sent = write().send();
    write().close();
    write().open({ channel, point: other });
    expect(write().pending).toEqual({ 8: 1 });
    settle(result({ outcome: 'unknown' }));
    expect(await sent).toMatchObject({ result: { outcome: 'unknown' } });
    expect(write()).toMatchObject({ step: 'enter', end: null, unresolved: { 8: 1 } });
    expect(write().pending).toEqual({});
  });

  it('that is only written down leaves the dialog where it can be entered again', async () => {
    const service = fakeService({ command: () => result() });
    holdActions();
    useWriteStore.setState({ unresolved: { 8: 7 } });
    confirming();
    write().setHasLooked(true);
    expect(await write().send()).toBeNull();
    expect(write()).toMatchObject({ step: 'enter', end: null, unresolved: { 8: 7 } });
    expect(write().pending).toEqual({});
    rememberSelection(8, KEPT, null);
    expect(await write().sendSelected('cancel')).toBeNull();
    expect(selections()).toHaveProperty('8');
    expect(service.calls).toEqual([]);
  });

  it.each([
    ['accepted', result(), {}],
    ['rejected', result({ outcome: 'rejected' }), {}],
    ['unknown', result({ outcome: 'unknown' }), { 8: 1 }],
    ['refused', refusal(), { 8: 7 }],
    ['lost in the service', refusal('INTERNAL'), { 8: 1 }],
  ] as const)('leaves its word of the value: %s', async (_name, answer, unresolved) => {
    fakeService({
      command: () => {
        if (answer instanceof AppError) throw answer;
        return answer;
      },
    });
    confirming();
    useWriteStore.setState({ unresolved: { 8: 7 }, hasLooked: true });
    await write().send();
    expect(write().unresolved).toEqual(unresolved);
  });

  it('is lost, not refused, when nobody answers', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('network')));
    confirming();
    expect(await write().send()).toMatchObject({ kind: 'lost', error: { code: 'TRANSPORT_NOT_CONNECTED' } });
    expect(write().unresolved).toEqual({ 8: 1 });
    fakeService({
      command: () => {
        throw refusal();
      },
    });
    confirming({ channel, point: other });
    expect(await write().send()).toMatchObject({ kind: 'refused', error: { code: 'CONFIG_INVALID' } });
    expect(write().unresolved).toEqual({ 8: 1 });
  });

  it('to an unresolved point waits for a look at the device', async () => {
    const service = fakeService({ command: () => result() });
    useWriteStore.setState({ unresolved: { 8: 7 } });
    expect(mustLook(write())).toBe(false);
    confirming({ channel, point: other });
    expect(mustLook(write())).toBe(false);
    confirming();
    expect(mustLook(write())).toBe(true);
    expect(await write().send()).toBeNull();
    expect(write().step).toBe('enter');
    expect(service.calls).toEqual([]);
    write().goTo('confirm');
    write().setHasLooked(true);
    expect(mustLook(write())).toBe(false);
    await write().send();
    expect(service.calls).toHaveLength(1);
  });

  it('sets what we serve, which reaches no device and leaves nothing open', async () => {
    const served = aPoint({ id: 8, value: 1 });
    const service = fakeService({ updatePoint: () => served });
    useWriteStore.setState({ unresolved: { 8: 7 }, hasLooked: true });
    confirming({ channel: serving, point });
    write().setHasLooked(true);
    expect(await write().send()).toEqual({ kind: 'served', point: served });
    expect(service.calls).toEqual([{ name: 'updatePoint', input: { ...KEY, value: 1 } }]);
    expect(write().unresolved).toEqual({ 8: 7 });
  });

  it('of a dialog that knew no project yet is shown when one is known by then', async () => {
    const { answer, settle } = later<CommandResult>();
    fakeService({ command: () => answer });
    confirming();
    const sent = write().send();
    useProjectSession.setState({ session: 'site 7' });
    settle(result());
    await sent;
    expect(write()).toMatchObject({ step: 'done', end: { kind: 'command' }, pending: {} });
  });

  it('of a project that was left tells nothing to the points of the next one', async () => {
    const { answer, settle } = later<CommandResult>();
    fakeService({ command: () => answer });
    noteSession('first');
    confirming();
    const sent = write().send('select');
    noteSession('second');
    resetWrites();
    write().open({ channel, point });
    settle(result({ outcome: 'unknown', selection: { remaining_ms: 1000, is_endless: false } }));
    expect(await sent).toMatchObject({ kind: 'command' });
    expect(write()).toMatchObject({ step: 'enter', end: null, unresolved: {} });
    expect(selections()).toEqual({});
  });
});

describe('select, execute and cancel', () => {
  it('select shows no value as under way and keeps what stands', async () => {
    const { answer, settle } = later<CommandResult>();
    const service = fakeService({ command: () => answer });
    confirming();
    write().setOptions({ test: true });
    const sent = write().send('select');
    expect(write()).toMatchObject({ step: 'sending', asked: 'select' });
    expect(write().pending).toEqual({});
    settle(result({ selection: { remaining_ms: 30_000, is_endless: true } }));
    await sent;
    expect(service.calls[0]?.input).toEqual({ channel_id: 1, ...KEY, step: 'select', value: 1, options: { test: true } });
    expect(selections()[8]).toMatchObject({ ...KEPT, isEndless: true, ended: null, endsAt: { wall: expect.any(Number) } });
    expect(write().unresolved).toEqual({});
  });

  it.each([
    ['select', 'accepted without a word of its end', result(), true],
    ['select', 'rejected', result({ outcome: 'rejected' }), false],
    ['select', 'refused', refusal(), false],
    ['execute', 'accepted', result(), false],
    ['execute', 'rejected and still selected', result({ outcome: 'rejected', selection: { remaining_ms: null, is_endless: false } }), true],
    ['execute', 'refused by us', refusal(), true],
    ['execute', 'refused: nothing is selected', refusal('STATE_CONFLICT'), false],
    ['execute', 'lost', refusal('INTERNAL'), false],
    ['cancel', 'accepted', result(), false],
    ['cancel', 'rejected', result({ outcome: 'rejected' }), true],
    ['cancel', 'refused', refusal(), true],
    ['cancel', 'lost', refusal('INTERNAL'), true],
  ] as const)('%s, %s: what is selected then', async (step, _name, answer, stands) => {
    fakeService({
      command: () => {
        if (answer instanceof AppError) throw answer;
        return answer;
      },
    });
    confirming();
    write().setOptions({ test: true });
    if (step === 'select') await write().send('select');
    else {
      rememberSelection(8, KEPT, null);
      await write().sendSelected(step);
    }
    expect(8 in selections()).toBe(stands);
    if (stands) expect(selections()[8]).toMatchObject({ ...KEPT, endsAt: null, ended: null });
  });

  it('execute carries value and options of the selection, cancel nothing; each from any step but while one is under way', async () => {
    const service = fakeService({ command: () => result({ outcome: 'rejected' }) });
    rememberSelection(8, KEPT, null);
    write().open({ channel, point });
    write().setValue(0);
    await write().sendSelected('cancel');
    expect(write()).toMatchObject({ step: 'done', asked: 'cancel', unresolved: {} });
    await write().sendSelected('execute');
    expect(write()).toMatchObject({ step: 'done', asked: 'execute', value: 1, options: { test: true } });
    expect(service.calls.map(({ input }) => input)).toEqual([
      { channel_id: 1, ...KEY, step: 'cancel' },
      { channel_id: 1, ...KEY, step: 'execute', value: 1, options: { read_back: true, test: true } },
    ]);
    rememberSelection(8, KEPT, null);
    useWriteStore.setState({ step: 'sending' });
    expect(await write().sendSelected('execute')).toBeNull();
    useWriteStore.setState({ step: 'enter' });
    useSelectionStore.setState(({ selections: { 8: kept } }) => ({ selections: kept ? { 8: { ...kept, ended: 'lost' } } : {} }));
    expect(await write().sendSelected('execute')).toBeNull();
    useSelectionStore.setState({ selections: {} });
    expect(await write().sendSelected('execute')).toBeNull();
    expect(service.calls).toHaveLength(2);
  });

  it('a cancel goes beside the command that is under way, once, and only its own dialog shows it', async () => {
    const first = later<CommandResult>();
    const service = fakeService({ command: () => first.answer });
    useWriteStore.setState({ unresolved: {}, pending: {} });
    confirming();
    useWriteStore.setState({ step: 'sending' });
    const asked = write().cancelCommand();
    expect(write().cancel).toEqual({ end: null });
    await write().cancelCommand();
    first.settle(result());
    await asked;
    expect(write().cancel).toEqual({ end: { kind: 'command', result: result() } });
    expect(service.calls.map(({ input }) => input)).toEqual([{ channel_id: 1, ...KEY, step: 'cancel' }]);
    const second = later<CommandResult>();
    const next = fakeService({ command: () => second.answer });
    const again = write().cancelCommand();
    write().open({ channel, point: other });
    second.settle(result());
    await again;
    expect(next.calls).toHaveLength(1);
    expect(write().cancel).toBeNull();
  });

  it('a cancel that was not sent leaves no word', async () => {
    fakeService({ command: () => result() });
    confirming();
    useArmingStore.setState({ armings: {} });
    await write().cancelCommand();
    expect(write().cancel).toBeNull();
  });
});
