import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from './fixtures.ts';
import { severe } from './severe.ts';

test('InfluxDB that is away gets what was kept when it comes back, each record once', async ({ view }) => {
  const sequences: number[] = [];
  const sessions = new Set<string>();
  let status = 503;
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    if (status === 204) {
      for (const [, sequence, session] of Buffer.concat(parts)
        .toString()
        .matchAll(/sequence=(\d+)i,session="(\w+)"/g)) {
        sequences.push(Number(sequence));
        sessions.add(session ?? '');
      }
    }
    response.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { page } = view;
  try {
    await page.keyboard.press('Control+,');
    await page.getByTestId('settings-publish').click();
    await page.getByTestId('publish-add-influxdb').click();
    await page.getByTestId('publisher-name').fill('Trends');
    await page.getByTestId('publisher-url').fill(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await page.getByTestId('publisher-save').click();
    await expect(page.getByTestId('publisher-database')).toHaveAttribute('aria-invalid', 'true');
    await page.getByTestId('publisher-database').fill('plant');
    await page.getByTestId('publisher-secret').fill('token-of-the-bucket');
    await page.getByTestId('publisher-keep').click();
    await page.getByTestId('publisher-keep-mb').fill('16');
    expect(await severe(view, 'the form of InfluxDB')).toEqual([]);
    await page.getByTestId('publisher-save').click();
    await expect(page.getByTestId('publisher-state')).toHaveText('Failing');
    await expect(page.getByTestId('publisher-buffer')).toContainText(/on the disk [1-9]/);
    expect(await severe(view, 'publishing')).toEqual([]);
    status = 204;
    await expect(page.getByTestId('publisher-state')).toHaveText('Running', { timeout: 60_000 });
    await expect.poll(() => sequences.length).toBeGreaterThan(0);
    await expect(page.getByTestId('publisher-buffer')).toContainText('dropped there 0');
    expect(sequences).toEqual(sequences.map((_, index) => index + 1));
    expect(sessions.size).toBe(1);
    await page.getByTestId('publisher-remove').click();
    await page.getByTestId('confirm').click();
    await expect(page.getByTestId('publishers')).toContainText('Nothing is published');
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('the forms of databases and of what is kept, in both languages', async ({ view }) => {
  const { page } = view;
  await page.keyboard.press('Control+,');
  await page.getByTestId('settings-publish').click();
  await page.getByTestId('publish-add-postgresql').click();
  await page.getByTestId('publisher-name').fill('History');
  await page.getByTestId('publisher-url').fill('postgresql://127.0.0.1:1/plant');
  await page.getByTestId('publisher-table').fill('Wrong Table');
  await page.getByTestId('publisher-user').fill('plant');
  await page.getByTestId('publisher-save').click();
  await expect(page.getByTestId('publisher-table')).toHaveAttribute('aria-invalid', 'true');
  await page.getByTestId('publisher-table').fill('plant.loopcheck_values');
  await page.getByTestId('publisher-save').click();
  await expect(page.getByTestId('publisher-state')).toHaveText('Failing');
  await expect(page.getByTestId('publisher-error')).toContainText('refused the connection');
  await page.getByTestId('settings-display').click();
  await page.getByText('中文', { exact: true }).click();
  await page.getByTestId('settings-publish').click();
  await page.getByTestId('publisher-remove').click();
  await page.getByTestId('confirm').click();
  await page.getByTestId('publish-add-mqtt').click();
  // with quality of service 0 nothing is confirmed
  await expect(page.getByTestId('publisher-keep')).toBeDisabled();
  await expect(page.getByTestId('publisher-form')).toContainText('服务质量为 0 时不可用');
  expect(await severe(view, 'the form of MQTT')).toEqual([]);
});
