import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from './fixtures.ts';
import type { Screen } from './screen.ts';
import { severe } from './severe.ts';

/** Two English words behind each other. */
const SENTENCE = /[A-Za-z]{2,}[,.:;]? +[a-z]{2,}/;

interface Named {
  readonly id: number;
  readonly name: string;
}

/** Sets what the served device of the demo has: its light follows. */
async function setLight(view: Screen, value: number): Promise<void> {
  const channels = (await view.api('GET', '/api/channel/list')) as readonly Named[];
  const plant = channels.find(({ name }) => name === 'Demo plant')?.id ?? 0;
  const url = `/api/device/table?channel_id=${plant}&frame_type=2&search=IO_LIGHT&page=1&page_size=10`;
  const { items } = (await view.api('GET', url)) as { items: readonly Named[] };
  await view.api('PUT', '/api/device/update_point', { point_id: items[0]?.id ?? 0, frame_type: 2, value });
}

const item = (view: Screen, code: string) => view.page.locator(`[data-testid="check-item"][data-code="${code}"]`);

/** A session over the signals of a demo channel. */
async function newSession(view: Screen, name: string): Promise<void> {
  const { page } = view;
  await view.choose('Demo meter');
  await page.getByTestId('open-check').click();
  await page.getByTestId('check-new-open').click();
  await page.locator('[data-path="name"]').fill(name);
  for (const type of ['YC', 'YK', 'YT']) await page.getByRole('checkbox', { name: type, exact: true }).uncheck();
  await page.getByTestId('check-new-do').click();
  await expect(page.getByTestId('check-session-view')).toBeVisible();
}

test('signals are checked by keyboard alone: one passes by its change, one fails with a remark, one is skipped', async ({ view }) => {
  const { page } = view;
  await setLight(view, 0);
  await newSession(view, 'Visit 1');
  await item(view, 'IO_DOOR').click();
  const before = Number(await item(view, 'IO_DOOR').getAttribute('data-row'));
  await page.keyboard.press('Alt+ArrowDown');
  await expect(item(view, 'IO_DOOR')).toHaveAttribute('data-row', String(before + 1));
  await page.keyboard.press('Alt+ArrowUp');
  await expect(item(view, 'IO_DOOR')).toHaveAttribute('data-row', String(before));
  for (const code of ['IO_SMOKE', 'IO_LIGHT_ON']) await item(view, code).click({ modifiers: ['Control'] });
  expect(await severe(view, 'session')).toEqual([]);
  await page.getByTestId('item-guided').click();
  await page.locator('[data-path="operator"]').fill('Li');
  await page.keyboard.press('Enter');
  const guided = page.getByTestId('guided');
  await expect(guided).toHaveAttribute('data-item', 'IO_DOOR');
  await expect(page.getByTestId('guided-value')).toHaveAttribute('data-quality', 'good');
  expect(await severe(view, 'guided')).toEqual([]);

  await page.keyboard.press('m');
  await page.keyboard.type('wire broken');
  await page.keyboard.press('Enter');
  await page.keyboard.press('f');
  await expect(guided).toHaveAttribute('data-item', 'IO_SMOKE');
  await expect(page.getByTestId('guided-result').first()).toContainText('wire broken');
  // loaded anew in the middle, the page is where it was
  await page.reload();
  await expect(guided).toHaveAttribute('data-item', 'IO_SMOKE');
  await page.keyboard.press('s');
  await expect(guided).toHaveAttribute('data-item', 'IO_LIGHT_ON');
  await expect(page.getByTestId('guided-value')).toHaveText('0');
  await expect(page.getByTestId('guided-status')).toHaveAttribute('data-ready', 'true');
  await setLight(view, 1);
  await expect(page.locator('[data-testid="guided-wanted"] [data-seen="true"]')).toHaveCount(1);
  await setLight(view, 0);
  await expect(guided).toHaveAttribute('data-run', 'ended');
  await expect(page.getByTestId('guided-result').first()).toHaveAttribute('data-verdict', 'passed');
  await page.keyboard.press('Escape');
  await expect(guided).toBeHidden();

  await expect(item(view, 'IO_LIGHT_ON')).toHaveAttribute('data-state', 'passed');
  await expect(item(view, 'IO_DOOR')).toHaveAttribute('data-state', 'failed');
  await expect(item(view, 'IO_SMOKE')).toHaveAttribute('data-state', 'not_checked');
  const counts = page.getByTestId('check-counts');
  await expect(counts.locator('[data-state="passed"]')).toHaveText('Passed 1');
  await expect(counts.locator('[data-state="failed"]')).toHaveText('Failed 1');
  await item(view, 'IO_DOOR').dblclick();
  await expect(page.getByTestId('check-entry')).toHaveAttribute('data-verdict', 'failed');
  await expect(page.getByTestId('check-entry')).toContainText('wire broken');
  expect(await severe(view, 'history')).toEqual([]);
  await page.keyboard.press('Escape');
});

/** Asks for the record of the session that is open in one form. */
async function exportRecord({ page }: Screen, form: 'HTML' | 'PDF' | 'xlsx' | 'JSON', language?: 'English' | '中文'): Promise<void> {
  await page.getByTestId('check-more').click();
  await page.getByTestId('record-check').click();
  await page.getByTestId('export-form').getByText(form, { exact: true }).click();
  if (language) await page.getByTestId('export-lang').getByText(language, { exact: true }).click();
  await page.getByTestId('export-do').click();
}

/** Saves that record, and answers the octets of the file. */
async function savedRecord(view: Screen, form: 'HTML' | 'xlsx' | 'JSON', language?: 'English'): Promise<Buffer<ArrayBuffer>> {
  const { bytes } = await view.around.download(() => exportRecord(view, form, language));
  return bytes;
}

test('the record is saved and verifies, one that was changed does not, and a merge tells what came', async ({ view }) => {
  const { page } = view;
  await newSession(view, 'Visit 2');
  await item(view, 'IO_DOOR').click();
  await page.getByTestId('item-result').click();
  await page.locator('[data-path="operator"]').fill('Li');
  await page.locator('[data-path="remark"]').fill('seen at the terminal');
  await page.getByTestId('check-result-do').click();
  await expect(item(view, 'IO_DOOR')).toHaveAttribute('data-state', 'passed');
  const json = await savedRecord(view, 'JSON');
  const html = await savedRecord(view, 'HTML', 'English');
  expect((await savedRecord(view, 'xlsx')).subarray(0, 2).toString()).toBe('PK');
  await page.getByTestId('check-back').click();
  await page.getByTestId('check-file-open').click();
  const give = async (name: string, buffer: Buffer) => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByTestId('record-choose').click();
    await (await chooser).setFiles({ name, mimeType: 'application/octet-stream', buffer });
    await expect(page.getByTestId('record-verified')).toContainText(name);
  };
  const isWhole = (whole: boolean) => expect(page.getByTestId('record-verified')).toHaveAttribute('data-whole', String(whole));
  await give('a.json', Buffer.from(json.toString('utf8').replace('seen at the terminal', 'never seen')));
  await isWhole(false);
  await expect(page.getByTestId('record-merge')).toBeDisabled();
  await give('b.json', json);
  await isWhole(true);
  const changed = Buffer.from(html);
  const last = changed.length - 200;
  changed[last] = (changed[last] ?? 0) ^ 1;
  await give('c.html', changed);
  await isWhole(false);
  await give('d.html', html);
  await isWhole(true);
  await page.getByTestId('record-merge').click();
  await expect(page.getByTestId('record-merged')).toContainText('Merged into Visit 2: items 0, parts 0, results 0 came.');
  expect(await severe(view, 'record')).toEqual([]);
});

test('in a browser: the record as HTML is read from the disk without a service, in both languages, and asks for nothing', async ({
  view,
}, testInfo) => {
  const { page } = view;
  const browser = page.context().browser();
  if (browser === null) {
    test.skip(true, 'there is no browser beside the window');
    return;
  }
  await newSession(view, 'Visit 4');
  await item(view, 'IO_DOOR').click();
  await page.getByTestId('item-result').click();
  await page.locator('[data-path="operator"]').fill('Li');
  await page.locator('[data-path="remark"]').fill('seen <b>here</b>');
  await page.getByTestId('check-result-do').click();
  await expect(item(view, 'IO_DOOR')).toHaveAttribute('data-state', 'passed');
  const path = testInfo.outputPath('record.html');
  writeFileSync(path, await savedRecord(view, 'HTML', 'English'));

  const context = await browser.newContext({ offline: true, viewport: { width: 1366, height: 768 } });
  const reader = await context.newPage();
  const asked: string[] = [];
  const said: string[] = [];
  reader.on('request', (request) => asked.push(request.url()));
  reader.on('console', (message) => said.push(message.text()));
  reader.on('pageerror', (error) => said.push(error.message));
  await reader.goto(`file://${path}`);
  await expect(reader.locator('h1')).toHaveText('Visit 4');
  await expect(reader.getByTestId('counts').locator('.count[data-state="passed"]')).toHaveText('1Passed');
  const door = reader.locator('.all [data-code="IO_DOOR"]');
  await expect(door).toContainText('Remark: seen <b>here</b>');
  await door.getByRole('button').click();
  await expect(door.getByTestId('frame').first()).toContainText('transaction id');
  await reader.getByTestId('language').click();
  await expect(door).toContainText('备注：seen <b>here</b>');
  await reader.locator('[data-shown="failed"]').click();
  await expect(door).toBeHidden();
  await reader.goto(`file://${path}?lang=zh`);
  await expect(reader.locator('.signatures h2')).toHaveText('签名');
  const digest = /sha256:([0-9a-f]{64}) -->/.exec(readFileSync(path, 'utf8'))?.[1] ?? 'none';
  await expect(reader.getByTestId('file-digest')).toContainText(digest);
  expect(said).toEqual([]);
  expect(asked.filter((url) => !url.startsWith('file://'))).toEqual([]);
  await context.close();
});

/** Pages of a PDF as they stand in it: their sizes in points. */
function pageSizes(pdf: Buffer): readonly string[] {
  const pages = pdf.toString('latin1').match(/\/Type \/Page\b[\s\S]*?\/MediaBox \[[^\]]+\]/g) ?? [];
  return pages.map((page) => /MediaBox \[([^\]]+)\]/.exec(page)?.[1] ?? '');
}

test('in the window: the record is printed as PDF by itself, in both languages', async ({ view }, testInfo) => {
  test.skip(view.isBrowser, 'a browser has a print dialog of its own');
  const { page } = view;
  await newSession(view, 'Visit 5');
  await item(view, 'IO_DOOR').click();
  await page.getByTestId('item-result').click();
  await page.locator('[data-path="operator"]').fill('Li');
  await page.getByTestId('check-result-do').click();
  await expect(item(view, 'IO_DOOR')).toHaveAttribute('data-state', 'passed');
  for (const language of ['English', '中文'] as const) {
    const path = testInfo.outputPath(`${language}.pdf`);
    await view.around.choose(path);
    await exportRecord(view, 'PDF', language);
    await expect(page.getByTestId('export-dialog')).toBeHidden();
    const pdf = readFileSync(path);
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    // cover, figures, all points, signatures: each begins a page, of A4
    const sizes = pageSizes(pdf);
    expect(sizes.length).toBeGreaterThanOrEqual(4);
    expect(new Set(sizes.map((size) => size.split(' ').map(Number).map(Math.round).join(' ')))).toEqual(new Set(['0 0 595 842']));
  }
});

test('no English sentence on the Chinese pages of the check', async ({ view }) => {
  const { page } = view;
  await newSession(view, 'V3');
  await page.getByTestId('language').click();
  await page.getByRole('menuitem', { name: '中文' }).click();
  const english: string[] = [];
  const look = async (where: string) => {
    await view.settle();
    const main = (await page.evaluate(`[...document.querySelectorAll('main, [role=dialog]')].flatMap((box) => {
      const walk = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
      const found = [];
      for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        if (!node.parentElement.closest('[data-column="name"], [data-column="channel"], [class*=name]')) found.push(node.textContent);
      }
      for (const name of ['title', 'aria-label', 'placeholder']) {
        for (const each of box.querySelectorAll('[' + name + ']')) if (!each.closest('[data-column]')) found.push(each.getAttribute(name));
      }
      return found;
    })`)) as readonly string[];
    // the demo gives its channels English names
    const given = /Demo [a-z]+/g;
    english.push(...main.filter((text) => SENTENCE.test(text.replaceAll(given, '#'))).map((text) => `${where}: ${text}`));
  };
  await expect(item(view, 'IO_DOOR')).toBeVisible();
  await look('session');
  await item(view, 'IO_DOOR').click();
  for (const button of ['check-add-open', 'check-counts-open', 'item-result', 'item-edit', 'item-history']) {
    await page.getByTestId(button).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await look(button);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  }
  await page.getByTestId('item-guided').click();
  await page.locator('[data-path="operator"]').fill('李');
  await look('start');
  await page.getByTestId('check-start-do').click();
  await expect(page.getByTestId('guided')).toHaveAttribute('data-item', 'IO_DOOR');
  await look('guided');
  await page.getByTestId('guided-stop').click();
  await expect(page.getByTestId('guided')).toHaveAttribute('data-run', 'ended');
  await page.keyboard.press('Escape');
  await page.getByTestId('check-back').click();
  await expect(page.getByTestId('check-session').first()).toBeVisible();
  await look('sessions');
  expect(english).toEqual([]);
});
