import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, test } from './fixtures.ts';
import { type Peer, startPeer } from './peer.ts';
import type { Screen } from './screen.ts';

const NAME = 'Bench device';

async function addPoint(view: Screen, code: string, type: string, address: string, decode?: string): Promise<void> {
  await view.page
    .getByTestId('point-add')
    .or(view.page.getByRole('button', { name: 'Add point' }))
    .first()
    .click();
  const form = view.page.getByTestId('point-form');
  await form.getByText(type, { exact: true }).click();
  await view.field('code').fill(code);
  await view.field('address').fill(address);
  if (decode) {
    await view.field('decode').click();
    await view.page.getByRole('option', { name: decode }).click();
  }
  await view.page.getByTestId('save-point').click();
  await expect(form).toBeHidden();
  await expect(view.row(code)).toBeVisible();
}

test.describe('a channel made by hand', () => {
  let peer: Peer;

  test.beforeAll(async () => {
    peer = await startPeer();
    // float32 1234.5 in registers 10 and 11, low word first.
    peer.registers.set([0x5000, 0x449a], 10);
    peer.registers[20] = 321;
  });
  test.afterAll(() => peer.close());

  test('reads and writes an independent Modbus TCP device', async ({ view }) => {
    const { page } = view;
    await page.getByTestId('add-channel').click();
    await view.field('name').fill(NAME);
    await view.field('conn_type').click();
    await page.getByRole('option', { name: 'TCP client' }).click();
    await view.field('port').fill(String(peer.port));
    await page.getByTestId('save-channel').click();
    await expect(page.getByTestId('channel-form')).toBeHidden();
    await expect(page.getByTestId('channel-header')).toContainText(NAME);
    await expect(view.channel(NAME)).toContainText('Running');

    await addPoint(view, 'T1', 'YC telemetry', '10', '0x45 float32 CDAB');
    await addPoint(view, 'SET1', 'YT setpoint', '0x14', '0x20 uint16 AB');
    await addPoint(view, 'K1', 'YK control', '3');
    await expect(view.value('T1')).toHaveText('—');
    await expect(view.row('SET1').locator('[data-column="hex"]')).toHaveText('0x0014');

    await page.keyboard.press('F5');
    await expect(view.value('T1')).toHaveText('1234.500');
    await expect(view.value('SET1')).toHaveText('321');
    await expect(view.row('T1').locator('[data-column="decode"]')).toHaveText('0x45 float32 CDAB');

    await view.startAutomatic();
    peer.registers[11] = 0x449b;
    await expect(view.value('T1')).toHaveText('1242.500');
    await view.select('SET1');
    await page.getByTestId('point-write').click();
    await page.getByRole('button', { name: 'Arm writing' }).click();
    await page.getByTestId('write-value').fill('77');
    await page.getByTestId('write-value').press('Enter');
    await page.getByTestId('write-send').click();
    await expect(page.getByTestId('write-outcome')).toContainText('Accepted');
    expect(peer.registers[20]).toBe(77);
    await page.getByTestId('write-close').click();
    await expect(view.value('SET1')).toHaveText('77');
  });

  test('its points are edited, and a bad field says what is wrong', async ({ view }) => {
    const { page } = view;
    await view.choose(NAME);
    await view.select('T1');
    await page.keyboard.press('F2');
    const form = page.getByTestId('point-form');
    await view.field('code').fill('SET1');
    await page.getByTestId('save-point').click();
    await expect(form.locator('.mantine-InputWrapper-error, [role="alert"]').first()).toBeVisible();
    await view.field('code').fill('T1_NEW');
    await view.field('address').fill('70000000000');
    await page.getByTestId('save-point').click();
    await expect(form.locator('.mantine-InputWrapper-error').first()).toBeVisible();
    await view.field('address').fill('10');
    await view.field('unit').fill('°C');
    await page.getByTestId('save-point').click();
    await expect(form).toBeHidden();
    await expect(view.row('T1_NEW').locator('[data-column="unit"]')).toHaveText('°C');
    expect(peer.registers[11]).toBe(0x449b);
  });

  test('many of its points are edited in one step', async ({ view }) => {
    const { page } = view;
    await view.choose(NAME);
    await view.select('T1_NEW');
    await view
      .row('SET1')
      .locator('[data-column="code"]')
      .click({ modifiers: ['Control'] });
    await page.keyboard.press('F2');
    await expect(view.field('unit')).toHaveAttribute('placeholder', 'several values');
    await view.field('unit').fill('K');
    await view.field('name').fill('* (bay 2)');
    await expect(page.getByTestId('bulk-count')).toHaveText('2 of 2 points change');
    await page.getByTestId('bulk-save').click();
    await expect(page.getByTestId('bulk-form')).toBeHidden();
    for (const code of ['T1_NEW', 'SET1']) {
      await expect(view.row(code).locator('[data-column="unit"]')).toHaveText('K');
      await expect(view.row(code).locator('[data-column="name"]')).toContainText('(bay 2)');
    }
  });

  test('a name that is taken and a port out of range are told at their fields', async ({ view }) => {
    const { page } = view;
    await page.getByTestId('add-channel').click();
    await view.field('name').fill(NAME);
    await view.field('port').fill('70000');
    await page.getByTestId('save-channel').click();
    const form = page.getByTestId('channel-form');
    await expect(form.locator('.mantine-InputWrapper-error').first()).toBeVisible();
    await view.field('port').fill('5020');
    await page.getByTestId('save-channel').click();
    await expect(form).toContainText('A channel with this name exists.');
    await page.keyboard.press('Escape');
    await expect(form).toBeHidden();
  });

  test('points and channel are deleted, and the device hears no more', async ({ view }) => {
    const { page } = view;
    await view.choose(NAME);
    await view.select('K1');
    await page.keyboard.press('Delete');
    await page.getByTestId('confirm').click();
    await expect(view.row('K1')).toBeHidden();
    await view.channel(NAME).getByTestId('channel-menu').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByTestId('confirm').click();
    await expect(view.channel(NAME)).toBeHidden();
    const reads = peer.reads();
    await view.choose('Demo meter');
    await expect.poll(() => view.rounds()).toBeGreaterThan(0);
    expect(peer.reads()).toBe(reads);
  });
});

test('a channel of Modbus UDP made by hand reads a device of datagrams', async ({ view }) => {
  const device = createSocket('udp4');
  device.bind(0, '127.0.0.1');
  await once(device, 'listening');
  // one register with 321, whatever is asked
  device.on('message', (request: Buffer, from) => {
    const answer = Buffer.concat([request.subarray(0, 4), Buffer.of(0, 5, 1, 3, 2, 1, 65)]);
    device.send(answer, from.port, from.address);
  });
  const { page } = view;
  await page.getByTestId('add-channel').click();
  await view.field('name').fill('Datagrams');
  await view.field('conn_type').click();
  await page.getByRole('option', { name: 'TCP client' }).click();
  await view.field('port').fill(String(device.address().port));
  await view.field('transport').click();
  await page.getByRole('option', { name: 'UDP' }).click();
  await page.getByTestId('save-channel').click();
  await expect(page.getByTestId('channel-header')).toContainText(`UDP 127.0.0.1:${device.address().port}`);
  await expect(view.channel('Datagrams')).toContainText('Running');
  await addPoint(view, 'U', 'YC telemetry', '0', '0x20 uint16 AB');
  await page.keyboard.press('F5');
  await expect(view.value('U')).toHaveText(/^321/);
  device.close();
});
