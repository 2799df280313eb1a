import { expect, test } from './fixtures.ts';

test('the plant shows how every channel is read, and leads to each', async ({ view }) => {
  const { page } = view;
  await page.getByTestId('open-plant').click();
  const row = (name: string) => page.locator(`[data-plant="${name}"]`);
  await expect(row('Demo PCS')).toContainText('Running');
  await expect(row('Demo plant')).toContainText('server');
  await expect(page.getByTestId('plant-row')).not.toHaveCount(0);
  // it is still there after a reload
  await view.reload();
  await row('Demo BMS').getByRole('button', { name: 'Demo BMS', exact: true }).click();
  await expect(page.getByTestId('channel-header')).toContainText('Demo BMS');
  await expect(page.getByTestId('status-bar')).toContainText('channels');
});

test('the table has most of a small screen', async ({ view }) => {
  const { page } = view;
  test.skip(!view.isBrowser, 'a window has the size of its screen');
  await view.choose('Demo PCS');
  await expect(page.getByTestId('point-row').first()).toBeVisible();
  const table = await page.getByTestId('points-scroll').boundingBox();
  expect((table?.height ?? 0) / 768).toBeGreaterThanOrEqual(0.7);
  const last = await page.getByTestId('point-row').nth(21).boundingBox();
  expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual((table?.y ?? 0) + (table?.height ?? 0));
});
