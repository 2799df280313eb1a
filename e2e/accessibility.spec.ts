import { expect, test } from './fixtures.ts';
import type { Screen } from './screen.ts';
import { severe } from './severe.ts';

// Screens are looked at one by one: no worker waits for the other's.
test.describe.configure({ mode: 'parallel' });

/** Every screen, by what has to be done to reach it from the points of a channel. */
const SCREENS: readonly (readonly [string, (view: Screen) => Promise<void>])[] = [
  ['points with a selection', (view) => view.select('PCS_UAB')],
  ['columns', (view) => view.page.getByRole('button', { name: 'Columns' }).click()],
  ['read settings', (view) => view.page.getByTestId('read-settings').click()],
  [
    'plant',
    async (view) => {
      await view.page.getByTestId('open-plant').click();
      await expect(view.page.getByTestId('plant-row').first()).toBeVisible();
    },
  ],
  [
    'write dialog',
    async (view) => {
      await view.find('PCS_P_SET');
      await view.select('PCS_P_SET');
      await view.page.getByTestId('point-write').click();
      await expect(view.page.getByTestId('write-disarmed')).toBeVisible();
    },
  ],
  ['point form', (view) => view.page.getByTestId('point-add').click()],
  ['channel form', (view) => view.page.getByTestId('add-channel').click()],
  [
    'frames with explanation',
    async (view) => {
      await view.tab('frames');
      await expect(view.page.getByTestId('frame-row').first()).toBeVisible();
      await view.page.getByTestId('frames-pause').click();
      await view.explain('tx');
    },
  ],
  [
    'line',
    async (view) => {
      await view.tab('line');
      await expect(view.page.getByTestId('line-gaps')).toBeVisible();
    },
  ],
  ['tools', (view) => view.tab('tools')],
  [
    'connection doctor',
    async (view) => {
      await view.page.getByTestId('channel-menu').last().click();
      await view.page.getByRole('menuitem', { name: 'Connection doctor' }).click();
      await expect(view.page.getByTestId('job-progress')).toHaveAttribute('data-state', 'done');
    },
  ],
  [
    'search',
    async (view) => {
      await view.page.getByTestId('add-channel').click();
      await view.page.getByTestId('open-find').click();
      await expect(view.page.getByTestId('find-start')).toBeVisible();
    },
  ],
  ['events', (view) => view.tab('events')],
  ['audit', (view) => view.tab('audit')],
  [
    'menu of a row',
    async (view) => {
      await view.row('PCS_UAB').locator('[data-column="code"]').click({ button: 'right' });
      await expect(view.page.getByTestId('grid-menu')).toBeVisible();
    },
  ],
  [
    'menu of a column',
    async (view) => {
      await view.page.locator('[data-head="value"]').click({ button: 'right' });
      await expect(view.page.getByTestId('grid-menu')).toBeVisible();
    },
  ],
  [
    'editing in place',
    async (view) => {
      await view.row('PCS_UAB').locator('[data-column="unit"]').dblclick();
      await expect(view.page.getByTestId('cell-editor')).toBeVisible();
    },
  ],
];

for (const [name, reach] of SCREENS) {
  test(`no severe accessibility violation: ${name}`, async ({ view }) => {
    await view.choose('Demo PCS');
    await view.tab('points');
    await expect(view.page.getByTestId('point-row').first()).toBeVisible();
    await reach(view);
    expect(await severe(view, name)).toEqual([]);
  });
}

test('a point is found, read and written with the keyboard alone', async ({ view }) => {
  const { page } = view;
  await view.choose('Demo PCS');
  await expect(page.getByTestId('point-row').first()).toBeVisible();
  await page.keyboard.press('Control+f');
  await page.keyboard.type('PCS_Q_SET');
  await expect(page.getByTestId('points-range')).toHaveText('1–1 of 1');
  await tabTo(view, '[role="grid"]');
  await page.keyboard.press('ArrowDown');
  await expect(view.row('PCS_Q_SET')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('points-feedback')).toContainText('PCS_Q_SET = ');
  await tabTo(view, '[data-testid="point-write"]', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await tabTo(view, '[data-testid="write-disarmed"] button', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await tabTo(view, '[data-testid="write-value"]');
  await page.keyboard.type('12.5');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('write-confirm-text')).toContainText('12.5 kvar');
  await tabTo(view, '[data-testid="write-send"]');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('write-outcome')).toContainText('Accepted');
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('write-outcome')).toBeHidden();
  await expect(view.value('PCS_Q_SET')).toHaveText('12.500');
});

/** Presses Tab until the element has the focus, as somebody without a mouse does. */
async function tabTo(view: Screen, selector: string, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    if (await view.page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)}) ?? false`)) return;
    await view.page.keyboard.press(key);
  }
  throw new Error(`40 presses of ${key} did not lead to ${selector}`);
}
