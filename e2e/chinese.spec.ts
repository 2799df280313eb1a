import { expect, test } from './fixtures.ts';
import type { Screen } from './screen.ts';
import { severeWords } from './severe.ts';

// Each channel is looked at by itself: no worker waits for the other's.
test.describe.configure({ mode: 'parallel' });

/** Two English words behind each other; names in capitals (Modbus TCP, GetNameList) are the same in every language. */
const SENTENCE = /[A-Za-z]{2,}[,.:;]? +[a-z]{2,}/;

/** All texts of the page, with what is told on hover and to screen readers. */
const TEXTS = `(() => {
  const found = new Set();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (!['SCRIPT', 'STYLE'].includes(node.parentElement?.tagName ?? 'STYLE')) found.add(node.textContent.trim());
  }
  for (const name of ['title', 'aria-label', 'placeholder']) {
    for (const element of document.querySelectorAll('[' + name + ']')) found.add(element.getAttribute(name));
  }
  return [...found];
})()`;

interface Named {
  readonly [field: string]: unknown;
}

/** What people and devices have named: it stands on the pages as it was given, the longest first. */
async function given(view: Screen): Promise<readonly string[]> {
  const channels = (await view.api('GET', '/api/channel/list')) as readonly (Named & { id: number })[];
  const project = (await view.api('GET', '/api/project/info')) as { path: string };
  const named: Named[] = [...channels];
  for (const { id } of channels) {
    const table = (await view.api('GET', `/api/device/table?channel_id=${id}&page=1&page_size=10000`)) as { items: Named[] };
    named.push(...table.items);
  }
  // channels that are gone still stand in the audit
  const audit = (await view.api('GET', '/api/audit/list')) as { items: Named[] };
  named.push(...audit.items);
  const fields = ['name', 'channel_name', 'code', 'note', 'unit', 'reference', 'category', 'item'];
  const words = named.flatMap((row) => fields.map((field) => row[field])).filter((word) => typeof word === 'string');
  // the identity that the simulated bay tells of itself
  const all = new Set([...words, project.path, 'Demo bay controller']);
  return [...all].filter((word) => word.length > 1).sort((one, other) => other.length - one.length);
}

/** A dialog whose field shows a list closes its list first. */
async function closeDialog({ page }: Screen): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden({ timeout: 1000 });
  }).toPass();
}

async function englishOn(view: Screen, names: readonly string[]): Promise<readonly string[]> {
  await view.settle();
  const texts = (await view.page.evaluate(TEXTS)) as readonly string[];
  const strange = texts.filter((text) => SENTENCE.test(text));
  return strange.filter((text) => SENTENCE.test(names.reduce((rest, name) => rest.replaceAll(name, '#'), text)));
}

test.beforeEach(async ({ view }) => {
  await view.page.getByTestId('language').click();
  await view.page.getByRole('menuitem', { name: '中文' }).click();
  await expect(view.page.locator('html')).toHaveAttribute('lang', 'zh-CN');
});

for (const channel of ['Demo BMS', 'Demo 645 line', 'Demo 104 master', 'Demo 61850 client']) {
  test(`no English sentence, and a name for everything, on the Chinese pages of ${channel}`, async ({ view }) => {
    const { page } = view;
    const names = await given(view);
    const english: string[] = [];
    const unnamed: string[] = [];
    const look = async (where: string) => {
      english.push(...(await englishOn(view, names)).map((text) => `${where}: ${text}`));
      unnamed.push(...(await severeWords(view, where)));
    };
    await view.choose(channel);
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      await expect(tab).toHaveAttribute('aria-selected', 'true');
      await look(await tab.innerText());
    }
    await view.tab('frames');
    const frame = (kind: string) => page.locator(`[data-testid="frame-row"][data-kind="${kind}"]`).last();
    for (const kind of ['tx', 'rx']) await expect(frame(kind)).toBeVisible();
    await page.getByTestId('frames-pause').click();
    for (const kind of ['tx', 'rx']) {
      await view.explain(kind);
      await look(`frame ${kind}`);
    }
    await view.tab('points');
    await page.getByTestId('point-row').first().click();
    await page.keyboard.press('F4');
    await expect(page.getByTestId('inspector-value')).toBeVisible();
    await look('inspector');
    await page.getByTestId('read-settings').click();
    await look('read settings');
    await closeDialog(view);
    await page.getByTestId('point-add').click();
    await expect(page.getByRole('dialog', { name: '添加测点' })).toBeVisible();
    await look('point form');
    await closeDialog(view);
    await page.getByTestId('channel-menu').last().click();
    await look('menu');
    await page.getByTestId('command-edit-channel').click();
    await expect(page.getByRole('dialog', { name: '编辑' })).toBeVisible();
    await look('channel form');
    expect(english).toEqual([]);
    expect(unnamed).toEqual([]);
  });
}

test('no English sentence, and a name for everything, in the Chinese plant, palette, keys and dialogs of the service', async ({ view }) => {
  const { page } = view;
  const names = await given(view);
  const english: string[] = [];
  const unnamed: string[] = [];
  const look = async (where: string) => {
    english.push(...(await englishOn(view, names)).map((text) => `${where}: ${text}`));
    unnamed.push(...(await severeWords(view, where)));
  };
  await page.getByTestId('open-plant').click();
  await expect(page.getByTestId('plant-row').first()).toBeVisible();
  await look('plant');
  for (const key of ['Shift+F1', 'Control+k']) {
    await page.keyboard.press(key);
    await expect(page.getByRole('dialog')).toBeVisible();
    await look(key);
    await closeDialog(view);
  }
  for (const item of ['设置', '写操作记录', '关于 Loopcheck']) {
    await page.getByTestId('more-menu').click();
    await page.getByRole('menuitem', { name: item }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await look(item);
    await closeDialog(view);
  }
  for (const item of ['project-new', 'project-open', 'project-copy', 'project-rename', 'project-facts', 'project-read-text']) {
    await view.around.choose('/tmp/工程.loopcheck');
    await page.getByTestId('project-menu').click();
    await look('project menu');
    await page.getByTestId(item).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await look(item);
    await closeDialog(view);
  }
  await page.getByTestId('project-menu').click();
  await page.getByTestId('open-start').click();
  await expect(page.getByTestId('recent-projects')).toBeVisible();
  await look('start page');
  await page.getByTestId('begin-channel').click();
  await view.field('name').fill('1');
  await look('new channel');
  await page.getByTestId('new-channel-next').click();
  await look('settings of a new channel');
  expect(english).toEqual([]);
  expect(unnamed).toEqual([]);
});
