import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { REQUEST_FORMS } from '#shared/client/request-text.ts';
import { exampleInput } from '#shared/contract/example.ts';
import { type InputOf, type Operation, type OperationName, operations } from '#shared/contract/index.ts';
import { actionsText } from '../features/requests/request-words.ts';
import { aChannel, fakeService } from '../features/testing/fake-service.ts';
import { sendCommand } from '../features/write/send-command.ts';
import { isAction } from './action-request.ts';
import { api } from './client.ts';
import { holdActions, isHeldBack, sendActions, useHeldRequests } from './held-requests.ts';
import { useSentRequests } from './sent-requests.ts';

const entries = Object.entries<Operation>(operations) as readonly (readonly [OperationName, Operation])[];
const actions = entries.filter(([name]) => isAction(name));
const call = api.call as (name: OperationName, input: unknown) => Promise<unknown>;
const held = () => useHeldRequests.getState().requests;
const FILE = new File(['x'], '点表 1.csv');
const SECRET = 'very-secret-of-the-test';

beforeEach(() => useSentRequests.setState({ requests: [] }));
afterEach(() => {
  sendActions();
  vi.unstubAllGlobals();
});

function inputOf(operation: Operation): Record<string, unknown> {
  return { ...exampleInput(operation), ...(operation.upload ? { file: FILE } : {}) };
}

/** With a text in each place that the names of the contract call secret. */
function withSecrets(value: unknown, isSecret = false): unknown {
  if (typeof value === 'string') return isSecret ? SECRET : value;
  if (Array.isArray(value)) return value.map((each) => withSecrets(each, isSecret));
  if (typeof value !== 'object' || value === null || value instanceof File) return value;
  const fields = Object.entries(value).map(([key, each]) => [
    key,
    withSecrets(each, isSecret || /secret|token|password|passphrase/i.test(key)),
  ]);
  return Object.fromEntries(fields);
}

describe('an action of the screens', () => {
  it('is everything that changes or asks something, and files; what the page asks to show itself is none', () => {
    const rest = entries
      .filter(([name]) => !isAction(name))
      .map(([, { effect, download }]) => [effect, download?.isShown ?? download === undefined]);
    expect(new Set(rest.map(String))).toEqual(new Set(['query,true']));
    expect(actions.length).toBeGreaterThan(100);
  });

  it.each(actions)('%s is written in every form before it is sent, and not sent then', async (name, operation) => {
    const service = fakeService({});
    holdActions();
    await expect(call(name, withSecrets(inputOf(operation)))).rejects.toSatisfy(isHeldBack);
    expect([service.calls, useSentRequests.getState().requests]).toEqual([[], []]);
    expect(held().map(({ request }) => [request.method, request.url.split('?')[0]])).toEqual([[operation.method, operation.path]]);
    for (const form of REQUEST_FORMS) {
      const text = actionsText(form, held(), 'http://127.0.0.1:8991');
      expect(text).toContain(`http://127.0.0.1:8991${operation.path}`);
      expect(text.startsWith('# ')).toBe(operation.effect === 'command');
      expect(text).toContain('LOOPCHECK_TOKEN');
      expect(text).not.toContain(SECRET);
      if (operation.upload) expect(text).toContain(form === 'python' ? 'name = ' : '-F ');
    }
  });

  it('has only secrets that the contract names as such', () => {
    const asked = actions.filter(([, operation]) => JSON.stringify(withSecrets(inputOf(operation))).includes(SECRET));
    expect(asked.map(([name]) => name).sort()).toEqual(['addRemote', 'setPublisherSecrets', 'updateChannelSecrets']);
  });

  it('that follows another one is held as well: all of them, in their order, until somebody ends it', async () => {
    const service = fakeService({ startDevice: () => aChannel(), listChannels: () => [] });
    holdActions();
    const together = [1, 2, 3].map((channel_id) => api.call('startDevice', { channel_id }));
    expect((await Promise.allSettled(together)).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await api.call('stopDevice', { channel_id: 1 }).catch(() => api.call('startDevice', { channel_id: 4 }).catch(() => {}));
    expect(held().map(({ request }) => request.body)).toEqual([1, 2, 3, 1, 4].map((channel_id) => ({ channel_id })));
    // what the page asks to show itself goes on
    await api.call('listChannels', {});
    expect(service.calls.map(({ name }) => name)).toEqual(['listChannels']);
    sendActions();
    expect(held()).toEqual([]);
    await api.call('startDevice', { channel_id: 1 });
    expect(service.of('startDevice')).toEqual([{ channel_id: 1 }]);
  });

  it('that operates a device is written without arming, is sent nowhere, and needs it again afterwards', async () => {
    const service = fakeService({});
    const send = () =>
      sendCommand('command', aChannel(), { channel_id: 1, point_id: 8, frame_type: 2, step: 'operate', value: 1 } as InputOf<'command'>);
    holdActions();
    expect(await send()).toBeNull();
    expect(held().map(({ request }) => request.url)).toEqual(['/api/device/command']);
    sendActions();
    expect(await send()).toBeNull();
    expect([held(), service.calls]).toEqual([[], []]);
  });
});
