import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

/** Pixels by which a text is wider than its place. */
const cut = (text: Locator) => text.evaluate((element) => element.scrollWidth - element.clientWidth);

/** Makes a session of every state that a point can have, and shows it. */
async function showSession(page: Page, name: string): Promise<void> {
  const id = await page.evaluate(`(async () => {
    const call = async (url, body) => {
      const init = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      return (await (await fetch(url, init)).json()).data;
    };
    const session = await call('/api/check/add', { name: ${JSON.stringify(name)} });
    const { id: channel_id } = (await call('/api/channel/list')).find(({ name }) => name === 'Demo PCS');
    await call('/api/check/add_items', { session_id: session.id, channel_id, references: 'limits', tolerance: 1 });
    const { items } = await call('/api/check/items?session_id=' + session.id);
    for (const [at, verdict] of ['passed', 'failed', 'blocked', 'accepted'].entries()) {
      await call('/api/check/result', { session_id: session.id, item: items[at].item, verdict, operator: 'Li', remark: '14:7' });
    }
    return session.id;
  })()`);
  await page.evaluate(`location.hash = '#/check/${id}'`);
  await expect(page.getByTestId('check-item').first()).toBeVisible();
}

test('on a small screen in English the name of a check, kinds and texts of events, and the tools of two tables have their room', async ({
  view,
}) => {
  const { page } = view;
  test.skip(!view.isBrowser, 'a window has the size of its screen');
  await test.step('the name of a check session is not cut', async () => {
    await showSession(page, 'Bay 1, first visit');
    const name = page.getByRole('heading', { name: 'Bay 1, first visit' });
    await expect(name).toBeVisible();
    expect(await cut(name)).toBe(0);
  });
  await test.step('events are told without scrolling sideways', async () => {
    await view.choose('Demo 104 master');
    // A page keeps 2,000 events and draws the rows in sight: the channel is opened anew, and changes are hidden.
    const channels = (await view.api('GET', '/api/channel/list')) as { id: number; name: string }[];
    const device = { channel_id: channels.find(({ name }) => name === 'Demo 104 master')?.id };
    for (const step of ['stop', 'start']) await view.api('POST', `/api/device/${step}`, device);
    await view.tab('events');
    await page.getByRole('group', { name: 'Kinds shown' }).getByText('Change', { exact: true }).click();
    const kind = page.locator('[data-row] [data-column="kind"]').filter({ hasText: 'Channel' }).first();
    await expect(kind).toBeVisible();
    expect(await cut(kind)).toBe(0);
    const aside = await page.evaluate(`(() => {
      let box = document.querySelector('[data-row]');
      while (box && getComputedStyle(box).overflowX !== 'auto') box = box.parentElement;
      return box ? box.scrollWidth - box.clientWidth : null;
    })()`);
    expect(aside).toBe(0);
    const text = await page.locator('[data-head="text"]').boundingBox();
    expect(text?.width).toBeGreaterThanOrEqual(137);
  });
  await test.step('the tools of a table with hundreds of points stand in two lines beside another one', async () => {
    await view.tab('points');
    await view.channel('Demo PCS').hover();
    await view.channel('Demo PCS').getByTestId('channel-menu').click();
    await page.getByTestId('command-show-beside').click();
    const main = page.locator('[data-area="main"]');
    await expect(page.locator('[data-area="beside"]').getByTestId('point-row').first()).toBeVisible();
    await expect(main.getByText(/^YX 3\d\d$/)).toBeVisible();
    // a line is 34 px
    const height = await main.getByTestId('point-add').evaluate((button) => button.parentElement?.clientHeight ?? 0);
    expect(height / 34).toBeLessThan(2.5);
    await expect(main.getByRole('button', { name: 'Add point' })).toBeVisible();
  });
});
