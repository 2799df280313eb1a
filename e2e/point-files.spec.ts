import { expect, test } from './fixtures.ts';
import type { Screen } from './screen.ts';

const NAME = 'Table device';
const HEADER = '测点类型,测点编码,测点名称,从机地址,寄存器地址,功能码,解析码,乘系数,上限值,是否告警';
const csv = (...rows: string[]) => ({ name: '点表.csv', mimeType: 'text/csv', buffer: Buffer.from([HEADER, ...rows].join('\n')) });

/** Opens the import dialog of the channel in sight and gives it a file. */
async function importFile(view: Screen, file: ReturnType<typeof csv>): Promise<void> {
  await view.page.getByTestId('table-files').click();
  await view.page.getByTestId('import-points').click();
  await view.page.getByTestId('import-dialog').locator('input[type=file]').setInputFiles(file);
  await expect(view.page.getByTestId('import-file')).toContainText('点表.csv');
}

async function codes(view: Screen): Promise<string[]> {
  return view.page.getByTestId('point-row').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-code') ?? ''));
}

test.describe('a point table from a file', () => {
  test.describe.configure({ mode: 'serial' });
  let channelId = 0;

  test('errors are told with their place before anything changes', async ({ view }) => {
    const { page } = view;
    const added = await view.api('POST', '/api/channel/add', { name: NAME, protocol_type: 1, conn_type: 2, port: 15_020 });
    channelId = (added as { id: number }).id;
    await view.choose(NAME);
    await importFile(view, csv('遥测,U1,电压,1,0x0010,3,0x46,1,250,', '遥测,U2,,1,zehn,,,,,', '遥测,U1,,1,4,,,,,'));
    await expect(page.getByTestId('import-tab-errors')).toContainText('3');
    const rows = page.getByTestId('import-row');
    await expect(rows).toHaveCount(3);
    await expect(rows.nth(0)).toContainText('G2');
    await expect(rows.nth(0)).toContainText('0x45 float32 CDAB');
    await expect(rows.nth(1)).toContainText('"zehn" is no number');
    await page.getByRole('searchbox', { name: 'Filter' }).last().fill('zehn');
    await expect(rows).toHaveCount(1);
    await expect(page.getByTestId('import-apply')).toHaveAttribute('aria-disabled', 'true');
    await page.keyboard.press('Escape');
    await expect(page.getByTestId('import-dialog')).toBeHidden();
    expect(await codes(view)).toEqual([]);
  });

  test('merge adds and changes, warnings and letters are shown', async ({ view }) => {
    const { page } = view;
    await view.choose(NAME);
    await importFile(view, csv('遥测,U1,电压,1,0x0010,3,0x45,0.1,250,是', '遥信,Q1,断路器,1,5,,,,,', '遥测,U9,,1,40,,0x42,,,'));
    await expect(page.getByTestId('import-tally')).toContainText('3 added');
    await expect(page.getByTestId('import-row').first()).toContainText('0x45 float32 CDAB');
    await page.getByTestId('import-tab-warnings').click();
    await expect(page.getByTestId('import-row')).toHaveCount(2);
    await expect(page.getByTestId('import-row').last()).toContainText('BADC');
    await page.getByTestId('import-apply').click();
    await expect(page.getByTestId('import-done')).toContainText('3 added');
    await page.getByTestId('import-close').click();
    await expect(view.row('U1')).toBeVisible();
    expect((await codes(view)).toSorted()).toEqual(['Q1', 'U1', 'U9']);
  });

  test('replace says how many points go, and only then deletes them', async ({ view }) => {
    const { page } = view;
    await view.choose(NAME);
    await importFile(view, csv('遥测,U1,电压 A 相,1,0x0010,3,0x45,0.1,250,是'));
    await page.getByTestId('import-mode').getByText('Replace').click();
    await expect(page.getByTestId('import-tally')).toContainText('2 deleted');
    await page.getByTestId('import-apply').click();
    await expect(page.getByText('2 points that are not in the file are deleted')).toBeVisible();
    await expect(page.getByText('Q1, U9')).toBeVisible();
    await page.keyboard.press('Escape');
    expect(await codes(view)).toHaveLength(3);
    await page.getByTestId('import-apply').click();
    await page.getByTestId('confirm').click();
    await expect(page.getByTestId('import-done')).toContainText('2 deleted');
    await page.getByTestId('import-close').click();
    await expect(view.row('Q1')).toBeHidden();
    expect(await codes(view)).toEqual(['U1']);
  });

  test('what is exported imports without a change', async ({ view }) => {
    const { page } = view;
    await view.choose(NAME);
    await page.getByTestId('table-files').click();
    const exported = await view.around.download(() => page.getByTestId('export-xlsx').click());
    expect(exported.name).toBe(`${NAME}-points.xlsx`);
    await importFile(view, { name: '点表.csv', mimeType: '', buffer: exported.bytes });
    await expect(page.getByTestId('import-tally')).toContainText('1 unchanged');
    await page.keyboard.press('Escape');
    const byKey = await view.around.download(() => page.keyboard.press('Control+e'));
    expect(byKey.name).toBe(`${NAME}-points.xlsx`);
    await page.getByTestId('table-files').click();
    const template = await view.around.download(() => page.getByTestId('template-csv').click());
    expect(template.bytes.toString()).toContain('测点类型,测点编码');
    await view.api('DELETE', `/api/channel/delete?channel_id=${channelId}`);
  });
});
