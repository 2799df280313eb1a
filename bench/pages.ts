import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test';
import { startService } from '../e2e/service.ts';
import { createClient } from '../src-shared/client/client.ts';
import { findBrowser } from '../tools/lib/browser.ts';
import { buildIfNeeded } from '../tools/lib/build.ts';
import { overFetch } from '../tools/lib/over-fetch.ts';
import { type BenchResult, quantile, ratioAtMost, valueAtMost } from './result.ts';

const POINTS = 100_000;
const CHANNEL = 'Many points';
/** Frames of one scroll, and how far each goes. */
const FRAMES = 240;
const STEP_PX = 120;
/** A frame of the table may take so many times one of a list that only stands there. */
const MOST_FRAME = 2;
/** Processor time of a key press and of a wheel step, with style, layout and painting, in milliseconds. */
const MOST_STEP_MS = 8;
const STEPS = 60;

/** The point table of 100,000 points in the built pages: times of frames while it scrolls, and what a step costs the page. */
export async function run(): Promise<BenchResult[]> {
  await buildIfNeeded();
  const executablePath = findBrowser();
  if (!executablePath) throw new Error('no browser: install chromium, or set CHROMIUM to its path');
  const service = await startService();
  let browser: Browser | undefined;
  try {
    await addPoints(service.url);
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
    const page = await browser.newPage({ viewport: { width: 1366, height: 768 } });
    await page.goto(`${service.url}/?lng=en`);
    await page.locator(`[data-channel="${CHANNEL}"] button`).first().click();
    await page.locator('[data-row="20"] [data-column="code"]').waitFor();
    return [await frameTimes(page), ...(await stepCosts(page))];
  } finally {
    await browser?.close();
    await service.stop();
  }
}

async function addPoints(url: string): Promise<void> {
  const api = createClient(overFetch(url));
  const { data: channel } = await api.call('addChannel', { name: CHANNEL, protocol_type: 1, conn_type: 2 });
  const points = Array.from({ length: POINTS }, (_, index) => ({
    frame_type: 0 as const,
    code: `P${index}`,
    name: `Point ${index}`,
    address: index % 60_000,
    slave_id: 1 + Math.floor(index / 60_000),
  }));
  await api.call('addPoints', { channel_id: channel.id, points });
}

/** The 95th percentile of frame times, of the table beside a list of the same height whose rows never change; one after the other, three times. */
async function frameTimes(page: Page): Promise<BenchResult> {
  const table: number[] = [];
  const still: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    still.push(...(await scroll(page, stillList(true))));
    await page.evaluate(`(${stillList(false)})()`);
    table.push(...(await scroll(page, `() => document.querySelector('[data-testid="points-scroll"]')`)));
  }
  const name = 'pages: frame time while 100,000 points scroll, p95, beside a still list';
  return ratioAtMost(name, quantile(table, 0.95), 'ms', quantile(still, 0.95), MOST_FRAME);
}

/** Makes a list that lies over the page, or takes it away. */
function stillList(isThere: boolean): string {
  if (!isThere) return `() => document.getElementById('still')?.remove()`;
  return `() => {
    const box = document.createElement('div');
    box.id = 'still';
    box.style.cssText = 'position:fixed;inset:100px 0 0 0;overflow:auto;background:white;z-index:9';
    for (let row = 0; row < 5000; row++) {
      const line = document.createElement('div');
      line.style.cssText = 'height:24px;white-space:nowrap';
      line.textContent = 'P' + row + '   Point ' + row + '   ' + 'value '.repeat(10);
      box.append(line);
    }
    document.body.append(box);
    return box;
  }`;
}

/** Milliseconds between the frames while the element that `find` answers is scrolled. */
function scroll(page: Page, find: string): Promise<number[]> {
  return page.evaluate(`(async () => {
    const box = (${find})();
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let count = 0; count < 30; count++) await frame();
    const times = [];
    let before = await frame();
    for (let count = 0; count < ${FRAMES}; count++) {
      box.scrollTop += ${STEP_PX};
      const now = await frame();
      times.push(now - before);
      before = now;
    }
    return times;
  })()`);
}

async function stepCosts(page: Page): Promise<BenchResult[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.evaluate(`document.querySelector('[data-testid="points-scroll"]').scrollTop = 0`);
  await page.locator('[data-row="3"] [data-column="code"]').click();
  const key = await cost(page, session, () => page.keyboard.press('ArrowDown'));
  const wheel = await cost(page, session, () => page.mouse.wheel(0, STEP_PX));
  return [
    valueAtMost('pages: processor time of a key press at 100,000 points, with layout', key, 'ms', MOST_STEP_MS),
    valueAtMost('pages: processor time of a wheel step at 100,000 points, with layout', wheel, 'ms', MOST_STEP_MS),
  ];
}

/** Processor time of the thread of the page for one step, in milliseconds, less what goes on without steps. */
async function cost(page: Page, session: CDPSession, step: () => Promise<void>): Promise<number> {
  const frames = () => page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  const measure = async (each: () => Promise<void>) => {
    const [spentBefore, began] = [await spent(session), performance.now()];
    for (let count = 0; count < STEPS; count++) {
      await each();
      await frames();
    }
    return { spent: (await spent(session)) - spentBefore, took: performance.now() - began };
  };
  const idle = await measure(async () => undefined);
  for (let count = 0; count < 5; count++) await step();
  const busy = await measure(step);
  return (busy.spent - (idle.spent / idle.took) * busy.took) / STEPS;
}

async function spent(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
}
