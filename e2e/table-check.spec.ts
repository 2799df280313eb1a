import { expect, test } from './fixtures.ts';
import { severe } from './severe.ts';

const NAME = 'Checked device';
const POINTS = [
  { frame_type: 1, func_code: 1, code: 'CB', name: 'Breaker', address: 0 },
  { frame_type: 2, func_code: 5, code: 'CB_CTRL', name: 'Breaker', address: 10 },
  { frame_type: 2, func_code: 5, code: 'ES_CTRL', name: 'Earthing switch', address: 11, related_code: 'c.b' },
  { frame_type: 0, code: 'U', name: 'Voltage', address: 0, decode: '0x42' },
  { frame_type: 0, code: 'I', name: 'Current', address: 1, decode: '0x42' },
];

test.describe('the table check beside the table', () => {
  let channelId = 0;

  test.beforeEach(async ({ view }) => {
    const added = await view.api('POST', '/api/channel/add', { name: NAME, protocol_type: 1, conn_type: 2, port: 15_060 });
    channelId = (added as { id: number }).id;
    await view.api('POST', '/api/device/add_points', { channel_id: channelId, points: POINTS });
    await view.choose(NAME);
    await expect(view.row('CB_CTRL')).toBeVisible();
  });

  test.afterEach(async ({ view }) => {
    await view.api('DELETE', `/api/channel/delete?channel_id=${channelId}`);
  });

  test('a finding leads to its point, is mended by one click, and the mend is taken back', async ({ view }) => {
    const { page } = view;
    const finding = (code: string) => page.locator(`[data-testid="finding"][data-code="${code}"]`);
    const related = async () => {
      const table = await view.api('GET', `/api/device/table?channel_id=${channelId}&page=1&page_size=10`);
      return (table as { items: { code: string; related_code: string }[] }).items.find(({ code }) => code === 'ES_CTRL')?.related_code;
    };
    await expect(page.getByTestId('table-check')).toContainText('2');
    await page.keyboard.press('Control+F7');
    await expect(page.getByTestId('finding')).toHaveCount(3);
    await expect(finding('I')).toContainText('It shares registers with "U" (0–1).');
    await expect(finding('I').getByTestId('mend')).toHaveCount(0);
    expect(await severe(view, 'table check')).toEqual([]);

    await finding('ES_CTRL').locator('[data-column="found"]').dblclick();
    await expect(view.row('ES_CTRL')).toHaveAttribute('aria-selected', 'true');

    await expect(finding('ES_CTRL')).toContainText('c.b → CB');
    await finding('ES_CTRL').getByTestId('mend').click();
    await expect(finding('ES_CTRL')).toHaveCount(0);
    expect(await related()).toBe('CB');
    // somebody has the feedback now, so that it is not offered to the other command any more
    await expect(finding('CB_CTRL')).toBeVisible();
    await expect(finding('CB_CTRL').getByTestId('mend')).toHaveCount(0);

    await page.getByTestId('notice-undo').click();
    await expect(finding('ES_CTRL')).toBeVisible();
    expect(await related()).toBe('c.b');
  });

  test('what somebody has looked at is ignored, all of a kind are mended, and both are found again', async ({ view }) => {
    const { page } = view;
    await page.getByTestId('table-check').click();
    const overlap = page.locator('[data-testid="finding"][data-rule="overlap"]');
    await overlap.getByTestId('ignore').click();
    await expect(overlap).toHaveCount(0);
    await expect(page.getByTestId('table-check')).toContainText('1');
    await view.reload();
    await page.getByTestId('table-check').click();
    await page.getByTestId('finding-severity').getByText('Ignored 1').click();
    await expect(overlap).toBeVisible();
    await overlap.getByTestId('ignore').click();
    await expect(page.getByTestId('finding')).toHaveCount(0);

    await page.getByTestId('finding-severity').getByText('All').click();
    await page.getByTestId('finding-rule').click();
    await page.getByRole('option', { name: 'Related code leads nowhere (1)' }).click();
    await page.getByTestId('mend-all').click();
    await expect(page.getByTestId('finding')).toHaveCount(0);
    await expect(page.getByTestId('notice-undo')).toBeVisible();
  });
});
