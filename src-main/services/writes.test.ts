import { describe, expect, it, vi } from 'vitest';
import type { CommandResult } from '#shared/contract/points.ts';
import { type CommandStep, ConnType, FrameType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import type { CommandStage, DriverCommandResult, PointConfig } from '../drivers/spi/index.ts';
import type { StoredChannel } from '../persistence/repositories.ts';
import { makeBench, point } from '../runtime/testing/harness.ts';
import type { CallContext } from './handlers.ts';
import type { ServiceDeps } from './ports.ts';
import { confirmationTime, sendOnce, told, type WriteRequest, writeHandlers } from './writes.ts';

const SWITCH = point(1, { frame_type: FrameType.yk, code: 'SWITCH', related_code: 'RUN' });
const RUN = point(2, { frame_type: FrameType.yx, code: 'RUN' });
const SETPOINT = point(3, { frame_type: FrameType.yt, code: 'P_SET', unit: 'kW', min_limit: -10, max_limit: 40, address: 3 });
const PLAIN = point(4, { frame_type: FrameType.yt, code: 'PLAIN', min_limit: 0 });

/** A device took a value: `stages` are what it said. */
const accepted = (...stages: CommandStage[]): DriverCommandResult => ({ outcome: 'accepted', stages, refusal: null, failure: null });
const stage = (name: string, at = 0, detail = name): CommandStage => ({ name, at, detail: quoted(detail) });

interface Plant {
  readonly settings?: Partial<StoredChannel>;
  readonly isStarted?: boolean;
  /** The raw range of the protocol. */
  readonly checkValue?: (point: PointConfig, value: number) => void;
  /** What the device says to a command, and when it is asked; left out: the fake device takes it. */
  readonly execute?: () => Promise<DriverCommandResult>;
}

/** A started channel, and the operations over it. */
async function plant({ settings, isStarted = true, checkValue, execute }: Plant = {}) {
  const bench = makeBench([SWITCH, RUN, SETPOINT, PLAIN], { retries: 0, ...settings });
  const { channel, clock } = bench;
  bench.plant.readsSetpoints = true;
  if (isStarted) await channel.start();
  if (checkValue) Object.assign(channel.driver, { checkValue });
  const sent = vi.spyOn(channel, 'execute');
  if (execute) sent.mockImplementation(execute);
  const audit: { open: object; touch: object | undefined; close?: [outcome: string, detail: unknown] }[] = [];
  const settled: unknown[] = [];
  const faults: unknown[] = [];
  const session = {
    id: 'here',
    channels: bench.manager,
    commands: { add() {} },
    store: {
      settings: { read: () => undefined },
      audit: {
        open: (open: object, touch?: object) => audit.push({ open, touch }),
        close(id: number, ...close: [string, unknown]) {
          Object.assign(audit[id - 1] ?? {}, { close: close.slice(0, 2) });
        },
      },
      setpoints: { settle: (touch: object, value: number) => void settled.push([touch, value]) },
    },
  };
  const deps = {
    clock,
    logger: { ...bench.ports.logger, error: (fields: object) => void faults.push(fields) },
    facts: { forcedReadOnly: false },
    projects: { current: () => session },
  } as unknown as ServiceDeps;
  const warnings: unknown[] = [];
  const context: CallContext<'command'> = {
    ...{ source: 'api', effect: 'command', caller: { name: 'Li', role: 'operate' } },
    warn: (path, { code, params }) => void warnings.push([path, code, params]),
  } as CallContext<'command'>;
  const handlers = writeHandlers(deps);
  /** Awaits an operation while the clock goes on; answers its error where it has one. */
  async function ended<Value>(work: Promise<Value>): Promise<Value> {
    const settledWork = Promise.allSettled([work]);
    await clock.advance(70_000);
    const [end] = await settledWork;
    if (end?.status !== 'fulfilled') throw end?.reason;
    return end.value;
  }
  const update = ({ id, frame_type }: PointConfig, value: number, expect_?: object) =>
    ended(handlers.updatePoint({ point_id: id, frame_type, value, expect: expect_ } as never, context) as Promise<Record<string, unknown>>);
  const command = (
    { id, frame_type }: PointConfig,
    asked: { step?: CommandStep; value?: number | undefined; options?: object; expect?: object },
  ) => {
    const request = { channel_id: 1, point_id: id, frame_type, step: 'operate', options: {}, ...asked };
    return ended(handlers.command(request as never, context) as Promise<CommandResult>);
  };
  const state = ({ id, frame_type }: PointConfig, options: object = {}) =>
    ended(
      handlers.commandState({ channel_id: 1, point_id: id, frame_type, options } as never, { ...context, effect: 'repeatable' }) as Promise<
        Record<string, unknown>
      >,
    );
  const names = (result: CommandResult) => result.stages.map(({ name }) => name);
  return { ...bench, deps, context, session, sent, audit, settled, faults, warnings, update, command, state, names };
}
const OPERATE = { value: 1, options: { reaction_timeout_ms: 0 } };

describe('a value that is written', () => {
  it('is sent once, read back, and answered as the point has it; the audit says who and what', async () => {
    const { update, plant: device, sent, audit, warnings } = await plant();
    device.value = 5;
    expect(await update(SETPOINT, 5)).toMatchObject({ code: 'P_SET', value: 5, quality: 'good' });
    expect(sent.mock.calls).toEqual([[{ point: SETPOINT, step: 'operate', value: 5, options: {} }]]);
    expect(audit).toMatchObject([
      {
        open: { point_id: 3, frame_type: 3, code: 'P_SET', operation: null, step: 'operate', value: 5, source: 'api', caller: 'Li' },
        close: ['accepted', {}],
      },
    ]);
    expect(audit[0]?.open).not.toHaveProperty('check_session');
    expect(warnings).toEqual([]);
  });

  it('that the device does not have afterwards is warned of, with both values', async () => {
    const { update, plant: device, warnings } = await plant();
    device.value = 4;
    expect(await update(SETPOINT, 9)).toMatchObject({ value: 4 });
    expect(warnings).toEqual([['value', 'service.read_back_other', { read: 4, value: 9 }]]);
  });

  it('is written all the same where it cannot be read back; that is warned of', async () => {
    const { update, plant: device, warnings, settled } = await plant();
    device.moods.set(1, 'timeout');
    expect(await update(SETPOINT, 5)).toMatchObject({ code: 'P_SET', quality: 'never' });
    expect(warnings).toMatchObject([['value', 'service.read_back_failed', { reason: expect.anything() }]]);
    expect(settled).toEqual([]);
  });

  it('beyond its limits is sent and warned of, in its unit', async () => {
    const { update, sent, warnings, plant: device } = await plant();
    for (const value of [-11, -10, 40, 41]) {
      device.value = value;
      await update(SETPOINT, value);
    }
    device.value = -1;
    await update(PLAIN, -1);
    expect(warnings).toEqual([
      ['value', 'service.below_limit', { limit: '-10 kW', point: 'P_SET' }],
      ['value', 'service.above_limit', { limit: '40 kW', point: 'P_SET' }],
      ['value', 'service.below_limit', { limit: 0, point: 'PLAIN' }],
    ]);
    expect(sent).toHaveBeenCalledTimes(5);
  });

  it('beyond the raw range is an issue of the field, and nothing is sent', async () => {
    const checkValue = (_point: PointConfig, value: number) => {
      if (value > 100) throw new AppError('CONFIG_RANGE', quoted('at most 100'));
    };
    const { update, sent, audit } = await plant({ checkValue });
    await expect(update(SETPOINT, 101)).rejects.toMatchObject({ code: 'CONFIG_RANGE', data: [{ path: 'value', message: 'at most 100' }] });
    expect([sent.mock.calls, audit]).toEqual([[], []]);
    await update(SETPOINT, 100);
    expect(sent).toHaveBeenCalledOnce();
  });

  it('is refused as the fault says where the range cannot be told', async () => {
    const checkValue = () => {
      throw new AppError('INTERNAL', quoted('broken'));
    };
    await expect((await plant({ checkValue })).update(SETPOINT, 1)).rejects.toMatchObject({ code: 'INTERNAL', data: null });
  });

  it('of a point that is only read is refused; on a served table it is not', async () => {
    const { update, sent } = await plant();
    await expect(update(RUN, 1)).rejects.toMatchObject({ status: 422, data: [{ path: 'frame_type' }] });
    expect(sent).not.toHaveBeenCalled();
    const served = await plant({ settings: { conn_type: ConnType.tcpServer, port: 0 } });
    await served.update(RUN, 1);
    expect(served.sent).toHaveBeenCalledOnce();
  });

  it('that the device refuses is a 502 with the kind and the words of the refusal', async () => {
    const refusal = { kind: 'busy', detail: quoted('try later') };
    const { update, audit } = await plant({ execute: async () => ({ outcome: 'rejected', stages: [], refusal, failure: null }) });
    await expect(update(SETPOINT, 5)).rejects.toMatchObject({
      ...{ code: 'DEVICE_REJECTED', status: 502, data: { kind: 'busy', detail: 'try later' } },
      message: expect.stringContaining('try later'),
    });
    expect(audit[0]?.close?.[0]).toBe('rejected');
    const wordless = await plant({
      execute: async () => ({ outcome: 'rejected', stages: [stage('negative')], refusal: null, failure: null }),
    });
    await expect(wordless.update(SETPOINT, 5)).rejects.toMatchObject({
      data: { kind: 'rejected', detail: expect.stringContaining('negative') },
    });
  });

  it('that the device does not confirm is a 504 with the reason there is', async () => {
    const failure = new AppError('TIMEOUT_RESPONSE', quoted('nothing came'));
    const {
      update,
      audit,
      plant: device,
    } = await plant({ execute: async () => ({ outcome: 'unknown', stages: [], refusal: null, failure }) });
    const asked = device.exchanges.length;
    await expect(update(SETPOINT, 5)).rejects.toMatchObject({ code: 'TIMEOUT_RESPONSE', said: { params: { reason: failure.said } } });
    expect([audit[0]?.close?.[0], device.exchanges.length - asked]).toEqual(['unknown', 0]);
    const reasonless = await plant({ execute: async () => ({ outcome: 'unknown', stages: [], refusal: null, failure: null }) });
    await expect(reasonless.update(SETPOINT, 5)).rejects.toMatchObject({ code: 'TIMEOUT_RESPONSE', said: { params: {} } });
  });

  it('is not sent while the channel is not started, and for a point or a project that it was not meant for', async () => {
    const stopped = await plant({ isStarted: false });
    await expect(stopped.update(SETPOINT, 5)).rejects.toMatchObject({ status: 409 });
    const { update, sent } = await plant();
    await expect(update(SETPOINT, 5, { project_session: 'there', code: 'P_SET', address: 3, reference: '' })).rejects.toMatchObject({
      status: 409,
    });
    await expect(update(SETPOINT, 5, { code: 'P_SET', address: 8, reference: '' })).rejects.toMatchObject({
      data: [{ path: 'expect.address' }],
    });
    expect([stopped.sent.mock.calls, sent.mock.calls]).toEqual([[], []]);
    await update(SETPOINT, 5, { project_session: 'here', code: 'P_SET', address: 3, reference: '' });
    expect(sent).toHaveBeenCalledOnce();
  });
});

describe('a fault while something is sent', () => {
  it.each([
    ['whose end nobody knows leaves the audit at unknown', 'INTERNAL', 'unknown'],
    ['before anything was sent is a failure', 'STATE_BUSY', 'failed'],
  ] as const)('%s', async (_, code, outcome) => {
    const { update, audit } = await plant({ execute: () => Promise.reject(new AppError(code, quoted('broken'))) });
    await expect(update(SETPOINT, 5)).rejects.toMatchObject({ code });
    expect(audit[0]?.close?.[0]).toBe(outcome);
  });
});

describe('a setpoint of a device', () => {
  it('is noted with its value from before; after a write what was read before tells nothing', async () => {
    const { update, audit, plant: device, channel, clock } = await plant();
    device.value = 7;
    const read = channel.readSingle(3);
    await clock.advance(50);
    await read;
    // the device gives another value than the written one, and does not answer the read behind the write
    device.moods.set(1, 'timeout');
    await update(SETPOINT, 9);
    await update(SETPOINT, 11);
    expect(audit.map(({ touch }) => touch)).toMatchObject([{ before: 7 }, { before: null }]);
  });

  it('is a touched one no more when it has its value from before', async () => {
    const { update, plant: device, settled } = await plant();
    device.value = 8;
    await update(SETPOINT, 9);
    expect(settled).toEqual([]);
    await update(SETPOINT, 8);
    expect(settled).toMatchObject([[{ point: { id: 3 } }, 8]]);
  });

  it('that cannot be noted as restored is written all the same', async () => {
    const { update, plant: device, session, faults } = await plant();
    const full = new Error('disk full');
    session.store.setpoints.settle = () => {
      throw full;
    };
    device.value = 9;
    expect(await update(SETPOINT, 9)).toMatchObject({ value: 9 });
    expect(faults).toEqual([{ err: full, pointId: 3 }]);
  });

  it.each<[string, PointConfig, CommandStep, number | undefined]>([
    ['a control', SWITCH, 'operate', 1],
    ['a selection', SETPOINT, 'select', 1],
    ['a cancellation', SETPOINT, 'cancel', undefined],
    ['an execution without a value', SETPOINT, 'execute', undefined],
  ])('is not touched by %s', async (_, of, step, value) => {
    const { deps, channel, context, audit, clock } = await plant({ execute: async () => accepted() });
    const sending = sendOnce(deps, { channel, point: of }, { step, value, options: {} } satisfies WriteRequest, context);
    await clock.advance(100);
    await sending;
    expect(audit).toMatchObject([{ open: { step, value: value ?? null }, touch: undefined }]);
  });

  it('that is written in a check says so in the audit', async () => {
    const { deps, channel, context, audit, clock } = await plant();
    const sending = sendOnce(
      deps,
      { channel, point: SETPOINT },
      { step: 'execute', value: 1, options: {}, checkSession: 'visit' },
      context,
    );
    await clock.advance(100);
    await sending;
    expect(audit).toMatchObject([{ open: { check_session: 'visit' }, touch: { point: { id: 3 } } }]);
  });
});

describe('a command', () => {
  it('needs a value, but for a cancellation', async () => {
    const { command, sent } = await plant();
    await expect(command(SWITCH, { value: undefined })).rejects.toMatchObject({ status: 422, data: [{ path: 'value' }] });
    expect(sent).not.toHaveBeenCalled();
    expect(await command(SWITCH, { step: 'cancel', value: undefined })).toMatchObject({ outcome: 'accepted' });
  });

  it('has a step that the protocol has; others are refused with those there are', async () => {
    const { command, sent, channel } = await plant();
    const path = [{ path: 'step', message: expect.stringContaining('cancel') }];
    await expect(command(SWITCH, { step: 'select', value: 1 })).rejects.toMatchObject({ status: 422, data: path });
    Object.assign(channel.driver.descriptor, { commandSteps: [] });
    await expect(command(SWITCH, OPERATE)).rejects.toMatchObject({ data: [{ message: expect.stringMatching(/no commands/) }] });
    expect(sent).not.toHaveBeenCalled();
  });

  it('of another project is refused, and so is one for a point of another type', async () => {
    const { command, sent } = await plant();
    const expect_ = { project_session: 'there', code: 'SWITCH', address: 1, reference: '' };
    await expect(command(SWITCH, { ...OPERATE, expect: expect_ })).rejects.toMatchObject({ status: 409 });
    await expect(command({ ...SWITCH, frame_type: FrameType.yt }, OPERATE)).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
    await expect(command(RUN, OPERATE)).rejects.toMatchObject({ status: 422, data: [{ path: 'frame_type' }] });
    expect(sent).not.toHaveBeenCalled();
  });

  it('that may not be sent asks the device nothing either', async () => {
    const { command, plant: device, sent, audit } = await plant({ settings: { read_only: true } });
    await expect(command(SWITCH, { value: 1 })).rejects.toMatchObject({ code: 'STATE_READ_ONLY' });
    expect([device.exchanges, sent.mock.calls, audit]).toEqual([[], [], []]);
  });

  it('tells its stages, the read-back behind them, and its audit entry', async () => {
    const { command, names, plant: device, clock } = await plant({ execute: async () => accepted(stage('confirmed')) });
    device.value = 5;
    const result = await command(SETPOINT, { value: 5 });
    expect(names(result)).toEqual(['confirmed', 'read_back']);
    expect(result).toMatchObject({ outcome: 'accepted', audit_id: 1, reaction: null });
    expect(result.stages[1]).toMatchObject({ value: 5, equal: true });
    expect(Date.parse(result.stages[1]?.at ?? '')).toBeLessThanOrEqual(clock.wallMs());
  });

  it('is not read back where that is not wanted, where the point cannot be read, and where nothing is known of it', async () => {
    const { command, names, channel } = await plant();
    expect(names(await command(SETPOINT, { value: 5, options: { read_back: false } }))).toEqual([]);
    expect(names(await command(SWITCH, OPERATE))).toEqual([]);
    vi.spyOn(channel, 'readSingle').mockResolvedValue(undefined as never);
    expect(names(await command(SETPOINT, { value: 5 }))).toEqual([]);
  });

  it('sees how the related point reacts, from the confirmation on', async () => {
    const seen: { confirmedAt: number } = { confirmedAt: 0 };
    const site = await plant({
      async execute() {
        seen.confirmedAt = site.clock.wallMs();
        site.clock.after(250, () => {
          site.plant.value = 1;
        });
        return accepted(stage('sent', seen.confirmedAt - 50), stage('confirmed', seen.confirmedAt));
      },
    });
    site.plant.value = 0;
    const { reaction } = await site.command(SWITCH, { value: 1 });
    expect(reaction).toMatchObject({ code: 'RUN', before: 0, after: 1 });
    expect(reaction?.delay_ms).toBeGreaterThanOrEqual(250);
    expect(reaction?.delay_ms).toBeLessThan(450);
  });

  it('that has no effect yet, or was refused, is not watched and not read back', async () => {
    const refusal = { kind: 'busy', detail: quoted('try later') };
    const refused = await plant({ execute: async () => ({ outcome: 'rejected', stages: [], refusal, failure: null }) });
    const result = await refused.command(SWITCH, { value: 1 });
    expect(result).toMatchObject({
      outcome: 'rejected',
      stages: [{ name: 'rejected', detail: 'try later' }],
      reaction: { before: 1, after: 1 },
    });
    const setpoint = await refused.command(SETPOINT, { value: 1 });
    expect(refused.names(setpoint)).toEqual(['rejected']);
    const cancelled = await plant();
    const asked = () => cancelled.plant.exchanges.filter(({ kind }) => kind === 'read').length;
    expect(await cancelled.command(SWITCH, { step: 'cancel' })).toMatchObject({ reaction: null, stages: [] });
    expect(asked()).toBe(0);
  });

  it('answers with what the device said of itself and how long its selection stands', async () => {
    const state = [{ name: 'Beh', label: quoted('Behaviour'), value: quoted('on'), remark: null }];
    const execute = async () => ({ ...accepted(), selection: { remainingMs: 900, isEndless: false }, state });
    const { command } = await plant({ execute });
    expect(await command(SWITCH, OPERATE)).toMatchObject({
      selection: { remaining_ms: 900, is_endless: false },
      state: [{ name: 'Beh', value: 'on' }],
    });
    const plain = await (await plant()).command(SWITCH, OPERATE);
    expect([Object.keys(plain).includes('selection'), Object.keys(plain).includes('state')]).toEqual([false, false]);
  });

  it('that only prepares or ends an operation counts for no value that was written', async () => {
    const { command, audit } = await plant();
    await command(SETPOINT, { step: 'cancel' });
    await command(SETPOINT, { value: 5, options: { read_back: false } });
    expect(audit.map(({ touch }) => touch === undefined)).toEqual([true, false]);
  });
});

describe('what stands before a command', () => {
  it('is asked of the device, with the options of the protocol', async () => {
    const { state, clock } = await plant();
    const told = await state(SWITCH);
    expect(told).toMatchObject({ items: [{ name: 'Beh', value: 'on' }], steps: ['operate'], selection: null, obstacle: null });
    expect(Date.parse(told.read_at as string)).toBeLessThanOrEqual(clock.wallMs());
  });

  it('is refused for a point that is only read, and by a protocol that cannot tell', async () => {
    const { state, channel, plant: device } = await plant();
    await expect(state(RUN)).rejects.toMatchObject({ status: 422, data: [{ path: 'frame_type' }] });
    Object.assign(channel.driver.descriptor, { tellsCommandState: false });
    await expect(state(SWITCH)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    expect(device.exchanges).toEqual([]);
  });
});

describe('how a write ended, in words', () => {
  it('has the stages, and a refusal and a failure that they do not say', () => {
    const failure = new AppError('TIMEOUT_RESPONSE', quoted('late'));
    const words = JSON.stringify(
      told({ outcome: 'unknown', stages: [stage('sent', 0, 'went')], refusal: { kind: 'x', detail: quoted('no') }, failure }),
    );
    for (const word of ['went', '"no"', 'late']) expect(words).toContain(word);
    expect(JSON.stringify(told(accepted(stage('sent', 0, 'went'))))).toContain('went');
  });

  it('has the time of the last confirmation, or now', async () => {
    const { deps, clock } = await plant();
    await clock.advance(1000);
    const at = (ms: number) => clock.wallMs() - ms;
    const now = clock.monotonicMs();
    const confirmed = accepted(stage('confirmed', at(300)), stage('confirmed', at(200)), stage('terminated', at(100)));
    expect(confirmationTime(deps, confirmed)).toBe(now - 200);
    expect(confirmationTime(deps, accepted(stage('sent', at(300))))).toBe(now);
  });
});
