import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { cell } from './shot.ts';

const DIALOG = '[role="dialog"]';

/** Waits for an end of what moves, so that the same page gives the same picture. */
export type Settle = (page: Page) => Promise<void>;

/**
 * Follows docs/guide/first-steps.md on a service that was started for the first time, and keeps its pictures as `first-steps-NAME-LANGUAGE.png`.
 * It takes the way of the reader: what it cannot reach, the page does not describe.
 */
export async function takeFirstSteps(page: Page, language: string, folder: string, settle: Settle): Promise<void> {
  const keep = async (name: string, part?: string) => {
    await settle(page);
    const path = join(folder, `first-steps-${name}-${language}.png`);
    await (part === undefined ? page.screenshot({ path }) : page.locator(part).screenshot({ path }));
  };
  await page.getByTestId('begin-demo').waitFor();
  await keep('begin', '[data-testid="start-page"] > div > div:first-child');
  await page.getByTestId('begin-demo').click();
  await page.locator('[data-channel="Demo PCS"] button').first().click();
  await cell(page, 'PCS_P', 'value').filter({ hasText: /\d/ }).waitFor();
  await keep('points');
  await cell(page, 'PCS_P').click();
  await page.keyboard.press('F4');
  await page.getByTestId('inspector-frame').first().waitFor();
  await keep('inspector', 'main aside');
  await page.keyboard.press('F4');
  await page.getByTestId('tab-frames').click();
  await page.locator('[data-kind="rx"]').nth(6).click();
  await page.getByTestId('explain-tree').waitFor();
  await keep('frames');
  await page.getByTestId('tab-points').click();
  await page.getByRole('searchbox').fill('PCS_P_SET');
  await cell(page, 'PCS_P_SET').click();
  await page.keyboard.press('F7');
  await page.getByTestId('write-disarmed').waitFor();
  await keep('disarmed', DIALOG);
  await page.getByTestId('write-disarmed').getByRole('button').click();
  await page.getByTestId('write-value').fill('80');
  await page.getByTestId('write-next').click();
  await page.getByTestId('write-send').waitFor();
  await keep('confirm', DIALOG);
  await page.getByTestId('write-send').click();
  await page.getByTestId('write-comparison').waitFor();
  await keep('outcome', DIALOG);
  await page.getByTestId('write-close').click();
  await page.getByTestId('setpoints').click();
  await page.getByTestId('setpoint-row').waitFor();
  await keep('restore', DIALOG);
  await page.getByTestId('setpoints-restore').click();
  await page.getByTestId('setpoint-row').waitFor({ state: 'detached' });
}
