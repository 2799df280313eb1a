/** A channel with many points that is read by hand, then checked unattended: how long each takes, in milliseconds, and how long its thread worked at a stretch meanwhile. */
import { setTimeout as rest } from 'node:timers/promises';
import type { InputOf } from '../../src-shared/contract/index.ts';
import { servePeer } from './child.ts';
import { benchCore } from './service.ts';
import { takeLongestBlock, watchBlocks } from './thread-blocks.ts';

interface Request {
  readonly channel: Omit<InputOf<'addChannel'>, 'name'>;
  readonly points: number;
  readonly rounds: number;
}

const device_name = 'table';
const LOOK_EVERY_MS = 5;

servePeer<Request>(async ({ channel, points, rounds }) => {
  const { api } = await benchCore();
  const { id } = (await api.call('addChannel', { ...channel, name: device_name })).data;
  const table = Array.from({ length: points }, (_, address) => ({ frame_type: 0, code: `A${address}`, address, decode: '0x20' }) as const);
  await api.call('addPoints', { channel_id: id, points: table });
  await api.call('startDevice', { channel_id: id });
  const session_id = (await api.call('addCheck', { name: 'Bench' })).data.id;
  await api.call('addCheckItems', { session_id, channel_id: id });
  const items: string[] = [];
  for (let page = 1; items.length < points; page++) {
    items.push(...(await api.call('checkItems', { session_id, page, page_size: 1000 })).data.items.map(({ item }) => item));
  }
  const expectation = { kind: 'values' as const, references: [{ value: 0, tolerance: 0, percent: 0 }] };
  await api.call('editCheckItems', { session_id, items, expectation });

  const read = async () => {
    const before = performance.now();
    await api.call('manualRead', { device_name, mode: 'batch' });
    while ((await api.call('manualReadStatus', { device_name })).data.state === 'running') await rest(LOOK_EVERY_MS);
    return performance.now() - before;
  };
  const check = async () => {
    const before = performance.now();
    await api.call('compareCheck', { session_id, operator: 'bench', items });
    for (;;) {
      const { run } = (await api.call('checkRun', {})).data;
      if (run?.state === 'ended') break;
      await rest(LOOK_EVERY_MS);
    }
    return performance.now() - before;
  };
  await read();
  const reads: number[] = [];
  const checks: number[] = [];
  const watching = watchBlocks();
  let block = 0;
  for (let round = 0; round < rounds; round++) {
    reads.push(await read());
    takeLongestBlock();
    checks.push(await check());
    block = Math.max(block, takeLongestBlock());
  }
  clearInterval(watching);
  const { counts } = (await api.call('checkSummary', { session_id })).data;
  if (counts.passed !== points) throw new Error(`${counts.passed} of ${points} points passed`);
  return { reads, checks, block };
});
