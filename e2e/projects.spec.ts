import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from './fixtures.ts';
import type { Screen } from './screen.ts';
import { severe } from './severe.ts';

const RTU = 'Line of the colleague';

/** The folder of the project that is open now. */
async function folderOf(view: Screen): Promise<string> {
  return dirname(((await view.api('GET', '/api/project/info')) as { path: string }).path);
}

/** Begins a step from the project menu, with a path: chosen in the window, written in a browser. */
async function begin(view: Screen, step: 'new' | 'open' | 'copy' | 'rename', path: string): Promise<void> {
  await view.around.choose(path);
  await view.page.getByTestId('project-menu').click();
  await view.page.getByTestId(`project-${step}`).click();
  await view.field('path').fill(path);
}

async function go(view: Screen): Promise<void> {
  await view.page.getByTestId('project-go').click();
  await expect(view.page.getByTestId('project-dialog')).toBeHidden();
}

test.describe('projects', () => {
  test.describe.configure({ mode: 'serial' });
  let folder = '';

  test.afterAll(() => {
    if (folder !== '')
      for (const name of ['site', 'site copy', 'site 7', 'from text']) rmSync(join(folder, `${name}.loopcheck`), { force: true });
  });

  test('a new project begins with the start page, in one sight', async ({ view }) => {
    const { page } = view;
    folder = await folderOf(view);
    await begin(view, 'new', join(folder, 'none', 'site.loopcheck'));
    // What the specs before this one left started counts too.
    const channels = (await view.api('GET', '/api/channel/list')) as { status: string }[];
    const started = channels.filter(({ status }) => ['running', 'starting', 'reconnecting'].includes(status)).length;
    await expect(page.getByTestId('project-dialog')).toContainText(`${started} started channels stop`);
    await page.getByTestId('project-go').click();
    await expect(page.getByTestId('error-notice')).toContainText('there is no folder');
    await view.field('path').fill(join(folder, 'site.loopcheck'));
    await go(view);
    await expect(page.getByTestId('project-menu')).toHaveText('site');
    const start = page.getByTestId('start-page');
    await expect(start).toBeVisible();
    await expect(page.locator('[data-project="demo"]')).toHaveAttribute('data-state', 'ready');
    expect(await start.evaluate((element) => element.scrollHeight <= element.clientHeight)).toBe(true);
    await view.settle();
    expect(await severe(view, 'start page')).toEqual([]);
  });

  test('three steps lead from a protocol to what the doctor sees, and back to the settings', async ({ view }) => {
    const { page } = view;
    await page.getByTestId('begin-channel').click();
    await page.getByTestId('new-channel-next').click();
    await expect(view.field('name')).toHaveAttribute('aria-invalid', 'true');
    expect(await severe(view, 'new channel')).toEqual([]);
    await view.field('name').fill('Far device');
    await view.field('port').fill('1');
    await page.getByTestId('new-channel-next').click();
    await expect(view.field('timeout_ms')).toBeVisible();
    await page.getByTestId('new-channel-back').click();
    await expect(view.field('name')).toHaveValue('Far device');
    await page.getByTestId('new-channel-next').click();
    await page.getByTestId('new-channel-next').click();
    await expect(page.locator('[data-testid^="doctor-"][data-state="bad"]').first()).toBeVisible();
    await page
      .getByRole('button', { name: 'Edit settings' })
      .or(page.getByRole('button', { name: /settings/i }))
      .first()
      .click();
    await expect(view.field('timeout_ms')).toBeVisible();
    await view.field('timeout_ms').fill('500');
    await page.getByTestId('new-channel-next').click();
    await expect(page.locator('[data-testid^="doctor-"][data-state="bad"]').first()).toBeVisible();
    await page.getByTestId('doctor-close').click();
    await expect(page.getByTestId('channel-header')).toContainText('Far device');
    const channels = (await view.api('GET', '/api/channel/list')) as { name: string; timeout_ms: number }[];
    expect(channels.map(({ name, timeout_ms }) => [name, timeout_ms])).toEqual([['Far device', 500]]);
  });

  test('a table is imported into the channel that is made for it', async ({ view }) => {
    const { page } = view;
    await page.getByTestId('project-menu').click();
    await page.getByTestId('open-start').click();
    await page.getByTestId('begin-table').click();
    await view.field('name').fill('Table first');
    await page.getByTestId('new-channel-next').click();
    await page.getByTestId('new-channel-next').click();
    const csv = { name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('测点类型,测点编码,寄存器地址\n遥测,U1,5\n') };
    await page.getByTestId('import-dialog').locator('input[type=file]').setInputFiles(csv);
    await page.getByTestId('import-apply').click();
    await page.getByTestId('import-close').click();
    await expect(view.row('U1')).toBeVisible();
  });

  test('what is missing on this computer is named until it is there', async ({ view }) => {
    const { page } = view;
    const line = { name: RTU, protocol_type: 2, conn_type: 0, com_port: 'COM99' };
    const { id } = (await view.api('POST', '/api/channel/add', line)) as { id: number };
    await view.reload();
    await expect(page.getByTestId('missing-bar')).toContainText('Serial port');
    await page.getByTestId('missing-show').click();
    const row = page.locator('[data-missing="serial_port"]');
    await expect(row).toContainText('COM99');
    expect(await severe(view, 'missing parts')).toEqual([]);
    await row.getByRole('button').click();
    await expect(page.getByTestId('channel-form')).toBeVisible();
    await page.keyboard.press('Escape');
    await view.api('PUT', '/api/channel/update', { channel_id: id, com_port: null });
    await expect(page.getByTestId('missing-parts')).toBeHidden({ timeout: 15_000 });
  });

  test('a copy is saved, never over a file; the project gets another name; both are remembered', async ({ view }) => {
    const { page } = view;
    await begin(view, 'copy', join(folder, 'site copy.loopcheck'));
    await go(view);
    await begin(view, 'copy', join(folder, 'site copy.loopcheck'));
    await page.getByTestId('project-go').click();
    await expect(page.getByTestId('error-notice')).toContainText('exists already');
    await page.keyboard.press('Escape');
    await begin(view, 'rename', join(folder, 'site 7.loopcheck'));
    await go(view);
    await expect(page.getByTestId('project-menu')).toHaveText('site 7');
    await begin(view, 'open', join(folder, 'site copy.loopcheck'));
    await go(view);
    await expect(page.getByTestId('project-menu')).toHaveText('site copy');
    await expect(view.channel('Table first')).toBeVisible();
    await page.getByTestId('project-menu').click();
    await page.getByRole('menuitem', { name: 'site 7' }).click();
    await expect(page.getByTestId('project-menu')).toHaveText('site 7');
  });

  test('in a browser a project goes down and up', async ({ view }) => {
    test.skip(!view.isBrowser, 'the window has the file choosers of the system');
    const { page } = view;
    await page.getByTestId('project-menu').click();
    await page.getByTestId('project-copy').click();
    const file = await view.around.download(() => page.getByTestId('project-download').click());
    expect(file.name).toBe('site 7.loopcheck');
    await page.getByTestId('project-menu').click();
    await page.getByTestId('project-open').click();
    const input = page.getByTestId('project-dialog').locator('input[type=file]');
    await input.setInputFiles({ name: 'broken.loopcheck', mimeType: '', buffer: Buffer.from('no project') });
    await expect(page.getByTestId('error-notice')).toContainText('not a project file');
    await input.setInputFiles({ name: 'sent.loopcheck', mimeType: '', buffer: file.bytes });
    await expect(page.getByTestId('project-menu')).toHaveText('sent');
    await expect(view.channel('Table first')).toBeVisible();
  });

  test('the text form comes back with its errors told, into the project and as a new one', async ({ view }) => {
    const { page } = view;
    await page.getByTestId('project-menu').click();
    const file = await view.around.download(() => page.getByTestId('project-save-text').click());
    const text = file.bytes.toString();
    const read = async (content: string) => {
      await page
        .getByTestId('text-dialog')
        .locator('input[type=file]')
        .first()
        .setInputFiles({ name: 'from text.json', mimeType: '', buffer: Buffer.from(content) });
    };
    await page.getByTestId('project-menu').click();
    await page.getByTestId('project-read-text').click();
    await read(text.replace('"timeout_ms": 500', '"timeout_ms": 1'));
    await expect(page.getByTestId('text-errors')).toContainText('channels[0].timeout_ms');
    await expect(page.getByTestId('text-apply')).toBeDisabled();
    expect(await severe(view, 'errors of a text')).toEqual([]);
    await read(text.replaceAll('"name": "', '"name": "Second '));
    await expect(page.getByTestId('text-channels')).toContainText('Second Table first');
    expect(await severe(view, 'text')).toEqual([]);
    await page.getByTestId('text-apply').click();
    await expect(view.channel('Second Table first')).toBeVisible();
    await page.getByTestId('project-menu').click();
    await page.getByTestId('project-read-text').click();
    await read(text);
    await view.field('path').fill(join(folder, 'from text.loopcheck'));
    await page.getByTestId('text-apply').click();
    await expect(page.getByTestId('project-menu')).toHaveText('from text');
    await page.getByTestId('project-menu').click();
    const again = await view.around.download(() => page.getByTestId('project-save-text').click());
    expect(again.bytes.toString()).toBe(text);
  });

  test('the demo plant runs again when it is tried', async ({ view }) => {
    const { page } = view;
    await page.getByTestId('project-menu').click();
    await page.getByTestId('open-start').click();
    await page.getByTestId('begin-demo').click();
    await expect(page.getByTestId('project-menu')).toHaveText('demo', { timeout: 60_000 });
    await view.choose('Demo PCS');
    await expect(view.quality('PCS_STATUS')).toContainText('Good');
  });
});
