import { expect, test } from './fixtures.ts';
import { type Peer, startPeer } from './peer.ts';
import { placesOf, watchPlaces } from './places.ts';

test.describe('search, scan and identification', () => {
  let peer: Peer;
  test.beforeAll(async () => {
    peer = await startPeer();
    peer.registers.set([0x4366, 0x8000], 20);
  });
  test.afterAll(() => peer.close());

  test('a search over TCP finds the unit, and its result becomes a channel by one click', async ({ view }) => {
    const { page } = view;
    await page.getByTestId('add-channel').click();
    await page.getByTestId('open-find').click();
    await expect(page.getByTestId('find-start')).toBeVisible();
    await watchPlaces(page, 'find-close', 'find-start', 'find-make');
    await view.field('port').fill(String(peer.port));
    await view.field('last_slave').fill('3');
    await page.getByTestId('find-start').click();
    await expect(page.locator('[data-testid="found-device"][data-slave="1"]')).toBeVisible();
    await expect(page.getByTestId('job-progress')).toHaveAttribute('data-state', 'done');
    // the same before, while and after it searches, whatever is chosen
    await page.getByText('Serial line').click();
    await expect(view.field('baud_rates')).toBeVisible();
    expect(await placesOf(page)).toHaveLength(3);
    await page.getByTestId('find-make').click();
    await expect(page.getByTestId('channel-header')).toContainText(`127.0.0.1:${peer.port}`);
  });

  test('a scan shows registers, saves them as csv, and makes points of them', async ({ view }) => {
    const { page } = view;
    const name = `127.0.0.1:${peer.port}`;
    await view.choose(name);
    await view.channel(name).getByRole('button', { name: /Start/ }).click();
    await expect(view.channel(name)).toContainText('Running');
    await view.tab('tools');
    await view.field('scan_start').fill('18');
    await view.field('scan_quantity').fill('8');
    await page.getByTestId('scan-start').click();
    await expect(page.getByTestId('job-progress')).toHaveAttribute('data-state', 'done');
    await expect(page.getByTestId('scan-ranges')).toContainText('F3: 18 to 25');
    await expect(page.getByRole('grid', { name: 'Values' })).toContainText('230.5');
    const file = await view.around.download(() => page.getByTestId('scan-csv').click());
    expect(file.bytes.toString()).toContain('3,20,0x0014,4366,17254,17254');
    await page.getByTestId('scan-make').click();
    await view.field('make_from').fill('20');
    await view.field('make_to').fill('21');
    await view.field('make_decode').click();
    await page.getByRole('option', { name: '0x42 float32 ABCD' }).click();
    await expect(page.getByTestId('make-preview')).toContainText('S1F3_20');
    await page.getByTestId('make-add').click();
    await expect(view.row('S1F3_20')).toBeVisible();
    await page.keyboard.press('F5');
    await expect(view.value('S1F3_20')).toHaveText('230.500');
  });

  test('a device says who made it', async ({ view }) => {
    const { page } = view;
    await view.choose('Demo meter');
    await view.tab('tools');
    await page.getByTestId('identify-start').click();
    await expect(page.getByTestId('identity')).toContainText('VendorName');
  });
});
