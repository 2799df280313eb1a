import { expect, test } from './fixtures.ts';
import type { Screen } from './screen.ts';
import { severe } from './severe.ts';

const hash = (view: Screen) => view.page.evaluate('location.hash') as Promise<string>;
const area = ({ page }: Screen, name: 'main' | 'beside') => page.locator(`[data-area="${name}"]`);

async function showBeside(view: Screen, channel: string): Promise<void> {
  await view.channel(channel).hover();
  await view.channel(channel).getByTestId('channel-menu').click();
  await view.page.getByTestId('command-show-beside').click();
  await expect(area(view, 'beside').getByTestId('channel-header')).toContainText(channel);
}

test('the address leads to channel and view: loaded anew, back and forward, as a link', async ({ view }) => {
  const { page } = view;
  await view.choose('Demo PCS');
  await view.tab('frames');
  await expect.poll(() => hash(view)).toMatch(/^#\/channel\/\d+\/frames$/);
  const frames = await hash(view);
  await page.getByTestId('open-plant').click();
  await expect.poll(() => hash(view)).toBe('#/plant');
  await view.choose('Demo BMS');
  await view.tab('line');
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await expect(page.getByTestId('plant')).toBeHidden();
  await expect.poll(() => hash(view)).toBe(frames);
  await expect(page.getByTestId('channel-header')).toContainText('Demo PCS');
  await expect(page.getByTestId('frame-row').first()).toBeVisible();
  await page.goForward();
  await expect(page.getByTestId('plant')).toBeVisible();
  await view.reload();
  await expect(page.getByTestId('plant')).toBeVisible();
  await page.evaluate(`location.hash = ${JSON.stringify(frames)}`);
  await expect(page.getByTestId('channel-header')).toContainText('Demo PCS');
  await view.reload();
  await expect(page.getByTestId('channel-header')).toContainText('Demo PCS');
  await expect(page.getByTestId('frame-row').first()).toBeVisible();
});

test('the address keeps the second area and how far the tables are scrolled, each channel its own', async ({ view }) => {
  const { page } = view;
  await view.choose('Demo BMS');
  await view.tab('points');
  const box = area(view, 'main').getByTestId('points-scroll');
  await expect(box.locator('[data-row="10"]')).toBeVisible();
  await page.evaluate(`document.querySelector('[data-area="main"] [data-testid="points-scroll"]').scrollTop = 2400`);
  await expect.poll(() => hash(view)).toMatch(/\/points\?row=\d+$/);
  const scrolled = await hash(view);
  const first = `[data-row="${/row=(\d+)/.exec(scrolled)?.[1]}"]`;
  await view.choose('Demo PCS');
  await expect.poll(() => hash(view)).not.toContain('row=');
  await view.choose('Demo BMS');
  await expect(box.locator(first)).toBeInViewport();
  await expect.poll(() => hash(view)).toBe(scrolled);
  await showBeside(view, 'Demo PCS');
  await expect.poll(() => hash(view)).toMatch(/&beside=\d+\.points$/);
  const both = await hash(view);
  await area(view, 'beside').getByTestId('tab-frames').click();
  await expect.poll(() => hash(view)).toMatch(/&beside=\d+\.frames$/);
  await page.goBack();
  await expect.poll(() => hash(view)).toBe(both);
  await expect(area(view, 'beside').getByTestId('point-row').first()).toBeVisible();
  await page.goBack();
  await expect(area(view, 'beside')).toHaveCount(0);
  await page.goForward();
  await expect(area(view, 'beside').getByTestId('channel-header')).toContainText('Demo PCS');
  await view.reload();
  await expect(area(view, 'beside').getByTestId('channel-header')).toContainText('Demo PCS');
  await expect(box.locator(first)).toBeInViewport();
  await expect.poll(() => hash(view)).toBe(both);
  await page.getByTestId('close-beside').click();
  await expect(area(view, 'beside')).toHaveCount(0);
});

test('no table moves under the pointer when the work goes to the other area, with the inspector open', async ({ view }) => {
  const { page } = view;
  await view.choose('Demo BMS');
  await view.tab('points');
  await showBeside(view, 'Demo PCS');
  for (const name of ['main', 'beside'] as const) await expect(area(view, name).getByTestId('point-row').first()).toBeVisible();
  await page.keyboard.press('F4');
  const inspector = page.getByTestId('inspector-place');
  await expect(inspector).toBeVisible();
  const tables = () =>
    Promise.all((['main', 'beside'] as const).map((name) => area(view, name).getByTestId('points-scroll').boundingBox()));
  const before = await tables();
  for (const name of ['main', 'beside', 'main'] as const) {
    const row = area(view, name).getByTestId('point-row').nth(2);
    const code = await row.getAttribute('data-code');
    await row.locator('[data-column="name"]').click();
    await expect(inspector).toContainText(code ?? 'no code');
    expect(await tables()).toEqual(before);
  }
  // a view without points leaves the place, and says what stands there
  await area(view, 'beside').getByTestId('tab-frames').click();
  await expect(inspector.locator('aside')).toHaveCount(0);
  expect((await area(view, 'main').getByTestId('points-scroll').boundingBox())?.width).toBe(before[0]?.width);
});

test('a link to a channel that there is not says so and leads to one that there is', async ({ view }) => {
  const { page } = view;
  await page.evaluate("location.hash = '#/channel/4711/line'");
  await expect(page.getByText('The link leads to channel 4711, which this project does not have.')).toBeVisible();
  await expect(page.getByTestId('channel-header')).toBeVisible();
  await expect.poll(() => hash(view)).not.toContain('4711');
});

test('two channels stand side by side, each with its view, and keys go to the one that is worked in', async ({ view }) => {
  const { page } = view;
  await view.choose('Demo PCS');
  await view.tab('points');
  await showBeside(view, 'Demo BMS');
  const [main, beside] = [area(view, 'main'), area(view, 'beside')];
  for (const one of [main, beside]) {
    const value = one.locator('[data-testid="point-row"] [data-column="value"]').first();
    await expect(value).toBeInViewport();
    const [box, edge] = [await value.boundingBox(), await one.boundingBox()];
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((edge?.x ?? 0) + (edge?.width ?? 0));
  }
  await beside.getByTestId('tab-frames').click();
  await expect(beside.getByTestId('frame-row').first()).toBeVisible();
  await expect(main.getByTestId('point-row').first()).toBeVisible();
  await page.keyboard.press('Control+3');
  await expect(beside.getByTestId('tab-line')).toHaveAttribute('aria-selected', 'true');
  await expect(main.getByTestId('tab-points')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('F6');
  await expect(main).toHaveAttribute('data-active', 'true');
  await page.keyboard.press('Control+2');
  await expect(main.getByTestId('tab-frames')).toHaveAttribute('aria-selected', 'true');
  await expect(beside.getByTestId('tab-line')).toHaveAttribute('aria-selected', 'true');
  await view.reload();
  await expect(beside.getByTestId('channel-header')).toContainText('Demo BMS');
  await expect(beside.getByTestId('tab-line')).toHaveAttribute('aria-selected', 'true');
  expect(await severe(view, 'two work areas')).toEqual([]);
  await page.getByTestId('close-beside').click();
  await expect(beside).toHaveCount(0);
  await view.reload();
  await expect(beside).toHaveCount(0);
});

test('a write begun in the second area has one dialog, and sends to its channel', async ({ view }) => {
  const { page } = view;
  await view.choose('Demo BMS');
  await view.tab('points');
  await showBeside(view, 'Demo PCS');
  const beside = area(view, 'beside');
  await beside.getByRole('searchbox').fill('PCS_Q_SET');
  await beside.locator('[data-code="PCS_Q_SET"] [data-column="code"]').click();
  await beside.getByTestId('point-write').click();
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await page.getByTestId('write-disarmed').getByRole('button').click();
  await page.getByTestId('write-value').fill('9.5');
  await page.getByTestId('write-next').click();
  await expect(page.getByTestId('write-confirm-text')).toContainText('9.5 kvar');
  await page.getByTestId('write-send').click();
  await expect(page.getByTestId('write-outcome')).toContainText('Accepted');
  await page.keyboard.press('Escape');
  await expect(beside.locator('[data-code="PCS_Q_SET"]').getByTestId('value')).toHaveText('9.500');
  await page.getByTestId('close-beside').click();
});

test('a second area goes with its channel', async ({ view }) => {
  const { page } = view;
  const { id } = (await view.api('POST', '/api/channel/add', { name: 'Guest', protocol_type: 1, conn_type: 2, group: 'Hall 1' })) as {
    id: number;
  };
  await expect(view.channel('Guest')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Hall 1' })).toContainText('Guest');
  await showBeside(view, 'Guest');
  await view.api('DELETE', `/api/channel/delete?channel_id=${id}`);
  await expect(area(view, 'beside')).toHaveCount(0);
  await expect(page.getByRole('list', { name: 'Hall 1' })).toHaveCount(0);
});

test('the load of the service is told in the status bar', async ({ view }) => {
  await expect(view.page.getByTestId('status-load')).toHaveText(/^load \d+ %$/);
});

test('the menu of a channel has its commands, as the palette has them', async ({ view }) => {
  const { page } = view;
  await view.choose('Demo PCS');
  await page.getByTestId('channel-header').getByTestId('channel-menu').click();
  const inMenu = await page.locator('[data-testid^="command-"]').evaluateAll((items) => items.map((item) => item.textContent));
  expect(inMenu).toEqual([
    'Stop',
    'Edit',
    'Reload',
    'Connection doctor',
    'Save as text (JSON)',
    'Keep as template…',
    'Show beside',
    'Delete',
  ]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  for (const words of ['Stop Demo PCS', 'Edit Demo PCS', 'Connection doctor for Demo PCS', 'Show Demo PCS beside', 'Delete Demo PCS']) {
    await page.getByPlaceholder('Search commands and channels').fill(words);
    await expect(
      page
        .getByRole('button', { name: words })
        .or(page.getByRole('option', { name: words }))
        .first(),
    ).toBeVisible();
  }
});

test('at 200 % of a small screen the status bar keeps everything in sight, the address of the API too', async ({ view }) => {
  const { page } = view;
  test.skip(!view.isBrowser, 'the window of the desktop has its own size');
  await page.setViewportSize({ width: 683, height: 384 });
  const bar = page.getByTestId('status-bar');
  for (const language of ['en', 'zh-CN']) {
    await page.goto(`/?lng=${language}`);
    await expect(bar).toContainText(/API 127\.0\.0\.1:\d+/);
    await expect
      .poll(() =>
        bar.evaluate((element) => ({
          hidden: element.scrollHeight - element.clientHeight,
          cut: element.scrollWidth - element.clientWidth,
        })),
      )
      .toEqual({ hidden: 0, cut: 0 });
    await expect(bar.getByText(/^API/)).toBeInViewport({ ratio: 1 });
  }
});
