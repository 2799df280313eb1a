import { beforeEach, expect, it } from 'vitest';
import type { InputOf } from '#shared/contract/index.ts';
import { keepingRequest, MOST_SENT, useSentRequests } from './sent-requests.ts';

beforeEach(() => useSentRequests.setState({ requests: [] }));

const kept = () => useSentRequests.getState().requests;
const answers = async () => 'answered';

it('keeps what people do, with how it ended, and not what the page asks to show something', async () => {
  expect(await keepingRequest('listChannels', {}, answers)).toBe('answered');
  expect(await keepingRequest('metrics', {}, answers)).toBe('answered');
  expect(kept()).toEqual([]);
  const ending = Promise.withResolvers<string>();
  const running = keepingRequest('startDevice', { channel_id: 3 }, () => ending.promise);
  expect(kept()).toMatchObject([
    { request: { method: 'POST', url: '/api/device/start', body: { channel_id: 3 } }, effect: 'repeatable', outcome: null },
  ]);
  ending.resolve('x');
  await running;
  await expect(
    keepingRequest('updatePoint', { point_id: 1, frame_type: 3, value: 5 }, () => Promise.reject(new Error('refused'))),
  ).rejects.toThrow('refused');
  expect(kept().map(({ name, outcome }) => [name, outcome])).toEqual([
    ['updatePoint', 'refused'],
    ['startDevice', 'done'],
  ]);
});

it('keeps files that are asked for, and those that are given by their name', async () => {
  await keepingRequest('framesFile', { channel_id: 1, format: 'csv' }, answers);
  await keepingRequest(
    'importPoints',
    { channel_id: 1, mode: 'merge', file: new File(['x'], '点表.csv') } as InputOf<'importPoints'>,
    answers,
  );
  expect(kept().map(({ fileName, isDownload, request }) => [fileName, isDownload, request.url])).toEqual([
    ['点表.csv', false, expect.stringContaining('/api/channel/import_points')],
    [null, true, '/api/frames/file?channel_id=1&format=csv'],
  ]);
});

it('keeps no password, and no more than its bound', async () => {
  await keepingRequest('updateChannelSecrets', { channel_id: 1, secrets: { password: 'very secret', operator: null } }, answers);
  expect(JSON.stringify(kept())).not.toContain('very secret');
  expect(kept()[0]?.request.body).toEqual({ channel_id: 1, secrets: { password: '…', operator: null } });
  await keepingRequest('setPublisherSecrets', { id: 1, secrets: { key: 'a key that signs' } }, answers);
  expect(kept()[0]?.request.body).toEqual({ id: 1, secrets: { key: '…' } });
  for (let n = 0; n < MOST_SENT + 10; n++) await keepingRequest('stopDevice', { channel_id: n + 1 }, answers);
  expect(kept()).toHaveLength(MOST_SENT);
  expect(kept()[0]?.request.body).toEqual({ channel_id: MOST_SENT + 10 });
});
