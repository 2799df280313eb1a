/**
 * `npm run screenshots [-- NAME …]`: a picture of every screen of the built pages with the demo plant, in both languages, light and dark, at two sizes,
 * into screenshots. With names only the screens whose name has one of them; parts of a look (`zh-CN`, `dark`, `1366x768`) leave out the
 * others. For people to look at: it compares nothing. `-- guide` takes those of docs/guide instead, and puts them into docs/guide/images.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { startService } from '../e2e/service.ts';
import { createClient } from '../src-shared/client/client.ts';
import { findBrowser } from './lib/browser.ts';
import { buildIfNeeded } from './lib/build.ts';
import { overFetch } from './lib/over-fetch.ts';
import { inRoot } from './lib/paths.ts';
import { CHECK_SHOTS } from './screens/check.ts';
import { FRAME_SHOTS } from './screens/frame.ts';
import { takeFirstSteps } from './screens/guide.ts';
import { POINT_SHOTS } from './screens/points.ts';
import { RECORDING_SHOTS } from './screens/recordings.ts';
import { SERVICE_SHOTS } from './screens/services.ts';
import { SETTINGS_SHOTS } from './screens/settings.ts';
import { CABINET, type Shot } from './screens/shot.ts';
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

const SHOTS = [
  ...FRAME_SHOTS,
  ...SETTINGS_SHOTS,
  ...POINT_SHOTS,
  ...TABLE_SHOTS,
  ...VIEW_SHOTS,
  ...RECORDING_SHOTS,
  ...CHECK_SHOTS,
  ...SERVICE_SHOTS,
];

const clientOf = (url: string) => createClient(overFetch(url));

/** A served device in a service of its own, which the pages show beside theirs. */
async function furnish(cabinet: string): Promise<void> {
  const api = clientOf(cabinet);
  const { data: channel } = await api.call('addChannel', { name: CABINET.channel, protocol_type: 1, conn_type: 1, port: 15_094 });
  const point = { frame_type: 0 as const, code: CABINET.point, name: 'Feeder power', address: 0, decode: '0x42', unit: 'kW' };
  await api.call('addPoints', { channel_id: channel.id, points: [{ ...point, protocol: { simulate: '230 + sine(60, 10)' } }] });
  await api.call('startDevice', { channel_id: channel.id });
}

/** Takes a picture while the cabinet is known; no other picture has it. */
async function besideCabinet(url: string, cabinet: string, take: () => Promise<void>): Promise<void> {
  const api = clientOf(url);
  const { data: remote } = await api.call('addRemote', { name: CABINET.name, address: cabinet });
  await take().finally(() => api.call('removeRemote', { id: remote.id }));
}

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
  readonly name: string;
  readonly language: string;
  readonly scheme: (typeof SCHEMES)[number];
  readonly size: (typeof SIZES)[number];
}

const missed: string[] = [];

/** The services of the pictures: that of the pages, and the cabinet. */
interface Services {
  readonly url: string;
  readonly cabinet: string;
}

async function takeAll(browser: Browser, { url, cabinet }: Services, look: Look, wanted: readonly string[]): Promise<void> {
  const { language, scheme } = look;
  const [width, height] = look.size;
  const folder = join(FOLDER, look.name);
  mkdirSync(folder, { recursive: true });
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, reducedMotion: 'reduce' });
  context.setDefaultTimeout(STEP_MS);
  // what the page remembers of one picture is not in the next
  await context.addInitScript('localStorage.clear()');
  const page = await context.newPage();
  const isWanted = (name: string) => wanted.length === 0 || wanted.some((part) => name.includes(part));
  async function take({ name, channel, reach }: Shot): Promise<void> {
    await page.goto(`${url}/?lng=${language}`);
    if (channel !== null) {
      await page.locator(`[data-channel="${channel}"] button`).first().click();
      await page.getByTestId('channel-header').filter({ hasText: channel }).waitFor();
    }
    await reach(page);
    await arrive(page);
    await settle(page);
    await page.screenshot({ path: join(folder, `${name}.png`) });
  }
  for (const shot of SHOTS.filter(({ name }) => isWanted(name))) {
    try {
      await (shot.isOverServices ? besideCabinet(url, cabinet, () => take(shot)) : take(shot));
    } catch (error) {
      const line = `not taken: ${look.name}/${shot.name}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`;
      console.error(line);
      missed.push(line);
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
  console.log(`${look.name} done`);
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
  const looks = SIZES.flatMap((size) =>
    LANGUAGES.flatMap((language) =>
      SCHEMES.map((scheme): Look => ({ name: `${language}-${scheme}-${size.join('x')}`, language, scheme, size })),
    ),
  );
  const isOfLook = (part: string) => looks.some(({ name }) => name.split(/-(?=light|dark|\d)/).includes(part));
  const asked = process.argv.slice(2);
  const parts = asked.filter(isOfLook);
  const wanted = asked.filter((part) => !isOfLook(part));
  const service = await startService();
  const cabinet = await startService({ hasDemo: false });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    await furnish(cabinet.url);
    for (const look of looks) {
      if (parts.every((part) => look.name.includes(part))) await takeAll(browser, { url: service.url, cabinet: cabinet.url }, look, wanted);
    }
  } finally {
    await browser.close();
    await service.stop();
    await cabinet.stop();
  }
  for (const line of missed) console.error(line);
  console.log(`pictures in ${FOLDER}`);
  process.exitCode = missed.length > 0 ? 1 : 0;
}

await main();
