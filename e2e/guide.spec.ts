import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

test.describe('the guide', () => {
  test.skip(process.env.LOOPCHECK_E2E === 'electron', 'the window opens it in the browser of the system: src-main/electron/pages.test.ts');

  /** The tab that a step opens. */
  async function opened(page: Page, step: () => Promise<void>): Promise<Page> {
    const [tab] = await Promise.all([page.context().waitForEvent('page'), step()]);
    await tab.waitForLoadState();
    return tab;
  }

  test('F1 opens the page that fits the view and the dialog, and asks no other place for anything', async ({ view }) => {
    const { page } = view;
    const asked: string[] = [];
    page.context().on('request', (request) => asked.push(new URL(request.url()).host));
    await view.choose('Demo PCS');
    await view.tab('line');
    const line = await opened(page, () => page.keyboard.press('F1'));
    await expect(line.getByRole('heading', { level: 1 })).toHaveText('The line: who uses it, and how long a round takes');
    await expect(line.getByRole('navigation').locator('[aria-current="page"]')).toHaveText(/^The line/);
    await line.getByRole('navigation').getByRole('link', { name: 'First steps' }).click();
    const pictures = line.getByRole('main').locator('img');
    await expect(pictures).toHaveCount(8);
    for (const picture of await pictures.all()) await expect(picture).toHaveJSProperty('complete', true);
    await expect(pictures.nth(7)).not.toHaveJSProperty('naturalWidth', 0);
    await line.getByRole('link', { name: '中文' }).first().click();
    await expect(line.getByRole('heading', { level: 1 })).toHaveText('快速入门');
    await line.close();
    await page.getByTestId('add-channel').click();
    await page.getByRole('dialog').waitFor();
    const walk = await opened(page, () => page.keyboard.press('F1'));
    await expect(walk).toHaveURL(/\/guide\/en\/walk-modbus-rtu\.html$/);
    expect(new Set(asked)).toEqual(new Set([new URL(page.url()).host]));
  });

  test('its contents are in the menu', async ({ view }) => {
    const { page } = view;
    await page.getByTestId('more-menu').click();
    const contents = await opened(page, () => page.getByTestId('open-guide').click());
    await expect(contents.getByRole('navigation').getByRole('link', { name: 'Troubleshooting' })).toBeVisible();
    await contents.getByRole('navigation').getByRole('link', { name: 'Troubleshooting' }).click();
    await expect(contents.getByRole('heading', { level: 1 })).toHaveText('Troubleshooting');
  });
});
