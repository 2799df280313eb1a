import { expect, test } from './fixtures.ts';

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
  await page.keyboard.press('F1');
  await expect(page.getByTestId('key-help')).toContainText('Ctrl+K');
  // the keys of the page rest while a dialog is open
  await page.keyboard.press('Control+0');
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('channel-header')).toContainText('Demo BMS');
  await page.keyboard.press('Control+0');
  await expect(page.getByTestId('plant')).toBeVisible();
});
