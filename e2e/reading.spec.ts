import { expect, test } from './fixtures.ts';

test.describe('reading bar', () => {
  test.afterEach(async ({ view }) => view.restoreTasks());

  test('automatic reading is switched off and on', async ({ view }) => {
    await view.choose('Demo PCS');
    await expect(view.auto).toHaveAttribute('data-state', 'running');
    await view.stopAutomatic();
    const stopped = await view.rounds();
    await view.find('PCS_P');
    const age = view.row('PCS_P').locator('[data-column="updated_at"]');
    await expect(age).toHaveText(/^[2-9] s$/);
    expect(await view.rounds()).toBe(stopped);
    await view.startAutomatic();
    await expect.poll(() => view.rounds()).toBeGreaterThan(1);
    await expect(age).toHaveText(/^[01] s$/);
  });

  test('one round is read with its progress and counts', async ({ view }) => {
    await view.choose('Demo BMS');
    await view.stopAutomatic();
    await view.page.getByTestId('read-once').click();
    const progress = view.page.getByTestId('manual-progress');
    await expect(progress).toHaveAttribute('data-state', 'idle');
    await expect(progress).toContainText('588 of 588');
    await expect(progress).toContainText('584 read');
    await expect(progress).toContainText('4 failed');
    await expect(view.page.getByTestId('reading-last-error')).toContainText('Last error');
  });

  test('a slow round shows how far it is, and can be cancelled', async ({ view }) => {
    await view.choose('Demo meter');
    await view.stopAutomatic();
    await view.page.getByTestId('read-settings').click();
    await view.page.getByTestId('read-mode').click();
    await view.page.getByRole('option', { name: 'Point by point' }).click();
    await view.page.getByTestId('read-pause').fill('200');
    await view.page.getByRole('button', { name: 'Done' }).click();
    await view.page.keyboard.press('F5');
    const progress = view.page.getByTestId('manual-progress');
    await expect(progress).toHaveAttribute('data-state', 'running');
    await expect(progress).toContainText(/^(?!0 )\d{1,3} of 3\d{3}/);
    await view.page.getByTestId('read-cancel').click();
    await expect(progress).toHaveAttribute('data-state', 'idle');
    // it ended where it was, far from the end
    await expect(progress).toContainText(/^\d{1,3} of 3\d{3}/);
  });

  test('only the filtered points are read', async ({ view }) => {
    await view.choose('Demo BMS');
    await view.stopAutomatic();
    await view.page.getByTestId('read-settings').click();
    const filters = view.page.getByTestId('read-settings-panel');
    await filters.getByText('YK', { exact: true }).click();
    await filters.getByLabel('Slave').fill('13');
    await filters.getByRole('button', { name: 'Done' }).click();
    await view.page.getByTestId('read-once').click();
    await expect(view.page.getByTestId('manual-progress')).toContainText('1 of 1');
  });

  test('read once reads the ticked rows, else what passes the filters of the table', async ({ view }) => {
    const { page } = view;
    await view.choose('Demo PCS');
    await view.stopAutomatic();
    await page.getByRole('searchbox').fill('PCS_U');
    await expect(page.getByTestId('points-range')).toHaveText('1–4 of 4');
    await page.getByTestId('read-once').click();
    const progress = page.getByTestId('manual-progress');
    await expect(progress).toContainText('4 of 4');
    await view.select('PCS_UAB');
    await expect(page.getByTestId('read-once')).toHaveText('Read 1 row');
    await page.keyboard.press('F5');
    await expect(progress).toContainText('1 of 1');
    await view.row('PCS_UAB').click();
    await page.keyboard.press('Escape');
    await expect(page.getByTestId('read-once')).toHaveText('Read once');
  });

  test('a cycle out of bounds is told at its field and starts nothing', async ({ view }) => {
    await view.choose('Demo PCS');
    await view.stopAutomatic();
    await view.page.getByTestId('read-settings').click();
    await view.page.getByTestId('read-cycle').fill('50');
    await expect(view.page.getByText('100 to 3600000 ms')).toBeVisible();
    await view.page.getByRole('button', { name: 'Done' }).click();
    await view.page.keyboard.press('Control+r');
    await view.page.mouse.move(0, 0);
    await view.page.getByTestId('auto-start').hover();
    await expect(view.page.getByRole('tooltip')).toHaveText('Cycle or pause is out of bounds.');
    await expect(view.auto).toHaveAttribute('data-state', 'idle');
  });

  test('in a browser: a task of another client is shown, and a conflict with it explained', async ({ view }) => {
    test.skip(!view.isBrowser, 'the desktop window asks without HTTP, so its polls cannot be held back');
    await view.choose('Demo PCS');
    await view.stopAutomatic();
    // Between two polls somebody else starts a task: the page does not know it yet when it asks for its own.
    await view.page.route('**/api/devices/*-status', (route) => route.abort());
    await view.api('POST', '/api/devices/start-auto-read', { device_name: 'Demo PCS', cycle_interval_ms: 5000 });
    await view.page.getByTestId('auto-start').click();
    await expect(view.page.getByTestId('reading-conflict')).toContainText('Not started');
    await view.page.unroute('**/api/devices/*-status');
    await expect(view.auto).toHaveAttribute('data-state', 'running');
    await expect(view.page.getByTestId('read-settings')).toHaveText('Batch · 5 s');
  });

  test('leaving the page and reloading it stop nothing, and the state is there again on return', async ({ view }) => {
    await view.choose('Demo PCS');
    await expect(view.auto).toHaveAttribute('data-state', 'running');
    const before = await view.rounds();
    await view.choose('Demo meter');
    await view.tab('frames');
    await view.leaveAndReturn();
    await expect(view.page.getByTestId('channel-header')).toContainText('Demo meter');
    await view.choose('Demo PCS');
    await expect(view.auto).toHaveAttribute('data-state', 'running');
    await expect.poll(() => view.rounds()).toBeGreaterThan(before);
  });
});
