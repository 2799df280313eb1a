import { type Browser, chromium, type Page } from '@playwright/test';
import { startService } from '../e2e/service.ts';
import { createClient } from '../src-shared/client/client.ts';
import { findBrowser } from '../tools/lib/browser.ts';
import { buildIfNeeded } from '../tools/lib/build.ts';
import { overFetch } from '../tools/lib/over-fetch.ts';
import { cost, frameTimes, measuring, scrollStep, stillList } from './page-cost.ts';
import { type BenchResult, quantile, ratioAtMost, valueAtMost } from './result.ts';

const POINTS = 100_000;
const CHANNEL = 'Many points';
/** How far each frame of a scroll goes. */
const STEP_PX = 120;
/** A frame of the table may take so many times one of a list that only stands there. */
const MOST_FRAME = 2;
/** Processor time of a key press and of a wheel step, with style, layout and painting, in milliseconds. */
const MOST_STEP_MS = 8;

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
    return [await scrolling(page), ...(await stepCosts(page))];
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
async function scrolling(page: Page): Promise<BenchResult> {
  const table: number[] = [];
  const still: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    still.push(...(await frameTimes(page, scrollStep(stillList(true), STEP_PX))));
    await page.evaluate(`(${stillList(false)})()`);
    table.push(...(await frameTimes(page, scrollStep(`() => document.querySelector('[data-testid="points-scroll"]')`, STEP_PX))));
  }
  const name = 'pages: frame time while 100,000 points scroll, p95, beside a still list';
  return ratioAtMost(name, quantile(table, 0.95), 'ms', quantile(still, 0.95), MOST_FRAME);
}

async function stepCosts(page: Page): Promise<BenchResult[]> {
  const session = await measuring(page);
  await page.evaluate(`document.querySelector('[data-testid="points-scroll"]').scrollTop = 0`);
  await page.locator('[data-row="3"] [data-column="code"]').click();
  const key = await cost(page, session, () => page.keyboard.press('ArrowDown'));
  const wheel = await cost(page, session, () => page.mouse.wheel(0, STEP_PX));
  await page.evaluate(`document.querySelector('[data-testid="points-scroll"]').scrollTop = 0`);
  await page.getByTestId('inspector-toggle').click();
  await page.locator('[data-row="3"] [data-column="code"]').click();
  const inspected = await cost(page, session, () => page.keyboard.press('ArrowDown'));
  return [
    valueAtMost('pages: processor time of a key press at 100,000 points, with layout', key, 'ms', MOST_STEP_MS),
    valueAtMost('pages: processor time of a key press at 100,000 points, inspector open, with layout', inspected, 'ms', MOST_STEP_MS),
    valueAtMost('pages: processor time of a wheel step at 100,000 points, with layout', wheel, 'ms', MOST_STEP_MS),
  ];
}
