import { mkdtempSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import workerThreads, { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { say } from '#shared/messages/index.ts';
import { type RunningService, startService } from './start-service.ts';

/** Threads that were begun and have not ended, whoever began them. */
const living = new Set<Worker>();
let begun = 0;

class Noted extends Worker {
  constructor(...given: ConstructorParameters<typeof Worker>) {
    super(...given);
    begun += 1;
    living.add(this);
    this.on('exit', () => living.delete(this));
  }
}

let dataDir = '';
let service: RunningService;

beforeEach(async () => {
  begun = 0;
  Object.assign(workerThreads, { Worker: Noted });
  syncBuiltinESMExports();
  dataDir = mkdtempSync(join(tmpdir(), 'loopcheck-thread-end-'));
  const start = { dataDir, host: '127.0.0.1', port: 0, token: null, readOnly: false, project: null, demo: false };
  service = await startService({ ...start, pagesDir: null, extraOrigins: [], viewDir: '', demoDir: null });
});

afterEach(async () => {
  await service.close();
  Object.assign(workerThreads, { Worker });
  syncBuiltinESMExports();
  rmSync(dataDir, { recursive: true, force: true });
});

const isBegun = (count: number) => vi.waitFor(() => expect(begun).toBe(count), { timeout: 60_000 });

it('leaves no thread when a service has closed: not the job that is at work, nor the one that waits for it, nor the one that records', async () => {
  const { api } = service.core;
  const { data: channel } = await api.call('addChannel', { name: 'Feeder', protocol_type: 1, conn_type: 1 });
  await api.call('setRecording', { channel_id: channel.id, mode: 'all' });
  await api.call('recordingStatus', {});
  await isBegun(1);
  const file = new File(['code,name\nP,Power\n'], 'points.csv');
  const answers = [
    api.call('importPoints', { channel_id: channel.id, mode: 'preview', file }),
    api.call('exportPoints', { channel_id: channel.id, format: 'xlsx' }),
  ].map((answer) => answer.catch(({ said }) => said));
  await isBegun(2);
  await service.close();
  expect(living.size).toBe(0);
  expect(await Promise.all(answers)).toEqual([say('app.stopping'), say('app.stopping')]);
  expect([living.size, begun]).toEqual([0, 2]);
});
