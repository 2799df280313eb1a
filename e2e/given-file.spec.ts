import { inRoot } from '../tools/lib/paths.ts';
import { expect, test } from './fixtures.ts';

test.skip(process.env.LOOPCHECK_E2E !== 'electron', 'the system hands no files to a browser page');

const STATION = inRoot('src-main/drivers/iec61850/model/testing/station-ed21.scd');

test('an SCL file that the system opens begins a channel in the window that is there', async ({ view }) => {
  const { page } = view;
  await view.around.open(STATION);
  const device = page.getByTestId('device-row').filter({ hasText: 'F01' });
  await device.getByRole('radio').click();
  await page.getByTestId('device-take').click();
  await expect(view.field('name')).toHaveValue('F01');
  await expect(page.getByTestId('device-file-taken')).toContainText('station-ed21.scd');
  // nothing was added, and what is half entered is not pushed aside by another file
  await view.around.open(STATION);
  await expect(page.getByText('A dialog is open. Close it, then open station-ed21.scd once more.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-channel="F01"]')).toHaveCount(0);
});
