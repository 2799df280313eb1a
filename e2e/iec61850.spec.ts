import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './fixtures.ts';
import type { Screen } from './screen.ts';
import { severe } from './severe.ts';

const OWN = 'E2E bay';
const BAY_FILE = join(import.meta.dirname, '../resources/demo/bay.cid');

interface ChannelRow {
  readonly id: number;
  readonly name: string;
  readonly port: number;
  readonly protocol: Readonly<Record<string, unknown>>;
}

async function channelNamed(view: Screen, name: string): Promise<ChannelRow | undefined> {
  return ((await view.api('GET', '/api/channel/list')) as ChannelRow[]).find((channel) => channel.name === name);
}

/** A client of the demo bay for this spec alone; `start` false leaves it stopped. */
async function addOwn(view: Screen, start: boolean): Promise<number> {
  const port = (await channelNamed(view, 'Demo 61850 bay'))?.port;
  const channel = (await view.api('POST', '/api/channel/add', { name: OWN, protocol_type: 5, conn_type: 2, port })) as ChannelRow;
  if (start) await view.api('POST', '/api/device/start', { channel_id: channel.id });
  await view.choose(OWN);
  await view.tab('model');
  return channel.id;
}

/** Sets what the demo bay serves. */
async function serve(view: Screen, code: string, value: number): Promise<void> {
  const bay = await channelNamed(view, 'Demo 61850 bay');
  const path = `/api/device/table?channel_id=${bay?.id}&page=1&page_size=1000&search=${code}`;
  const { items } = (await view.api('GET', path)) as { items: { id: number; code: string; frame_type: number }[] };
  const point = items.find((item) => item.code === code);
  await view.api('PUT', '/api/device/update_point', { point_id: point?.id, frame_type: point?.frame_type, value });
}

const row = (view: Screen, name: string) => view.page.getByTestId('model-row').filter({ has: view.page.getByText(name, { exact: true }) });

/** The form of a new channel to the demo bay, filled in as far as every spec needs it. */
async function fillOwn(view: Screen): Promise<void> {
  const port = (await channelNamed(view, 'Demo 61850 bay'))?.port;
  await view.page.getByTestId('add-channel').click();
  await view.field('name').fill(OWN);
  await view.field('protocol_type').click();
  await view.page.getByRole('option', { name: 'IEC 61850' }).click();
  await view.field('ip').fill('127.0.0.1');
  await view.field('port').fill(String(port));
}

test.describe('information model of IEC 61850', () => {
  test.afterEach(async ({ view }) => {
    const own = await channelNamed(view, OWN);
    if (own) await view.api('DELETE', `/api/channel/delete?channel_id=${own.id}`);
  });

  test('the tree is walked by keyboard, and ticked nodes become points that are read', async ({ view }) => {
    await addOwn(view, true);
    const tree = view.page.getByTestId('model-tree');
    await expect(view.page.getByTestId('model-status')).toHaveAttribute('data-state', 'known');
    await expect(view.page.getByTestId('model-facts')).toContainText('Demo bay controller');
    await tree.focus();
    await view.page.keyboard.press('Home');
    await view.page.keyboard.press('ArrowRight');
    await expect(row(view, 'XCBR1')).toBeVisible();
    await row(view, 'XCBR1').getByRole('button', { name: 'Open XCBR1' }).click();
    await row(view, 'Pos').getByRole('checkbox').click();
    await row(view, 'OpCnt').getByRole('checkbox').click();
    await view.page.getByTestId('model-add').click();
    const drafts = view.page.getByTestId('draft-row');
    await expect(drafts).toHaveCount(2);
    await drafts.first().getByRole('textbox', { name: 'Code' }).fill('BREAKER');
    await view.page.getByTestId('points-add').click();
    await expect(view.page.getByTestId('points-dialog')).toBeHidden();
    await view.tab('points');
    await view.select('BREAKER');
    await expect(view.row('BREAKER')).toContainText('BAY1CTRL/XCBR1.Pos.stVal[ST]');
    await view.page.getByTestId('point-read').click();
    await expect(view.quality('BREAKER')).toHaveText(/Good/);
    await expect(view.value('BREAKER')).toHaveText(/^(On|Off) \(\d\)$/);
  });

  test('a search finds a node and shows it in the tree with its last value', async ({ view }) => {
    await view.choose('Demo 61850 client');
    await view.tab('model');
    await view.page.getByTestId('model-search').fill('mmxu1 totw');
    await view.page.getByRole('button', { name: 'Show TotW in the tree' }).click();
    await expect(row(view, 'TotW').getByTestId('model-value')).toHaveText(/\d/);
    await expect(row(view, 'TotW')).toContainText('有功功率');
    await expect(row(view, 'TotVAr')).toBeVisible();
  });

  test('data sets show values and freshness, and one of them is read once', async ({ view }) => {
    await addOwn(view, true);
    await expect(view.page.getByTestId('model-status')).toHaveAttribute('data-state', 'known');
    await view.page.getByText('Data sets', { exact: true }).first().click();
    const set = view.page.getByTestId('data-set').filter({ hasText: 'dsMeas' });
    await set.click();
    await expect(set).toContainText('Never read');
    await view.page.getByTestId('data-set-read').click();
    await expect(set).toContainText('Fresh');
    const first = view.page.getByTestId('member-row').first();
    await expect(first).toContainText('MMXU1.TotW');
    await expect(first.getByTestId('member-value')).toHaveText(/\d/);
    await expect(first).toContainText('good');
    await view.page.getByTestId('data-set-start').click();
    await expect(view.page.getByTestId('data-set-stop')).toBeVisible();
    await expect(view.auto).toHaveAttribute('data-state', 'running');
  });

  test('an SCL file shows the model of a stopped channel, and is compared once it is started', async ({ view }) => {
    const id = await addOwn(view, false);
    await expect(view.page.getByText('The model is not known yet')).toBeVisible();
    const other = readFileSync(BAY_FILE, 'utf8').replace('<DO name="OpCnt" type="INS"/>', '');
    await view.page.getByTestId('model-document').click();
    const input = view.page.locator('input[type=file]');
    await input.setInputFiles({ name: 'no.cid', mimeType: 'text/xml', buffer: Buffer.from('<html/>') });
    await expect(view.page.getByTestId('error-notice')).toBeVisible();
    await input.setInputFiles({ name: 'other.cid', mimeType: 'text/xml', buffer: Buffer.from(other) });
    await expect(view.page.getByTestId('document-preview')).toContainText('other.cid');
    await view.page.getByTestId('document-store').click();
    await expect(view.page.getByTestId('model-status')).toContainText('From the file');
    await expect(row(view, 'BAY1MEAS')).toBeVisible();
    await view.page.getByText('Differences', { exact: true }).click();
    await expect(view.page.getByText(/Start the channel, so that/)).toBeVisible();
    await view.api('POST', '/api/device/start', { channel_id: id });
    await expect(view.page.getByTestId('differences')).toContainText('BAY1CTRL/XCBR1$ST$OpCnt');
  });

  test('a channel is made of an SCL file by choosing its IED', async ({ view }) => {
    const { page } = view;
    const port = (await channelNamed(view, 'Demo 61850 bay'))?.port;
    const text = readFileSync(BAY_FILE, 'utf8')
      .replace('<P type="IP">', `<P type="MMS-Port">${port}</P><P type="IP">`)
      .replace(
        '</Communication>',
        '</Communication><IED name="SPARE"><AccessPoint name="S1"><Server><LDevice inst="X"/></Server></AccessPoint></IED>',
      );
    await page.getByTestId('project-menu').click();
    await page.getByTestId('open-start').click();
    await page.getByTestId('begin-file').click();
    const dialog = page.getByTestId('device-file-dialog');
    const input = dialog.locator('input[type=file]');
    await input.setInputFiles({ name: 'no.cid', mimeType: 'text/xml', buffer: Buffer.from('<html/>') });
    await expect(dialog.getByTestId('error-notice')).toContainText('should be SCL');
    await input.setInputFiles({ name: 'bay.cid', mimeType: 'text/xml', buffer: Buffer.from(text) });
    const devices = page.getByTestId('device-row');
    await expect(devices).toHaveCount(2);
    await expect(devices.filter({ hasText: 'SPARE' })).toContainText('none in the file');
    await devices.filter({ hasText: 'BAY1' }).getByRole('radio').click();
    expect(await severe(view, 'devices of a file')).toEqual([]);
    await page.getByTestId('device-take').click();
    await expect(view.field('name')).toHaveValue('BAY1');
    await view.field('name').fill(OWN);
    await expect(view.field('port')).toHaveValue(String(port));
    await page.getByTestId('new-channel-next').click();
    await expect(page.getByLabel('Device of the SCL file (IED)')).toHaveValue('BAY1');
    await page.getByTestId('new-channel-next').click();
    await expect(page.getByTestId('new-channel-start')).toBeEnabled();
    await page.getByTestId('new-channel-start').click();
    await expect(page.getByTestId('new-channel')).toBeHidden();
    await view.tab('model');
    await expect(page.getByTestId('model-status')).toHaveAttribute('data-state', 'known');
    await page.getByTestId('model-document').click();
    await expect(page.getByTestId('document-facts')).toContainText('bay.cid');
  });

  test('setting groups are read by an operation, and its result is in words', async ({ view }) => {
    const { page } = view;
    await addOwn(view, true);
    await expect(page.getByTestId('model-status')).toHaveAttribute('data-state', 'known');
    await view.tab('tools');
    await page.getByTestId('operation-identify').click();
    await page.getByTestId('operation-run').click();
    await expect(page.getByTestId('operation-outcome')).toContainText('Demo bay controller');
    await page.getByTestId('operation-setting_groups').click();
    await page.getByTestId('operation-run').click();
    const groups = page.getByRole('table', { name: 'Setting groups' });
    await expect(groups).toContainText('Active');
    await expect(groups).toContainText('BAY1PROT/LLN0.SGCB[SP]');
    await page.getByTestId('operation-read_attribute').click();
    await view.field('reference').fill('BAY1MEAS/MMXU1.TotW[MX]');
    await page.getByTestId('operation-run').click();
    await expect(page.getByTestId('operation-outcome')).toContainText('mag.f');
  });

  test('a data set is created and deleted from an armed window, and both are in the audit', async ({ view }) => {
    const { page } = view;
    await addOwn(view, true);
    await expect(page.getByTestId('model-status')).toHaveAttribute('data-state', 'known');
    await view.tab('tools');
    await page.getByTestId('operation-create_data_set').click();
    await view.field('name').fill('BAY1MEAS/LLN0$dsE2e');
    await view.field('members').fill('BAY1MEAS/MMXU1.TotW[MX]\nBAY1MEAS/MMXU1.TotVAr[MX]');
    await expect(page.getByTestId('operation-run')).toHaveAttribute('aria-disabled', 'true');
    await page.getByTestId('write-disarmed').getByRole('button').click();
    await page.getByTestId('operation-run').click();
    await expect(page.getByTestId('operation-target')).toContainText('BAY1MEAS/MMXU1.TotW[MX]; BAY1MEAS/MMXU1.TotVAr[MX]');
    await page.getByTestId('operation-send').click();
    await expect(page.getByTestId('operation-outcome')).toHaveAttribute('data-outcome', 'accepted');
    await view.tab('model');
    await page.getByText('Data sets', { exact: true }).first().click();
    await expect(page.getByTestId('data-set').filter({ hasText: 'dsE2e' })).toContainText('2 members');
    await view.tab('tools');
    await page.getByTestId('operation-delete_data_set').click();
    await expect(view.field('name')).toHaveValue('BAY1MEAS/LLN0$dsE2e');
    await page.getByTestId('operation-run').click();
    await page.getByTestId('operation-send').click();
    await expect(page.getByTestId('operation-outcome')).toHaveAttribute('data-outcome', 'accepted');
    await view.tab('audit');
    const audit = page.getByTestId('audit-panel');
    await expect(audit).toContainText('Create a data set');
    await expect(audit).toContainText('Delete a data set');
  });

  test('a control is commanded behind its state and with options, and the refusal of the device ends in the audit in words', async ({
    view,
  }) => {
    const { page } = view;
    const channel_id = await addOwn(view, true);
    await expect(page.getByTestId('model-status')).toHaveAttribute('data-state', 'known');
    await serve(view, 'BAY_LOC', 1);
    const breaker = { frame_type: 2, code: 'CB1', name: 'Breaker', reference: 'BAY1CTRL/CSWI1.Pos[CO]' };
    await view.api('POST', '/api/device/add_points', { channel_id, points: [breaker] });
    await view.tab('points');
    await view.select('CB1');
    await page.getByTestId('point-write').click();
    await page.getByTestId('write-disarmed').getByRole('button').click();
    await page.getByTestId('write-options').click();
    await view.field('originator_identifier').fill('发'.repeat(22));
    await expect(page.getByTestId('write-next')).toHaveAttribute('aria-disabled', 'true');
    await view.field('originator_identifier').fill('E2E');
    await page.getByText('On (1)', { exact: true }).click();
    await page.getByTestId('write-next').click();
    await expect(page.getByTestId('write-before')).toContainText('Control model');
    await expect(page.getByTestId('write-given')).toContainText('E2E');
    await page.getByTestId('write-send').click();
    await expect(page.getByTestId('write-outcome')).toContainText('Rejected');
    await expect(page.getByTestId('write-outcome')).toContainText('blocked-by-switching-hierarchy (2)');
    await serve(view, 'BAY_LOC', 0);
    await page.getByTestId('write-close').click();
    await view.tab('audit');
    await expect(page.getByTestId('audit-panel')).toContainText('On (1)');
  });

  test('a setting group is edited from an armed window, and a wide table of blocks keeps to the window', async ({ view }) => {
    const { page } = view;
    await addOwn(view, true);
    await expect(page.getByTestId('model-status')).toHaveAttribute('data-state', 'known');
    await view.tab('tools');
    await page.getByTestId('operation-report_blocks').click();
    await page.getByTestId('operation-run').click();
    const blocks = page.getByRole('table', { name: 'Report control blocks' });
    await expect(blocks).toContainText('BAY1CTRL/LLN0.brcbPos01[BR]');
    const outcome = page.getByTestId('operations');
    expect(
      await outcome.evaluate((node) =>
        [...node.querySelectorAll('table, th, td, div')].every(
          (each) => each.scrollWidth <= each.clientWidth + 1 || each.clientWidth === 0,
        ),
      ),
    ).toBe(true);
    await blocks.getByRole('button', { name: 'Details of BAY1CTRL/LLN0.brcbPos01[BR]' }).click();
    await expect(page.getByTestId('operation-details')).toContainText('TrgOps');
    await page.getByTestId('operation-edit_setting_group').click();
    await view.field('logical_device').fill('BAY1PROT');
    await view.field('group').fill('2');
    await view.field('values').fill('BAY1PROT/PTOC1.StrVal.setMag.f = 505');
    await expect(page.getByTestId('operation-run')).toHaveAttribute('aria-disabled', 'true');
    await page.getByTestId('write-disarmed').getByRole('button').click();
    await page.getByTestId('operation-run').click();
    await expect(page.getByTestId('operation-target')).toContainText('BAY1PROT/PTOC1.StrVal.setMag.f = 505');
    await page.getByTestId('operation-send').click();
    await expect(page.getByTestId('operation-outcome')).toHaveAttribute('data-outcome', 'accepted');
    await expect(page.getByRole('table', { name: 'Values' })).toContainText('505');
    await view.tab('audit');
    await expect(page.getByTestId('audit-panel')).toContainText('Edit a setting group');
  });

  test('a file of the device is saved, and the learnt model as an SCL file', async ({ view }) => {
    const { page } = view;
    await addOwn(view, true);
    await expect(page.getByTestId('model-status')).toHaveAttribute('data-state', 'known');
    const scl = await view.around.download(() => page.getByTestId('model-export').click());
    expect(scl.name).toBe('BAY1.iid');
    expect(scl.bytes.toString('utf8')).toContain('<IED');
    await view.tab('tools');
    await page.getByTestId('operation-list_files').click();
    await page.getByTestId('operation-run').click();
    const files = page.getByTestId('file-list');
    await expect(files).toContainText('bay.cid');
    const file = await view.around.download(() => files.getByRole('button', { name: 'Save' }).first().click());
    expect(file.name).toBe('bay.cid');
    expect(file.bytes.toString('utf8')).toContain('</SCL>');
  });

  test('the form of a channel names the report control blocks that its start enables', async ({ view }) => {
    const { page } = view;
    await fillOwn(view);
    await view.field('reports_at_start').fill('BAY1CTRL/LLN0.brcbPos01');
    await page.getByTestId('save-channel').click();
    await expect(page.getByRole('dialog')).toContainText('report control block');
    await view.field('reports_at_start').fill('BAY1CTRL/LLN0.brcbPos01[BR]');
    await page.getByTestId('save-channel').click();
    await expect(page.getByTestId('channel-header')).toContainText('Running');
    const { protocol } = (await channelNamed(view, OWN)) ?? {};
    expect(protocol).toMatchObject({ reports_at_start: ['BAY1CTRL/LLN0.brcbPos01[BR]'] });
    await view.tab('audit');
    await expect(page.getByTestId('audit-panel')).toContainText('Setting of the channel');
  });

  test('the breaker of the demo bay is selected and executed, and its feedback is seen to move', async ({ view }) => {
    const { page } = view;
    // no overcurrent trips it meanwhile
    await serve(view, 'BAY_OC_SET', 5000);
    const command = async (word: string) => {
      await view.find('BAY_CB_CTL');
      await view.select('BAY_CB_CTL');
      await page.getByTestId('point-write').click();
      const disarmed = page.getByTestId('write-disarmed').getByRole('button');
      await expect(disarmed.or(page.getByTestId('write-options'))).not.toHaveCount(0);
      if (await disarmed.isVisible()) await disarmed.click();
      await page.getByText(word, { exact: true }).click();
      await page.getByTestId('write-next').click();
      await expect(page.getByTestId('write-before')).toContainText('Control model');
      await page.getByTestId('write-select').click();
      await expect(page.getByTestId('write-countdown')).toBeVisible();
      await page.getByTestId('write-execute').click();
      await expect(page.getByTestId('write-outcome')).toContainText('Accepted');
      await page.getByTestId('write-close').click();
      await view.find('BAY_POS');
    };
    await view.choose('Demo 61850 client');
    await view.tab('points');
    await view.find('BAY_POS');
    await expect(view.value('BAY_POS')).toHaveText('On (1)');
    await command('Off (0)');
    await expect(view.value('BAY_POS')).toHaveText('Off (0)');
    await view.find('BAY_IA');
    await expect(view.value('BAY_IA')).toHaveText(/^0/);
    await command('On (1)');
    await expect(view.value('BAY_POS')).toHaveText('On (1)');
    await serve(view, 'BAY_OC_SET', 600);
    await view.tab('audit');
    await expect(page.getByTestId('audit-panel')).toContainText('BAY_CB_CTL');
  });

  test('a report block of the demo bay is enabled from an armed window, and a value comes without a read', async ({ view }) => {
    const { page } = view;
    const channel_id = await addOwn(view, true);
    await expect(page.getByTestId('model-status')).toHaveAttribute('data-state', 'known');
    const power = { frame_type: 0, code: 'P', name: 'Power', reference: 'BAY1MEAS/MMXU1.TotW.mag.f[MX]' };
    await view.api('POST', '/api/device/add_points', { channel_id, points: [power] });
    await view.tab('tools');
    await page.getByTestId('operation-enable_report').click();
    await view.field('block').fill('BAY1MEAS/LLN0.urcbMeas01[RP]');
    await page.getByTestId('write-disarmed').getByRole('button').click();
    await page.getByTestId('operation-run').click();
    await page.getByTestId('operation-send').click();
    await expect(page.getByTestId('operation-outcome')).toHaveAttribute('data-outcome', 'accepted');
    await view.tab('points');
    await expect(view.quality('P')).toHaveText(/Good/);
    await expect(view.value('P')).toHaveText(/\d/);
    await view.tab('tools');
    await page.getByTestId('operation-report_blocks').click();
    await page.getByTestId('operation-run').click();
    await expect(page.getByTestId('operation-outcome')).toContainText('BAY1MEAS/LLN0.urcbMeas01[RP]');
    await expect(page.getByTestId('operation-outcome')).toContainText('127.0.0.1');
  });

  test('the log of the demo bay is listed and queried, and has what moved', async ({ view }) => {
    const { page } = view;
    await addOwn(view, true);
    await expect(page.getByTestId('model-status')).toHaveAttribute('data-state', 'known');
    const bay = await channelNamed(view, 'Demo 61850 bay');
    const { items } = (await view.api('GET', `/api/device/table?channel_id=${bay?.id}&page=1&page_size=10&search=BAY_DS2`)) as {
      items: { id: number; frame_type: number; value: number }[];
    };
    const [switched] = items;
    const moved = { point_id: switched?.id, frame_type: switched?.frame_type, value: switched?.value === 1 ? 0 : 1 };
    await view.api('PUT', '/api/device/update_point', moved);
    await view.tab('tools');
    await page.getByTestId('operation-log_blocks').click();
    await page.getByTestId('operation-run').click();
    await expect(page.getByTestId('operation-outcome')).toContainText('lcbEvents');
    await page.getByTestId('operation-query_log').click();
    await view.field('log').fill('BAY1CTRL/LLN0.events');
    await page.getByTestId('operation-run').click();
    await expect(page.getByTestId('operation-outcome')).toHaveAttribute('data-outcome', 'accepted');
    await expect(page.getByTestId('operation-outcome')).toContainText('XSWI2.Pos');
    await expect(page.getByTestId('operation-outcome')).toContainText('data change');
    await view.api('PUT', '/api/device/update_point', { ...moved, value: switched?.value });
  });

  test('association settings are out of sight, and an emptied title is left out', async ({ view }) => {
    const { page } = view;
    await fillOwn(view);
    await expect(view.field('remote_ap_title')).toBeHidden();
    await page.getByTestId('section-association').click();
    for (const end of ['remote', 'local']) await view.field(`${end}_ap_title`).fill('');
    await page.getByTestId('save-channel').click();
    await expect(page.getByTestId('channel-header')).toContainText(OWN);
    await expect(page.getByTestId('channel-header')).toContainText('Running');
    const { protocol } = (await channelNamed(view, OWN)) ?? {};
    expect(protocol).toMatchObject({ remote_ap_title: '', local_ap_title: '' });
  });

  test('no severe accessibility violation in the views of the model', async ({ view }) => {
    await view.choose('Demo 61850 client');
    await view.tab('model');
    await row(view, 'BAY1MEAS').getByRole('button').click();
    await row(view, 'MMTR1').getByRole('button').click();
    await row(view, 'SupWh').getByRole('checkbox').click();
    const found = await severe(view, 'tree');
    await view.page.getByTestId('model-add').click();
    await expect(view.page.getByTestId('draft-row')).toHaveCount(1);
    found.push(...(await severe(view, 'drafts')));
    await view.page.keyboard.press('Escape');
    await view.page.getByText('Data sets', { exact: true }).first().click();
    await expect(view.page.getByTestId('member-row').first()).toBeVisible();
    found.push(...(await severe(view, 'data set')));
    await view.page.getByTestId('model-document').click();
    await expect(view.page.getByTestId('document-facts')).toBeVisible();
    found.push(...(await severe(view, 'document')));
    expect(found).toEqual([]);
  });
});
