import { expect, test } from './fixtures.ts';
import { type Peer, startPeer } from './peer.ts';
import { placesOf, watchPlaces } from './places.ts';

const NAME = 'Doctor bench';

test.describe('the connection doctor', () => {
  let peer: Peer;
  test.beforeAll(async () => {
    peer = await startPeer();
    // 230.5 in registers 10 and 11, low word first, while the table says high word first
    peer.registers.set([0x8000, 0x4366], 10);
  });
  test.afterAll(() => peer.close());

  test('tells layer by layer what is good, and what to do about the table', async ({ view }) => {
    const { page } = view;
    const channel = (await view.api('POST', '/api/channel/add', {
      name: NAME,
      protocol_type: 1,
      conn_type: 2,
      port: peer.port,
      timeout_ms: 400,
    })) as { id: number };
    await view.api('POST', '/api/device/add_points', {
      channel_id: channel.id,
      points: [{ frame_type: 0, code: 'U1', address: 10, decode: '0x42' }],
    });
    await view.choose(NAME);
    await watchPlaces(page, 'doctor-close');
    await page.getByTestId('channel-menu').last().click();
    await page.getByRole('menuitem', { name: 'Connection doctor' }).click();
    for (const layer of ['line', 'bytes', 'framing', 'address']) {
      await expect(page.getByTestId(`doctor-${layer}`)).toHaveAttribute('data-state', 'good');
    }
    await expect(page.getByTestId('doctor-table')).toHaveAttribute('data-code', 'TABLE_ORDER');
    await expect(page.getByTestId('doctor-table')).toContainText('0x45 float32 CDAB it is 230.5');
    // nothing that comes moves a button from under the pointer
    expect(await placesOf(page)).toHaveLength(1);
    await page.getByTestId('doctor-close').click();
    await view.tab('frames');
    await expect(page.getByRole('main')).toContainText('Read Holding Registers');
  });

  test('finds the cause of a failed start from its error, in both languages', async ({ view }) => {
    const { page } = view;
    await peer.close();
    await view.choose(NAME);
    await view.channel(NAME).getByRole('button', { name: /Start/ }).click();
    await page.getByTestId('open-doctor').click();
    await expect(page.getByTestId('doctor-line')).toHaveAttribute('data-code', 'LINE_REFUSED');
    await expect(page.getByTestId('doctor-line')).toContainText('Check the port number');
    await expect(page.getByTestId('doctor-table')).toHaveAttribute('data-state', 'skipped');
    await page.keyboard.press('Escape');
    await page.getByTestId('language').click();
    await page.getByRole('menuitem', { name: '中文' }).click();
    await page.getByTestId('open-doctor').click();
    await expect(page.getByTestId('doctor-line')).toContainText('拒绝连接');
    await page.getByTestId('doctor-close').click();
  });
});
