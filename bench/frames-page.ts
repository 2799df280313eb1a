import { type Browser, chromium, type Page } from '@playwright/test';
import { findBrowser } from '../tools/lib/browser.ts';
import { buildIfNeeded } from '../tools/lib/build.ts';
import { cost, frameTimes, heapOctets, measuring, scrollStep, stillList } from './page-cost.ts';
import { startPeer } from './peers/child.ts';
import { type BenchResult, quantile, ratioAtMost, valueAtMost } from './result.ts';

const ENTRIES = 1_000_000;
const LOG_OCTETS = 268_435_456;
const CHANNEL = 'Logged';
/** How far each frame of a scroll goes. */
const STEP_PX = 120;
/** A frame of the list may take so many times one of a list that only stands there. */
const MOST_FRAME = 2;
/** Processor time of a wheel step, with style, layout and painting, in milliseconds. */
const MOST_STEP_MS = 16;
/** From the click until the older rows are there, and from Enter until a filter has gone through all entries, in milliseconds. */
const [MOST_BACK_MS, MOST_FILTER_MS] = [1000, 20_000];
const MOST_HEAP_MIB = 100;
/** Pages of older rows, as many as the page has room for. */
const BACK = 9;
const MIB = 1024 * 1024;
const BOX = `document.querySelector('[data-testid="frames-scroll"]')`;

/** The frame list of the built pages above a log of a million entries: frames while it scrolls, what it holds, going back, and a filter over all of it. */
export async function* run(): AsyncIterable<BenchResult> {
  await buildIfNeeded();
  const executablePath = findBrowser();
  if (!executablePath) throw new Error('no browser: install chromium, or set CHROMIUM to its path');
  const service = startPeer('frames-service.ts');
  let browser: Browser | undefined;
  try {
    const { url } = await service.ask<{ url: string }>({ kind: 'listen' });
    await send(`${url}/api/service/settings`, 'PUT', { frame_log_bytes: LOG_OCTETS });
    const { id } = (await send(`${url}/api/channel/add`, 'POST', { name: CHANNEL, protocol_type: 1, conn_type: 2 })) as { id: number };
    const { entries } = await service.ask<{ entries: number }>({ kind: 'fill', channelId: id, entries: ENTRIES });
    if (entries < ENTRIES) throw new Error(`the log keeps ${entries} entries`);
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
    const page = await browser.newPage({ viewport: { width: 1366, height: 768 } });
    await page.goto(`${url}/?lng=en`);
    await page.locator(`[data-channel="${CHANNEL}"] button`).first().click();
    await page.getByTestId('tab-frames').click();
    await page.getByTestId('frame-row').first().waitFor();
    // it stands at its end when its rows have come
    while (!(await page.evaluate(`${BOX}.scrollTop > 0`))) await page.waitForTimeout(50);
    const back: number[] = [];
    for (let turn = 0; turn < BACK; turn++) back.push(await older(page));
    yield valueAtMost(
      'frames-page: 2,000 older rows of a million, from the click until they are there',
      Math.max(...back),
      'ms',
      MOST_BACK_MS,
    );
    yield await scrolling(page);
    const session = await measuring(page);
    await page.mouse.move(500, 500);
    const wheel = await cost(page, session, () => page.mouse.wheel(0, -STEP_PX));
    yield valueAtMost('frames-page: processor time of a wheel step', wheel, 'ms', MOST_STEP_MS);
    yield valueAtMost('frames-page: objects of the page', (await heapOctets(session)) / MIB, 'MiB', MOST_HEAP_MIB);
    yield await filtered(page);
  } finally {
    await browser?.close();
    await service.end();
  }
}

async function send(url: string, method: string, body: object): Promise<unknown> {
  const response = await fetch(url, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { data: unknown }).data;
}

const rowsOf = (page: Page) => page.locator('[data-testid="frames-scroll"] table').getAttribute('aria-rowcount').then(Number);

/** Goes to the beginning of the list, and asks for what lies in front of it; answers how long that took. */
async function older(page: Page): Promise<number> {
  await page.evaluate(`${BOX}.scrollTop = 0`);
  const button = page.getByTestId('frames-older');
  await button.waitFor();
  const before = await rowsOf(page);
  const began = performance.now();
  await button.click();
  while ((await rowsOf(page)) <= before) await page.waitForTimeout(5);
  return performance.now() - began;
}

/** The 95th percentile of frame times, of the list beside one of the same height whose rows never change; one after the other, three times. */
async function scrolling(page: Page): Promise<BenchResult> {
  const list: number[] = [];
  const still: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    still.push(...(await frameTimes(page, scrollStep(stillList(true), STEP_PX))));
    await page.evaluate(`(${stillList(false)})()`);
    await page.evaluate(`${BOX}.scrollTop = 0`);
    list.push(...(await frameTimes(page, scrollStep(`() => ${BOX}`, STEP_PX))));
  }
  const name = 'frames-page: frame time while the list scrolls above a million entries, p95, beside a still list';
  return ratioAtMost(name, quantile(list, 0.95), 'ms', quantile(still, 0.95), MOST_FRAME);
}

/** A filter that nothing passes goes through all entries. */
async function filtered(page: Page): Promise<BenchResult> {
  const line = page.getByTestId('frame-filter');
  await line.fill('slave == 250');
  await page.getByTestId('frame-filter-state').getByText('Enter applies it.').waitFor();
  const began = performance.now();
  await line.press('Enter');
  await page.getByText('No frame fits the filter.').waitFor({ timeout: 2 * MOST_FILTER_MS });
  return valueAtMost('frames-page: a filter that nothing of a million passes', performance.now() - began, 'ms', MOST_FILTER_MS);
}
