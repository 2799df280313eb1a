import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { inChinese } from './check-plant.ts';
import { expect, test } from './fixtures.ts';
import { freePort } from './peer.ts';
import type { Screen } from './screen.ts';
import { severe, severeWords } from './severe.ts';

const NAME = 'Replay';
const FILE = join(import.meta.dirname, 'captures/two-devices.pcapng');

/** Asks a Modbus server for its first three registers over a plain socket; null when it closes, or refuses. */
function askRegisters(port: number): Promise<readonly number[] | null> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => socket.write(Buffer.from([0, 7, 0, 0, 0, 6, 1, 3, 0, 0, 0, 3])));
    socket.on('data', (chunk) => {
      resolve(chunk.length === 15 ? [9, 11, 13].map((at) => chunk.readUInt16BE(at)) : null);
      socket.destroy();
    });
    socket.on('close', () => resolve(null));
    socket.on('error', reject);
  });
}

async function openDialog({ page }: Screen): Promise<void> {
  await page.getByRole('tab', { name: 'Tools' }).click();
  await page.getByTestId('capture-open').click();
  await expect(page.getByTestId('capture-dialog')).toBeVisible();
}

const give = ({ page }: Screen, file: string | { name: string; mimeType: string; buffer: Buffer }) =>
  page.getByTestId('capture-dialog').locator('input[type="file"]').setInputFiles(file);

const conversation = ({ page }: Screen, device: string) => page.getByTestId('conversation').filter({ hasText: device });

test.describe('a capture that is served again', () => {
  let channelId = 0;
  let port = 0;

  test.beforeEach(async ({ view }) => {
    port = await freePort();
    const channel = { name: NAME, protocol_type: 1, conn_type: 1, ip: '127.0.0.1', port };
    channelId = ((await view.api('POST', '/api/channel/add', channel)) as { id: number }).id;
    await view.choose(NAME);
  });

  test.afterEach(async ({ view }) => {
    await view.api('DELETE', `/api/channel/delete?channel_id=${channelId}`);
    for (const name of ['two-devices', 'once']) await view.api('DELETE', `/api/simulation/series/remove?name=${name}`);
  });

  test('its conversations are told with what can be taken, one is taken into the channel, and the channel started serves it', async ({
    view,
  }) => {
    const { page } = view;
    await openDialog(view);
    await give(view, FILE);
    await expect(page.getByTestId('capture-found')).toContainText('2 conversations');
    const modbus = conversation(view, '127.0.0.1:5502');
    for (const text of ['Modbus TCP', '15', '7', 'Yes']) await expect(modbus).toContainText(text);
    await expect(modbus.getByRole('radio')).toBeChecked();
    const other = conversation(view, '127.0.0.1:102');
    await expect(other).toContainText('No: has nothing in this conversation that can be served again');
    await expect(other.getByRole('radio')).toBeDisabled();
    await other.click();
    await expect(modbus.getByRole('radio')).toBeChecked();
    expect(await severe(view, 'conversations of a capture')).toEqual([]);

    await expect(page.getByTestId('capture-name')).toHaveValue('two-devices');
    await page.getByText('Keep the last values at the end').click();
    await page.getByTestId('capture-take').click();
    const done = page.getByTestId('capture-done');
    await expect(done).toContainText('15 answers');
    await expect(done).toContainText('Points added: 7');
    expect(await severe(view, 'a capture that was taken')).toEqual([]);
    await page.getByTestId('capture-start').click();
    await expect(page.getByTestId('capture-dialog')).toBeHidden();
    await expect(page.getByTestId('simulation')).toHaveAttribute('data-state', 'running');
    // the last values that the device had
    await expect.poll(() => askRegisters(port), { timeout: 20_000 }).toEqual([2309, 5000, 190]);
    await view.tab('points');
    await expect(view.row('U1_HR0')).toBeVisible();
    await expect(view.row('U1_C3')).toBeVisible();
  });

  test('taken once more it replaces itself; a channel that has other points of its codes is left as it is', async ({ view }) => {
    const { page } = view;
    await openDialog(view);
    await give(view, FILE);
    await page.getByTestId('capture-take').click();
    await page.getByTestId('capture-done').getByRole('button', { name: 'Close' }).click();
    await openDialog(view);
    await give(view, FILE);
    await expect(page.getByText('There are values of this name')).toBeVisible();
    await page.getByTestId('capture-take').click();
    await expect(page.getByTestId('capture-done')).toContainText('points that follow it now: 7');
    await page.getByTestId('capture-done').getByRole('button', { name: 'Close' }).click();

    const table = `/api/device/table?channel_id=${channelId}&page=1&page_size=10&search=U1_HR0`;
    const [point] = ((await view.api('GET', table)) as { items: { id: number }[] }).items;
    await view.api('PUT', '/api/device/edit_point', { point_id: point?.id, frame_type: 0, address: 77 });
    await openDialog(view);
    await give(view, FILE);
    await page.getByTestId('capture-name').fill('once');
    await page.getByTestId('capture-take').click();
    await expect(page.getByTestId('error-notice')).toContainText('U1_HR0');
    await expect(page.getByTestId('conversation')).toHaveCount(2);
    const series = (await view.api('GET', '/api/simulation/series')) as { items: { name: string }[] };
    expect(series.items.map(({ name }) => name)).not.toContain('once');
  });

  test('a file that is none, is cut, or too large is refused in words, and another one can be given', async ({ view }) => {
    const { page } = view;
    await openDialog(view);
    const file = (buffer: Buffer) => ({ name: 'x.pcapng', mimeType: 'application/octet-stream', buffer });
    const notice = page.getByTestId('error-notice');
    await give(view, file(Buffer.from('code,address\nA,1\n')));
    await expect(notice).toContainText('This is no capture: it begins with 63 6F 64 65');
    await give(view, file((await readFile(FILE)).subarray(0, 5000)));
    await expect(notice).toContainText('ends in the middle');
    await give(view, file(Buffer.alloc(33 * 1024 * 1024)));
    await expect(page.getByText('The file has 33 MiB; 32 MiB are the most.')).toBeVisible();
    await expect(notice).toBeHidden();
    await page.keyboard.press('Escape');
    await inChinese(view);
    await page.getByTestId('capture-open').click();
    await give(view, file(Buffer.from('code,address\nA,1\n')));
    await expect(notice).toContainText('这不是抓包文件');
    expect(await severeWords(view, '抓包')).toEqual([]);
    await give(view, FILE);
    await expect(conversation(view, '127.0.0.1:102')).toContainText('没有可回放的内容');
    expect(await page.getByTestId('capture-dialog').innerText()).not.toMatch(/captures:|\bcapture\b/);
  });

  test('a capture of which nothing can be taken says why', async ({ view }) => {
    const { page } = view;
    const iec = { name: 'Replay 104', protocol_type: 3, conn_type: 1, ip: '127.0.0.1', port: await freePort() };
    const { id } = (await view.api('POST', '/api/channel/add', iec)) as { id: number };
    await view.choose(iec.name);
    await openDialog(view);
    await give(view, FILE);
    await expect(page.getByTestId('capture-refusal').filter({ hasText: 'No: this channel serves IEC 104' })).toBeVisible();
    await expect(page.getByTestId('capture-refusal')).toHaveCount(2);
    await expect(page.getByTestId('capture-take')).toBeDisabled();
    await view.api('DELETE', `/api/channel/delete?channel_id=${id}`);
  });

  test('a file is dropped', async ({ view }) => {
    const octets = (await readFile(FILE)).toString('base64');
    await openDialog(view);
    await view.page.evaluate(`(() => {
      const bytes = Uint8Array.from(atob('${octets}'), (sign) => sign.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([bytes], 'two-devices.pcapng'));
      const place = document.querySelector('[data-testid="capture-drop"]');
      place.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    })()`);
    await expect(view.page.getByTestId('conversation')).toHaveCount(2);
  });

  test('a service that is slow to look is not waited for', async ({ view }) => {
    test.skip(!view.isBrowser, 'requests of the window cannot be held up');
    const { page } = view;
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route('**/api/simulation/capture/look', async (route) => {
      await held;
      await route.continue().catch(() => {});
    });
    await openDialog(view);
    await give(view, FILE);
    await expect(page.getByTestId('capture-looking')).toContainText('two-devices.pcapng');
    await page.getByTestId('capture-cancel').click();
    await expect(page.getByTestId('capture-drop')).toBeVisible();
    letGo();
    await page.unroute('**/api/simulation/capture/look');
    await expect(page.getByTestId('error-notice')).toBeHidden();
    await give(view, FILE);
    await expect(page.getByTestId('conversation')).toHaveCount(2);
  });
});

test('the frame log of a channel is kept, saved, looked into, and removed', async ({ view }) => {
  const { page } = view;
  await view.choose('Demo meter');
  await view.tab('frames');
  await expect(page.getByTestId('frame-row').first()).toBeVisible();
  await page.getByTestId('frames-export').click();
  await page.getByTestId('frames-keep').click();
  await expect(page.getByText(/Demo meter \d{8}T\d{6}Z is kept, \d+ frames/)).toBeVisible();
  const { items } = (await view.api('GET', '/api/captures/list')) as { items: { name: string }[] };
  const name = items[0]?.name ?? '';
  await page.getByTestId('frames-export').click();
  await page.getByTestId('frames-kept').click();
  const kept = page.locator(`[data-capture="${name}"]`);
  await expect(kept).toContainText(/\d+ frames/);
  expect(await severe(view, 'kept captures')).toEqual([]);
  if (view.isBrowser) {
    const saved = page.waitForEvent('download');
    await kept.getByTestId('kept-download').click();
    expect((await saved).suggestedFilename()).toBe(`${name}.pcapng`);
  }
  await page.keyboard.press('Escape');

  const { id } = (await view.api('POST', '/api/channel/add', { name: NAME, protocol_type: 1, conn_type: 1, port: await freePort() })) as {
    id: number;
  };
  await view.choose(NAME);
  await openDialog(view);
  await kept.getByTestId('kept-look').click();
  await expect(page.getByTestId('conversation').filter({ hasText: 'Modbus TCP' })).toContainText('Yes');
  await page.getByTestId('capture-other').click();
  await kept.getByTestId('kept-remove').click();
  await page.getByTestId('confirm').click();
  await expect(kept).toHaveCount(0);
  expect((await view.api('GET', '/api/captures/list')) as object).toMatchObject({ items: [] });
  await view.api('DELETE', `/api/channel/delete?channel_id=${id}`);
});
