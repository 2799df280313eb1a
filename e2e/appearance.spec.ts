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

test('columns are hidden, moved and made wider, and remembered', async ({ view }) => {
  const { page } = view;
  await view.choose('Demo BMS');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Raw' }).click();
  await page.keyboard.press('Escape');
  const unit = page.locator('[data-head="unit"]');
  const value = page.locator('[data-head="value"]');
  const before = await unit.boundingBox();
  const handle = page.getByTestId('resize-unit');
  await handle.hover();
  await page.mouse.down();
  await page.mouse.move((before?.x ?? 0) + (before?.width ?? 0) + 40, (before?.y ?? 0) + 10, { steps: 4 });
  await page.mouse.up();
  const wide = (before?.width ?? 0) + 40;
  await expect.poll(async () => Math.abs(((await unit.boundingBox())?.width ?? 0) - wide)).toBeLessThan(6);
  await unit.dragTo(value, { targetPosition: { x: 4, y: 10 } });
  const order = () => page.locator('[data-head]').evaluateAll((heads) => heads.map((head) => head.getAttribute('data-head')));
  await expect.poll(async () => (await order()).indexOf('unit') - (await order()).indexOf('value')).toBe(-1);
  await view.reload();
  await expect(page.getByRole('columnheader', { name: 'Raw' })).toHaveCount(0);
  await expect.poll(async () => (await order()).indexOf('unit') - (await order()).indexOf('value')).toBe(-1);
  await expect.poll(async () => Math.abs(((await unit.boundingBox())?.width ?? 0) - wide)).toBeLessThan(6);
});
