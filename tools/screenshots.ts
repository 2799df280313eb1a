/**
 * `npm run screenshots [-- NAME …]`: a picture of every screen of the built pages with the demo plant, in both languages, light and dark, at two sizes,
 * into screenshots. With names only the screens whose name has one of them; parts of a look (`zh-CN`, `dark`, `1366x768`) leave out the
 * others. For people to look at: it compares nothing. `-- guide` takes those of docs/guide instead, and puts them into docs/guide/images.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { startService } from '../e2e/service.ts';
import { findBrowser } from './lib/browser.ts';
import { buildIfNeeded } from './lib/build.ts';
import { inRoot } from './lib/paths.ts';
import { CHECK_SHOTS } from './screens/check.ts';
import { FRAME_SHOTS } from './screens/frame.ts';
import { takeFirstSteps } from './screens/guide.ts';
import { POINT_SHOTS } from './screens/points.ts';
import { TABLE_SHOTS } from './screens/tables.ts';
import { VIEW_SHOTS } from './screens/views.ts';

const FOLDER = inRoot('screenshots');
const LANGUAGES = ['en', 'zh-CN'] as const;
const SCHEMES = ['light', 'dark'] as const;
const SIZES = [
  [1366, 768],
  [1920, 1080],
] as const;
/** For what hangs: a screen that does not come is told and left out. */
const STEP_MS = 15_000;
/** For what shows that it is on its way. */
const ARRIVE_MS = 5000;

const SHOTS = [...FRAME_SHOTS, ...POINT_SHOTS, ...TABLE_SHOTS, ...VIEW_SHOTS, ...CHECK_SHOTS];

/** Waits for a view or rows that are on their way; what stays on its way is pictured as it is. */
async function arrive(page: Page): Promise<void> {
  const waiting = page.locator('.mantine-Loader-root, [data-testid="grid-placeholder"]').first();
  await waiting.waitFor({ state: 'detached', timeout: ARRIVE_MS }).catch(() => undefined);
}

/** Waits until values have come and nothing fades or slides any more. */
async function settle(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  await page.waitForLoadState('load');
  await page.evaluate(`(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let count = 0; count < 20; count++) await frame();
    const ends = document.getAnimations().filter((item) => item.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ends.map((item) => item.finished));
  })()`);
}

interface Look {
  readonly language: string;
  readonly scheme: (typeof SCHEMES)[number];
  readonly size: (typeof SIZES)[number];
}

const missed: string[] = [];

async function takeAll(
  browser: Browser,
  url: string,
  look: string,
  { language, scheme, size: [width, height] }: Look,
  wanted: readonly string[],
): Promise<void> {
  const folder = join(FOLDER, look);
  mkdirSync(folder, { recursive: true });
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, reducedMotion: 'reduce' });
  context.setDefaultTimeout(STEP_MS);
  // what the page remembers of one picture is not in the next
  await context.addInitScript('localStorage.clear()');
  const page = await context.newPage();
  const isWanted = (name: string) => wanted.length === 0 || wanted.some((part) => name.includes(part));
  for (const { name, channel, reach } of SHOTS.filter((shot) => isWanted(shot.name))) {
    try {
      await page.goto(`${url}/?lng=${language}`);
      if (channel !== null) {
        await page.locator(`[data-channel="${channel}"] button`).first().click();
        await page.getByTestId('channel-header').filter({ hasText: channel }).waitFor();
      }
      await reach(page);
      await arrive(page);
      await settle(page);
      await page.screenshot({ path: join(folder, `${name}.png`) });
    } catch (error) {
      missed.push(`${look}/${name}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`);
    }
  }
  if (isWanted('kit')) {
    await page.goto(`${url}/?lng=${language}#/kit`);
    await page.reload();
    await page.getByTestId('kit').waitFor();
    await settle(page);
    await page.screenshot({ path: join(folder, 'kit.png') });
  }
  await context.close();
  console.log(`${look} done`);
}

/** The pictures of the guide, each language on a service of its own that was never started before. */
async function takeGuide(browser: Browser): Promise<void> {
  for (const language of ['en', 'zh'] as const) {
    const service = await startService({ hasDemo: false });
    const context = await browser.newContext({ viewport: { width: 1200, height: 600 }, colorScheme: 'light', reducedMotion: 'reduce' });
    context.setDefaultTimeout(STEP_MS);
    try {
      const page = await context.newPage();
      await page.goto(`${service.url}/?lng=${language === 'zh' ? 'zh-CN' : 'en'}`);
      await takeFirstSteps(page, language, inRoot('docs/guide/images'), settle);
    } finally {
      await context.close();
      await service.stop();
    }
  }
}

async function main(): Promise<void> {
  await buildIfNeeded();
  const executablePath = findBrowser();
  if (!executablePath) throw new Error('no browser: install chromium, or set CHROMIUM to its path');
  if (process.argv[2] === 'guide') {
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
    return takeGuide(browser).finally(() => browser.close());
  }
  const looks = new Map(
    SIZES.flatMap((size) =>
      LANGUAGES.flatMap((language) =>
        SCHEMES.map((scheme): [string, Look] => [`${language}-${scheme}-${size.join('x')}`, { language, scheme, size }]),
      ),
    ),
  );
  const isOfLook = (part: string) => [...looks.keys()].some((name) => name.split(/-(?=light|dark|\d)/).includes(part));
  const asked = process.argv.slice(2);
  const parts = asked.filter(isOfLook);
  const wanted = asked.filter((part) => !isOfLook(part));
  const service = await startService();
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    for (const [name, look] of looks)
      if (parts.every((part) => name.includes(part))) await takeAll(browser, service.url, name, look, wanted);
  } finally {
    await browser.close();
    await service.stop();
  }
  for (const line of missed) console.error(`not taken: ${line}`);
  console.log(`pictures in ${FOLDER}`);
  process.exitCode = missed.length > 0 ? 1 : 0;
}

await main();
