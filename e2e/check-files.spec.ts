import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CheckPlant, inChinese, yc, yx } from './check-plant.ts';
import { expect, test } from './fixtures.ts';
import type { Screen } from './screen.ts';
import { severe } from './severe.ts';

const PICTURE = readFileSync(join(import.meta.dirname, '../resources/icons/icon.png'));

let plant: CheckPlant | undefined;
test.afterEach(() => plant?.close());

/** Gives a file to the chooser that a step opens. */
async function give({ page }: Screen, name: string, buffer: Buffer, opens: () => Promise<void>): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await opens();
  await (await chooser).setFiles({ name, mimeType: 'application/octet-stream', buffer });
}

test('in a browser: a photo goes to the shown item with its remark, the history shows and saves it, and a logo is put and taken away', async ({
  view,
}) => {
  test.skip(!view.isBrowser, 'the window asks the system for a file');
  const { page } = view;
  // the choosers of this page are ours from here on: a key at once behind the first question for one would be faster
  page.on('filechooser', () => undefined);
  plant = await CheckPlant.open(view, 'Bay F1', [yx('QF1', 1)], [yx('QF1', 1)]);
  await plant.poll();
  await plant.session();
  await page.getByTestId('check-start-open').click();
  await page.locator('[data-path="operator"]').fill('Li');
  await page.keyboard.press('Enter');
  const guided = page.getByTestId('guided');
  await expect(guided).toHaveAttribute('data-item', 'QF1');
  // as a scanner types: no key waits for the page to be at rest
  await page.keyboard.press('m');
  await page.keyboard.type('terminal 14:7');
  await page.keyboard.press('Enter');
  await give(view, 'terminal.png', PICTURE, () => page.keyboard.press('a'));
  await expect(page.getByText('terminal.png was attached to QF1.')).toBeVisible();
  await page.keyboard.press('f');
  await expect(guided).toHaveAttribute('data-run', 'ended');
  await page.keyboard.press('Escape');
  await page.locator('[data-testid="check-item"][data-code="QF1"]').dblclick();
  const entry = page.locator('[data-testid="check-entry"][data-verdict="remark"]');
  await expect(entry).toContainText('terminal 14:7');
  await expect(entry.getByTestId('check-picture')).toHaveAttribute('data-is-shown', 'true');
  await give(view, 'notes.txt', Buffer.from('all well'), () => page.getByTestId('check-attach').click());
  const notes = page.locator('[data-testid="check-attachment"][data-name="notes.txt"]');
  await expect(notes).toContainText('8 B');
  const saved = await view.around.download(() => notes.getByTestId('check-attachment-save').click());
  expect([saved.name, saved.bytes.toString()]).toEqual(['notes.txt', 'all well']);
  expect(await severe(view, 'attachments')).toEqual([]);
  await page.keyboard.press('Escape');

  await page.getByTestId('check-more').click();
  await page.getByTestId('edit-check').click();
  const logo = page.getByTestId('check-logo');
  await give(view, 'sign.png', Buffer.from('no picture'), () => page.getByTestId('check-logo-choose').click());
  await expect(logo.getByTestId('error-notice')).toBeVisible();
  await give(view, 'firm.png', PICTURE, () => page.getByTestId('check-logo-choose').click());
  await expect(logo).toHaveAttribute('data-name', 'firm.png');
  await expect(logo.getByTestId('check-picture')).toHaveAttribute('data-is-shown', 'true');
  await page.getByTestId('check-logo-remove').click();
  await expect(logo).toHaveAttribute('data-name', '');
});

test('参考值文件: rows that do not fit are named and nothing is lost; the corrected file is compared', async ({ view }) => {
  test.skip(!view.isBrowser, 'the window asks the system for a file');
  const { page } = view;
  plant = await CheckPlant.open(view, '间隔 F2', [yc('U1', 1), yc('U2', 2)], [yc('U1', 1), yc('U2', 2)]);
  await plant.serve({ U1: 120, U2: 7 });
  await plant.session();
  await inChinese(view);
  await page.getByTestId('check-start-open').click();
  await page.getByText('无人值守', { exact: true }).click();
  await page.locator('[data-path="operator"]').fill('李');
  await page.locator('[data-path="references"]').click();
  await page.getByRole('option', { name: '来自文件' }).click();
  await page.locator('[data-path="tolerance"]').fill('2');
  const choose = (text: string) => give(view, '定值.csv', Buffer.from(text), () => page.getByTestId('reference-choose').click());
  await choose('编码,参考值\r\nU1,abc\r\nU2,\r\n');
  await expect(page.getByTestId('reference-name')).toHaveText('定值.csv');
  await page.getByTestId('check-start-do').click();
  const faults = page.getByTestId('reference-faults').getByRole('listitem');
  await expect(faults).toHaveCount(2);
  await expect(faults.first()).toContainText('第 2 行：U1 的 abc 不是数值');
  await expect(faults.nth(1)).toContainText('第 3 行：U2 没有数值');
  expect(await severe(view, 'reference file')).toEqual([]);
  await choose('编码,参考值\r\nU1,121\r\nU2,50\r\n');
  await expect(faults).toHaveCount(0);
  await expect(page.locator('[data-path="tolerance"]')).toHaveValue('2');
  await page.getByTestId('check-start-do').click();
  await expect(page.getByTestId('unattended')).toHaveAttribute('data-run', 'ended');
  await expect(page.getByTestId('unattended-bad')).toHaveText('不合格和受阻：1');
});
