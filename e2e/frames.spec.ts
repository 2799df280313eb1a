import { CheckPlant, yc } from './check-plant.ts';
import { expect, test } from './fixtures.ts';

test.describe('frame log', () => {
  test.beforeEach(async ({ view }) => {
    await view.choose('Demo meter');
    await view.tab('frames');
    await expect(view.page.getByTestId('frame-row').first()).toBeVisible();
  });

  test('frames arrive with time, direction, length and spaced upper-case octets', async ({ view }) => {
    const row = view.page.locator('[data-testid="frame-row"][data-kind="tx"]').last();
    const cell = (column: string) => row.locator(`[data-column="${column}"]`);
    await expect(cell('time')).toHaveText(/^\d\d:\d\d:\d\d\.\d{3}$/);
    await expect(cell('kind')).toHaveText('TX');
    await expect(cell('latency')).toBeEmpty();
    await expect(cell('length')).toHaveText(/^\d+$/);
    await expect(cell('hex')).toHaveText(/^([0-9A-F]{2} )*[0-9A-F]{2}$/);
    await expect(cell('text')).not.toBeEmpty();
    const count = view.page.getByTestId('frames-count');
    const before = await count.innerText();
    await expect(count).not.toHaveText(before);
  });

  test('a frame is explained, and the octets of each meaning are marked', async ({ view }) => {
    await view.page.getByTestId('frames-pause').click();
    await view.explain('tx');
    const tree = view.page.getByTestId('explain-tree');
    await expect(tree).toContainText('MBAP header');
    const marked = view.page.getByTestId('explain-hex').locator('[data-marked]');
    await tree.getByRole('treeitem').filter({ hasText: 'MBAP header' }).hover();
    await expect(marked).toHaveCount(7);
    await tree.focus();
    await view.page.mouse.move(10, 400);
    await view.page.keyboard.press('ArrowDown');
    await expect(tree.locator('[aria-selected="true"]')).toHaveCount(1);
    await view.page.getByRole('button', { name: 'Copy octets' }).click();
    const copied = await view.around.clipboard();
    expect(copied).toMatch(/^([0-9A-F]{2} )+[0-9A-F]{2}$/);
    await view.page.keyboard.press('Escape');
    await expect(view.page.getByTestId('frame-explanation')).toBeHidden();
  });

  test('the list pauses, filters and clears', async ({ view }) => {
    const { page } = view;
    await page.getByTestId('frames-pause').click();
    const count = page.getByTestId('frames-count');
    await expect(count).toContainText('Paused');
    await page.getByText('TX', { exact: true }).first().click();
    await expect(page.locator('[data-testid="frame-row"][data-kind="tx"]')).toHaveCount(0);
    await expect(page.locator('[data-testid="frame-row"][data-kind="rx"]').first()).toBeVisible();
    await page.getByRole('searchbox').fill('no such octets');
    await expect(page.getByText('No frame fits the filter.')).toBeVisible();
    await page.getByRole('searchbox').fill('');
    await page.getByTestId('frames-clear').click();
    await expect(count).toContainText('0 of 0 shown');
    await page.getByTestId('frames-pause').click();
    await expect(page.getByTestId('frame-row').first()).toBeVisible();
  });

  test('the log is saved as text, as a table and as a capture', async ({ view }) => {
    const { page } = view;
    const save = async (format: string) =>
      view.around.download(async () => {
        await page.getByTestId('frames-export').click();
        await page.getByTestId(`frames-export-${format}`).click();
      });
    const text = await save('text');
    expect(text.name).toBe('Demo meter-frames.txt');
    expect(text.bytes.toString('utf8')).toMatch(/^\uFEFF# Channel: Demo meter\r\n(.*\r\n)+.* TX .*\(Read Holding Registers\)/);
    const table = await save('csv');
    expect(table.name).toBe('Demo meter-frames.csv');
    expect(table.bytes.toString('utf8')).toMatch(/^\uFEFFNumber,Time \(UTC\),Kind,/);
    await expect(page.getByText('Demo meter-frames.csv was saved.')).toBeVisible();
    const capture = await save('pcapng');
    expect(capture.name).toBe('Demo meter-frames.pcapng');
    expect(capture.bytes.subarray(0, 4).toString('hex')).toBe('0a0d0d0a');
    expect(capture.bytes.length).toBeGreaterThan(500);
  });

  test('an expression chooses frames out of the whole log, is completed while it is written, and says what is wrong', async ({ view }) => {
    const { page } = view;
    const line = page.getByTestId('frame-filter');
    const state = page.getByTestId('frame-filter-state');
    const rows = page.getByTestId('frame-row');
    await line.pressSequentially('di');
    await page.getByRole('option', { name: 'dir' }).click();
    await expect(line).toHaveValue('dir ');
    await line.pressSequentially('= rx');
    await expect(state).toHaveText('At 5: To compare, write == (two signs).');
    await line.fill('dir == rx and function == 3');
    await expect(state).toHaveText('Enter applies it.');
    await line.press('Enter');
    await expect(state).toHaveText('Applied to the whole log that the service keeps.');
    await expect(rows.first()).toBeVisible();
    await expect(page.locator('[data-testid="frame-row"]:not([data-kind="rx"])')).toHaveCount(0);
    await expect(page.locator('[data-testid="frame-row"][data-kind="rx"]').first().locator('[data-column="latency"]')).toHaveText(
      /^\d+\.\d+$/,
    );
    const saved = await view.around.download(async () => {
      await page.getByTestId('frames-export').click();
      await page.getByTestId('frames-export-csv').click();
    });
    const lines = saved.bytes.toString('utf8').trim().split('\r\n').slice(1);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((each) => !each.includes(',RX,'))).toEqual([]);

    await page.getByTestId('frames-statistics').click();
    const counted = page.getByTestId('statistics-row');
    await expect(counted.first()).toContainText('Read Holding Registers');
    await counted.first().dblclick();
    await expect(page.getByTestId('frame-statistics')).toHaveCount(0);
    await expect(line).toHaveValue(/^\(dir == rx and function == 3\) and slave == \d+ and function == 3$/);

    // each channel has its own, and it is there again on return
    await view.choose('Demo PCS');
    await view.tab('frames');
    await expect(line).toHaveValue('');
    await view.choose('Demo meter');
    await view.tab('frames');
    await expect(line).toHaveValue(/^\(dir == rx/);
    await line.fill('');
    await expect(state).toHaveText('All frames. Enter applies an expression over the whole log.');
    await expect(page.locator('[data-testid="frame-row"][data-kind="tx"]').first()).toBeVisible();
  });

  test('a Chinese page explains the frames of every protocol in Chinese', async ({ view }) => {
    const { page } = view;
    await page.getByTestId('language').click();
    await page.getByRole('menuitem', { name: '中文' }).click();
    for (const [channel, layer] of [
      ['Demo meter', '事务标识'],
      ['Demo 645 line', '控制码'],
      ['Demo 104 master', '启动字符'],
      ['Demo 61850 client', '会话层'],
    ] as const) {
      await view.choose(channel);
      await view.tab('frames');
      const row = page.locator('[data-testid="frame-row"][data-kind="rx"]').last();
      await expect(row.locator('[data-column="text"]')).toHaveText(/[\u4e00-\u9fff]|^S N\(R\)/);
      await page.getByTestId('frames-pause').click();
      await view.explain('rx');
      await expect(page.getByTestId('explain-tree')).toContainText(layer);
      await expect(page.getByTestId('explain-tree')).not.toContainText(/octets|answer|length/);
      await page.keyboard.press('Escape');
    }
    await page.getByTestId('frame-filter').fill('slave = 3');
    await expect(page.getByTestId('frame-filter-state')).toHaveText('第 7 个字符：比较请写 ==（两个等号）。');
    await page.getByTestId('frame-filter').fill('');
  });
});

test('at its beginning the list goes back to the first entry that the service keeps, and forward to the newest by one click', async ({
  view,
}) => {
  const { page } = view;
  const points = Array.from({ length: 1100 }, (_, at) => yc(`P${at}`, 2 * at + 1));
  const plant = await CheckPlant.open(view, 'Long log', points, points);
  await view.api('POST', '/api/devices/manual-read', { device_name: plant.reader, mode: 'single' });
  await plant.isRead('P1099', 0);
  await view.choose(plant.reader);
  await view.tab('frames');
  const rows = page.getByTestId('frame-row');
  await expect(rows.first()).toBeVisible();
  const box = page.getByTestId('frames-scroll');
  const toTop = () => box.evaluate((element) => element.scrollTo(0, 0));
  await expect(page.getByTestId('frames-older')).toHaveCount(0);
  await toTop();
  await page.getByTestId('frames-older').click();
  // the row that was the first one is still in sight, with older ones in front of it
  await expect.poll(() => box.evaluate((element) => element.scrollTop)).toBeGreaterThan(0);
  await expect(rows.first()).toBeVisible();
  await toTop();
  await expect(page.locator('[data-testid="frame-row"][data-kind="opened"]').first()).toBeVisible();
  await expect(page.getByTestId('frames-older')).toHaveCount(0);
  await expect(page.getByTestId('frames-count')).not.toContainText('have left this page');
  await page.getByRole('button', { name: 'To the newest' }).click();
  await expect(page.getByTestId('frames-count')).toContainText('have left this page');
  await plant.close();
});
