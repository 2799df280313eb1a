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
    await view.page.getByRole('button', { name: 'Arm writing' }).click();
    await view.page.getByTestId('write-value').fill('abc');
    await expect(view.page.getByText('A number is needed.')).toBeVisible();
    await view.page.getByTestId('write-value').fill('99999');
    await expect(view.page.getByText('Outside the limits -200 to 200. It can still be sent.')).toBeVisible();
    await send(view);
    await expect(view.page.getByTestId('error-notice')).toContainText('CONFIG_');
    await view.page.getByTestId('write-close').click();
    await expect(view.value('PCS_P_SET')).toHaveText('42.5');
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
