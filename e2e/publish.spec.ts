import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TakingBroker } from './broker.ts';
import { expect, test } from './fixtures.ts';
import { severe } from './severe.ts';

test('a webhook is added, tested, fails, recovers and is deleted, in both languages', async ({ view }) => {
  const bodies: string[] = [];
  let status = 204;
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    bodies.push(Buffer.concat(parts).toString());
    response.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const { page } = view;
  try {
    await page.keyboard.press('Control+,');
    await page.getByTestId('settings-publish').click();
    await page.getByTestId('publish-add-webhook').click();
    await page.getByTestId('publisher-save').click();
    await expect(page.getByTestId('publisher-name')).toHaveAttribute('aria-invalid', 'true');
    await page.getByTestId('publisher-name').fill('Cloud');
    await page.getByTestId('publisher-url').fill(url);
    await page.getByTestId('publisher-secret').fill('key-of-the-hook');
    await page.getByTestId('publisher-save').click();
    await expect(page.getByTestId('publisher-state')).toHaveText('Running');
    await expect.poll(() => bodies.some((body) => body.includes('"code":"BMS1_U"'))).toBe(true);
    await page.getByTestId('publisher-test').click();
    await expect(page.getByText(/^Reached in /)).toBeVisible();
    expect(await severe(view, 'publishing')).toEqual([]);
    status = 500;
    await expect(page.getByTestId('publisher-state')).toHaveText('Failing');
    await expect(page.getByTestId('publisher-error')).toContainText('500');
    status = 204;
    await expect(page.getByTestId('publisher-state')).toHaveText('Running', { timeout: 30_000 });
    await page.keyboard.press('Escape');
    await view.tab('events');
    const service = page.getByTestId('events-panel').getByRole('row').filter({ hasText: 'Publishing Cloud' });
    await expect(service).toHaveCount(2);
    await expect(service.first()).toContainText('fails: ');
    await expect(service.first()).toContainText('500');
    await expect(service.last()).toContainText('goes on');
    await page.getByTestId('events-panel').getByText('Service', { exact: true }).first().click();
    await expect(service).toHaveCount(0);
    await page.keyboard.press('Control+,');
    await page.getByTestId('settings-display').click();
    await page.getByText('中文', { exact: true }).click();
    await page.getByTestId('settings-publish').click();
    await expect(page.getByTestId('publisher-state')).toHaveText('运行中');
    await page.getByTestId('publisher-remove').click();
    await page.getByTestId('confirm').click();
    await expect(page.getByTestId('publishers')).toContainText('未发布任何数值');
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('points are made known to Home Assistant, and values go out as an edge node of Sparkplug B', async ({ view }) => {
  const broker = await TakingBroker.start();
  const { page } = view;
  const saw = (pattern: RegExp) => broker.topics.some((topic) => pattern.test(topic));
  try {
    await page.keyboard.press('Control+,');
    await page.getByTestId('settings-publish').click();
    await page.getByTestId('publish-add-mqtt').click();
    await page.getByTestId('publisher-name').fill('Home');
    await page.getByTestId('publisher-url').fill(broker.url);
    await page.getByTestId('publisher-home-assistant').click();
    await page.getByTestId('publisher-discovery').fill('a/#');
    await page.getByTestId('publisher-save').click();
    await expect(page.getByTestId('publisher-discovery')).toHaveAttribute('aria-invalid', 'true');
    await page.getByTestId('publisher-discovery').fill('homeassistant');
    expect(await severe(view, 'the form of MQTT with Home Assistant')).toEqual([]);
    await page.getByTestId('publisher-save').click();
    await expect(page.getByTestId('publisher-state')).toHaveText('Running');
    await expect.poll(() => saw(/^homeassistant\/sensor\/loopcheck-[0-9a-f]{4}_[0-9a-f]{8}\/[0-9a-f]{20}\/config$/)).toBe(true);
    await expect.poll(() => saw(/^homeassistant\/binary_sensor\//)).toBe(true);
    await page.getByTestId('publisher-edit').click();
    await expect(page.getByTestId('publisher-discovery')).toHaveValue('homeassistant');
    // a certificate of an authority is for encrypted addresses
    await expect(page.getByTestId('publisher-ca')).toHaveCount(0);
    await page.getByTestId('publisher-url').fill(broker.url.replace('mqtt:', 'mqtts:'));
    await page.getByTestId('publisher-ca').fill('my CA');
    await page.getByTestId('publisher-save').click();
    await expect(page.getByTestId('publisher-ca')).toHaveAttribute('aria-invalid', 'true');
    await page.getByTestId('settings-display').click();
    await page.getByText('中文', { exact: true }).click();
    await page.getByTestId('settings-publish').click();
    await page.getByTestId('publisher-remove').click();
    await page.getByTestId('confirm').click();
    await page.getByTestId('publish-add-sparkplug').click();
    await page.getByTestId('publisher-name').fill('Node');
    await page.getByTestId('publisher-url').fill(broker.url);
    await page.getByTestId('publisher-group').fill('Site');
    await page.getByTestId('publisher-node').fill('Bay/1');
    await page.getByTestId('publisher-save').click();
    await expect(page.getByTestId('publisher-node')).toHaveAttribute('aria-invalid', 'true');
    await page.getByTestId('publisher-node').fill('Bay 1');
    await expect(page.getByTestId('publisher-form')).toContainText('主机应用');
    expect(await severe(view, 'the form of Sparkplug B')).toEqual([]);
    await page.getByTestId('publisher-save').click();
    await expect(page.getByTestId('publisher-state')).toHaveText('运行中');
    await expect.poll(() => saw(/^spBv1\.0\/Site\/DBIRTH\/Bay 1\//)).toBe(true);
    await expect.poll(() => saw(/^spBv1\.0\/Site\/DDATA\/Bay 1\//)).toBe(true);
    expect(broker.filters).toContain('spBv1.0/Site/NCMD/Bay 1');
    await page.getByTestId('publisher-remove').click();
    await page.getByTestId('confirm').click();
    await expect.poll(() => broker.topics.at(-1)).toBe('spBv1.0/Site/NDEATH/Bay 1');
  } finally {
    broker.close();
  }
});
