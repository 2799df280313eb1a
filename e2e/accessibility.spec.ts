import { expect, test } from './fixtures.ts';
import type { Screen } from './screen.ts';
import { severe } from './severe.ts';

// Ways are gone one by one: no worker waits for the other's.
test.describe.configure({ mode: 'parallel' });

/** A screen, and what has to be done to reach it from the points of a channel. */
type Stop = readonly [name: string, reach: (view: Screen) => Promise<unknown>];

/** Every screen. Those of one way are reached one behind the other on a page that is opened once, which takes as long as looking at one of them. */
const WAYS: Readonly<Record<string, readonly Stop[]>> = {
  'views of a channel': [
    ['points with a selection', (view) => view.select('PCS_UAB')],
    [
      'line',
      async (view) => {
        await view.tab('line');
        await expect(view.page.getByTestId('line-gaps')).toBeVisible();
      },
    ],
    ['tools', (view) => view.tab('tools')],
    ['events', (view) => view.tab('events')],
    ['audit', (view) => view.tab('audit')],
    [
      'frames with explanation',
      async (view) => {
        await view.tab('frames');
        await expect(view.page.getByTestId('frame-row').first()).toBeVisible();
        await view.page.getByTestId('frames-pause').click();
        await view.explain('tx');
      },
    ],
  ],
  'over the table': [
    ['columns', (view) => view.page.getByRole('button', { name: 'Columns' }).click()],
    ['read settings', (view) => view.page.getByTestId('read-settings').click()],
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
    [
      'write dialog',
      async (view) => {
        await view.find('PCS_P_SET');
        await view.select('PCS_P_SET');
        await view.page.getByTestId('point-write').click();
        await expect(view.page.getByTestId('write-disarmed')).toBeVisible();
      },
    ],
  ],
  dialogs: [
    ['point form', (view) => view.page.getByTestId('point-add').click()],
    ['channel form', (view) => view.page.getByTestId('add-channel').click()],
    [
      'search',
      async (view) => {
        await view.page.getByTestId('add-channel').click();
        await view.page.getByTestId('open-find').click();
        await expect(view.page.getByTestId('find-start')).toBeVisible();
      },
    ],
    [
      'connection doctor',
      async (view) => {
        await view.page.getByTestId('channel-menu').last().click();
        await view.page.getByRole('menuitem', { name: 'Connection doctor' }).click();
        await expect(view.page.getByTestId('job-progress')).toHaveAttribute('data-state', 'done');
      },
    ],
    [
      'plant',
      async (view) => {
        await view.page.getByTestId('open-plant').click();
        await expect(view.page.getByTestId('plant-row').first()).toBeVisible();
      },
    ],
  ],
};

/** Closes what lies over the points, if anything does. */
async function leave({ page }: Screen): Promise<void> {
  const over = page.locator('[role="dialog"], [role="menu"], [data-testid="cell-editor"]');
  await expect(async () => {
    if ((await over.count()) > 0) await page.keyboard.press('Escape');
    await expect(over).toHaveCount(0, { timeout: 1000 });
  }).toPass();
}

for (const [way, stops] of Object.entries(WAYS)) {
  test(`no severe accessibility violation: ${way}`, async ({ view }) => {
    // each screen has the time of a spec
    test.setTimeout(stops.length * test.info().timeout);
    await view.choose('Demo PCS');
    await view.tab('points');
    await expect(view.page.getByTestId('point-row').first()).toBeVisible();
    const found: string[] = [];
    for (const [name, reach] of stops) {
      await test.step(name, async () => {
        await reach(view);
        found.push(...(await severe(view, name)));
        await leave(view);
      });
    }
    expect(found).toEqual([]);
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
