import { inChinese } from './check-plant.ts';
import { expect, test } from './fixtures.ts';
import { freePort } from './peer.ts';
import { severe } from './severe.ts';

const NAME = 'Recorded station';

test.describe('trends of recorded values', () => {
  let channelId = 0;

  test.beforeEach(async ({ view }) => {
    const channel = { name: NAME, protocol_type: 1, conn_type: 1, ip: '127.0.0.1', port: await freePort() };
    channelId = ((await view.api('POST', '/api/channel/add', channel)) as { id: number }).id;
    const points = [
      { frame_type: 0, code: 'WAVE', name: 'A wave', address: 0, decode: '0x42', unit: 'kW', protocol: { simulate: '230 + sine(60, 10)' } },
      { frame_type: 3, code: 'SET', name: 'A setpoint', address: 2, decode: '0x42', unit: 'V' },
    ];
    await view.api('POST', '/api/device/add_points', { channel_id: channelId, points });
    await view.api('POST', '/api/device/start', { channel_id: channelId });
    await view.choose(NAME);
  });

  test.afterEach(async ({ view }) => {
    await view.api('DELETE', `/api/channel/delete?channel_id=${channelId}`);
  });

  test('a point is recorded, drawn, measured by cursors, zoomed, and saved; in both languages and themes', async ({ view }) => {
    const { page } = view;
    await view.tab('trends');
    await expect(page.getByText('No curves yet')).toBeVisible();
    await page.getByTestId('trend-point').fill('WAVE');
    await page.getByRole('option', { name: 'WAVE · A wave' }).click();
    await expect(page.getByText(`${NAME} is not recorded`)).toBeVisible();
    const curve = page.locator('[data-testid="trend-curve"][data-code="WAVE"]');
    const chart = page.getByTestId('trend-chart');
    const samples = async () => Number((await curve.locator('td').nth(5).innerText()).replace(/\D/g, ''));
    // not recorded, and there all the same: from the first look on
    await expect(curve.getByTestId('trend-live-since')).toContainText('live, known since');
    await expect(chart.locator('canvas')).toBeVisible();
    await expect.poll(samples).toBeGreaterThan(5);
    expect(await view.api('GET', `/api/recording?channel_id=${channelId}`)).toMatchObject({ channels: [{ mode: 'off', samples: 0 }] });
    const before = await samples();
    await page.getByTestId('trend-record').click();
    await expect(page.getByTestId('trend-record')).toBeHidden();
    await expect(curve.getByTestId('trend-live-since')).toBeHidden();
    // what was known before it was recorded stays
    await expect.poll(samples).toBeGreaterThan(before + 5);

    await page.getByTestId('trend-range').click();
    await page.getByRole('option', { name: '1 min' }).click();
    await chart.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowLeft');
    await expect(page.getByTestId('trend-span')).toContainText('s');
    await expect(page.getByTestId('trend-live')).toHaveAttribute('aria-pressed', 'true');
    await page.keyboard.press('+');
    await expect(page.getByTestId('trend-live')).toHaveAttribute('aria-pressed', 'false');
    expect(await severe(view, 'trends')).toEqual([]);

    const box = (await chart.locator('.u-over').boundingBox()) ?? { x: 0, y: 0, width: 0 };
    await page.mouse.move(box.x + box.width * 0.6, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.9, box.y + 60, { steps: 4 });
    await page.mouse.up();
    await expect(page.getByTestId('trend-range')).toHaveValue('Chosen');
    await page.getByTestId('trend-live').click();
    // until the range of now is drawn, a click is at a time of the range before
    await expect(async () => {
      await page.mouse.click(box.x + box.width - 2, box.y + 60);
      await expect(curve.locator('td').nth(2)).toContainText('kW', { timeout: 2000 });
    }).toPass();

    const csv = await view.around.download(() => page.getByTestId('trend-csv').click());
    expect(csv.bytes.toString('utf8')).toMatch(/^\uFEFFTime,Device,Code,.*\r\n.*,Recorded station,WAVE,A wave,kW,\d/);
    const picture = await view.around.download(() => page.getByTestId('trend-png').click());
    expect(picture.bytes.subarray(1, 4).toString('latin1')).toBe('PNG');

    await page.getByTestId('recording-open').click();
    await expect(page.getByTestId('recording-kept')).toContainText('samples since');
    await page.getByTestId('recording-dead_band').fill('0.5');
    await page.getByTestId('recording-add-band').click();
    const band = page.getByTestId('recording-band');
    await band.getByPlaceholder('Code').fill('WAV');
    await page.getByTestId('recording-save').click();
    await expect(band).toContainText('no point of this channel has the code');
    await band.getByPlaceholder('Code').fill('WAVE');
    await band.getByLabel('Dead band', { exact: true }).fill('2');
    await band.getByLabel('Measured in').selectOption('%');
    expect(await severe(view, 'recording')).toEqual([]);
    await page.getByTestId('recording-save').click();
    await expect(page.getByTestId('recording-save')).toBeHidden();
    expect(await view.api('GET', `/api/recording?channel_id=${channelId}`)).toMatchObject({
      channels: [{ dead_band: 0.5, dead_bands: [{ code: 'WAVE', dead_band: 2, kind: 'percent' }] }],
    });
    await page.getByTestId('recording-open').click();
    await page.getByTestId('recording-mode').click();
    await page.getByRole('option', { name: 'Around a condition' }).click();
    await page.getByTestId('recording-trigger').fill('WAVE >');
    await page.getByTestId('recording-save').click();
    await expect(page.getByText(/cannot be understood at character/)).toBeVisible();
    await page.getByTestId('recording-trigger').fill('WAVE > -1000');
    await page.getByTestId('recording-save').click();
    await expect(page.getByTestId('recording-save')).toBeHidden();
    await view.tab('events');
    await expect(page.getByText('Recording began: WAVE > -1000')).toBeVisible();
    await view.tab('trends');

    await inChinese(view);
    await expect(page.getByTestId('trend-live')).toHaveText('实时');
    expect(await severe(view, '趋势')).toEqual([]);
  });
});
