import { expect, test } from './fixtures.ts';
import type { Screen } from './screen.ts';

async function openWrite(view: Screen, code: string): Promise<void> {
  await view.find(code);
  await view.select(code);
  await view.page.getByTestId('point-write').click();
  await expect(view.page.getByTestId('write-target')).toContainText(code);
}

async function send(view: Screen): Promise<void> {
  await view.page.getByTestId('write-next').click();
  await view.page.getByTestId('write-send').click();
  await expect(view.page.getByTestId('write-outcome')).toBeVisible();
}

test.describe('writes', () => {
  test('a setpoint is written after arming, and seen to come back', async ({ view }) => {
    await view.choose('Demo PCS');
    await openWrite(view, 'PCS_P_SET');
    await expect(view.page.getByTestId('write-disarmed')).toBeVisible();
    await view.page.getByRole('button', { name: 'Arm writing' }).click();
    await view.page.getByTestId('write-value').fill('42.5');
    await view.page.getByTestId('write-next').click();
    await expect(view.page.getByTestId('write-confirm-text')).toHaveText(
      'Write 42.5 kW to PCS_P_SET Active power setpoint on channel Demo PCS, address 200 (0x00C8), slave 1?',
    );
    await view.page.getByTestId('write-send').click();
    const outcome = view.page.getByTestId('write-outcome');
    await expect(outcome).toContainText('Accepted');
    await expect(outcome).toContainText('The value read back is the written one.');
    await view.page.getByTestId('write-close').click();
    await expect(view.value('PCS_P_SET')).toHaveText('42.5');
    // The plant follows its setpoint: the power it measures goes there.
    await view.find('PCS_P');
    await expect.poll(async () => Math.abs(Number(await view.value('PCS_P').innerText()) - 42.5)).toBeLessThan(2);
    await view.tab('audit');
    await expect(view.page.getByRole('main')).toContainText('PCS_P_SET');
  });

  test('a written setpoint is written back, also after the page is loaded anew', async ({ view }) => {
    const { page } = view;
    const code = 'PCS_RAMP_SET';
    await view.choose('Demo PCS');
    await view.tab('points');
    await openWrite(view, code);
    await page.getByRole('button', { name: 'Arm writing' }).click();
    const before = Number(await view.value(code).innerText());
    await page.getByTestId('write-value').fill(String(before + 7));
    await send(view);
    await page.getByTestId('write-close').click();
    await expect(page.getByTestId('setpoints')).toHaveText(/setpoints? changed/);
    await view.reload();
    await view.choose('Demo PCS');
    await page.getByTestId('setpoints').click();
    const dialog = page.getByRole('dialog', { name: 'Written setpoints of Demo PCS' });
    const row = dialog.getByTestId('setpoint-row').filter({ hasText: code });
    await expect(row.getByTestId('setpoint-before')).toHaveText(new RegExp(`^${before} `));
    await expect(row.getByTestId('setpoint-value')).toHaveText(new RegExp(`^${before + 7} `));
    await row.click();
    await dialog.getByRole('button', { name: 'Arm writing' }).click();
    await dialog.getByTestId('setpoints-restore').click();
    await expect(dialog).toContainText('1 is as before.');
    await expect(row).toBeHidden();
    await page.keyboard.press('Escape');
    await view.find(code);
    await expect(view.value(code)).toHaveText(before.toFixed(1));
  });

  test('in a browser: arming counts down, is for one channel, ends by itself, and does not outlast a reload', async ({ view }) => {
    test.skip(!view.isBrowser, 'the clock of the page is turned in a browser page');
    const { page } = view;
    const armed = page.getByTestId('arm');
    await page.clock.install();
    await view.reload();
    await view.choose('Demo PCS');
    await expect(armed).toContainText('Safe');
    await armed.getByRole('switch').check({ force: true });
    await expect(armed).toContainText(/Armed (10:00|\d:\d\d)/);
    await expect(view.channel('Demo PCS').getByTestId('armed-mark')).toBeVisible();
    await view.choose('Demo meter');
    await expect(armed).toContainText('Safe');
    await view.choose('Demo PCS');
    await page.clock.fastForward('05:00');
    await expect(armed).toContainText(/Armed [45]:\d\d/);
    await openWrite(view, 'PCS_P_SET');
    await page.getByTestId('write-value').fill('41');
    await page.getByTestId('write-next').click();
    await expect(page.getByTestId('write-send')).toBeVisible();
    // The time runs out over the open confirmation: it goes back, and nothing is sent.
    await page.clock.fastForward('05:01');
    await expect(page.getByTestId('write-disarmed')).toBeVisible();
    await expect(page.getByTestId('write-value')).toHaveValue('41');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(armed).toContainText('Safe');
    // the dialog may still be closing over it
    await expect(() => armed.getByRole('switch').check({ force: true, timeout: 2_000 })).toPass();
    await expect(armed).toHaveAttribute('data-armed', 'true');
    await view.reload();
    await view.choose('Demo PCS');
    await expect(armed).toContainText('Safe');
  });

  test('arming ends when the channel stops', async ({ view }) => {
    const armed = view.page.getByTestId('arm');
    await view.choose('Demo PCS');
    await armed.getByRole('switch').check({ force: true });
    await expect(armed).toHaveAttribute('data-armed', 'true');
    await view.page.getByTestId('channel-header').getByRole('button', { name: 'Stop', exact: true }).click();
    await expect(armed).toHaveAttribute('data-armed', 'false');
    await view.page.getByTestId('channel-header').getByRole('button', { name: 'Start', exact: true }).click();
    await expect(view.channel('Demo PCS')).toContainText('Running');
    await expect(armed).toHaveAttribute('data-armed', 'false');
    await view.restoreTasks();
  });

  test('in a browser: an answer that was lost is unknown, and the point is not sent again before somebody looked', async ({ view }) => {
    test.skip(!view.isBrowser, 'the desktop window asks without HTTP, so its answers cannot be lost');
    const { page } = view;
    await view.choose('Demo PCS');
    await openWrite(view, 'PCS_P_SET');
    await page.getByRole('button', { name: 'Arm writing' }).click();
    await page.getByTestId('write-value').fill('42.5');
    let sent = 0;
    await page.route('**/api/device/command', (route) => {
      sent += 1;
      return route.abort();
    });
    await send(view);
    await expect(page.getByTestId('write-outcome')).toContainText('Do not send it again before looking.');
    await page.getByTestId('write-close').click();
    await page.unroute('**/api/device/command');
    await openWrite(view, 'PCS_P_SET');
    await page.getByTestId('write-value').fill('42.5');
    await expect(page.getByTestId('write-next')).toHaveAttribute('aria-disabled', 'true');
    await page.getByTestId('write-has-looked').check();
    await send(view);
    await expect(page.getByTestId('write-outcome')).toContainText('Accepted');
    expect(sent).toBe(1);
  });

  test('a control opens and closes the breaker, and its state answers', async ({ view }) => {
    await view.choose('Demo meter');
    for (const [label, state] of [
      ['On (1)', '1'],
      ['Off (0)', '0'],
    ] as const) {
      await openWrite(view, 'IO_LIGHT');
      const arm = view.page.getByRole('button', { name: 'Arm writing' });
      if (await arm.isVisible()) await arm.click();
      await view.page.getByText(label, { exact: true }).click();
      await send(view);
      await expect(view.page.getByTestId('write-outcome')).toContainText('Accepted');
      await view.page.getByTestId('write-close').click();
      await expect(view.value('IO_LIGHT_ON')).toHaveText(state);
    }
  });

  test('a value outside the limits warns, one the register cannot hold is refused before anything is sent', async ({ view }) => {
    await view.choose('Demo PCS');
    await openWrite(view, 'PCS_P_SET');
    const before = await view.value('PCS_P_SET').innerText();
    await view.page.getByRole('button', { name: 'Arm writing' }).click();
    await view.page.getByTestId('write-value').fill('abc');
    await expect(view.page.getByText('A number is needed.')).toBeVisible();
    await view.page.getByTestId('write-value').fill('99999');
    await expect(view.page.getByText('Outside the limits -200 to 200. It can still be sent.')).toBeVisible();
    await send(view);
    await expect(view.page.getByTestId('error-notice')).toContainText('CONFIG_');
    await view.page.getByTestId('write-close').click();
    await expect(view.value('PCS_P_SET')).toHaveText(before);
  });

  test('measurements and read-only channels cannot be written, and say why', async ({ view }) => {
    await view.choose('Demo PCS');
    await view.find('PCS_UAB');
    await view.select('PCS_UAB');
    // The chips beside the buttons still take their counts; a button that moves under the mouse shows the tip of its neighbour.
    await expect(async () => {
      await view.page.mouse.move(0, 0);
      await view.page.getByTestId('point-write').hover();
      await expect(view.page.getByRole('tooltip')).toContainText('Only control (YK) and setpoint (YT) points', { timeout: 1000 });
    }).toPass();
  });

  test('the served value of a simulated device is set without arming', async ({ view }) => {
    await view.choose('Demo plant');
    await openWrite(view, 'PCS_RAMP_SET');
    await view.page.getByTestId('write-value').fill('33');
    await send(view);
    await expect(view.page.getByTestId('write-outcome')).toContainText('Value set');
    await view.page.getByTestId('write-close').click();
    await view.choose('Demo PCS');
    await view.find('PCS_RAMP_SET');
    await expect(view.value('PCS_RAMP_SET')).toHaveText('33.0');
  });
});
