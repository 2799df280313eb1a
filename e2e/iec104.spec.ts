import { expect, test } from './fixtures.ts';
import type { Screen } from './screen.ts';
import { severe } from './severe.ts';

const MASTER = 'Demo 104 master';

/** Switches a control point through the write dialog, which stays open with the outcome. */
async function command(view: Screen, code: string, label: string): Promise<void> {
  const { page } = view;
  await view.find(code);
  await view.select(code);
  await page.getByTestId('point-write').click();
  await expect(page.getByTestId('write-target')).toContainText('Object address (IOA)');
  const arm = page.getByRole('button', { name: 'Arm writing' });
  if (await arm.isVisible()) await arm.click();
  await page.getByText(label, { exact: true }).click();
  await page.getByTestId('write-next').click();
  await expect(page.getByTestId('write-confirm-text')).toContainText(/object address \d+ \(0x[0-9A-F]+\), common address 1\?/);
  await page.getByTestId('write-send').click();
  await expect(page.getByTestId('write-outcome')).toContainText('Accepted');
}

test.describe('a substation over IEC 104', () => {
  test.describe.configure({ mode: 'serial' });

  test('runs: its table is read, in the words of the protocol', async ({ view }) => {
    const { page } = view;
    await view.choose(MASTER);
    await expect(view.channel(MASTER)).toContainText('Running');
    await expect(page.getByRole('columnheader', { name: 'IOA' })).toBeVisible();
    await expect(page.getByRole('columnheader', { name: 'CA' })).toBeVisible();
    await expect(view.auto).toHaveAttribute('data-state', 'running');
    await view.find('BUS1_F');
    await expect(view.quality('BUS1_F')).toContainText('Good');
    const before = await view.value('BUS1_F').innerText();
    await expect(view.value('BUS1_F')).not.toHaveText(before);
  });

  test('a general interrogation is asked for by its button, and tells how it ended', async ({ view }) => {
    const { page } = view;
    await view.choose(MASTER);
    await view.tab('tools');
    await page.getByLabel('Group').fill('99');
    await page.getByTestId('operation-run').click();
    await expect(page.getByTestId('operation-form')).toContainText('0 to 16.');
    await page.getByLabel('Group').fill('0');
    await page.getByTestId('operation-run').click();
    const outcome = page.getByTestId('operation-outcome');
    await expect(outcome).toHaveAttribute('data-outcome', 'accepted');
    await expect(outcome).toContainText('Common address 1: terminated');
  });

  test('the clock is set only from an armed window, after a confirmation', async ({ view }) => {
    const { page } = view;
    await view.choose(MASTER);
    await view.tab('tools');
    await page.getByTestId('operation-clock_synchronization').click();
    await expect(page.getByTestId('operation-run')).toHaveAttribute('aria-disabled', 'true');
    await page.getByRole('button', { name: 'Arm writing' }).click();
    await page.getByTestId('operation-run').click();
    await expect(page.getByTestId('operation-confirm-text')).toContainText('Run "Clock synchronization" on channel Demo 104 master');
    await page.getByTestId('operation-send').click();
    await expect(page.getByTestId('operation-outcome')).toContainText('Station ahead by');
  });

  test('a breaker is switched by select and execute; its state answers, and the event arrives with its time', async ({ view }) => {
    const { page } = view;
    await view.choose(MASTER);
    await command(view, 'F03_BREAKER', 'Off (0)');
    const outcome = page.getByTestId('write-outcome');
    for (const stage of ['Select sent', 'Selected', 'Confirmed', 'Carried out']) await expect(outcome).toContainText(stage);
    await expect(outcome).toContainText('F03_QF: On (1) → Off (0)');
    await page.getByTestId('write-close').click();
    await view.tab('events');
    const event = page.getByRole('row').filter({ hasText: 'F03_QF' }).last();
    await expect(event).toContainText('Change');
    await expect(event.locator('td').nth(1)).toHaveText(/^(\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d\.\d{3}$/);
    await expect(event.locator('td').nth(2)).toHaveText(/^[+−]?[\d.]+ (ms|s)$/);
    await expect(page.getByTestId('clock-offset')).toContainText('Clock of the device: ');
    await view.tab('audit');
    await expect(page.getByRole('main')).toContainText('F03_BREAKER');
    await view.tab('points');
    await command(view, 'F03_BREAKER', 'On (1)');
    await expect(outcome).toContainText('F03_QF: Off (0) → On (1)');
    await page.getByTestId('write-close').click();
    await view.find('F03_SPRING');
    await expect(view.value('F03_SPRING')).toHaveText('0');
  });

  test('objects that are not in the table are told, and added with a code of their own', async ({ view }) => {
    const { page } = view;
    await view.choose(MASTER);
    await expect(page.getByTestId('tab-tools').getByTestId('unknown-badge')).toHaveText('25');
    await view.tab('tools');
    await page.getByTestId('tools-unknown').click();
    await expect(page.getByTestId('unknown-total')).toHaveText('25 objects');
    await page.getByRole('checkbox', { name: 'Select 302' }).check();
    await page.getByRole('checkbox', { name: 'Select 306' }).check();
    await page.getByTestId('unknown-add').click();
    await expect(page.getByTestId('proposal')).toHaveCount(2);
    await page.getByLabel('Code of 302').fill('F19_QS1');
    await page.getByLabel('Name of 302').fill('Feeder 19 busbar disconnector');
    await page.getByTestId('unknown-do-add').click();
    await expect(page.getByTestId('unknown-total')).toHaveText('23 objects');
    await view.tab('points');
    await view.find('F19_QS1');
    await expect(view.row('F19_QS1').locator('[data-column="address"]')).toHaveText('302');
    await expect(view.value('F19_QS1')).toHaveText('1');
  });

  test('a table with decimal object addresses is imported', async ({ view }) => {
    const { page } = view;
    const added = (await view.api('POST', '/api/channel/add', { name: 'Table station', protocol_type: 3, conn_type: 2 })) as { id: number };
    await view.choose('Table station');
    const rows = ['遥信,Q1,断路器,1,1,,', '遥测,U1,电压,1,16385,,kV', '遥控,K1,分合闸,1,24577,Q1,', '遥调,P1,有功设定,1,25089,,MW'];
    const table = ['测点类型,测点编码,测点名称,公共地址,信息体地址,关联遥信编码,单位', ...rows];
    const file = (text: string) => ({ name: '点表.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await page.getByTestId('table-files').click();
    await page.getByTestId('import-points').click();
    const input = page.getByTestId('import-dialog').locator('input[type=file]');
    await input.setInputFiles(file([...table, '遥信,Q2,坏地址,70000,0,,'].join('\n')));
    await expect(page.getByTestId('import-row').first()).toContainText('The common address is not possible');
    await page
      .getByTestId('import-dialog')
      .locator('input[type=file]')
      .setInputFiles(file(table.join('\n')));
    await expect(page.getByTestId('import-tally')).toContainText('4 added');
    await page.getByTestId('import-apply').click();
    await expect(page.getByTestId('import-done')).toContainText('4 added');
    await page.getByTestId('import-close').click();
    await expect(view.row('U1').locator('[data-column="address"]')).toHaveText('16385');
    await expect(view.row('U1').locator('[data-column="hex"]')).toHaveText('0x4001');
    await view.api('DELETE', `/api/channel/delete?channel_id=${added.id}`);
  });

  test('nothing of its screens keeps people out', async ({ view }) => {
    const { page } = view;
    const screens = [
      async () => page.getByTestId('operation-clock_synchronization').click(),
      async () => {
        await page.getByTestId('tools-unknown').click();
        await page.getByRole('checkbox', { name: 'Select 303' }).check();
      },
      async () => page.getByTestId('unknown-add').click(),
    ];
    await view.choose(MASTER);
    await view.tab('tools');
    const found: string[] = [];
    for (const [index, reach] of screens.entries()) {
      await reach();
      found.push(...(await severe(view, `screen ${index}`)));
    }
    expect(found).toEqual([]);
  });

  test('a frame is explained octet by octet', async ({ view }) => {
    const { page } = view;
    await view.choose(MASTER);
    await view.tab('frames');
    await page.getByRole('searchbox').fill('C_IC_NA_1');
    await view.explain('tx');
    const tree = page.getByTestId('explain-tree');
    await expect(tree).toContainText('type identification');
    await expect(tree).toContainText('C_IC_NA_1 (100)');
    const marked = page.getByTestId('explain-hex').locator('[data-marked]');
    await tree.getByRole('treeitem').filter({ hasText: 'APCI' }).first().hover();
    await expect(marked).toHaveCount(6);
    await tree.getByRole('treeitem').filter({ hasText: 'type identification' }).last().hover();
    await expect(marked).toHaveCount(1);
    await expect(marked).toHaveText('64');
  });
});
