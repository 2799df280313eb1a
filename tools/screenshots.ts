/**
 * `npm run screenshots [-- NAME …]`: a picture of every screen of the built pages with the demo plant, in both languages, light and dark, at two sizes,
 * into test-results/screenshots. With names only the screens whose name has one of them. For people to look at: it compares nothing.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { startService } from '../e2e/service.ts';
import { findBrowser } from './lib/browser.ts';
import { buildIfNeeded } from './lib/build.ts';
import { inRoot } from './lib/paths.ts';
import { compare, tableCheck, tableJob } from './lib/table-shots.ts';

const FOLDER = inRoot('test-results/screenshots');
const LANGUAGES = ['en', 'zh-CN'] as const;
const SCHEMES = ['light', 'dark'] as const;
const SIZES = [
  [1366, 768],
  [1920, 1080],
] as const;
/** For what hangs: a screen that does not come is told and left out. */
const STEP_MS = 15_000;

interface Shot {
  readonly name: string;
  /** Channel that is chosen before; null: none. */
  readonly channel: string | null;
  reach(page: Page): Promise<unknown>;
}

const cell = (page: Page, code: string, column = 'code') => page.locator(`[data-code="${code}"] [data-column="${column}"]`);
const tab = (page: Page, name: string) => page.getByTestId(`tab-${name}`).click();
const command = async (page: Page, place: number) => {
  await page.getByTestId('more-menu').click();
  await page.getByRole('menuitem').nth(place).click();
};

const project = async (page: Page, name: string) => {
  await page.getByTestId('project-menu').click();
  await page.getByTestId(`project-${name}`).click();
};

async function find(page: Page, code: string): Promise<void> {
  await page.getByRole('searchbox').fill(code);
  await cell(page, code).click();
}

/** Writes the setpoints of a channel whose code begins so, as a script would. */
async function writeSetpoints(page: Page, channel: string, prefix: string): Promise<void> {
  await page.evaluate(`(async () => {
    const data = async (url, init) => (await (await fetch(url, init)).json()).data;
    const { id } = (await data('/api/channel/list')).find(({ name }) => name === ${JSON.stringify(channel)});
    const table = await data('/api/device/table?page=1&page_size=100&frame_type=3&search=${prefix}&channel_id=' + id);
    for (const [index, { id: point_id, frame_type }] of table.items.entries()) {
      const body = JSON.stringify({ point_id, frame_type, value: 20 + index });
      await data('/api/device/update_point', { method: 'PUT', headers: { 'content-type': 'application/json' }, body });
    }
  })()`);
}

/** Shows a check session over a channel, which is made when it is not there, with a result of each kind; `showsRun`: its guided way, which is begun. */
async function check(page: Page, showsRun: boolean): Promise<void> {
  const id = await page.evaluate(`(async () => {
    const call = async (url, body) => {
      const init = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      return (await (await fetch('/api/check/' + url, init)).json()).data;
    };
    let [session] = (await call('sessions')).items;
    if (!session) {
      session = await call('add', { name: 'Bay 1, first visit' });
      const { data } = await (await fetch('/api/channel/list')).json();
      const { id: channel_id } = data.find(({ name }) => name === 'Demo PCS');
      await call('add_items', { session_id: session.id, channel_id, references: 'limits', tolerance: 1 });
      const { items } = await call('items?session_id=' + session.id);
      for (const [at, verdict] of ['passed', 'failed', 'blocked', 'accepted', 'passed', 'skipped'].entries()) {
        const body = { session_id: session.id, item: items[at].item, verdict, operator: 'Li', remark: verdict === 'passed' ? '' : '14:7' };
        await call('result', body);
      }
    }
    const { run } = await call('run');
    if (${showsRun} && run?.state !== 'running') await call('start', { session_id: session.id, operator: 'Li' });
    return session.id;
  })()`);
  await page.evaluate(`location.hash = '#/check/${id}${showsRun ? '/run' : ''}'`);
  await page
    .getByTestId(showsRun ? 'guided-value' : 'check-item')
    .first()
    .waitFor();
}

/** Ends the check that is under way. */
async function endCheck(page: Page): Promise<void> {
  const body = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
  await page.evaluate(`fetch('/api/check/stop', ${JSON.stringify(body)})`);
}

/** Begins a way in which nobody decides, in place of what is under way, and shows it. */
async function checkWay(page: Page, way: 'listen' | 'unattended'): Promise<void> {
  await endCheck(page);
  await check(page, false);
  const rest = way === 'listen' ? { way } : { timeout_ms: 5000 };
  const id = Number(/check\/(\d+)/.exec(page.url())?.[1]);
  const body = JSON.stringify({ session_id: id, operator: 'Li', ...rest });
  const init = JSON.stringify({ method: 'POST', headers: { 'content-type': 'application/json' }, body });
  if (way === 'unattended') await oneReference(page, id);
  await page.evaluate(`fetch('/api/check/${way === 'listen' ? 'start' : 'compare'}', ${init})`);
  await page.evaluate(`location.hash = '#/check/${id}/run'`);
  await page.getByTestId(way).waitFor();
  await page.getByTestId(way === 'listen' ? 'guided-value' : 'unattended-done').waitFor();
}

/** Gives measurements of a session one reference each: most of them fail. */
async function oneReference(page: Page, id: number): Promise<void> {
  await page.evaluate(`(async () => {
    const { data } = await (await fetch('/api/check/items?session_id=${id}&frame_type=0&page_size=20')).json();
    const items = data.items.map(({ item }) => item);
    const expectation = { kind: 'values', references: [{ value: 380, tolerance: 5, percent: 0 }] };
    const body = JSON.stringify({ session_id: ${id}, items, expectation });
    await fetch('/api/check/edit_items', { method: 'PUT', headers: { 'content-type': 'application/json' }, body });
  })()`);
}

/** Every screen, by what leads to it. Nothing here hangs on the language. */
const SHOTS: readonly Shot[] = [
  { name: 'plant', channel: null, reach: (page) => page.getByTestId('open-plant').click() },
  { name: 'check-session', channel: null, reach: (page) => check(page, false) },
  {
    name: 'check-history',
    channel: null,
    reach: async (page) => {
      await check(page, false);
      await page.getByTestId('check-item').nth(1).dblclick();
      await page.getByTestId('check-entry').waitFor();
    },
  },
  { name: 'check-guided', channel: null, reach: (page) => check(page, true) },
  { name: 'check-listen', channel: null, reach: (page) => checkWay(page, 'listen') },
  { name: 'check-unattended', channel: null, reach: (page) => checkWay(page, 'unattended') },
  {
    name: 'check-start',
    channel: null,
    reach: async (page) => {
      await endCheck(page);
      await check(page, false);
      await page.getByTestId('check-start-open').click();
      await page.getByTestId('check-start').waitFor();
    },
  },
  { name: 'check-points', channel: 'Demo PCS', reach: (page) => page.locator('[data-column="check"] [data-state]').first().waitFor() },
  {
    name: 'check-sessions',
    channel: null,
    reach: async (page) => {
      await check(page, false);
      await page.getByTestId('check-back').click();
      await page.getByTestId('check-session').waitFor();
    },
  },
  {
    name: 'check-new',
    channel: null,
    reach: async (page) => {
      await page.getByTestId('open-check').click();
      await page.getByTestId('check-new-open').click();
    },
  },
  { name: 'points', channel: 'Demo BMS', reach: (page) => cell(page, 'BMS1_U').click() },
  { name: 'points-silent', channel: 'Demo BMS', reach: (page) => find(page, 'BMS5_U') },
  {
    name: 'points-menu',
    channel: 'Demo PCS',
    reach: async (page) => {
      await cell(page, 'PCS_UAB').click({ button: 'right' });
      await page.getByTestId('grid-menu').waitFor();
    },
  },
  {
    name: 'points-header-menu',
    channel: 'Demo PCS',
    reach: (page) => page.locator('[data-head="value"]').click({ button: 'right' }),
  },
  {
    name: 'points-edit-error',
    channel: 'Demo PCS',
    reach: async (page) => {
      await cell(page, 'PCS_UAB', 'unit').dblclick();
      await page.getByTestId('cell-editor').fill('\u0007');
      await page.keyboard.press('Enter');
      await page.locator('[role="alert"]:not(:empty)').first().waitFor();
    },
  },
  {
    name: 'inspector',
    channel: 'Demo BMS',
    reach: async (page) => {
      await cell(page, 'BMS1_U').click();
      await page.getByTestId('inspector-toggle').click();
      await page.getByTestId('inspector-value').waitFor();
    },
  },
  {
    name: 'edit-fill',
    channel: 'Demo PCS',
    reach: async (page) => {
      await cell(page, 'PCS_UAB', 'address').click();
      for (let more = 0; more < 4; more++) await page.keyboard.press('Shift+ArrowDown');
      await page.keyboard.press('Control+d');
      await page.locator('[data-path="fill_step"]').fill('10');
      await page.getByTestId('edit-preview').waitFor();
    },
  },
  {
    name: 'edit-duplicate',
    channel: 'Demo BMS',
    reach: async (page) => {
      await cell(page, 'BMS1_U').click();
      for (let more = 0; more < 3; more++) await page.keyboard.press('Shift+ArrowDown');
      await cell(page, 'BMS1_U').click({ button: 'right' });
      await page.getByTestId('menu-duplicate-points').click();
      await page.getByTestId('edit-preview').waitFor();
    },
  },
  {
    name: 'edit-replace',
    channel: 'Demo BMS',
    reach: async (page) => {
      await cell(page, 'BMS1_U').click();
      await page.keyboard.press('Control+h');
      await page.locator('[data-path="find"]').fill('BMS(\\d+)_');
      await page.locator('[data-path="by"]').fill('RACK$1.');
      await page.locator('[data-path="is_pattern"]').check();
      await page.getByTestId('edit-preview').getByText('RACK1.U').first().waitFor();
    },
  },
  {
    name: 'edit-move',
    channel: 'Demo PCS',
    reach: async (page) => {
      await cell(page, 'PCS_UAB').click({ button: 'right' });
      await page.getByTestId('menu-move-points').click();
      await page.getByTestId('edit-preview').waitFor();
    },
  },
  {
    name: 'edit-paste',
    channel: 'Demo PCS',
    reach: async (page) => {
      await cell(page, 'PCS_UAB').click();
      await page.evaluate(`(() => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', '遥测\\tX1\\tVoltage\\t1\\tten\\n遥测\\tX2\\tCurrent\\t1\\t21');
        document.dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true }));
      })()`);
      await page.getByTestId('import-file').waitFor();
    },
  },
  { name: 'table-check', channel: null, reach: tableCheck },
  { name: 'compare-choice', channel: 'Demo PCS', reach: (page) => compare(page, false) },
  { name: 'compare-result', channel: 'Demo PCS', reach: (page) => compare(page, true) },
  { name: 'table-job', channel: 'Demo BMS', reach: tableJob },
  { name: 'points-104', channel: 'Demo 104 master', reach: (page) => page.getByTestId('point-row').first().click() },
  { name: 'points-61850', channel: 'Demo 61850 client', reach: (page) => page.getByTestId('point-row').first().click() },
  { name: 'points-645', channel: 'Demo 645 line', reach: (page) => page.getByTestId('point-row').first().click() },
  {
    name: 'model',
    channel: 'Demo 61850 client',
    reach: async (page) => {
      await tab(page, 'model');
      await page.getByTestId('model-tree').focus();
      for (const key of ['Home', 'ArrowRight', 'ArrowDown', 'ArrowRight', 'ArrowDown', 'ArrowRight']) {
        await page.keyboard.press(key);
        await page.getByTestId('model-waiting').waitFor({ state: 'detached' });
      }
    },
  },
  {
    name: 'logs',
    channel: 'Demo 61850 client',
    reach: async (page) => {
      await tab(page, 'tools');
      await page.getByTestId('operation-query_log').click();
      await page.locator('[data-path="log"]').fill('BAY1CTRL/LLN0.events');
      await page.getByTestId('operation-run').click();
      await page.getByTestId('operation-outcome').waitFor();
    },
  },
  {
    name: 'control',
    channel: 'Demo 61850 client',
    reach: async (page) => {
      await find(page, 'BAY_CB_CTL');
      await page.getByTestId('point-write').click();
      await page.getByTestId('write-disarmed').waitFor();
    },
  },
  {
    name: 'data-sets',
    channel: 'Demo 61850 client',
    reach: async (page) => {
      await tab(page, 'model');
      await page.locator('.mantine-SegmentedControl-label').nth(1).click();
      await page.getByTestId('member-row').first().waitFor();
    },
  },
  {
    name: 'frames',
    channel: 'Demo PCS',
    reach: async (page) => {
      await tab(page, 'frames');
      await page.getByTestId('frame-row').first().waitFor();
      await page.getByTestId('frames-pause').click();
      await page.locator('[data-testid="frame-row"][data-kind="tx"]').last().click();
      await page.getByTestId('explain-tree').waitFor();
    },
  },
  { name: 'line', channel: 'Demo BMS', reach: (page) => tab(page, 'line') },
  { name: 'tools', channel: 'Demo BMS', reach: (page) => tab(page, 'tools') },
  {
    name: 'unknown',
    channel: 'Demo 104 master',
    reach: async (page) => {
      await tab(page, 'tools');
      await page.getByTestId('tools-unknown').click();
    },
  },
  { name: 'events', channel: 'Demo 104 master', reach: (page) => tab(page, 'events') },
  { name: 'audit', channel: 'Demo PCS', reach: (page) => tab(page, 'audit') },
  { name: 'point-form', channel: 'Demo PCS', reach: (page) => page.getByTestId('point-add').click() },
  {
    name: 'write',
    channel: 'Demo PCS',
    reach: async (page) => {
      await find(page, 'PCS_P_SET');
      await page.getByTestId('point-write').click();
    },
  },
  {
    name: 'setpoints',
    channel: 'Demo PCS',
    reach: async (page) => {
      await writeSetpoints(page, 'Demo PCS', 'PCS_');
      await page.getByTestId('setpoints').click();
      await page.getByTestId('setpoint-row').first().waitFor();
    },
  },
  { name: 'channel-form', channel: null, reach: (page) => page.getByTestId('add-channel').click() },
  { name: 'palette', channel: 'Demo PCS', reach: (page) => page.getByTestId('open-palette').click() },
  {
    name: 'beside',
    channel: 'Demo PCS',
    reach: async (page) => {
      await page.locator('[data-channel="Demo 104 master"]').hover();
      await page.locator('[data-channel="Demo 104 master"]').getByTestId('channel-menu').click();
      await page.getByTestId('command-show-beside').click();
      await page.locator('[data-area="beside"] [data-testid="point-row"]').first().waitFor();
    },
  },
  { name: 'settings', channel: null, reach: (page) => command(page, 0) },
  {
    name: 'settings-service',
    channel: null,
    reach: async (page) => {
      await command(page, 0);
      await page.getByTestId('settings-service').click();
    },
  },
  {
    name: 'settings-keys',
    channel: 'Demo PCS',
    reach: async (page) => {
      await command(page, 0);
      await page.getByTestId('settings-keys').click();
    },
  },
  { name: 'project', channel: null, reach: (page) => project(page, 'facts') },
  { name: 'project-menu', channel: null, reach: (page) => page.getByTestId('project-menu').click() },
  { name: 'project-open', channel: null, reach: (page) => project(page, 'open') },
  {
    name: 'start-page',
    channel: null,
    reach: async (page) => {
      await page.getByTestId('project-menu').click();
      await page.getByTestId('open-start').click();
      await page.getByTestId('recent-projects').waitFor();
    },
  },
  {
    name: 'new-channel',
    channel: null,
    reach: async (page) => {
      await page.getByTestId('project-menu').click();
      await page.getByTestId('open-start').click();
      await page.getByTestId('begin-channel').click();
      await page.getByTestId('new-channel-form').waitFor();
    },
  },
  {
    name: 'device-file',
    channel: null,
    reach: async (page) => {
      await page.getByTestId('project-menu').click();
      await page.getByTestId('open-start').click();
      await page.getByTestId('begin-file').click();
      await page.locator('input[type=file]').setInputFiles(inRoot('resources/demo/bay.cid'));
      await page.getByTestId('device-row').first().waitFor();
    },
  },
  {
    name: 'device-taken',
    channel: null,
    reach: async (page) => {
      await page.getByTestId('project-menu').click();
      await page.getByTestId('open-start').click();
      await page.getByTestId('begin-file').click();
      await page.locator('input[type=file]').setInputFiles(inRoot('resources/demo/bay.cid'));
      await page.getByTestId('device-take').click();
      await page.getByTestId('device-file-taken').waitFor();
    },
  },
  { name: 'all-writes', channel: null, reach: (page) => command(page, 1) },
  {
    name: 'keys',
    channel: 'Demo PCS',
    reach: (page) => page.keyboard.press('F1'),
  },
];

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
  { language, scheme, size: [width, height] }: Look,
  wanted: readonly string[],
): Promise<void> {
  const look = `${language}-${scheme}-${width}x${height}`;
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

async function main(): Promise<void> {
  await buildIfNeeded();
  const executablePath = findBrowser();
  if (!executablePath) throw new Error('no browser: install chromium, or set CHROMIUM to its path');
  const wanted = process.argv.slice(2);
  const service = await startService();
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    for (const size of SIZES)
      for (const language of LANGUAGES)
        for (const scheme of SCHEMES) await takeAll(browser, service.url, { language, scheme, size }, wanted);
  } finally {
    await browser.close();
    await service.stop();
  }
  for (const line of missed) console.error(`not taken: ${line}`);
  console.log(`pictures in ${FOLDER}`);
  process.exitCode = missed.length > 0 ? 1 : 0;
}

await main();
