import { expect, test } from './fixtures.ts';
import { freePort } from './peer.ts';
import type { Screen } from './screen.ts';
import { type BuiltService, startService } from './service.ts';
import { severe } from './severe.ts';

interface Named {
  readonly id: number;
  readonly name: string;
}

let cabinet: BuiltService;
let isUp = false;
/** Channel of the window's service that serves the device below, and its only point. */
let device: number;
let signal: number;

async function ask(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
  const json = body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {};
  return ((await (await fetch(cabinet.url + path, { method, ...json })).json()) as { data: unknown }).data;
}

/** A device that the window's service serves, and a cabinet that reads it. */
async function open(view: Screen, port: number): Promise<void> {
  const point = { frame_type: 1, code: 'QF1', address: 1, decode: '0x20' };
  const served = (await view.api('POST', '/api/channel/add', { name: 'Below', protocol_type: 1, conn_type: 1, port })) as Named;
  device = served.id;
  const { items } = (await view.api('POST', '/api/device/add_points', { channel_id: device, points: [point] })) as { items: Named[] };
  signal = items[0]?.id ?? 0;
  await view.api('POST', '/api/device/start', { channel_id: device });
  cabinet = await startService({ hasDemo: false });
  isUp = true;
  const feeder = (await ask('POST', '/api/channel/add', { name: 'Feeder 7', protocol_type: 1, conn_type: 2, port })) as Named;
  await ask('POST', '/api/device/add_points', { channel_id: feeder.id, points: [point] });
  await ask('POST', '/api/device/start', { channel_id: feeder.id });
  await ask('POST', '/api/devices/start-auto-read', { device_name: 'Feeder 7', cycle_interval_ms: 200 });
  await view.api('POST', '/api/remotes/add', { name: 'Cabinet 7', address: cabinet.url });
  await view.page.reload();
}

const serve = (view: Screen, value: number) => view.api('PUT', '/api/device/update_point', { point_id: signal, frame_type: 1, value });

async function stopCabinet(): Promise<void> {
  if (isUp) await cabinet.stop();
  isUp = false;
}

test.afterEach(async ({ view }) => {
  await view.api('POST', '/api/check/stop', {});
  const { items } = (await view.api('GET', '/api/remotes/list')) as { items: Named[] };
  for (const { id } of items) await view.api('DELETE', `/api/remotes/remove?id=${id}`);
  await view.api('DELETE', `/api/channel/delete?channel_id=${device}`);
  await stopCabinet();
});

async function newSession({ page }: Screen, name: string, channel: string): Promise<void> {
  await page.getByTestId('open-check').click();
  await page.getByTestId('check-new-open').click();
  await page.locator('[data-path="name"]').fill(name);
  // in place of the channel one came from
  await page.locator('[data-path="channels"]').press('Backspace');
  await page.locator('[data-path="channels"]').fill(channel);
  await page.getByRole('option', { name: channel }).click();
  await page.keyboard.press('Tab');
  await page.getByTestId('check-new-do').click();
  await expect(page.getByTestId('check-session-view')).toBeVisible();
}

/** The guided check of the one item, by what moves below. */
async function guide(view: Screen): Promise<void> {
  const { page } = view;
  await page.getByTestId('check-start-open').click();
  await page.locator('[data-path="operator"]').fill('Li');
  await page.getByTestId('check-start-do').click();
  await expect(page.getByTestId('guided')).toHaveAttribute('data-item', 'QF1');
  await expect(page.getByTestId('guided-status')).toHaveAttribute('data-ready', 'true', { timeout: 20_000 });
}

test('a signal is moved below and seen in a cabinet above, in one session; its evidence says where, and a silent cabinet is told', async ({
  view,
}) => {
  const { page } = view;
  await open(view, await freePort());
  await newSession(view, 'Over two services', 'Cabinet 7 · Feeder 7');
  const row = page.locator('[data-testid="check-item"][data-code="QF1"]');
  await expect(row).toContainText('Cabinet 7 · Feeder 7');
  await guide(view);
  await expect(page.getByTestId('guided')).toContainText('Cabinet 7 · Feeder 7');
  expect(await severe(view, 'guided over services')).toEqual([]);
  await serve(view, 1);
  await expect
    .poll(async () => JSON.stringify(await view.api('GET', '/api/check/run')), { timeout: 10_000 })
    .toContain('"value":1,"is_seen":true');
  await serve(view, 0);
  await expect(page.getByTestId('guided')).toHaveAttribute('data-run', 'ended', { timeout: 20_000 });
  await page.keyboard.press('Escape');
  await expect(row).toContainText('Passed');
  await row.click();
  await page.getByTestId('item-history').click();
  const entry = page.getByTestId('check-entry').first();
  await expect(entry).toContainText('Cabinet 7 · QF1');
  await expect(entry).toContainText('here ');
  await page.keyboard.press('Escape');
  await stopCabinet();
  await expect(row.locator('[title*="Cabinet 7"]').first()).toBeVisible({ timeout: 20_000 });
  await expect(row).toContainText('Passed');
});

test('a session that a cabinet has itself is driven in this window', async ({ view }) => {
  const { page } = view;
  await open(view, await freePort());
  await page.locator('[data-service="Cabinet 7"] [data-remote-channel="Feeder 7"] button').click();
  await expect(page.getByTestId('shown-service')).toContainText('Cabinet 7');
  await newSession(view, 'Of the cabinet', 'Feeder 7');
  await guide(view);
  await page.keyboard.press('s');
  await expect(page.getByTestId('guided')).toHaveAttribute('data-run', 'ended');
  const { items } = (await ask('GET', '/api/check/sessions')) as { items: (Named & { results: number })[] };
  expect(items.map(({ name, results }) => [name, results])).toEqual([['Of the cabinet', 1]]);
  await page.keyboard.press('Escape');
  await page.getByTestId('shown-service').click();
  await expect(page.getByTestId('shown-service')).toBeHidden();
});
