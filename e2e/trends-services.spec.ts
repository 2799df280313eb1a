import { join } from 'node:path';
import { expect, test } from './fixtures.ts';
import { freePort } from './peer.ts';
import type { Screen } from './screen.ts';
import { type BuiltService, startService } from './service.ts';
import { severe } from './severe.ts';

const LOCAL = 'Local station';
const CABINET = 'Cabinet 9';
/** Its clock is behind by so many milliseconds. */
const BEHIND_MS = 2500;

type Ask = (method: 'POST' | 'PUT', path: string, body: object) => Promise<unknown>;

/** The API of the other service, as a script would ask it. */
const askOf =
  (service: BuiltService): Ask =>
  async (method, path, body) => {
    const init = { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    return ((await (await fetch(service.url + path, init)).json()) as { readonly data: unknown }).data;
  };

/** A served device with a wave; answers the number of its channel. */
async function addStation(ask: Ask, name: string): Promise<number> {
  const channel = { name, protocol_type: 1, conn_type: 1, ip: '127.0.0.1', port: await freePort(), auto_start: true };
  const { id } = (await ask('POST', '/api/channel/add', channel)) as { readonly id: number };
  const point = {
    frame_type: 0,
    code: 'WAVE',
    name: 'A wave',
    address: 0,
    decode: '0x42',
    unit: 'kW',
    protocol: { simulate: '230 + sine(60, 10)' },
  };
  await ask('POST', '/api/device/add_points', { channel_id: id, points: [point] });
  await ask('POST', '/api/device/start', { channel_id: id });
  return id;
}

const curve = ({ page }: Screen, place: string) => page.getByTestId('trend-curve').filter({ hasText: place });

async function addCurve({ page }: Screen, channel: string): Promise<void> {
  await page.getByTestId('trend-channel').click();
  await page.getByRole('option', { name: channel, exact: true }).click();
  await page.getByTestId('trend-point').fill('WAVE');
  await page.getByRole('option', { name: 'WAVE · A wave' }).click();
}

test('points of two services in one trend: their clocks are compared, and one that goes away leaves a gap', async ({ view }) => {
  const { page } = view;
  let cabinet = await startService({ hasDemo: false, aheadMs: -BEHIND_MS });
  const { folder, url } = cabinet;
  const local = await addStation((method, path, body) => view.api(method, path, body), LOCAL);
  let remote = 0;
  try {
    const there = askOf(cabinet);
    const recorded = await addStation(there, 'Feeder 9');
    await there('PUT', '/api/recording', { channel_id: recorded, mode: 'changed' });
    await addStation(there, 'Feeder 10');
    const added = await view.api('POST', '/api/remotes/add', { name: CABINET, address: url });
    remote = (added as { readonly id: number }).id;
    await view.reload();
    await view.choose(LOCAL);
    await view.tab('trends');
    for (const channel of [LOCAL, 'Feeder 9', 'Feeder 10']) await addCurve(view, channel);
    const [own, known, live] = [curve(view, LOCAL), curve(view, `${CABINET} / Feeder 9 `), curve(view, `${CABINET} / Feeder 10`)];
    const samples = async (of: typeof own) => Number((await of.locator('td').nth(5).innerText()).replace(/\D/g, ''));
    for (const each of [own, known, live]) await expect.poll(() => samples(each)).toBeGreaterThan(3);
    // recorded there, or kept there while this page looks; recording is switched on where it is done
    await expect(known.getByTestId('trend-live-since')).toBeHidden();
    await expect(live.getByTestId('trend-live-since')).toBeVisible();
    await expect(page.getByTestId('trend-not-recorded')).toHaveCount(2);
    await expect(page.getByTestId('trend-record')).toHaveCount(1);
    await expect(page.getByTestId('trend-service-clock')).toContainText(/The clock of Cabinet 9 is 2[.,][345]\d s behind/);
    expect(await severe(view, 'a trend of two services')).toEqual([]);
    await page.getByTestId('trend-range').click();
    await page.getByRole('option', { name: '1 min' }).click();

    await cabinet.pause();
    const wentAt = Date.now();
    await expect(page.getByTestId('trend-service-away')).toContainText(/Cabinet 9 does not answer, so its curves end at/);
    await expect(known).toBeVisible();
    const ownBefore = await samples(own);
    await expect.poll(() => samples(own)).toBeGreaterThan(ownBefore);

    // the same project, opened again
    cabinet = await startService({ hasDemo: false, aheadMs: -BEHIND_MS, folder, port: Number(new URL(url).port) });
    const cameAt = Date.now();
    await expect(page.getByTestId('trend-service-away')).toBeHidden();
    const knownBefore = await samples(known);
    await expect.poll(() => samples(known)).toBeGreaterThan(knownBefore);
    const box = (await page.getByTestId('trend-chart').locator('.u-over').boundingBox()) ?? { x: 0, y: 0, width: 0 };
    await expect(async () => {
      const ago = Date.now() - (wentAt + cameAt) / 2 + BEHIND_MS;
      await page.mouse.click(box.x + box.width * (1 - ago / 60_000), box.y + 60);
      await expect(own.locator('td').nth(2)).toContainText('kW');
      await expect(known.locator('td').nth(2)).toHaveText('–');
    }).toPass();
    await page.mouse.click(box.x + box.width - 2, box.y + 60);
    await expect(own.locator('td').nth(2)).toContainText('kW');

    // ids of another project would mean other points
    await askOf(cabinet)('POST', '/api/project/open', { path: join(folder, 'other.loopcheck'), create: true });
    await expect(page.getByTestId('trend-service-away')).toContainText('Another project was opened');
    // forgotten here, its curves can be taken away
    await view.api('DELETE', `/api/remotes/remove?id=${remote}`);
    remote = 0;
    await page.getByTestId('trend-service-remove').click();
    await expect(known).toBeHidden();
    await expect(own).toBeVisible();
  } finally {
    if (remote > 0) await view.api('DELETE', `/api/remotes/remove?id=${remote}`);
    await view.api('DELETE', `/api/channel/delete?channel_id=${local}`);
    await cabinet.stop();
  }
});
