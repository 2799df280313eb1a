import { expect, test } from './fixtures.ts';
import type { Screen } from './screen.ts';

const NAME = 'List device';
const LIST = [
  'ACME drive, register map v1.2',
  '',
  'Reg;Designation;Type;Unit;Scale',
  '517;Output frequency;uint16;Hz;100',
  '524;Energy;uint32;kWh;1',
  '538;Speed;T9;rpm;1',
  '* T9 see manual',
].join('\n');

async function open(view: Screen): Promise<void> {
  await view.choose(NAME);
  await view.page.getByTestId('table-files').click();
  await view.page.getByTestId('import-points').click();
  await view.page
    .getByTestId('import-dialog')
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'drive.csv', mimeType: 'text/csv', buffer: Buffer.from(LIST) });
  await expect(view.page.getByTestId('mapping-step')).toBeVisible();
}

const answer = (view: Screen, id: string, name: string | RegExp) =>
  view.page.locator(`[data-question="${id}"]`).getByRole('radio', { name }).check();

test.describe('a foreign list', () => {
  test.describe.configure({ mode: 'serial' });

  test('is looked at, answered, corrected and imported; its mapping is kept', async ({ view }) => {
    const { page } = view;
    await view.api('POST', '/api/channel/add', { name: NAME, protocol_type: 1, conn_type: 2, port: 15_022 });
    await open(view);
    await expect(page.getByTestId('mapping-next')).toHaveAttribute('aria-disabled', 'true');
    await answer(view, 'base', 'Counted from 1: 1 is address 0');
    await answer(view, 'type:t9', /^int16/);
    await answer(view, 'order', /^CDAB/);
    await answer(view, 'factor_way', 'Value = raw ÷ factor');
    await page.getByTestId('mapping-tab-columns').click();
    await page.getByRole('combobox', { name: 'Means: Unit' }).selectOption('note');
    await expect(page.locator('[data-header="Unit"]')).toContainText('you');
    await page.getByRole('combobox', { name: 'Means: Unit' }).selectOption('unit');
    await page.getByTestId('mapping-tab-points').click();
    await expect(page.getByTestId('import-row')).toHaveCount(3);
    await page.getByTestId('mapping-tab-left').click();
    await expect(page.getByTestId('import-row').first()).toContainText('T9 see manual');
    await page.getByTestId('profile-save').click();
    await page.getByTestId('profile-name').fill('ACME drives');
    await page.getByTestId('confirm').click();
    await expect(page.getByTestId('mapping-profile')).toContainText('ACME drives');
    await expect(page.getByTestId('mapping-next')).not.toHaveAttribute('aria-disabled', 'true');
    // the analysis by the profile that was just stored may still begin, and take the button away for a moment
    const tally = page.getByTestId('import-tally');
    await expect(async () => {
      if (!(await tally.isVisible())) await page.getByTestId('mapping-next').click({ timeout: 5_000 });
      await expect(tally).toBeVisible({ timeout: 10_000 });
    }).toPass();
    await expect(tally).toContainText('3 added');
    await page.getByTestId('import-apply').click();
    await expect(page.getByTestId('import-done')).toContainText('3 added');
    await page.getByTestId('import-close').click();
    await expect(view.row('Output_frequency')).toBeVisible();
  });

  test('is known again by its profile, and changes nothing', async ({ view }) => {
    const { page } = view;
    await open(view);
    await expect(page.getByTestId('mapping-facts')).toContainText('Wait for an answer 0');
    await page.getByTestId('mapping-next').click();
    await expect(page.getByTestId('import-tally')).toContainText('3 unchanged');
    await page.getByTestId('import-map').click();
    await expect(page.getByTestId('mapping-step')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByTestId('import-dialog')).toBeHidden();
  });
});
