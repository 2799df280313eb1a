import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type InputOf, type NameOf, type Operation, type OperationName, operations } from '#shared/contract/index.ts';
import { aChannel, fakeService } from '../testing/fake-service.ts';
import { arm, disarm } from './arming.ts';
import { sendCommand } from './send-command.ts';

const channel = aChannel();
const entries = Object.entries(operations) as readonly (readonly [OperationName, Operation])[];
const commands = entries.flatMap(([name, { effect }]) => (effect === 'command' ? [name as NameOf<'command'>] : []));
const send = (name: NameOf<'command'>, through = channel) => sendCommand(name, through, { channel_id: 1 } as InputOf<typeof name>);

beforeEach(() => disarm(channel.id));
afterEach(() => vi.unstubAllGlobals());

describe('a command of the pages', () => {
  it.each(commands)('%s leaves only through an armed channel, or one that serves', async (name) => {
    const service = fakeService({});
    expect(await send(name)).toBeNull();
    expect(service.calls).toHaveLength(0);
    await expect(send(name, aChannel({ conn_type: 1 }))).rejects.toMatchObject({ code: 'INTERNAL' });
    arm(channel);
    await expect(send(name)).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(service.of(name)).toHaveLength(2);
    disarm(channel.id);
    expect(await send(name)).toBeNull();
    expect(service.calls).toHaveLength(2);
  });

  it.each(commands)('%s is sent once when nobody answers', async (name) => {
    const fetch = vi.fn(() => Promise.reject(new TypeError('network')));
    vi.stubGlobal('fetch', fetch);
    arm(channel);
    await expect(send(name)).rejects.toMatchObject({ code: 'TRANSPORT_NOT_CONNECTED' });
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  it('goes without arming where what it runs only asks', async () => {
    const service = fakeService({});
    const input = { channel_id: 1, operation: 'test' };
    expect(await sendCommand('deviceOperation', channel, input)).toBeNull();
    await expect(sendCommand('deviceOperation', channel, input, 'repeatable')).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(service.calls).toHaveLength(1);
  });
});
