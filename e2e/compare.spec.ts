import { expect, test } from './fixtures.ts';
import { severe } from './severe.ts';

const NAME = 'Compared device';
const POINTS = ['A', 'B', 'C', 'D', 'E'].map((code, at) => ({
  frame_type: 0,
  code,
  name: `Value ${code}`,
  address: at * 10,
  decode: '0x20',
}));
/** A is as it was, B has another unit, C is gone, D has another code, E cannot be read, F is new. */
const FILE = [
  '测点类型,测点编码,测点名称,从机地址,寄存器地址,功能码,解析码,单位',
  '遥测,A,Value A,1,0,3,0x20,',
  '遥测,B,Value B,1,10,3,0x20,kV',
  '遥测,D_NEW,Value D,1,30,3,0x20,',
  '遥测,E,Value E,1,forty,3,0x20,',
  '遥测,F,Value F,1,50,3,0x20,A',
].join('\n');

test.describe('two tables compared', () => {
  let channelId = 0;

  test.beforeEach(async ({ view }) => {
    const added = await view.api('POST', '/api/channel/add', { name: NAME, protocol_type: 1, conn_type: 2, port: 15_061 });
    channelId = (added as { id: number }).id;
    await view.api('POST', '/api/device/add_points', { channel_id: channelId, points: POINTS });
    await view.choose(NAME);
    await expect(view.row('E')).toBeVisible();
  });

  test.afterEach(async ({ view }) => {
    await view.api('DELETE', `/api/channel/delete?channel_id=${channelId}`);
  });

  test('differences are told with what they touch, and taken over row by row', async ({ view }) => {
    const { page } = view;
    const difference = (code: string) => page.locator(`[data-testid="difference"][data-code="${code}"]`);
    const kinds = () =>
      page
        .getByTestId('difference')
        .evaluateAll((rows) => rows.map((row) => `${row.getAttribute('data-code')} ${row.getAttribute('data-kind')}`));
    const codes = async () => {
      const table = await view.api('GET', `/api/device/table?channel_id=${channelId}&page=1&page_size=10`);
      return (table as { items: { code: string; unit: string }[] }).items.map(({ code, unit }) => `${code} ${unit}`.trim());
    };
    await page.getByTestId('table-files').click();
    await page.getByTestId('compare-tables').click();
    await expect(page.getByTestId('compare-start')).toHaveAttribute('aria-disabled', 'true');
    expect(await severe(view, 'choice of the tables')).toEqual([]);
    const file = { name: 'rev-b.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) };
    await page.getByTestId('compare-dialog').locator('input[type=file]').setInputFiles(file);
    await page.getByTestId('compare-start').click();
    await expect(page.getByTestId('difference')).toHaveCount(5);
    expect((await kinds()).toSorted()).toEqual(['B changed', 'C removed', 'D renamed', 'E faulty', 'F added']);
    await difference('E').locator('[data-column="kind"]').click();
    await expect(page.getByTestId('compare-detail')).toContainText('"forty" is no number');
    await difference('D').locator('[data-column="kind"]').click();
    await expect(page.getByTestId('compare-fields')).toContainText('D_NEW');
    expect(await severe(view, 'comparison')).toEqual([]);

    // what somebody else changes meanwhile is not written over
    await page.getByRole('checkbox', { name: 'Choose D' }).uncheck();
    await page.getByRole('checkbox', { name: 'Choose B' }).check();
    const { items } = (await view.api('GET', `/api/device/table?channel_id=${channelId}&page=1&page_size=10`)) as {
      items: { id: number; code: string }[];
    };
    const point_id = items.find(({ code }) => code === 'B')?.id;
    await view.api('PUT', '/api/device/edit_point', { point_id, frame_type: 0, note: 'seen' });
    await page.getByTestId('compare-take').click();
    await expect(page.getByTestId('compare-notice')).toContainText('1 chosen point was changed meanwhile');
    expect(await codes()).toEqual(['A', 'B', 'C', 'D', 'E']);
    await page.getByTestId('compare-again').click();
    await expect(page.getByTestId('compare-notice')).toContainText('would touch');
    await expect(page.getByRole('checkbox', { name: 'Choose B' })).toBeChecked();
    await page.getByTestId('compare-take').click();
    await expect(difference('B')).toHaveCount(0);
    expect(await codes()).toEqual(['A', 'B kV', 'C', 'D', 'E']);

    const saved = await view.around.download(() => page.getByTestId('compare-csv').click());
    expect(saved.bytes.toString('utf8')).toContain('D_NEW');

    // points that go are named before
    await page.getByTestId('compare-take-all').click();
    await expect(page.getByText('1 point is not in the other table and is deleted from Compared device.')).toBeVisible();
    await page.getByTestId('confirm').click();
    await expect(page.getByTestId('difference')).toHaveCount(1);
    expect((await codes()).toSorted()).toEqual(['A', 'B kV', 'D_NEW', 'E', 'F A']);
    await page.getByRole('button', { name: 'Close' }).last().click();
    await page.keyboard.press('Control+z');
    await expect.poll(codes).toEqual(['A', 'B kV', 'C', 'D', 'E']);
  });
});
