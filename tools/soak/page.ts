/**
 * The point table of 1,000 points that all change ten times a second, in a browser, for as long as LOOPCHECK_SOAK_MINUTES says (10). The heap of the
 * page and the number of its nodes must be flat. Exit code 1 when they are not, or when the values stand still.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import { startService } from '../../e2e/service.ts';
import { createClient } from '../../src-shared/client/client.ts';
import { findBrowser } from '../lib/browser.ts';
import { overFetch } from '../lib/over-fetch.ts';

const POINTS = 1000;
const CYCLE_MS = 100;
const LOOK_MS = 10_000;
/** At the end beside a third of the time, when caches are full. */
const MOST_GROWTH = 1.1;
const NAME = 'Lively';

const minutes = Number(process.env.LOOPCHECK_SOAK_MINUTES ?? 10);

/** A Modbus device whose registers all have another value at each read. */
const device = createServer((socket) => {
  let reads = 0;
  let rest = Buffer.alloc(0);
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 12) {
      const quantity = rest.readUInt16BE(10);
      const answer = Buffer.alloc(9 + 2 * quantity);
      rest.copy(answer, 0, 0, 8);
      answer.writeUInt16BE(3 + 2 * quantity, 4);
      answer.writeUInt8(2 * quantity, 8);
      reads += 1;
      for (let register = 0; register < quantity; register++) answer.writeUInt16BE((reads + 7 * register) % 65_536, 9 + 2 * register);
      socket.write(answer);
      rest = rest.subarray(12);
    }
  });
});
device.listen(0, '127.0.0.1');
await once(device, 'listening');
const address = device.address();
const port = typeof address === 'object' && address ? address.port : 0;

const service = await startService();
const api = createClient(overFetch(service.url));
const { data: channel } = await api.call('addChannel', { name: NAME, protocol_type: 1, conn_type: 2, port });
const points = Array.from({ length: POINTS }, (_, at) => ({ frame_type: 0 as const, code: `P${at}`, address: at, decode: '0x20' }));
await api.call('addPoints', { channel_id: channel.id, points });
await api.call('startDevice', { channel_id: channel.id });
await api.call('startAutoRead', { device_name: NAME, mode: 'batch', cycle_interval_ms: CYCLE_MS });

const executablePath = findBrowser();
if (!executablePath) throw new Error('no browser: install chromium, or set CHROMIUM to its path');
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage({ viewport: { width: 1366, height: 768 } });
await page.goto(`${service.url}/?lng=en`);
await page.locator(`[data-channel="${NAME}"] button`).first().click();
const value = page.locator('[data-row="3"] [data-column="value"]');
await value.waitFor();
const session = await page.context().newCDPSession(page);
await session.send('Performance.enable');

const heap: number[] = [];
const nodes: number[] = [];
const problems: string[] = [];
const endsAt = performance.now() + minutes * 60_000;
while (performance.now() < endsAt && problems.length === 0) {
  const before = await value.textContent();
  await sleep(LOOK_MS);
  if ((await value.textContent()) === before) problems.push(`the value ${before} stood still for ${LOOK_MS / 1000} s`);
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const of = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
  heap.push(of('JSHeapUsedSize') / 2 ** 20);
  nodes.push(of('Nodes'));
}
const { data: status } = await api.call('autoReadStatus', { device_name: NAME });
await browser.close();
await service.stop();
device.close();
for (const [what, list] of [['heap', heap] as const, ['nodes', nodes] as const]) {
  const early = median(list.slice(Math.floor(list.length / 3), Math.floor(list.length / 2)));
  const late = median(list.slice(-Math.ceil(list.length / 6)));
  console.log(
    `page: ${what} ${early.toFixed(1)} then ${late.toFixed(1)} in ${minutes} min, ${status.cycle_count} rounds of ${POINTS} points`,
  );
  if (!(late <= early * MOST_GROWTH)) problems.push(`${what} of the page grew from ${early.toFixed(1)} to ${late.toFixed(1)}`);
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
