import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

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
