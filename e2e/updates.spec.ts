import type { UpdateNotice } from '../src-shared/contract/updates.ts';
import { expect, test } from './fixtures.ts';
import type { Screen } from './screen.ts';
import { severe } from './severe.ts';

async function openVersions({ page }: Screen): Promise<void> {
  await page.keyboard.press('Control+,');
  await page.getByTestId('settings-updates').click();
}

test('nobody is asked until a place is set, and a build without a key says that it checks nothing', async ({ view }) => {
  const { page } = view;
  await openVersions(view);
  await expect(page.getByTestId('update-off')).toBeVisible();
  await page.getByTestId('update-place').fill('loopcheck');
  await page.getByTestId('update-save').click();
  await expect(page.getByTestId('update-place-wrong')).toContainText('must be the whole path of a folder');
  await page.getByTestId('update-place').fill('/srv/loopcheck');
  await page.getByTestId('update-save').click();
  await expect(page.getByTestId('update-unsigned')).toContainText('Unsigned builds are not checked');
  await expect(page.getByTestId('status-update')).toBeHidden();
  await page.getByTestId('update-place').fill('');
  await page.getByTestId('update-save').click();
  await expect(page.getByTestId('update-off')).toBeVisible();
});

test('a newer version is told in the status bar, with what is new and where it lies', async ({ view }) => {
  const { page } = view;
  test.skip(!view.isBrowser, 'the window asks without HTTP, so its answers cannot be replaced');
  const notice: UpdateNotice = {
    state: 'newer',
    place: 'D:\\Loopcheck',
    file: 'D:\\Loopcheck\\loopcheck-update.json',
    version: '9.1.0',
    date: '2026-12-01',
    notes: Array.from({ length: 40 }, (_, line) => `- <b>what is new</b>, line ${line}`).join('\n'),
    files: [
      {
        name: 'Loopcheck-9.1.0-setup-x64.exe',
        place: 'D:\\Loopcheck\\Loopcheck-9.1.0-setup-x64.exe',
        octets: 80_000_000,
        sha256: '5a'.repeat(32),
      },
    ],
    looked_at: '2026-12-02T08:00:00.000Z',
    trouble: null,
  };
  // a build of the tests has no key, so nothing can be told by itself
  await page.route('**/api/service/update', (route) => route.fulfill({ json: { code: 200, message: 'success', data: notice } }));
  await view.reload();
  await page.getByTestId('status-update').click();
  const told = page.getByTestId('update-newer');
  await expect(told).toContainText('Version 9.1.0 of 2026-12-01 is there');
  await expect(told).toContainText('D:\\Loopcheck\\Loopcheck-9.1.0-setup-x64.exe');
  await expect(page.getByTestId('update-notes')).toContainText('- <b>what is new</b>, line 39');
  await expect(told.getByRole('link')).toHaveCount(0);
  expect(await severe(view, 'a newer version')).toEqual([]);
});
