import { connect } from 'node:net';
import { inChinese } from './check-plant.ts';
import { expect, test } from './fixtures.ts';
import { freePort } from './peer.ts';
import { severe } from './severe.ts';

const NAME = 'Simulated station';

/** Asks a Modbus server for two registers over a plain socket; null when it closes without an answer. */
function askFloat(port: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => socket.write(Buffer.from([0, 7, 0, 0, 0, 6, 1, 3, 0, 0, 0, 2])));
    socket.on('data', (chunk) => {
      resolve(chunk.length === 13 ? chunk.readFloatBE(9) : null);
      socket.destroy();
    });
    socket.on('close', () => resolve(null));
    socket.on('error', reject);
  });
}

test.describe('simulation of a served channel', () => {
  let channelId = 0;
  let port = 0;

  test.beforeEach(async ({ view }) => {
    port = await freePort();
    const channel = { name: NAME, protocol_type: 1, conn_type: 1, ip: '127.0.0.1', port };
    channelId = ((await view.api('POST', '/api/channel/add', channel)) as { id: number }).id;
    const points = [
      { frame_type: 0, code: 'U', address: 0, decode: '0x42' },
      { frame_type: 0, code: 'BAD', address: 2, decode: '0x42', protocol: { simulate: 'U / 0' } },
    ];
    await view.api('POST', '/api/device/add_points', { channel_id: channelId, points });
    await view.api('POST', '/api/device/start', { channel_id: channelId });
    await view.choose(NAME);
  });

  test.afterEach(async ({ view }) => {
    await view.api('DELETE', `/api/channel/delete?channel_id=${channelId}`);
  });

  test('a formula is written into a point, worked out and served; one without a value leads to its point; the line is made faulty and whole again', async ({
    view,
  }) => {
    const { page } = view;
    await view.row('U').locator('[data-column="code"]').click();
    await page.keyboard.press('F2');
    const formula = view.field('simulate');
    await formula.fill('sinus(3)');
    await page.keyboard.press('Enter');
    await expect(page.getByText('names the function "sinus"')).toBeVisible();
    await formula.fill('230 + 0 * t');
    await page.keyboard.press('Enter');
    await expect(formula).toBeHidden();

    await page.getByRole('tab', { name: 'Tools' }).click();
    const panel = page.getByTestId('simulation');
    await expect(panel).toHaveAttribute('data-state', 'running');
    await expect(page.getByTestId('simulation-points')).toHaveText('2');
    await expect(page.locator('[data-testid="simulation-fault"][data-code="BAD"]')).toContainText('no number');
    await expect.poll(() => askFloat(port)).toBe(230);
    expect(await severe(view, 'simulation')).toEqual([]);

    await page.getByTestId('fault-hang_up_percent').fill('100');
    await page.getByTestId('faults-take').click();
    await expect(page.getByTestId('faults-end')).toBeEnabled();
    expect(await askFloat(port)).toBeNull();
    await page.getByTestId('faults-end').click();
    await expect(page.getByTestId('faults-end')).toBeDisabled();
    expect(await askFloat(port)).toBe(230);

    const series = page.getByTestId('series');
    const file = (text: string) => ({ name: 'load.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await series.locator('input[type="file"]').setInputFiles(file('t,P\n0,12.5\n0,13\n'));
    await expect(series.getByText(/row 3/)).toBeVisible();
    await series.locator('input[type="file"]').setInputFiles(file('t,P\n0,12.5\n600,12.5\n'));
    await expect(series.locator('[data-series="load"]')).toContainText('2 rows');
    const table = (await view.api('GET', `/api/device/table?channel_id=${channelId}&page=1&page_size=10&search=U`)) as {
      items: { id: number }[];
    };
    const edit = { point_id: table.items[0]?.id, frame_type: 0, protocol: { simulate: 'series("load", "P")' } };
    await view.api('PUT', '/api/device/edit_point', edit);
    await expect.poll(() => askFloat(port)).toBe(12.5);
    await series.getByRole('button', { name: 'P', exact: true }).click();
    await expect(page.getByText('series("load", "P") is in the clipboard.')).toBeVisible();
    await series.getByRole('button', { name: 'Remove load' }).click();
    await expect(page.locator('[data-testid="simulation-fault"][data-code="U"]')).toContainText('no file load');

    await page.getByTestId('simulation-on').click({ force: true });
    await expect(panel).toHaveAttribute('data-state', 'paused');
    await inChinese(view);
    await expect(page.locator('[data-testid="simulation-fault"][data-code="BAD"]')).toContainText('除数为零');
    expect(await severe(view, '仿真')).toEqual([]);
    await page.locator('[data-testid="simulation-fault"][data-code="BAD"]').dblclick();
    await expect(view.row('BAD')).toBeVisible();
  });
});
