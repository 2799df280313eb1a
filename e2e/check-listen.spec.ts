import { CheckPlant, inChinese, yc, yx } from './check-plant.ts';
import { expect, test } from './fixtures.ts';
import { Keyboard } from './keyboard.ts';
import type { Screen } from './screen.ts';
import { severe } from './severe.ts';

const values = (value: number) => ({ kind: 'values', references: [{ value, tolerance: 0.5, percent: 0 }] });
const DEVICE = [yx('QF1', 1), yx('QS2', 2), yx('BOUNCE', 3), yx('STILL', 4), yc('U1', 10), yc('P1', 11), yc('I1', 12)];
const READER = [...DEVICE.slice(0, 5), yc('P1', 11, { mul_coe: -1 }), yc('I1', 12, { mul_coe: 0.1 })];

let plant: CheckPlant;

/** The program knows where all items stand: they may be moved. */
const isReady = ({ page }: Screen) => expect(page.getByTestId('listen-still')).toHaveAttribute('data-unread', '0');
test.afterEach(() => plant.close());

test('listening by keyboard: what moved stands large with its verdict, a chatter, a sign and a factor are named, what stood still is listed', async ({
  view,
}) => {
  const { page } = view;
  plant = await CheckPlant.open(view, 'Bay L1', DEVICE, READER);
  await plant.poll();
  await plant.session({ U1: values(230), P1: values(50), I1: values(100) });
  const keys = new Keyboard(page);
  await keys.to('[data-testid="check-start-open"]');
  await keys.press('Enter');
  await page.locator('[data-path="operator"]').fill('Li');
  await keys.to('[data-path="way"] input', 'Shift+Tab');
  await keys.press('ArrowRight');
  await keys.press('Enter');
  const listen = page.getByTestId('listen');
  await expect(listen).toHaveAttribute('data-run', 'running');
  await expect(page.getByTestId('listen-still')).toHaveAttribute('data-count', '7');
  expect(await severe(view, 'listen')).toEqual([]);
  await isReady(view);

  await plant.serve({ QF1: 1 });
  await expect(listen).toHaveAttribute('data-item', 'QF1');
  await expect(page.locator('[data-testid="guided-wanted"] [data-seen="true"]')).toHaveCount(1);
  await plant.serve({ QF1: 0 });
  const verdict = page.getByTestId('listen-verdict');
  await expect(verdict).toHaveAttribute('data-verdict', 'passed');
  await plant.serve({ U1: 230 });
  await expect(listen).toHaveAttribute('data-item', 'U1');
  await expect(verdict).toHaveAttribute('data-verdict', 'passed');
  await plant.serve({ P1: 50 });
  await expect(verdict.locator('[data-finding="sign"]')).toContainText('Sign');
  await plant.serve({ I1: 100 });
  await expect(verdict.locator('[data-finding="factor"]')).toContainText('Factor');
  for (const value of [1, 0, 1, 0]) {
    await plant.serve({ BOUNCE: value });
    await plant.isRead('BOUNCE', value);
  }
  await expect(verdict.locator('[data-finding="chatter"]')).toContainText('Chatter');
  await expect(page.locator('[data-testid="listen-still"] [data-code]')).toHaveText([/QS2/, /STILL/]);
  expect(await severe(view, 'listen with findings')).toEqual([]);

  await keys.press('e');
  await expect(listen).toHaveAttribute('data-run', 'ended');
  await expect(page.getByTestId('listen-still')).toHaveAttribute('data-count', '2');
  await keys.press('Escape');
  await expect(listen).toBeHidden();
  await expect(page.getByTestId('check-counts').locator('[data-state="passed"]')).toHaveText('Passed 2');
  await expect(page.getByTestId('check-counts').locator('[data-state="failed"]')).toHaveText('Failed 3');
});

test('监听 by mouse: the Chinese view says what was seen, and is left and come back to', async ({ view }) => {
  const { page } = view;
  plant = await CheckPlant.open(view, '间隔 L2', [yx('QF1', 1), yx('QS2', 2)], [yx('QF1', 1), yx('QS2', 2)]);
  await plant.poll();
  await plant.session();
  await inChinese(view);
  await page.getByTestId('check-start-open').click();
  await page.getByText('监听', { exact: true }).click();
  await page.locator('[data-path="operator"]').fill('李');
  await page.getByTestId('check-start-do').click();
  await expect(page.getByTestId('listen')).toContainText('2 项还没有变化');
  await isReady(view);
  await plant.serve({ QF1: 1 });
  await plant.isRead('QF1', 1);
  await plant.serve({ QF1: 0 });
  await expect(page.getByTestId('listen-verdict')).toHaveText('合格');
  await page.getByTestId('guided-leave').click();
  await page.getByTestId('check-resume').click();
  await expect(page.getByTestId('listen-still')).toContainText('QS2');
  await page.getByTestId('guided-stop').click();
  await expect(page.getByTestId('run-trouble')).toContainText('对点已结束');
  expect(await severe(view, 'listen zh')).toEqual([]);
});

test('a crossed pair is named where somebody says by keyboard what he moves', async ({ view }) => {
  const { page } = view;
  plant = await CheckPlant.open(view, 'Bay L3', [yx('QF1', 1), yx('QF2', 2)], [yx('QF1', 2), yx('QF2', 1)]);
  await plant.poll();
  await plant.session();
  await page.getByTestId('check-start-open').click();
  await page.getByText('Listening', { exact: true }).click();
  await page.locator('[data-path="operator"]').fill('Li');
  await page.getByTestId('check-start-do').click();
  const keys = new Keyboard(page);
  await keys.to('[data-testid="listen-still"] [data-code="QF1"]');
  await keys.press('Enter');
  await expect(page.getByTestId('listen-announced')).toContainText('QF1 is moved now');
  await isReady(view);
  await plant.serve({ QF1: 1 });
  const result = page.getByTestId('guided-result').first();
  await expect(result).toContainText('Crossed');
  await expect(result).toContainText('QF1');
  await expect(result).toContainText('QF2');
});
