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

/** Between two times in which a channel was recorded, by the clock of its service. */
async function gapOf({ url }: BuiltService, channel: number): Promise<{ readonly from: number; readonly to: number }> {
  const answer = await fetch(`${url}/api/history?code=WAVE&channel_id=${channel}&seconds=600`);
  type History = {
    readonly data: { readonly items: readonly { readonly gaps: readonly { readonly from: string; readonly to: string }[] }[] };
  };
  // the first one is in front of all that was recorded
  const gap = ((await answer.json()) as History).data.items[0]?.gaps[1];
  if (!gap) throw new Error('no gap');
  return { from: Date.parse(gap.from), to: Date.parse(gap.to) };
}

const plotOf = async ({ page }: Screen) =>
  (await page.getByTestId('trend-chart').locator('.u-over').boundingBox()) ?? { x: 0, y: 0, width: 0 };

/** Shows the last two fifths of the range, and stands still. */
async function chooseLast(view: Screen): Promise<void> {
  const { page } = view;
  const { x, y, width } = await plotOf(view);
  await page.mouse.move(x + width * 0.6, y + 60);
  await page.mouse.down();
  await page.mouse.move(x + width - 1, y + 60, { steps: 4 });
  await page.mouse.up();
  await expect(page.getByTestId('trend-range')).toHaveValue('Chosen');
}

/** Puts the first cursor to a time: what it says at both ends of the range tells where that is. */
async function putCursor(view: Screen, at: number): Promise<void> {
  const { page } = view;
  const { x, y, width } = await plotOf(view);
  const head = page.getByTestId('trend-panel').locator('th').nth(2);
  const timeAt = async (place: number) => {
    const before = await head.innerText();
    await page.mouse.click(x + place, y + 60);
    await expect(head).not.toHaveText(before, { timeout: 2000 });
    const text = (await head.innerText()).split(' · ')[1] ?? '';
    return page.evaluate((time) => Date.parse(time), text.replace(' ', 'T'));
  };
  await expect(async () => {
    const [first, last] = [await timeAt(5), await timeAt(width - 5)];
    const pixelMs = (last - first) / (width - 10);
    expect(Math.abs((await timeAt(5 + (at - first) / pixelMs)) - at)).toBeLessThanOrEqual(2 * pixelMs);
  }).toPass();
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
    await expect(async () => {
      const text = await page.getByTestId('trend-service-clock').innerText();
      const [, seconds, doubt] = /The clock of Cabinet 9 is ([\d.]+) s behind \(± ([\d.]+) s\)/.exec(text) ?? [];
      // what a slow answer leaves in doubt is said beside it
      expect(Number(doubt)).toBeLessThan(1);
      expect(Math.abs(1000 * Number(seconds) - BEHIND_MS)).toBeLessThanOrEqual(1000 * Number(doubt) + 10);
    }).toPass();
    expect(await severe(view, 'a trend of two services')).toEqual([]);

    await cabinet.pause();
    await expect(page.getByTestId('trend-service-away')).toContainText(/Cabinet 9 does not answer, so its curves end at/);
    await expect(known).toBeVisible();
    const ownBefore = await samples(own);
    await expect.poll(() => samples(own)).toBeGreaterThan(ownBefore);

    // the same project, opened again
    cabinet = await startService({ hasDemo: false, aheadMs: -BEHIND_MS, folder, port: Number(new URL(url).port) });
    await expect(page.getByTestId('trend-service-away')).toBeHidden();
    const knownBefore = await samples(known);
    await expect.poll(() => samples(known)).toBeGreaterThan(knownBefore);
    // a range that stands still while it is looked at
    const gap = await gapOf(cabinet, recorded);
    await chooseLast(view);
    await putCursor(view, (gap.from + gap.to) / 2);
    await expect(own.locator('td').nth(2)).toContainText('kW');
    await expect(known.locator('td').nth(2)).toHaveText('–');
    await putCursor(view, gap.from - (gap.to - gap.from) / 2);
    await expect(known.locator('td').nth(2)).toContainText('kW');
    await page.getByTestId('trend-live').click();

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
