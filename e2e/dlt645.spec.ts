import { expect, test } from './fixtures.ts';
import { placesOf, watchPlaces } from './places.ts';

const LINE = 'Demo 645 line';
const METER = 202_611_000_001;

test.describe('a line of meters', () => {
  test('shows readings with their units, a meter of 1997, and the one that is silent', async ({ view }) => {
    const { page } = view;
    await view.choose(LINE);
    await view.find('M1_UA');
    await expect(view.value('M1_UA')).toHaveText(/^2[23]\d\.\d00$/);
    await expect(view.row('M1_UA')).toContainText('202611000001');
    await expect(view.row('M1_UA')).toContainText('0x02010100');
    await expect(view.row('M1_UA')).toContainText('A相电压');
    await view.find('M8_EP');
    await expect(view.quality('M8_EP')).toHaveText('Good');
    await expect(view.row('M8_EP')).toContainText('kWh');
    await view.find('M7_UA');
    await expect(view.quality('M7_UA')).not.toHaveText('Good');
    await expect(page.locator(`[data-channel="${LINE}"]`)).toContainText('1 meter silent');
  });

  test('names an identifier while it is written, and takes what was meant', async ({ view }) => {
    const { page } = view;
    await view.choose(LINE);
    await page.getByTestId('point-add').click();
    await view.field('code').fill('E2E_UB');
    await view.field('address').fill('02010200');
    await expect(page.getByTestId('item-hint')).toContainText('its format is needed');
    await page.getByTestId('item-hint').getByRole('button').click();
    await expect(page.getByTestId('item-hint')).toHaveText('02010200 Voltage phase B · XXX.X · V');
    await expect(view.field('address')).toHaveValue('0x02010200');
    await view.field('slave_id').fill(String(METER));
    await page.getByTestId('save-point').click();
    await view.find('E2E_UB');
    await expect(view.row('E2E_UB')).toContainText('B相电压');
    await expect(view.quality('E2E_UB')).toHaveText('Good');
    const channels = (await view.api('GET', '/api/channel/list')) as { id: number; name: string }[];
    const channel_id = channels.find((channel) => channel.name === LINE)?.id;
    const table = `/api/device/table?channel_id=${channel_id}&page=1&page_size=10&search=E2E_UB`;
    const { items } = (await view.api('GET', table)) as { items: { id: number }[] };
    await view.api('POST', '/api/device/delete_points', { channel_id, point_ids: items.map((item) => item.id) });
  });

  test('is searched: meters whose answers collide are found one by one and become a channel with points', async ({ view }) => {
    const { page } = view;
    const channels = (await view.api('GET', '/api/channel/list')) as { name: string; port: number }[];
    const port = channels.find((channel) => channel.name === LINE)?.port ?? 0;
    await page.getByTestId('add-channel').click();
    await page.getByTestId('open-find').click();
    await view.field('protocol_type').click();
    await page.getByRole('option', { name: 'DL/T 645' }).click();
    await page.getByText('TCP address').click();
    await view.field('port').fill(String(port));
    // Long enough for meters on a busy computer: one that answers later is not found.
    await view.field('timeout_ms').fill('400');
    await watchPlaces(page, 'find-close', 'find-start', 'find-make');
    await page.getByTestId('find-start').click();
    await expect(page.getByTestId('job-progress')).toHaveAttribute('data-state', 'done', { timeout: 150_000 });
    await expect(page.locator(`[data-testid="found-device"][data-slave="${METER}"]`)).toBeVisible();
    await expect(page.getByTestId('found-device')).toHaveCount(7);
    await expect(page.locator(`[data-testid="found-device"][data-slave="${METER + 7}"]`)).toContainText('DL/T 645-1997');
    await expect(page.getByTestId('find-note').first()).toContainText('Several answers to AAAAAAAAAAAA came at once');
    // nothing that comes moves a button from under the pointer
    expect(await placesOf(page)).toHaveLength(3);
    await page.getByTestId('find-make').click();
    await expect(page.getByTestId('channel-header')).toContainText(`127.0.0.1:${port}`);
    await expect(view.row(`M${METER}_EP`)).toBeVisible();
    const made = ((await view.api('GET', '/api/channel/list')) as { id: number; name: string }[]).at(-1);
    await view.api('DELETE', `/api/channel/delete?channel_id=${made?.id}`);
  });

  test('is examined: the doctor tells which meter is silent', async ({ view }) => {
    const { page } = view;
    await view.choose(LINE);
    await view.channel(LINE).getByTestId('channel-menu').click();
    await page.getByRole('menuitem', { name: 'Connection doctor' }).click();
    // on a busy computer one of the others may be late beside, which is told first
    await expect(page.getByTestId('doctor-address')).toHaveAttribute('data-code', /^ADDRESS_(SOME|LATE)$/);
    await expect(page.getByTestId('doctor-address')).toContainText('202611000007 does not');
    await expect(page.getByTestId('doctor-table')).toHaveAttribute('data-code', 'TABLE_GOOD', { timeout: 60_000 });
    await page.getByTestId('doctor-close').click();
  });

  test('is checked by an operation that only reads, with a verdict in words for each check', async ({ view }) => {
    const { page } = view;
    await view.choose(LINE);
    await view.tab('tools');
    await page.getByTestId('operation-meter_checks').click();
    await view.field('meter').fill('20261100001');
    await page.getByTestId('operation-run').click();
    await expect(page.getByTestId('operation-form')).toContainText('Not in the form that the field asks for.');
    await view.field('meter').fill(String(METER));
    await page.getByTestId('operation-run').click();
    const outcome = page.getByTestId('operation-outcome');
    await expect(outcome).toHaveAttribute('data-outcome', 'accepted');
    const check = (name: string) => outcome.getByRole('row').filter({ hasText: name });
    await expect(check('Forward active energy: total and rates')).toContainText('OK');
    await expect(check('Forward active energy: total and rates')).toContainText('of 4 rates.');
    await expect(check('CT ratio by the reference current')).toContainText('Not possible');
    await expect(outcome).not.toContainText('name_zh');
  });

  test('takes a parameter once, from an armed window after a confirmation, and keeps it in the audit', async ({ view }) => {
    const { page } = view;
    await view.choose(LINE);
    await view.tab('tools');
    await page.getByTestId('operation-write_data').click();
    await expect(page.getByTestId('operation-run')).toHaveAttribute('aria-disabled', 'true');
    await page.getByRole('button', { name: 'Arm writing' }).click();
    await view.field('meter').click();
    await page.getByRole('option', { name: String(METER) }).click();
    await view.field('identifier').fill('04000103');
    await view.field('value').fill('30');
    await page.getByTestId('operation-run').click();
    await expect(page.getByTestId('operation-target')).toContainText(`Meter number: ${METER}`);
    await expect(page.getByTestId('operation-confirm-text')).toContainText('Run "Write data" on channel Demo 645 line');
    await page.getByTestId('operation-send').click();
    const outcome = page.getByTestId('operation-outcome');
    await expect(outcome).toHaveAttribute('data-outcome', 'accepted');
    await expect(outcome).toContainText('Maximum demand period');
    await expect(outcome).toContainText('Audit entry');
    await page.getByTestId('operation-lift_write_block').click();
    await expect(view.field('meter')).toHaveValue(String(METER));
    await view.tab('points');
    await view.find('M1_PERIOD');
    await expect(view.value('M1_PERIOD')).toHaveText('30.000');
    await view.tab('audit');
    await expect(page.getByRole('row').filter({ hasText: 'Write data' }).first()).toContainText('Accepted');
  });
});
