import { expect, test } from './fixtures.ts';
import type { Screen } from './screen.ts';
import { severe } from './severe.ts';

async function openSettings({ page }: Screen, tab: 'display' | 'service' | 'access' | 'keys' = 'display'): Promise<void> {
  await page.keyboard.press('Control+,');
  await expect(page.getByTestId('settings')).toBeVisible();
  await page.getByTestId(`settings-${tab}`).click();
}

async function close({ page }: Screen): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('settings')).toBeHidden();
}

/** Chooses one of a few by its words. */
async function choose({ page }: Screen, testId: string, words: string): Promise<void> {
  await page.getByTestId(testId).getByText(words, { exact: true }).click();
}

const cell = ({ page }: Screen, code: string, column: string) => page.locator(`[data-code="${code}"] [data-column="${column}"]`);

test('rows, addresses and numbers are as somebody wants them, and stay so', async ({ view }) => {
  await view.choose('Demo BMS');
  await view.find('BMS1_U');
  const row = view.row('BMS1_U');
  await expect(cell(view, 'BMS1_U', 'value')).toHaveText(/^\d+\.\d$/);
  expect((await row.boundingBox())?.height).toBe(24);
  await expect(cell(view, 'BMS1_U', 'address')).toHaveText(/^\d+$/);
  const address = Number(await cell(view, 'BMS1_U', 'address').innerText());
  await openSettings(view);
  await choose(view, 'settings-density', '34 px');
  await choose(view, 'settings-addresses', '40001');
  await choose(view, 'settings-sign', '1,5');
  await close(view);
  const looks = async () => {
    await expect(cell(view, 'BMS1_U', 'value')).toHaveText(/^\d+,\d$/);
    await expect(cell(view, 'BMS1_U', 'address')).toHaveText(new RegExp(`^[34]0*${address + 1}$`));
    await expect.poll(async () => (await row.boundingBox())?.height).toBe(34);
  };
  await looks();
  await view.reload();
  await view.choose('Demo BMS');
  await view.find('BMS1_U');
  await looks();
  await openSettings(view);
  await choose(view, 'settings-addresses', '0x0000');
  await close(view);
  await expect(cell(view, 'BMS1_U', 'address')).toHaveText(`0x${address.toString(16).toUpperCase().padStart(4, '0')}`);
  await expect(cell(view, 'BMS1_U', 'hex')).toHaveCount(0);
});

test('what is sent does not follow the format of numbers', async ({ view }) => {
  const { page } = view;
  await openSettings(view);
  await choose(view, 'settings-sign', '1,5');
  await page.getByTestId('settings-grouped').click({ force: true });
  await close(view);
  await view.choose('Demo PCS');
  await view.find('PCS_Q_SET');
  await view.select('PCS_Q_SET');
  await page.getByTestId('point-write').click();
  await page.getByTestId('write-disarmed').getByRole('button').click();
  await page.getByTestId('write-value').fill('11,5');
  await page.getByTestId('write-next').click();
  await expect(page.getByTestId('write-confirm-text')).toContainText('11.5 kvar');
  await page.getByTestId('write-send').click();
  await expect(page.getByTestId('write-outcome')).toContainText('Accepted');
  await page.keyboard.press('Escape');
  await expect(view.value('PCS_Q_SET')).toHaveText('11,500');
});

test('times follow the zone, on the screen and in copies', async ({ view }) => {
  const { page } = view;
  await view.choose('Demo PCS');
  await openSettings(view);
  const pick = async (zone: string) => {
    await page.getByTestId('settings-zone').click();
    await page.getByRole('option', { name: zone, exact: true }).click();
  };
  await pick('UTC');
  await close(view);
  await view.tab('audit');
  await view.tab('points');
  await view.select('PCS_UAB');
  await page.locator('[data-testid="points-scroll"] [role="grid"]').press('Control+c');
  await expect(page.getByTestId('points-feedback')).toContainText('1 row copied.');
  const copied = async () => /\d{4}-\d\d-\d\d (\d\d):\d\d:\d\d\.\d{3}/.exec(await view.around.clipboard());
  const utc = Number((await copied())?.[1]);
  await openSettings(view);
  await pick('UTC+08:00');
  await close(view);
  await view.select('PCS_UAB');
  await page.locator('[data-testid="points-scroll"] [role="grid"]').press('Control+c');
  // the copies may stand on both sides of a full hour
  await expect.poll(async () => (Number((await copied())?.[1]) - utc + 48) % 24).toBeGreaterThanOrEqual(8);
  expect((Number((await copied())?.[1]) - utc + 48) % 24).toBeLessThanOrEqual(9);
});

test('settings of the service are stored with bounds, and the token is shown once', async ({ view }) => {
  const { page } = view;
  await openSettings(view, 'service');
  await page.getByTestId('settings-events_kept').fill('5');
  await expect(page.getByTestId('settings')).toContainText('1000 to 200000');
  await expect(page.getByTestId('settings-save')).toBeDisabled();
  await page.getByTestId('settings-events_kept').fill('12000');
  await page.getByTestId('settings-save').click();
  await expect(page.getByTestId('settings')).toBeHidden();
  expect(await view.api('GET', '/api/service/settings')).toMatchObject({ events_kept: 12_000, token_end: null });
  await openSettings(view, 'service');
  await expect(page.getByTestId('settings-events_kept')).toHaveValue('12000');
  await page.getByTestId('settings-access').click();
  await page.getByTestId('token-make').click();
  const token = await page.getByTestId('token-text').inputValue();
  await expect(page.getByTestId('token-end')).toHaveText(`••••••••${token.slice(-4)}`);
  await close(view);
  await openSettings(view, 'access');
  await expect(page.getByTestId('token-end')).toHaveText(`••••••••${token.slice(-4)}`);
  await expect(page.getByTestId('token-text')).toHaveCount(0);
  await page.getByTestId('token-remove').click();
  await page.getByTestId('confirm').click();
  await expect(page.getByTestId('token-end')).toHaveText('none');
  await view.api('PUT', '/api/service/settings', { events_kept: 10_000 });
});

test('a token is made for somebody, gets another role, and is taken away', async ({ view }) => {
  const { page } = view;
  await openSettings(view, 'access');
  await expect(page.getByTestId('access-open')).toBeVisible();
  await page.getByTestId('access-name').fill('Li Wei');
  await page.getByTestId('access-add').click();
  const row = page.locator('[data-access="Li Wei"]');
  await expect(row).toContainText('not since the start');
  const token = await page.getByTestId('token-text').inputValue();
  await expect(row).toContainText(`••••${token.slice(-4)}`);
  await page.getByTestId('access-name').fill('li wei');
  await page.getByTestId('access-add').click();
  await expect(page.getByTestId('settings')).toContainText('There is an access of li wei already');
  await row.getByRole('combobox').click();
  await page.getByRole('option', { name: 'Operate' }).click();
  await expect
    .poll(async () => ((await view.api('GET', '/api/access/list')) as { items: { name: string; role: string }[] }).items)
    .toMatchObject([{ name: 'Li Wei', role: 'operate' }]);
  await row.getByRole('button', { name: 'Remove' }).click();
  await page.getByTestId('confirm').click();
  await expect(row).toHaveCount(0);
  await expect(page.getByTestId('token-text')).toHaveCount(0);
});

test('in a browser: who may only view sees the plant, is told so, and changes nothing', async ({ view }) => {
  test.skip(!view.isBrowser, 'the window asks for no token');
  const { page } = view;
  const made = (await view.api('POST', '/api/access/add', { name: '李伟', role: 'view' })) as { token: string };
  await page.evaluate(`sessionStorage.setItem('loopcheck.token', ${JSON.stringify(made.token)})`);
  await view.reload();
  await expect(page.getByTestId('status-caller')).toHaveText('李伟: may view');
  await expect(page.getByTestId('read-only').getByRole('switch')).toBeDisabled();
  await view.choose('Demo PCS');
  await expect(page.getByTestId('point-row').first()).toBeVisible();
  await openSettings(view, 'service');
  await page.getByTestId('settings-events_kept').fill('11000');
  await page.getByTestId('settings-save').click();
  await expect(page.getByTestId('settings')).toContainText('The access of 李伟 is for the role "view"; this needs "configure".');
  await page.getByTestId('settings-access').click();
  await expect(page.getByTestId('settings')).toContainText('The access of 李伟 is for the role "view"');
  await page.evaluate("sessionStorage.removeItem('loopcheck.token')");
  await view.reload();
  await view.api('DELETE', `/api/access/remove?name=${encodeURIComponent('李伟')}`);
});

test('a key is changed, a taken one is refused, and the usual one comes back', async ({ view }) => {
  const { page } = view;
  await view.choose('Demo PCS');
  await openSettings(view, 'keys');
  await page.getByTestId('key-sidebar').click();
  await page.keyboard.press('Control+1');
  await expect(page.getByTestId('key-problem')).toContainText('Ctrl+1 belongs to: Show Points.');
  await page.keyboard.press('Control+m');
  await expect(page.getByTestId('key-press')).toHaveCount(0);
  await close(view);
  const list = page.getByTestId('channel-list');
  await page.keyboard.press('Control+b');
  await expect(list).toBeVisible();
  await page.keyboard.press('Control+m');
  await expect(list).toBeHidden();
  await page.keyboard.press('Control+m');
  await expect(list).toBeVisible();
  await openSettings(view, 'keys');
  await page.getByRole('button', { name: 'All usual keys' }).click();
  await close(view);
  await page.keyboard.press('Control+b');
  await expect(list).toBeHidden();
});

test('no severe accessibility violation: settings', async ({ view }) => {
  const tabs = ['display', 'service', 'access', 'keys'] as const;
  // each screen has the time of a spec
  test.setTimeout(tabs.length * test.info().timeout);
  await view.choose('Demo PCS');
  await openSettings(view);
  const found: string[] = [];
  for (const tab of tabs) {
    await view.page.getByTestId(`settings-${tab}`).click();
    await expect(view.page.getByTestId(`settings-${tab}`)).toHaveAttribute('aria-selected', 'true');
    found.push(...(await severe(view, `settings ${tab}`)));
  }
  expect(found).toEqual([]);
});
