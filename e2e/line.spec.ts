import { expect, test } from './fixtures.ts';

test('the line tab tells who uses the line, what is silent, and what a larger gap would save', async ({ view }) => {
  const { page } = view;
  await view.choose('Demo BMS');
  await view.tab('line');
  const slaves = page.getByTestId('line-slaves');
  await expect(slaves.getByRole('row').filter({ hasText: 'Slave 11' })).toContainText('%');
  await expect(slaves.getByRole('row').filter({ hasText: 'Slave 15' })).toContainText('silent');
  await expect(page.getByTestId('line-latency')).toContainText('ms');
  await expect(page.getByTestId('cycle-real')).toContainText('ms');
  await expect(page.getByTestId('line-gaps').getByRole('row')).not.toHaveCount(0);

  const before = await requests();
  expect(before).toBeGreaterThan(20);
  await page.getByTestId('line-reset').click();
  await expect.poll(requests).toBeLessThan(before);

  await page.getByTestId('line-edit-gap').click();
  await expect(view.field('max_gap')).toBeVisible();
  await page.keyboard.press('Escape');

  async function requests(): Promise<number> {
    return Number((await page.getByTestId('line-requests').innerText()).replace(/\D/g, ''));
  }
});

test('a server asks nobody', async ({ view }) => {
  await view.choose('Demo plant');
  await view.tab('line');
  await expect(view.page.getByText('A server asks nobody')).toBeVisible();
});
