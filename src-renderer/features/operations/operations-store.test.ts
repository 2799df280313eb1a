import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { aChannel, fakeService } from '../testing/fake-service.ts';
import { arm, disarm } from '../write/arming.ts';
import type { Operation } from './operation-model.ts';
import { endTone, endWord, type OperationEnd, type OperationReport, useOperationsStore } from './operations-store.ts';

const channel = aChannel();
const READ_CLOCK = { name: 'read_clock', effect: 'query' } as Operation;
const SET_CLOCK = { name: 'set_clock', effect: 'command' } as Operation;
const REPORT = { outcome: 'accepted' } as OperationReport;
const store = () => useOperationsStore.getState();
const error = (code: ConstructorParameters<typeof AppError>[0]) => new AppError(code, quoted('no'));

beforeEach(() => {
  vi.unstubAllGlobals();
  disarm(channel.id);
  useOperationsStore.setState({ runs: {}, chosen: {}, given: {} });
});

describe('the operations of a channel', () => {
  it('remember what was chosen and given, each channel its own', () => {
    store().choose(1, 'read_clock');
    store().choose(2, 'freeze');
    store().choose(1, 'set_clock');
    store().remember(1, { slave_id: 3, at: 'now' });
    store().remember(2, { slave_id: 9 });
    store().remember(1, { slave_id: 4 });
    expect(store().chosen).toEqual({ 1: 'set_clock', 2: 'freeze' });
    expect(store().given).toEqual({ 1: { slave_id: 4, at: 'now' }, 2: { slave_id: 9 } });
  });

  it('run once at a time, each on its own, and keep their last end', async () => {
    let settle: (report: OperationReport) => void = () => {};
    const service = fakeService({
      deviceOperation: ({ operation }) => (operation === 'read_clock' ? new Promise((done) => (settle = done)) : REPORT),
    });
    arm(channel);
    const first = store().run(channel, READ_CLOCK, { slave_id: 3 });
    expect(store().runs).toEqual({ '1 read_clock': { at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/), end: null } });
    expect(await store().run(channel, READ_CLOCK, {})).toBeNull();
    expect(await store().run(channel, SET_CLOCK, {})).toEqual({ kind: 'report', report: REPORT });
    settle(REPORT);
    expect(await first).toEqual({ kind: 'report', report: REPORT });
    const ended = { at: expect.any(String), end: { kind: 'report', report: REPORT } };
    expect(store().runs).toEqual({ '1 read_clock': ended, '1 set_clock': ended });
    expect(service.calls.map(({ input }) => input)).toEqual([
      { channel_id: 1, operation: 'read_clock', params: { slave_id: 3 } },
      { channel_id: 1, operation: 'set_clock', params: {} },
    ]);
    fakeService({ deviceOperation: () => REPORT });
    expect(await store().run(channel, READ_CLOCK, {})).not.toBeNull();
  });

  it('that may not be sent leave the run before it as it was, and none where there was none', async () => {
    const service = fakeService({ deviceOperation: () => REPORT });
    expect(await store().run(channel, SET_CLOCK, {})).toBeNull();
    expect(store().runs).toEqual({});
    arm(channel);
    await store().run(channel, SET_CLOCK, {});
    const before = store().runs;
    disarm(channel.id);
    expect(await store().run(channel, SET_CLOCK, {})).toBeNull();
    expect(store().runs).toEqual(before);
    expect(await store().run(channel, READ_CLOCK, {})).not.toBeNull();
    expect(service.calls).toHaveLength(2);
  });

  it('are refused where the service says so, and lost where nobody knows', async () => {
    const answers = [error('CONFIG_INVALID'), error('INTERNAL')];
    fakeService({
      deviceOperation: () => {
        throw answers.shift();
      },
    });
    expect(await store().run(channel, READ_CLOCK, {})).toMatchObject({ kind: 'refused', error: { code: 'CONFIG_INVALID' } });
    expect(await store().run(channel, READ_CLOCK, {})).toMatchObject({ kind: 'lost', error: { code: 'INTERNAL' } });
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('network')));
    arm(channel);
    expect(await store().run(channel, SET_CLOCK, {})).toMatchObject({ kind: 'lost', error: { code: 'TRANSPORT_NOT_CONNECTED' } });
  });

  it.each([
    [{ kind: 'report', report: REPORT }, 'accepted', 'ok'],
    [{ kind: 'report', report: { outcome: 'unknown' } }, 'unknown', 'warn'],
    [{ kind: 'report', report: { outcome: 'rejected' } }, 'rejected', 'bad'],
    [{ kind: 'lost', error: error('INTERNAL') }, 'unknown', 'warn'],
    [{ kind: 'refused', error: error('CONFIG_INVALID') }, 'failed', 'bad'],
  ])('have a word and a tone for their end: %o', (end, word, tone) => {
    expect(endWord(end as OperationEnd)).toBe(word);
    expect(endTone(end as OperationEnd)).toBe(tone);
  });
});
