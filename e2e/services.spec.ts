import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from './fixtures.ts';
import type { Screen } from './screen.ts';
import { type BuiltService, startService } from './service.ts';
import { severe } from './severe.ts';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** The API of the other service, as a script would ask it. */
async function ask(service: BuiltService, method: 'GET' | 'POST', path: string, body?: object): Promise<Record<string, unknown>> {
  const json = body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {};
  return (await (await fetch(service.url + path, { method, ...json })).json()) as Record<string, unknown>;
}

const group = ({ page }: Screen, name: string) => page.locator(`[data-service="${name}"]`);

test('another service is added, its channels stand in the same list, it is shown, written to and left again', async ({ view }) => {
  const { page } = view;
  const cabinet = await startService({ hasDemo: false });
  try {
    const { data } = await ask(cabinet, 'POST', '/api/channel/add', {
      name: 'Feeder 7',
      protocol_type: 1,
      conn_type: 1,
      port: await freePort(),
    });
    const { id } = data as { readonly id: number };
    await ask(cabinet, 'POST', '/api/device/add_points', { channel_id: id, points: [{ frame_type: 3, code: 'LIMIT', address: 5 }] });
    await page.keyboard.press('Control+,');
    await page.getByTestId('settings-remotes').click();
    await page.getByTestId('remote-name').fill('Cabinet 7');
    await page.getByTestId('remote-address').fill(cabinet.url.replace('http://', ''));
    await page.getByTestId('remote-add').click();
    await expect(page.getByTestId('remote-plain')).toBeVisible();
    await page.getByTestId('remote-add').click();
    await expect(page.locator('[data-remote="Cabinet 7"]')).toContainText(cabinet.url);
    expect(await severe(view, 'other services')).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(group(view, 'Cabinet 7').locator('[data-remote-channel="Feeder 7"]')).toBeVisible();

    await group(view, 'Cabinet 7').locator('[data-remote-channel="Feeder 7"] button').click();
    await expect(page.getByTestId('shown-service')).toContainText('Cabinet 7');
    await expect(view.row('LIMIT')).toBeVisible();
    await expect(view.channel('Feeder 7')).toBeVisible();
    await expect(group(view, 'This computer').locator('[data-remote-channel]').first()).toBeVisible();
    // what is done here is done there
    await view.channel('Feeder 7').getByTestId('start-channel').click({ force: true });
    await expect.poll(async () => JSON.stringify((await ask(cabinet, 'GET', '/api/channel/list')).data)).toContain('"running"');
    await page.getByTestId('shown-service').click();
    await expect(page.getByTestId('shown-service')).toBeHidden();
    await expect(group(view, 'Cabinet 7')).toBeVisible();
    await expect(view.row('LIMIT')).toBeHidden();
  } finally {
    await cabinet.stop();
  }
  await expect(group(view, 'Cabinet 7')).toContainText('not reached');
  await page.keyboard.press('Control+,');
  await page.getByTestId('settings-display').click();
  await page.getByText('中文', { exact: true }).click();
  await page.getByTestId('settings-remotes').click();
  await page.getByRole('button', { name: '移除 Cabinet 7' }).click();
  await page.getByTestId('confirm').click();
  await expect(page.getByTestId('remote-list')).toContainText('尚无其他服务');
  await page.keyboard.press('Escape');
  await expect(group(view, 'Cabinet 7')).toBeHidden();
});
