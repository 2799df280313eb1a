import { openPtyBus, type PtyBus } from '../src-main/transport/testing/pty-bus.ts';
import { whyNoPtys } from '../src-main/transport/testing/pty-pair.ts';
import { expect, test } from './fixtures.ts';
import type { Screen } from './screen.ts';

const LISTENER = 'Beside the master';

test.skip(whyNoPtys !== null, whyNoPtys ?? '');

test.describe('a channel that only listens', () => {
  let bus: PtyBus;
  test.beforeEach(async () => {
    bus = await openPtyBus('master', 'slave', 'listener');
  });
  test.afterEach(() => bus.end());

  /** A master that reads and its slave, as channels of the same service on the same bus. */
  async function busInUse(view: Screen): Promise<void> {
    const [master = '', slave = ''] = bus.ports;
    const points = Array.from({ length: 4 }, (_, at) => ({
      frame_type: 0,
      code: `R${at}`,
      address: 100 + at,
      decode: '0x20',
      slave_id: 1,
    }));
    const served = points.map((point, at) => ({ ...point, protocol: { start_value: 11 * (at + 1) } }));
    for (const [name, conn_type, com_port, table] of [
      ['Bus slave', 3, slave, served],
      ['Bus master', 0, master, points],
    ] as const) {
      const { id } = (await view.api('POST', '/api/channel/add', { name, protocol_type: 2, conn_type, com_port })) as { id: number };
      await view.api('POST', '/api/device/add_points', { channel_id: id, points: table });
      await view.api('POST', '/api/device/start', { channel_id: id });
    }
    await view.api('POST', '/api/devices/start-auto-read', { device_name: 'Bus master', cycle_interval_ms: 100 });
  }

  async function removeAll(view: Screen): Promise<void> {
    const channels = (await view.api('GET', '/api/channel/list')) as { id: number; name: string }[];
    for (const { id, name } of channels)
      if (name.startsWith('Bus ') || name === LISTENER) await view.api('DELETE', '/api/channel/delete', { channel_id: id });
  }

  test('is set in the form, fills its table from what another master reads, and takes points from what was heard', async ({ view }) => {
    const { page } = view;
    await busInUse(view);
    await page.getByTestId('add-channel').click();
    await view.field('name').fill(LISTENER);
    await view.field('protocol_type').click();
    await page.getByRole('option', { name: 'Modbus RTU' }).click();
    await view.field('com_port').fill(bus.ports[2] ?? '');
    await expect(view.field('heard_limit_s')).toBeHidden();
    await view.field('listen_only').click();
    await page.getByRole('option', { name: 'On', exact: true }).click();
    await expect(view.field('heard_limit_s')).toBeVisible();
    await page.getByTestId('save-channel').click();
    await expect(page.getByTestId('channel-form')).toBeHidden();
    await expect(view.channel(LISTENER)).toContainText('Running');

    await view.tab('tools');
    await expect(page.getByTestId('unknown-objects')).toContainText('What the other master has read');
    await expect(page.getByTestId('unknown-total')).toHaveText('4 objects');
    await page.getByTestId('unknown-all').click();
    await page.getByTestId('unknown-add').click();
    await page.getByTestId('unknown-do-add').click();
    await expect(page.getByTestId('unknown-total')).toHaveText('0 objects');

    await view.tab('points');
    const values = page.locator('[data-column="value"]');
    await expect(values.filter({ hasText: /^11(\.0+)?$/ })).toHaveCount(1);
    await expect(values.filter({ hasText: /^44(\.0+)?$/ })).toHaveCount(1);

    await view.tab('frames');
    await expect(page.getByText('Overheard: the answer to another master').first()).toBeVisible();
    await view.tab('line');
    await expect(page.getByTestId('line-listens')).toBeVisible();

    await page.getByTestId('language').click();
    await page.getByRole('menuitem', { name: '中文' }).click();
    await expect(page.getByTestId('line-listens')).toContainText('本通道只监听');
    await view.tab('frames');
    await expect(page.getByText('监听到：给其他主站的应答').first()).toBeVisible();
    expect(bus.sent[2]).toBe(0);
    await removeAll(view);
  });
});
