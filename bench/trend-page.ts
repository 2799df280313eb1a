import { type Browser, chromium, type Page } from '@playwright/test';
import Database from 'better-sqlite3';
import { startService } from '../e2e/service.ts';
import { createHistoryThread } from '../src-main/app/history-thread.ts';
import { createRandom } from '../src-main/platform/seeded-random.ts';
import { Threads } from '../src-main/platform/threads.ts';
import { createClient } from '../src-shared/client/client.ts';
import { findBrowser } from '../tools/lib/browser.ts';
import { buildIfNeeded } from '../tools/lib/build.ts';
import { overFetch } from '../tools/lib/over-fetch.ts';
import { cost, frameTimes, heapOctets, measuring, scrollStep, stillList } from './page-cost.ts';
import { type BenchResult, quantile, ratioAtMost, valueAtMost } from './result.ts';

const CHANNEL = 'A day';
/** A day of these, each second, is a little more than a million samples. */
const CURVES = 12;
const SECONDS = 86_400;
/** Seconds that are written at once. */
const AT_ONCE = 600;
/** A frame of the chart may take so many times one of a list that only stands there. */
const MOST_FRAME = 2;
/** Processor time of the page for a step, with drawing, in milliseconds. */
const MOST_STEP_MS = 16;
/** From the choice of a day until it is drawn, in milliseconds. */
const MOST_OPEN_MS = 5000;
/** What the objects of the page may take, and how much more after a walk through a hundred ranges, in 2^20 octets. */
const [MOST_HEAP_MIB, MOST_GROWTH_MIB] = [100, 10];
const WALK = 100;
/** Of 120 ranges in the walk that is watched by frames: what is not answered within a tenth of a second is cut off by the next question. */
const FEWEST_ANSWERS = 20;
const MIB = 1024 * 1024;

/** Twelve curves of a day of seconds in the trend of the built pages: frames while the pointer moves and while ranges change, what a step of the cursor costs the page, and what it holds. */
export async function* run(): AsyncIterable<BenchResult> {
  await buildIfNeeded();
  const executablePath = findBrowser();
  if (!executablePath) throw new Error('no browser: install chromium, or set CHROMIUM to its path');
  const { service, total } = await aRecordedDay();
  let browser: Browser | undefined;
  try {
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
    const page = await browser.newPage({ viewport: { width: 1366, height: 768 } });
    await page.goto(`${service.url}/?lng=en`);
    await page.locator(`[data-channel="${CHANNEL}"] button`).first().click();
    await page.getByTestId('tab-trends').click();
    for (let curve = 0; curve < CURVES; curve++) {
      await page.getByTestId('trend-point').fill(codeOf(curve));
      await page.getByRole('option', { name: codeOf(curve), exact: true }).click();
    }
    await page.getByTestId('trend-range').click();
    const answered = page.waitForResponse((response) => response.url().includes('seconds=86400'));
    const began = performance.now();
    await page.getByRole('option', { name: '24 h' }).click();
    await (await answered).finished();
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    yield valueAtMost(
      `trend-page: a day of ${CURVES} curves, ${total} samples, from its choice until it is drawn`,
      performance.now() - began,
      'ms',
      MOST_OPEN_MS,
    );
    // a range that stands still: nothing is asked for meanwhile
    await zoom(page, '+');
    yield* await frames(page);
    yield* await steps(page);
  } finally {
    await browser?.close();
    await service.stop();
  }
}

const codeOf = (curve: number) => `CURVE-${String(curve).padStart(2, '0')}`;

/** A service with a channel whose points were recorded each second of the last day. */
async function aRecordedDay() {
  const first = await startService({ hasDemo: false });
  const api = createClient(overFetch(first.url));
  const { data: channel } = await api.call('addChannel', { name: CHANNEL, protocol_type: 1, conn_type: 2 });
  const points = Array.from({ length: CURVES }, (_, curve) => ({ frame_type: 0 as const, code: codeOf(curve), address: 2 * curve }));
  const added = (await api.call('addPoints', { channel_id: channel.id, points })).data.items;
  await api.call('setRecording', { channel_id: channel.id, mode: 'changed' });
  const { file } = (await api.call('recordingStatus', {})).data;
  await first.pause();

  const db = new Database(file, { readonly: true });
  const { value: project } = db.prepare(`SELECT value FROM meta WHERE name = 'project'`).get() as { readonly value: string };
  db.close();
  const writer = createHistoryThread(new Threads())(file.replace(/\.history\.db$/, ''), project);
  const random = createRandom(1);
  const begin = 1000 * Math.floor(Date.now() / 1000 - SECONDS);
  for (let second = 0; second < SECONDS; second += AT_ONCE) {
    const samples = Array.from({ length: AT_ONCE * CURVES }, (_, index) => {
      const [point, at] = [index % CURVES, second + Math.floor(index / CURVES)];
      return {
        id: added[point]?.id ?? 0,
        at: begin + 1000 * at,
        value: 50 * point + 20 * Math.sin((at + 900 * point) / 3000) + 2 * random(),
      };
    });
    const batch = {
      channel: channel.id,
      points: Float64Array.from(samples, ({ id }) => id),
      at: Float64Array.from(samples, ({ at }) => at),
      value: Float64Array.from(samples, ({ value }) => value),
      quality: new Uint8Array(samples.length).fill(1),
    };
    const to = begin + 1000 * (second + AT_ONCE);
    await writer.append({ batches: [batch], spans: [{ channel: channel.id, from: begin, to }], now: to });
  }
  await writer.close();

  const service = await startService({ hasDemo: false, folder: first.folder });
  const status = await createClient(overFetch(service.url)).call('recordingStatus', {});
  const total = status.data.channels.find(({ channel_id }) => channel_id === channel.id)?.samples ?? 0;
  if (total < 1_000_000) throw new Error(`${total} samples came back`);
  return { service, total };
}

/** Asks for another range by a key, until it is answered. */
async function zoom(page: Page, key: string): Promise<void> {
  await page.getByTestId('trend-chart').focus();
  const answered = page.waitForResponse((response) => response.url().includes('/api/history') && response.ok());
  await page.keyboard.press(key);
  await (await answered).finished();
}

/** The 95th percentile of frame times while the pointer moves over the chart, and while somebody walks through ranges, beside a still list that scrolls. */
async function frames(page: Page): Promise<BenchResult[]> {
  const still: number[] = [];
  const pointer: number[] = [];
  const walk: number[] = [];
  const over = `((over) => (count) => {
    const { left, top, width } = over.getBoundingClientRect();
    over.dispatchEvent(new MouseEvent('mousemove', { clientX: left + (count * 7) % width, clientY: top + 80, bubbles: true }));
  })(document.querySelector('.u-over'))`;
  // ten ranges a second, back and on again
  const ranges = `((chart) => (count) => {
    if (count % 6 !== 0) return;
    chart.dispatchEvent(new KeyboardEvent('keydown', { key: count % 120 < 60 ? 'PageUp' : 'PageDown', bubbles: true }));
  })(document.querySelector('[data-testid="trend-chart"]'))`;
  let answers = 0;
  page.on('response', (response) => {
    if (response.url().includes('/api/history') && response.ok()) answers += 1;
  });
  for (let turn = 0; turn < 3; turn++) {
    still.push(...(await frameTimes(page, scrollStep(stillList(true), 120))));
    await page.evaluate(`(${stillList(false)})()`);
    pointer.push(...(await frameTimes(page, over)));
    walk.push(...(await frameTimes(page, ranges)));
  }
  if (answers < FEWEST_ANSWERS) throw new Error(`${answers} ranges were answered`);
  const beside = (what: string, times: readonly number[]) => {
    const name = `trend-page: frame time while ${what} over a million samples, p95, beside a still list`;
    return ratioAtMost(name, quantile(times, 0.95), 'ms', quantile(still, 0.95), MOST_FRAME);
  };
  return [beside('the pointer moves', pointer), beside('somebody walks through ranges', walk)];
}

/** What a step of the cursor costs, and what is held after many ranges. */
async function* steps(page: Page): AsyncIterable<BenchResult> {
  const session = await measuring(page);
  await page.getByTestId('trend-chart').focus();
  const key = await cost(page, session, () => page.keyboard.press('ArrowRight'));
  yield valueAtMost('trend-page: processor time of a step of the cursor', key, 'ms', MOST_STEP_MS);
  const before = await heapOctets(session);
  yield valueAtMost('trend-page: objects of the page', before / MIB, 'MiB', MOST_HEAP_MIB);
  for (let turn = 0; turn < WALK; turn++) await zoom(page, turn % 20 < 10 ? 'PageUp' : 'PageDown');
  const more = (await heapOctets(session)) - before;
  yield valueAtMost(`trend-page: more of them behind a walk through ${WALK} ranges`, more / MIB, 'MiB', MOST_GROWTH_MIB);
}
