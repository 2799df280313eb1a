import { CheckPlant, yc, yx } from './check-plant.ts';
import { expect, test } from './fixtures.ts';
import { severe } from './severe.ts';

const POINTS = [yx('QF1', 1), yx('QS2', 2), yc('U1', 10)];

let plant: CheckPlant;
test.afterEach(() => plant.close());

test('the point table has the state of each point, narrows to one, and leads to its results; the inspector says who and when', async ({
  view,
}) => {
  const { page } = view;
  plant = await CheckPlant.open(view, 'Bay T1', POINTS, POINTS);
  const id = await plant.session();
  const { items } = (await view.api('GET', `/api/check/items?session_id=${id}`)) as { items: readonly { item: string; code: string }[] };
  const enter = (code: string, verdict: string) => {
    const item = items.find((each) => each.code === code)?.item;
    return view.api('POST', '/api/check/result', { session_id: id, item, verdict, operator: 'Wang', remark: 'terminal 4' });
  };
  await enter('QS2', 'failed');
  // the list for tomorrow, in another order, and the session in the order of codes
  const codes = () => page.getByTestId('check-item').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-code')));
  await enter('U1', 'accepted');
  await page.getByTestId('check-filter-state').click();
  await page.getByRole('option', { name: 'Open: for tomorrow' }).click();
  await expect.poll(codes).toEqual(['QF1', 'QS2']);
  await page.locator('[data-head="code"] button').first().click();
  await page.locator('[data-head="code"] button').first().click();
  await expect.poll(codes).toEqual(['QS2', 'QF1']);
  await page.getByTestId('check-more').click();
  await page.getByTestId('order-code').click();
  await expect(page.getByText('were changed')).toBeVisible();
  await view.choose('Bay T1');
  const state = (code: string) => view.row(code).locator('[data-column="check"] [data-state]');
  await expect(state('QS2')).toHaveAttribute('data-state', 'failed');
  await expect(state('U1')).toHaveText('Accepted');
  await enter('QF1', 'blocked');
  await expect(state('QF1')).toHaveText('Blocked');

  await page.getByTestId('point-check-menu').click();
  await page.getByTestId('point-check-failed').click();
  await expect(page.getByTestId('point-row')).toHaveCount(1);
  await expect(view.row('QS2')).toBeVisible();
  await view.select('QS2');
  await page.keyboard.press('F4');
  await expect(page.getByTestId('inspector-check')).toContainText('Failed · Wang');
  expect(await severe(view, 'table with check')).toEqual([]);
  await state('QS2').click();
  await expect(page.getByTestId('check-entry')).toContainText('terminal 4');
  await page.keyboard.press('Escape');
  await page.getByTestId('point-check-menu').click();
  await page.getByRole('menuitem', { name: 'All states' }).click();
  await expect(page.getByTestId('point-row')).toHaveCount(3);
});
