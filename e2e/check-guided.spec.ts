import { CheckPlant, inChinese, yc, yx } from './check-plant.ts';
import { expect, test } from './fixtures.ts';
import { Keyboard } from './keyboard.ts';
import type { Screen } from './screen.ts';

let plant: CheckPlant;

/** The program knows where the item stands: it may be moved. */
const isReady = ({ page }: Screen) => expect(page.getByTestId('guided-status')).toHaveAttribute('data-ready', 'true');
test.afterEach(() => plant.close());

/** Begins the guided check of all that is due, from the session, by keyboard. */
async function begin(view: Screen, keys: Keyboard): Promise<void> {
  await keys.to('[data-testid="check-start-open"]');
  await keys.press('Enter');
  await view.page.locator('[data-path="operator"]').fill('Li');
  await keys.press('Enter');
  await expect(view.page.getByTestId('guided')).toHaveAttribute('data-run', 'running');
}

test('引导对点: crossed wires and a dead point are named where somebody says that it failed', async ({ view }) => {
  const { page } = view;
  const device = [yx('QF1', 1), yx('QF2', 2), yx('QS3', 3)];
  plant = await CheckPlant.open(view, '间隔 G1', device, [yx('QF1', 2), yx('QF2', 1), yx('QS3', 30)]);
  await plant.poll();
  await plant.session();
  await inChinese(view);
  const keys = new Keyboard(page);
  await begin(view, keys);
  const guided = page.getByTestId('guided');
  await expect(guided).toHaveAttribute('data-item', 'QF1');
  await expect(page.getByTestId('guided-value')).toHaveAttribute('data-quality', 'good');
  await isReady(view);
  await plant.serve({ QF1: 1 });
  await expect(guided.getByText('QF2 0 → 1')).toBeVisible();
  await keys.press('f');
  await expect(guided).toHaveAttribute('data-item', 'QF2');
  await expect(page.getByTestId('guided-result').first()).toContainText('串线');
  await expect(page.getByTestId('guided-result').first()).toContainText('QF2');
  await keys.press('s');
  await expect(guided).toHaveAttribute('data-item', 'QS3');
  await keys.press('f');
  await expect(guided).toHaveAttribute('data-run', 'ended');
  await expect(page.getByTestId('guided-result').first()).toContainText('无变化');
});

test('twenty points by keyboard: keys and seconds a point', async ({ view }) => {
  const { page } = view;
  const signals = Array.from({ length: 10 }, (_, at) => yx(`S${at}`, 1 + at));
  const values = Array.from({ length: 10 }, (_, at) => yc(`V${at}`, 20 + at));
  plant = await CheckPlant.open(view, 'Bay G3', [...values, ...signals], [...values, ...signals]);
  await plant.poll();
  await plant.session();
  const keys = new Keyboard(page);
  const guided = page.getByTestId('guided');
  const beganAt = performance.now();
  // the way and the operator of the check before
  await page.evaluate("localStorage.setItem('loopcheck.check', JSON.stringify({ state: { operator: 'Li', way: 'guided' }, version: 1 }))");
  await view.reload();
  await expect(page.getByTestId('check-start-open')).toBeEnabled();
  await keys.press('F9');
  await expect(page.getByTestId('check-start-do')).toBeFocused();
  await keys.press('Enter');
  await expect(guided).toHaveAttribute('data-run', 'running');
  const toBegin = keys.strokes;
  for (const [at, { code }] of values.entries()) {
    await expect(guided).toHaveAttribute('data-item', code);
    await plant.serve({ [code]: 100 + at });
    await expect(page.getByTestId('guided-value')).toHaveText(String(100 + at));
    await keys.press(' ');
  }
  for (const { code } of signals) {
    await expect(guided).toHaveAttribute('data-item', code);
    await isReady(view);
    await plant.serve({ [code]: 1 });
    await expect(page.locator('[data-testid="guided-wanted"] [data-seen="true"]')).toHaveCount(1);
    await plant.serve({ [code]: 0 });
  }
  await expect(guided).toHaveAttribute('data-run', 'ended');
  const seconds = (performance.now() - beganAt) / 1000 / 20;
  const strokes = (keys.strokes - toBegin) / 20;
  const description = `${strokes} keys and ${seconds.toFixed(1)} s a point, ${toBegin} keys to begin; by hand 35 s a point`;
  test.info().annotations.push({ type: 'guided check of 20 points', description });
  console.log(description);
  expect(toBegin).toBeLessThanOrEqual(2);
  expect(strokes).toBeLessThanOrEqual(1);
  expect(seconds).toBeLessThan(35);
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('check-counts').locator('[data-state="passed"]')).toHaveText('Passed 20');
});
