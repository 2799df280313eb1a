import { expect, test } from './fixtures.ts';

test('the language is switched at once and remembered', async ({ view }) => {
  const { page } = view;
  await view.choose('Demo meter');
  await page.getByTestId('language').click();
  await page.getByRole('menuitem', { name: '中文' }).click();
  await expect(page.getByTestId('tab-points')).toHaveText('测点');
  await expect(page.getByTestId('auto-stop')).toHaveText('停止自动读取');
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  expect(await page.getByRole('main').innerText()).not.toMatch(/\b(points|reading|frames):/);
  await view.reload();
  await expect(page.getByTestId('tab-points')).toHaveText('测点');
});

test('light and dark are switched and remembered', async ({ view }) => {
  const { page } = view;
  for (const [item, scheme] of [
    ['Dark', 'dark'],
    ['Light', 'light'],
  ] as const) {
    await page.getByTestId('scheme').click();
    await page.getByRole('menuitem', { name: item }).click();
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme);
    await view.reload();
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme);
  }
});

test('columns and rows a page are remembered', async ({ view }) => {
  const { page } = view;
  await view.choose('Demo BMS');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Raw' }).click();
  await page.keyboard.press('Escape');
  await page
    .getByRole('combobox', { name: 'Rows per page' })
    .or(page.getByRole('textbox', { name: 'Rows per page' }))
    .click();
  await page.getByRole('option', { name: '50', exact: true }).click();
  await view.reload();
  await expect(page.getByTestId('points-range')).toHaveText('1–50 of 588');
  await expect(page.getByRole('columnheader', { name: 'Raw' })).toHaveCount(0);
});
