import { CheckPlant, inChinese, yc } from './check-plant.ts';
import { expect, test } from './fixtures.ts';
import { Keyboard } from './keyboard.ts';
import { severe } from './severe.ts';

const FLOAT = { decode: '0x42' } as const;
const DEVICE = [yc('OK', 1), yc('WIRE_A', 2), yc('WIRE_B', 3), yc('SCALE', 4), yc('POLARITY', 5), yc('ORDER', 10, FLOAT), yc('DEAD', 20)];
const READER = [
  yc('OK', 1),
  yc('WIRE_A', 3),
  yc('WIRE_B', 2),
  yc('SCALE', 4, { mul_coe: 0.1 }),
  yc('POLARITY', 5, { mul_coe: -1 }),
  yc('ORDER', 10, { decode: '0x45' }),
  yc('DEAD', 500),
];
const VALUES = { OK: 101, WIRE_A: 112, WIRE_B: 123, SCALE: 134, POLARITY: 145, ORDER: 156.5, DEAD: 167 };

let plant: CheckPlant;
test.afterEach(() => plant.close());

test('unattended by keyboard: each planted fault is named on the screen, failures as they come, and what is not received is dead', async ({
  view,
}) => {
  const { page } = view;
  plant = await CheckPlant.open(view, 'Bay U1', DEVICE, READER);
  await plant.serve(VALUES);
  await plant.session();
  const keys = new Keyboard(page);
  await keys.to('[data-testid="check-start-open"]');
  await keys.press('Enter');
  await page.locator('[data-path="operator"]').fill('Li');
  await keys.to('[data-path="way"] input', 'Shift+Tab');
  await keys.press('ArrowRight', 2);
  // no item names a reference itself: the channel that has their codes is offered
  await expect(page.locator('[data-path="references"]')).toHaveValue('Bay U1 device: 7 of 7 codes');
  await keys.to('[data-path="limit"]');
  await keys.press('Control+a');
  await keys.type('4');
  expect(await severe(view, 'start unattended')).toEqual([]);
  await keys.press('Enter');
  const unattended = page.getByTestId('unattended');
  await expect(unattended).toBeVisible();
  await expect(unattended).toHaveAttribute('data-run', 'ended');
  await expect(page.getByTestId('unattended-done')).toHaveText('7 of 7 done');
  await expect(page.getByTestId('unattended-bad')).toHaveAttribute('data-count', '6');
  const row = (code: string) => unattended.getByRole('row').filter({ has: page.locator(`[data-code="${code}"]`) });
  await expect(row('WIRE_A')).toContainText('Crossed');
  await expect(row('WIRE_A')).toContainText('WIRE_B');
  await expect(row('WIRE_B')).toContainText('Crossed');
  await expect(row('SCALE')).toContainText('Factor');
  await expect(row('POLARITY')).toContainText('Sign');
  await expect(row('ORDER')).toContainText('Byte order');
  await expect(row('DEAD')).toContainText('No change');
  expect(await severe(view, 'unattended')).toEqual([]);
  await keys.press('Escape');
  await expect(page.getByTestId('check-counts').locator('[data-state="passed"]')).toHaveText('Passed 1');
});

test('无人值守 by mouse: own references in Chinese, and a stop while values are waited for', async ({ view }) => {
  const { page } = view;
  plant = await CheckPlant.open(view, '间隔 U2', [yc('U1', 1), yc('U2', 2)], [yc('U1', 1), yc('U2', 500)]);
  await plant.serve({ U1: 1200 });
  const values = (value: number) => ({ kind: 'values', references: [{ value, tolerance: 1, percent: 0 }] });
  await plant.session({ U1: values(120), U2: values(5) });
  await inChinese(view);
  await page.getByTestId('check-start-open').click();
  await page.getByText('无人值守', { exact: true }).click();
  await page.locator('[data-path="operator"]').fill('李');
  await expect(page.locator('[data-path="references"]')).toHaveValue('对点项自身的参考值：2 / 2');
  await page.getByTestId('check-start-do').click();
  await expect(page.getByTestId('unattended-bad')).toHaveText('不合格和受阻：1');
  await expect(page.getByTestId('unattended')).toContainText('倍率错误');
  await expect(page.getByTestId('unattended')).toHaveAttribute('data-run', 'running');
  await page.getByTestId('guided-stop').click();
  await expect(page.getByTestId('unattended')).toHaveAttribute('data-run', 'ended');
  expect(await severe(view, 'unattended zh')).toEqual([]);
});
