import { describe, expect, it } from 'vitest';
import { EFFECTS, type Effect } from '#shared/contract/effect.ts';
import type { ChannelStatus } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import type { SetpointTouch } from '../persistence/repositories.ts';
import { silentLogger } from '../platform/logger.ts';
import { ManualClock } from '../platform/manual-clock.ts';
import { channelSettings } from '../runtime/testing/harness.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
import { NO_POINT } from './audit-trail.ts';
import { admit, perform } from './perform.ts';
import type { ServiceDeps } from './ports.ts';

interface Setting {
  readonly forced?: boolean;
  readonly service?: boolean;
  readonly channel?: boolean;
  readonly listens?: boolean;
  readonly status?: ChannelStatus;
}

/** A service and a channel, and what went into the audit. */
function bench({ forced = false, service = false, channel = false, listens = false, status = 'running' }: Setting = {}) {
  const trail: unknown[] = [];
  const audit = {
    open: (entry: { code: string }, touch?: SetpointTouch) => {
      trail.push(['open', entry.code, touch]);
      return 41;
    },
    close: (id: number, outcome: string, detail: unknown, _at: string, touch?: SetpointTouch) =>
      void trail.push(['close', id, outcome, detail, touch]),
  };
  const store = { audit, settings: { read: (name: string) => (name === 'read_only' ? service : undefined) } };
  const deps = {
    clock: new ManualClock(),
    logger: silentLogger,
    facts: { forcedReadOnly: forced },
    projects: { current: () => ({ store, commands: { add() {} } }) },
  } as unknown as ServiceDeps;
  const settings = channelSettings({ read_only: channel, protocol: listens ? { listen_only: 'on' } : {} });
  return { deps, trail, channel: { id: 1, settings, state: () => ({ status }) } as unknown as ChannelRuntime };
}

describe('a command', () => {
  it.each<[string, Setting, string, string]>([
    ['while the program was started read-only', { forced: true }, 'STATE_READ_ONLY', 'service.forced_read_only'],
    ['while the service is read-only', { service: true }, 'STATE_READ_ONLY', 'service.service_read_only'],
    ['while the channel is read-only', { channel: true }, 'STATE_READ_ONLY', 'service.channel_read_only'],
    ['through a channel that only listens', { listens: true }, 'STATE_CONFLICT', 'listen.only'],
    ['through a stopped channel', { status: 'stopped' }, 'STATE_NOT_STARTED', 'service.start_first'],
    ['through a channel that is starting', { status: 'starting' }, 'STATE_NOT_STARTED', 'service.start_first'],
    ['through a channel in error', { status: 'error' }, 'STATE_NOT_STARTED', 'service.start_first'],
    ['read-only is told before the state', { channel: true, status: 'stopped' }, 'STATE_READ_ONLY', 'service.channel_read_only'],
  ])('%s is refused', (_, setting, code, said) => {
    const { deps, channel } = bench(setting);
    expect(() => admit(deps, channel, 'command')).toThrow(expect.objectContaining({ code, said: expect.objectContaining({ code: said }) }));
    // what changes nothing in a device is let through all the same
    for (const effect of ['query', 'repeatable'] as const) expect(() => admit(deps, channel, effect)).not.toThrow();
  });

  it('names the channel that refuses it', () => {
    for (const setting of [{ channel: true }, { listens: true }, { status: 'stopped' } as const]) {
      const { deps, channel } = bench(setting);
      expect(() => admit(deps, channel, 'command')).toThrow(
        expect.objectContaining({ said: expect.objectContaining({ params: expect.objectContaining({ channel: 'PCS 1' }) }) }),
      );
    }
  });

  it.each(['running', 'reconnecting'] as const)('goes through a channel that is %s', (status) => {
    const { deps, channel } = bench({ status });
    expect(() => admit(deps, channel, 'command')).not.toThrow();
  });
});

describe('what is sent', () => {
  const touch = { device: 'one', place: 'register 1' } as SetpointTouch;
  const sending = (send: () => Promise<string>) => ({
    entry: { ...NO_POINT, code: 'P_SET', operation: null, source: 'api' as const },
    touch,
    send,
    outcomeOf: (done: string) => ({ outcome: 'rejected' as const, detail: quoted(done) }),
    isOpen: (error: AppError) => error.code === 'TIMEOUT_RESPONSE',
  });

  it('is entered before, and closed with how it ended', async () => {
    const { deps, channel, trail } = bench();
    const done = perform(
      deps,
      channel,
      'command',
      sending(async () => {
        expect(trail).toEqual([['open', 'P_SET', touch]]);
        return 'no';
      }),
    );
    expect(await done).toEqual({ done: 'no', auditId: 41 });
    expect(trail[1]).toEqual(['close', 41, 'rejected', quoted('no'), touch]);
  });

  it.each([
    ['TIMEOUT_RESPONSE', 'unknown'],
    ['TRANSPORT_NOT_CONNECTED', 'failed'],
  ] as const)('and ends in %s is closed as %s, and the error is told', async (code, outcome) => {
    const { deps, channel, trail } = bench();
    const error = new AppError(code, quoted('why'));
    await expect(
      perform(
        deps,
        channel,
        'command',
        sending(() => Promise.reject(error)),
      ),
    ).rejects.toBe(error);
    expect(trail[1]).toEqual(['close', 41, outcome, quoted('why'), touch]);
  });

  it.each(EFFECTS.filter((effect) => effect !== 'command'))('as a %s is in no audit, whatever comes of it', async (effect: Effect) => {
    const { deps, channel, trail } = bench({ channel: true });
    expect(
      await perform(
        deps,
        channel,
        effect,
        sending(async () => 'done'),
      ),
    ).toEqual({ done: 'done', auditId: undefined });
    await expect(
      perform(
        deps,
        channel,
        effect,
        sending(() => Promise.reject(new Error('x'))),
      ),
    ).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(trail).toEqual([]);
  });

  it('is neither entered nor sent where it is refused', async () => {
    const { deps, channel, trail } = bench({ service: true });
    let sent = 0;
    const send = async () => {
      sent += 1;
      return '';
    };
    await expect(perform(deps, channel, 'command', sending(send))).rejects.toMatchObject({ code: 'STATE_READ_ONLY' });
    expect([sent, trail]).toEqual([0, []]);
  });
});
