import { expect, test } from './fixtures.ts';
import { type Peer, startPeer } from './peer.ts';
import { severe } from './severe.ts';

const NAME = 'Tried device';
const YC = { frame_type: 0, decode: '0x20' } as const;
const POINTS = [
  { ...YC, code: 'U', name: 'Voltage', address: 0 },
  { ...YC, code: 'COUNT', name: 'Counter', address: 1 },
  { ...YC, code: 'FAR', name: 'Not there', address: 20 },
  { ...YC, code: 'DUMB', name: 'Nobody answers', address: 0, func_code: 4 },
  { frame_type: 2, func_code: 5, code: 'CB_CTRL', name: 'Breaker', address: 0 },
];

test.describe('a table tried at its device', () => {
  let peer: Peer;
  let channelId = 0;

  test.beforeEach(async ({ view }) => {
    peer = await startPeer(20);
    const channel = { name: NAME, protocol_type: 1, conn_type: 2, ip: '127.0.0.1', port: peer.port };
    channelId = ((await view.api('POST', '/api/channel/add', channel)) as { id: number }).id;
    await view.api('POST', '/api/device/add_points', { channel_id: channelId, points: POINTS });
    await view.choose(NAME);
  });

  test.afterEach(async ({ view }) => {
    await view.api('DELETE', `/api/channel/delete?channel_id=${channelId}`);
    await peer.close();
  });

  test('tells what answers, what is refused and what never changes, and commands nothing', async ({ view }) => {
    const { page } = view;
    const tried = (code: string) => page.locator(`[data-testid="tried-point"][data-code="${code}"]`);
    peer.registers[0] = 2304;
    peer.coils[0] = true;
    await page.getByTestId('table-check').click();
    await page.getByTestId('try-table').click();
    await expect(page.getByTestId('table-job-start')).toHaveAttribute('aria-disabled', 'true');
    await view.api('POST', '/api/device/start', { channel_id: channelId });
    await expect(page.getByTestId('table-job-start')).not.toHaveAttribute('aria-disabled', 'true');
    await view.field('watch_s').fill('3');
    await page.getByTestId('table-job-start').click();
    await expect(tried('U')).toHaveAttribute('data-outcome', 'answers');
    await expect(tried('U').locator('[data-column="value"]')).toHaveText('2304');
    peer.registers[1] = 7;
    await expect(tried('FAR')).toHaveAttribute('data-outcome', 'refused');
    await expect(tried('DUMB')).toHaveAttribute('data-outcome', 'silent');
    // a coil is read back, and never operated
    await expect(tried('CB_CTRL').locator('[data-column="value"]')).toHaveText('1');
    await expect(page.getByTestId('job-progress')).toHaveAttribute('data-state', 'done');
    await expect(tried('COUNT').locator('[data-column="watched"]')).toHaveText('changed');
    await expect(tried('U').locator('[data-column="watched"]')).toHaveText('constant');
    expect(peer.coils[0]).toBe(true);
    expect(await severe(view, 'table against device')).toEqual([]);
    await tried('FAR').locator('[data-column="name"]').dblclick();
    await expect(view.row('FAR')).toHaveAttribute('aria-selected', 'true');
  });
});
