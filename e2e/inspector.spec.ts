import { expect, test } from './fixtures.ts';

interface Row {
  readonly id: number;
  readonly frame_type: number;
  readonly mul_coe: number;
  readonly code: string;
}

test('the inspector finds why a point shows another value than the device, puts it right, and leads to its frames', async ({ view }) => {
  const { page } = view;
  const channels = (await view.api('GET', '/api/channel/list')) as { id: number; name: string }[];
  const id = channels.find(({ name }) => name === 'Demo BMS')?.id ?? 0;
  const first = async () => {
    const { items } = (await view.api('GET', `/api/device/table?channel_id=${id}&page=1&page_size=1&sort=id&search=BMS1_P_MAX`)) as {
      items: Row[];
    };
    return items[0] as Row;
  };
  const point = await first();
  await view.choose('Demo BMS');
  // allowed power: it does not change while it is looked at
  await view.find(point.code);
  await view.select(point.code);
  await page.keyboard.press('F4');
  const pane = page.getByRole('complementary', { name: 'Point' });
  await expect(pane).toContainText(point.code);
  await expect(pane.getByTestId('inspector-quality')).toHaveText('Good');
  const known = Number((await pane.getByTestId('inspector-value').textContent())?.split(' ')[0]);

  // a factor of ten too much, as tables have it
  const wrong = { point_id: point.id, frame_type: point.frame_type, mul_coe: Number((point.mul_coe * 10).toPrecision(6)) };
  await view.api('PUT', '/api/device/edit_point', wrong);
  await expect
    .poll(async () => Number((await pane.getByTestId('inspector-value').textContent())?.split(' ')[0]))
    .toBeGreaterThan(5 * known);
  await pane.getByLabel('What the device shows').fill(String(Math.round(known)));
  await page.keyboard.press('Enter');
  const answers = pane.getByRole('status').getByRole('listitem');
  // what changes least comes first
  await expect(answers.first()).toContainText(` factor ${point.mul_coe}`);
  await answers.first().getByRole('button', { name: 'Take over' }).click();
  await expect.poll(async () => (await first()).mul_coe).toBe(point.mul_coe);
  await expect(pane.getByTestId('inspector-quality')).toHaveText('Good');

  await pane.getByRole('listitem').getByRole('button').last().click();
  await expect(page.getByTestId('frame-explanation')).toBeVisible();

  // and the frame leads back to the row, whatever the table was narrowed to
  await view.tab('points');
  await view.find('BMS2_U');
  await view.tab('frames');
  await view.explain('rx');
  const points = page.getByTestId('frame-points');
  const carried = (await points.getByRole('button').first().textContent()) ?? '';
  await points.getByRole('button').first().click();
  await expect(view.row(carried)).toHaveAttribute('aria-selected', 'true');
  await expect(pane).toContainText(carried);
});

test('F12 shows the frames of the row below the table, goes with it, and leads to an explanation', async ({ view }) => {
  const { page } = view;
  await view.choose('Demo PCS');
  await view.select('PCS_UAB');
  await page.keyboard.press('F12');
  const drawer = page.getByTestId('frames-drawer');
  await expect(drawer.getByRole('heading')).toContainText('PCS_UAB');
  await expect(drawer.getByTestId('drawer-frame').first()).toContainText('RX');
  await view.select('PCS_UBC');
  await expect(drawer.getByRole('heading')).toContainText('PCS_UBC');
  await drawer.getByTestId('drawer-frame').first().click();
  await expect(page.getByTestId('explain-tree')).toBeVisible();
  await view.tab('points');
  await page.keyboard.press('F12');
  await expect(drawer).toBeHidden();
});
