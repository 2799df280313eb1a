import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { severe } from './severe.ts';

/** Commands with their keys that the key help says of the table of points, in alphabetical order. */
async function keysOfPoints(page: Page): Promise<readonly string[]> {
  const rows = page.getByTestId('key-help').locator('[data-command]').filter({ hasText: 'in the table of points' });
  const texts: string[] = [];
  for (const row of await rows.all()) texts.push(`${await row.getAttribute('data-command')} ${await row.locator('th').textContent()}`);
  return texts.sort();
}

test('a channel and a command are found by a few letters, and the keys are listed', async ({ view }) => {
  const { page } = view;
  await view.choose('Demo PCS');
  await page.keyboard.press('Control+k');
  const search = page.getByPlaceholder('Search commands and channels');
  await search.fill('bms');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('channel-header')).toContainText('Demo BMS');
  await page.getByTestId('open-palette').click();
  await search.fill('show frames');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('frame-row').first()).toBeVisible();
  await page.keyboard.press('Control+1');
  await expect(page.getByTestId('point-row').first()).toBeVisible();
  await page.keyboard.press('Shift+F1');
  await expect(page.getByTestId('key-help')).toContainText('Ctrl+K');
  const ofPoints = await keysOfPoints(page);
  expect(ofPoints).toContain('edit-points F2');
  // the keys of the page rest while a dialog is open
  await page.keyboard.press('Control+0');
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('channel-header')).toContainText('Demo BMS');
  await page.keyboard.press('Control+0');
  await expect(page.getByTestId('plant')).toBeVisible();
  // what the table of points offers is told while it is not in sight
  await page.keyboard.press('Shift+F1');
  await expect(page.getByTestId('key-help')).toContainText('Ctrl+K');
  expect(await keysOfPoints(page)).toEqual(ofPoints);
});

test('without a mouse: the keyboard is back in the table after a dialog, a menu and a search', async ({ view }) => {
  const { page } = view;
  await view.choose('Demo PCS');
  await expect(page.getByTestId('point-row').first()).toBeVisible();
  const table = page.getByRole('grid', { name: 'Point table' });
  await page.keyboard.press('F6');
  await expect(table).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('F2');
  await expect(view.field('code')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(table).toBeFocused();
  await page.keyboard.press('Shift+F10');
  await expect(page.getByTestId('menu-read-point')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(table).toBeFocused();
  await page.keyboard.press('Control+f');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('PCS_UAB');
  await page.keyboard.press('Enter');
  await expect(table).toBeFocused();
  // a measured value cannot be written: the key says so
  await expect(page.getByTestId('point-row')).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('F7');
  await expect(page.getByText('Only control (YK) and setpoint (YT) points can be written to a device.')).toBeVisible();
});

test('a Chinese page finds a command by the words of the field', async ({ view }) => {
  const { page } = view;
  await view.choose('Demo PCS');
  await page.getByTestId('language').click();
  await page.getByRole('menuitem', { name: '中文' }).click();
  await expect(page.getByTestId('open-palette')).toContainText('搜索');
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('搜索命令和通道').fill('遥调');
  await expect(page.getByRole('dialog')).toContainText('写入');
  await page.getByPlaceholder('搜索命令和通道').fill('召测');
  await expect(page.getByRole('dialog')).toContainText('读取一次');
});

test('what was done on the page is there as a request, for a shell and for Python', async ({ view }) => {
  const { page } = view;
  await view.choose('Demo PCS');
  await view.tab('frames');
  await page.getByTestId('frames-clear').click();
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Search commands and channels').fill('curl');
  await page.keyboard.press('Enter');
  const text = page.getByTestId('request-text');
  await expect(page.getByTestId('requests')).toContainText('POST /api/frames/clear');
  await expect(text).toHaveValue(/\/api\/frames\/clear/);
  await expect(text).toHaveValue(/--data-raw/);
  await page.getByText('Python', { exact: true }).click();
  await expect(text).toHaveValue(/urllib\.request/);
  await page.getByTestId('request-copy').click();
  expect(await view.around.clipboard()).toBe(await text.inputValue());
  await page.getByText('PowerShell', { exact: true }).click();
  await expect(text).toHaveValue(/curl\.exe/);
});

test('an action in a dialog is copied before it is sent, and a command without arming', async ({ view }) => {
  const { page } = view;
  const text = page.getByTestId('held-text');
  await view.choose('Demo PCS');
  await view.find('PCS_P_SET');
  const before = await view.value('PCS_P_SET').innerText();
  await view.select('PCS_P_SET');
  await page.getByTestId('point-write').click();
  await expect(page.getByTestId('write-disarmed')).toBeVisible();
  await page.keyboard.press('Alt+c');
  await expect(page.getByTestId('held-actions')).toContainText('Actions are not sent');
  await page.getByTestId('write-value').fill('61.5');
  await page.getByTestId('write-next').click();
  await page.getByTestId('write-send').click();
  await expect(text).toHaveValue(/^# Running this operates the device[\s\S]*\/api\/device\/command[\s\S]*"value":61\.5/);
  expect(await severe(view, 'actions that are not sent')).toEqual([]);
  const written = await text.inputValue();
  await page.getByTestId('held-copy').click();
  await expect(page.getByTestId('held-actions')).toBeHidden();
  expect(await view.around.clipboard()).toBe(written);
  await page.keyboard.press('Escape');
  await view.tab('audit');
  await expect(page.getByRole('main')).not.toContainText('61.5');
  await view.tab('points');
  await view.find('PCS_P_SET');
  await expect(view.value('PCS_P_SET')).toHaveText(before);

  await page.keyboard.press('Alt+n');
  await view.field('name').fill('Never added');
  await page.keyboard.press('Alt+c');
  await page.getByTestId('save-channel').click();
  await expect(text).toHaveValue(/\/api\/channel\/add[\s\S]*Never added/);
  await page.keyboard.press('Alt+c');
  await expect(page.getByTestId('held-actions')).toBeHidden();
  expect(await view.around.clipboard()).toContain('Never added');
  await page.keyboard.press('Escape');
  await expect(view.channel('Never added')).toHaveCount(0);
});

test('keys that are pressed while the point table is on its way are for it', async ({ view }) => {
  test.skip(!view.isBrowser, 'requests of the window cannot be held up');
  const { page } = view;
  await view.choose('Demo PCS');
  let arrives = () => {};
  const gate = new Promise<void>((resolve) => {
    arrives = resolve;
  });
  // a slow computer
  await page.route(/assets\/points-panel-[^/]+\.js/, async (route) => {
    await gate;
    await route.continue();
  });
  await page.reload();
  await expect(page.getByTestId('channel-header')).toContainText('Demo PCS');
  await expect(page.getByTestId('points-scroll')).toHaveCount(0);
  await page.keyboard.press('Control+f');
  await page.keyboard.type('PCS_P_SET');
  arrives();
  await expect(page.getByRole('searchbox')).toHaveValue('PCS_P_SET');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await expect(page.getByTestId('point-row')).toHaveCount(1);
  await page.unrouteAll({ behavior: 'wait' });
});
