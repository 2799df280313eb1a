import { expect, test } from './fixtures.ts';
import { Keyboard } from './keyboard.ts';
import { freePort } from './peer.ts';
import type { Screen } from './screen.ts';
import { severe } from './severe.ts';

const NAME = 'Library pump';
let place = 0;

async function channels(view: Screen) {
  return (await view.api('GET', '/api/channel/list')) as { id: number; name: string; conn_type: number; port: number; status: string }[];
}

async function open(view: Screen): Promise<void> {
  await new Keyboard(view.page).palette('Device library');
  await expect(view.page.getByTestId('library-search')).toBeFocused();
}

test.describe('device library', () => {
  test.describe.configure({ mode: 'serial' });

  test('a simulated device and the channel to it come from one template, two clicks each, and agree', async ({ view }) => {
    const { page } = view;
    await open(view);
    expect(await severe(view, 'device library')).toEqual([]);
    await page.getByTestId('library-search').fill('climate');
    await expect(page.locator('[data-template]')).toHaveCount(0);
    await page.getByTestId('library-search').fill('power meter');
    await page.locator('[data-template="power-meter-tcp"]').click();
    await page.getByText('Simulated device', { exact: true }).click();
    await view.field('name').fill(NAME);
    await page.getByTestId('template-use').click();
    await expect(page.getByTestId('library-search')).toBeHidden();
    place = await freePort();
    const device = (await channels(view)).find(({ name }) => name === NAME);
    expect(device).toMatchObject({ conn_type: 1, port: 10_502, status: 'stopped' });
    await view.api('PUT', '/api/channel/update', { channel_id: device?.id, port: place });
    await view.api('POST', '/api/device/start', { channel_id: device?.id });

    await open(view);
    await page.locator('[data-template="power-meter-tcp"]').click();
    await view.field('port').fill(String(place));
    expect(await severe(view, 'template')).toEqual([]);
    await page.getByTestId('template-use').click();
    await expect(page.getByTestId('library-search')).toBeHidden();
    const client = (await channels(view)).find(({ port, conn_type }) => port === place && conn_type === 2);
    await view.api('POST', '/api/device/start', { channel_id: client?.id });
    await view.choose(client?.name ?? '');
    await expect(view.channel(client?.name ?? '')).toContainText('Running');
    await page.getByTestId('read-once').click();
    await view.find('UA');
    await expect(view.value('UA')).toHaveText(/230\.4/);
  });

  test('a channel becomes a template with a name, is saved as a file, taken back and deleted', async ({ view }) => {
    const { page } = view;
    await view.choose(NAME);
    await view.channel(NAME).hover();
    await page.getByTestId('channel-menu').first().click();
    await page.getByRole('menuitem', { name: 'Keep as template…' }).click();
    await view.field('name').fill('Pump of the guide');
    await view.field('about').fill('Written down on site');
    await page.getByTestId('confirm').click();
    // nothing opens over a dialog that is still closing
    await expect(page.getByTestId('confirm')).toBeHidden();
    await open(view);
    await page.getByTestId('library-search').fill('pump of');
    await page.locator('[data-template]').click();
    await expect(page.getByTestId('template')).toContainText('Written down on site');
    const saved = await view.around.download(() => page.getByTestId('template-file').click());
    expect(saved.name).toBe('Pump of the guide.device.json');
    await page.getByTestId('template-delete').click();
    await page.getByTestId('confirm').click();
    await expect(page.locator('[data-template]')).toHaveCount(0);
    await page.getByLabel('Add from a file').setInputFiles({ name: 'torn.json', mimeType: 'application/json', buffer: Buffer.from('{') });
    await expect(page.getByTestId('error-notice')).toContainText('is no template of a device');
    await page.getByLabel('Add from a file').setInputFiles({ name: saved.name, mimeType: 'application/json', buffer: saved.bytes });
    await expect(page.locator('[data-template="own-pump-of-the-guide"]')).toBeVisible();
    await view.api('DELETE', '/api/library/template?id=own-pump-of-the-guide');
  });

  test('leaves nothing behind', async ({ view }) => {
    for (const { id, name, port } of await channels(view))
      if (name === NAME || port === place) await view.api('DELETE', `/api/channel/delete?channel_id=${id}`);
  });
});
