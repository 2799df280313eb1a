/** The demo plant with faults planted in the tables that read it: each is found and named on the screen, in all three ways. */
import { CheckPlant } from './check-plant.ts';
import { expect, test } from './fixtures.ts';
import { Keyboard } from './keyboard.ts';

let plant: CheckPlant;
test.afterEach(() => plant.close());

test('the demo plant unattended: crossed pair, factor 10, byte order, sign and a dead point are named, what is right passes', async ({
  view,
}) => {
  const { page } = view;
  const addressOf = await CheckPlant.addresses(view, 'Demo meter');
  plant = await CheckPlant.demo(view, 'Demo meter', {
    IO_T_ROOM: { address: addressOf('IO_RH') },
    IO_RH: { address: addressOf('IO_T_ROOM') },
    MTR_UA: { mul_coe: 0.1 },
    MTR_UB: { decode: '0x45' },
    IO_SUPPLY: { mul_coe: -0.01 },
    MTR_UC: { address: 500 },
  });
  await plant.session({}, ['IO_T_ROOM', 'IO_RH', 'MTR_UA', 'MTR_UB', 'IO_SUPPLY', 'MTR_UC', 'IO_LEVEL', 'IO_T_MODULE']);
  await page.getByTestId('check-start-open').click();
  await page.getByText('Unattended', { exact: true }).click();
  await page.locator('[data-path="operator"]').fill('Li');
  await expect(page.locator('[data-path="references"]')).toHaveValue('Demo plant: 8 of 8 codes');
  await page.locator('[data-path="percent"]').fill('2');
  await page.locator('[data-path="limit"]').fill('6');
  await page.getByTestId('check-start-do').click();
  const unattended = page.getByTestId('unattended');
  await expect(unattended).toHaveAttribute('data-run', 'ended');
  const row = (code: string) => unattended.getByRole('row').filter({ has: page.locator(`[data-code="${code}"]`) });
  await expect(row('IO_T_ROOM')).toContainText('Crossed');
  await expect(row('IO_T_ROOM')).toContainText('IO_RH');
  await expect(row('IO_RH')).toContainText('Crossed');
  await expect(row('MTR_UA')).toContainText('Factor');
  await expect(row('MTR_UB')).toContainText('Byte order');
  await expect(row('IO_SUPPLY')).toContainText('Sign');
  await expect(row('MTR_UC')).toContainText('No change');
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('check-counts').locator('[data-state="passed"]')).toHaveText('Passed 2');
  await expect(page.getByTestId('check-counts').locator('[data-state="failed"]')).toHaveText('Failed 6');
});

test('the demo plant while people move things: a chatter is named, a crossed pair where somebody says what he moves, and what stood still is listed', async ({
  view,
}) => {
  const { page } = view;
  const addressOf = await CheckPlant.addresses(view, 'Demo meter');
  plant = await CheckPlant.demo(view, 'Demo meter', {
    IO_SMOKE: { address: addressOf('IO_AC_OK') },
    IO_AC_OK: { address: addressOf('IO_SMOKE') },
  });
  await plant.session({}, ['IO_DOOR', 'IO_SMOKE', 'IO_AC_OK', 'IO_FAN_ON']);
  await page.getByTestId('check-start-open').click();
  await page.getByText('Listening', { exact: true }).click();
  await page.locator('[data-path="operator"]').fill('Li');
  // the demo is read once a second: four changes take longer than a contact settles by itself
  await page.locator('[data-path="settle"]').fill('8');
  await page.getByTestId('check-start-do').click();
  await expect(page.getByTestId('listen-still')).toHaveAttribute('data-unread', '0');
  for (const state of [1, 0, 1, 0]) {
    await plant.serve({ IO_DOOR: state });
    await plant.isRead('IO_DOOR', state);
  }
  await expect(page.getByTestId('listen-verdict').locator('[data-finding="chatter"]')).toContainText('Chatter');
  const keys = new Keyboard(page);
  await keys.to('[data-testid="listen-still"] [data-code="IO_SMOKE"]');
  await keys.press('Enter');
  await expect(page.getByTestId('listen-announced')).toContainText('IO_SMOKE is moved now');
  await plant.serve({ IO_SMOKE: 1 });
  const last = page.getByTestId('guided-result').first();
  await expect(last).toContainText('Crossed');
  await expect(last).toContainText('IO_AC_OK');
  await expect(page.getByTestId('listen-still').locator('[data-code="IO_FAN_ON"]')).toBeVisible();
  await plant.serve({ IO_SMOKE: 0 });
});

test('the demo plant step by step, by keyboard: a sluggish breaker is late, and one with open and closed swapped is named', async ({
  view,
}) => {
  const { page } = view;
  const keys = new Keyboard(page);
  plant = await CheckPlant.demo(view, 'Demo PCS');
  const begin = async (expectation: object) => {
    await plant.session({ PCS_BREAKER: expectation }, ['PCS_BREAKER']);
    await keys.to('[data-testid="check-start-open"]');
    await keys.press('Enter');
    await page.locator('[data-path="operator"]').fill('Li');
    await keys.to('[data-path="commands"]');
    await keys.press(' ');
    await keys.to('[data-path="operator"]', 'Shift+Tab');
    await keys.press('Enter');
    await expect(page.getByTestId('guided')).toHaveAttribute('data-item', 'PCS_BREAKER');
    await keys.press('Enter');
  };
  await plant.serve({ PCS_BREAKER: 0 });
  await plant.isRead('PCS_QF', 0);
  // the demo's breaker takes 1.2 s to close, and is read once a second
  await begin({ kind: 'command', value: 1, feedback: 1, within_ms: 1100 });
  await page.getByRole('button', { name: 'Arm writing' }).click();
  await page.getByTestId('check-send-do').click();
  await expect(page.getByTestId('guided')).toHaveAttribute('data-run', 'ended');
  await expect(page.getByTestId('guided-result').first()).toContainText('Late');
  await page.keyboard.press('Escape');
  await plant.close();

  plant = await CheckPlant.demo(view, 'Demo PCS', { PCS_QF: { reverse: true } });
  await plant.isRead('PCS_QF', 0);
  await begin({ kind: 'command', value: 0, feedback: 0, within_ms: 5000 });
  await page.getByTestId('check-send-do').click();
  await expect(page.getByTestId('guided')).toHaveAttribute('data-run', 'ended');
  await expect(page.getByTestId('guided-result').first()).toContainText('Swapped');
  await plant.serve({ PCS_BREAKER: 1 });
});
