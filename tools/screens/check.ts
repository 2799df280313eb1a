import type { Page } from '@playwright/test';
import type { Shot } from './shot.ts';

/** Shows a check session over a channel, which is made when it is not there, with a result of each kind; `showsRun`: its guided way, which is begun. */
async function check(page: Page, showsRun: boolean): Promise<void> {
  const id = await page.evaluate(`(async () => {
    const call = async (url, body) => {
      const init = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      return (await (await fetch('/api/check/' + url, init)).json()).data;
    };
    let session = (await call('sessions')).items.find(({ name }) => name === 'Bay 1, first visit');
    if (!session) {
      session = await call('add', { name: 'Bay 1, first visit' });
      const { data } = await (await fetch('/api/channel/list')).json();
      const { id: channel_id } = data.find(({ name }) => name === 'Demo PCS');
      await call('add_items', { session_id: session.id, channel_id, references: 'limits', tolerance: 1 });
      const { items } = await call('items?session_id=' + session.id);
      for (const [at, verdict] of ['passed', 'failed', 'blocked', 'accepted', 'passed', 'skipped'].entries()) {
        const body = { session_id: session.id, item: items[at].item, verdict, operator: 'Li', remark: verdict === 'passed' ? '' : '14:7' };
        await call('result', body);
      }
    }
    const { run } = await call('run');
    if (${showsRun} && run?.state !== 'running') await call('start', { session_id: session.id, operator: 'Li' });
    return session.id;
  })()`);
  await page.evaluate(`location.hash = '#/check/${id}${showsRun ? '/run' : ''}'`);
  await page
    .getByTestId(showsRun ? 'guided-value' : 'check-item')
    .first()
    .waitFor();
}

/** Ends the check that is under way. */
async function endCheck(page: Page): Promise<void> {
  const body = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
  await page.evaluate(`fetch('/api/check/stop', ${JSON.stringify(body)})`);
}

/** Begins a way in which nobody decides, in place of what is under way, and shows it. */
async function checkWay(page: Page, way: 'listen' | 'unattended'): Promise<void> {
  await endCheck(page);
  await check(page, false);
  const rest = way === 'listen' ? { way } : { timeout_ms: 5000 };
  const id = Number(/check\/(\d+)/.exec(page.url())?.[1]);
  const body = JSON.stringify({ session_id: id, operator: 'Li', ...rest });
  const init = JSON.stringify({ method: 'POST', headers: { 'content-type': 'application/json' }, body });
  if (way === 'unattended') await oneReference(page, id);
  await page.evaluate(`fetch('/api/check/${way === 'listen' ? 'start' : 'compare'}', ${init})`);
  await page.evaluate(`location.hash = '#/check/${id}/run'`);
  await page.getByTestId(way).waitFor();
  await page.getByTestId(way === 'listen' ? 'guided-value' : 'unattended-done').waitFor();
}

/** Gives measurements of a session one reference each: most of them fail. */
async function oneReference(page: Page, id: number): Promise<void> {
  await page.evaluate(`(async () => {
    const { data } = await (await fetch('/api/check/items?session_id=${id}&frame_type=0&page_size=20')).json();
    const items = data.items.map(({ item }) => item);
    const expectation = { kind: 'values', references: [{ value: 380, tolerance: 5, percent: 0 }] };
    const body = JSON.stringify({ session_id: ${id}, items, expectation });
    await fetch('/api/check/edit_items', { method: 'PUT', headers: { 'content-type': 'application/json' }, body });
  })()`);
}

/** The check with its three ways. */
export const CHECK_SHOTS: readonly Shot[] = [
  { name: 'check-session', channel: null, reach: (page) => check(page, false) },
  {
    name: 'check-history',
    channel: null,
    reach: async (page) => {
      await check(page, false);
      await page.getByTestId('check-item').nth(1).dblclick();
      await page.getByTestId('check-entry').waitFor();
    },
  },
  { name: 'check-guided', channel: null, reach: (page) => check(page, true) },
  { name: 'check-listen', channel: null, reach: (page) => checkWay(page, 'listen') },
  { name: 'check-unattended', channel: null, reach: (page) => checkWay(page, 'unattended') },
  {
    name: 'check-start',
    channel: null,
    reach: async (page) => {
      await endCheck(page);
      await check(page, false);
      await page.getByTestId('check-start-open').click();
      await page.getByTestId('check-start').waitFor();
    },
  },
  { name: 'check-points', channel: 'Demo PCS', reach: (page) => page.locator('[data-column="check"] [data-state]').first().waitFor() },
  {
    name: 'check-sessions',
    channel: null,
    reach: async (page) => {
      await check(page, false);
      await page.getByTestId('check-back').click();
      await page.getByTestId('check-session').waitFor();
    },
  },
  {
    name: 'check-new',
    channel: null,
    reach: async (page) => {
      await page.getByTestId('open-check').click();
      await page.getByTestId('check-new-open').click();
    },
  },
  ...(['edit', 'result', 'move', 'remove'] as const).map(
    (name): Shot => ({
      name: `check-${name}`,
      channel: null,
      reach: async (page) => {
        await endCheck(page);
        await check(page, false);
        await page.getByTestId('check-item').nth(6).click({ button: 'right' });
        await page.getByTestId(`menu-item-${name}`).click();
        await page.getByRole('dialog').waitFor();
      },
    }),
  ),
  ...(
    [
      ['more', null],
      ['cover', 'edit-check'],
      ['export', 'record-check'],
    ] as const
  ).map(
    ([name, entry]): Shot => ({
      name: `check-${name}`,
      channel: null,
      reach: async (page) => {
        await endCheck(page);
        await check(page, false);
        await page.getByTestId('check-more').click();
        if (entry) await page.getByTestId(entry).click();
      },
    }),
  ),
  ...(['counts', 'add'] as const).map(
    (name): Shot => ({
      name: `check-${name}`,
      channel: null,
      reach: async (page) => {
        await endCheck(page);
        await check(page, false);
        await page.getByTestId(`check-${name}-open`).click();
        await page.getByRole('dialog').waitFor();
      },
    }),
  ),
  {
    name: 'check-start-unattended',
    channel: null,
    reach: async (page) => {
      await endCheck(page);
      await check(page, false);
      await page.getByTestId('check-start-open').click();
      await page.locator('[data-path="way"] label').nth(2).click();
      await page.locator('[data-path="references"]').waitFor();
    },
  },
  {
    name: 'check-start-file',
    channel: null,
    reach: async (page) => {
      await endCheck(page);
      await check(page, false);
      await page.getByTestId('check-start-open').click();
      await page.locator('[data-path="way"] label').nth(2).click();
      await page.locator('[data-path="references"]').click();
      await page.getByRole('option', { name: /file|文件/ }).click();
      const text = 'code,value\nPCS_UAB,380\nNOWHERE,1\nPCS_UBC,many\n';
      const chooser = page.waitForEvent('filechooser');
      await page.getByTestId('reference-choose').click();
      await (await chooser).setFiles({ name: 'reference.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
      await page.locator('[data-path="operator"]').fill('Li');
      await page.getByTestId('check-start-do').click();
      await page.locator('ol').first().waitFor();
    },
  },
  {
    name: 'check-remark',
    channel: null,
    reach: async (page) => {
      await check(page, true);
      await page.keyboard.press('m');
      await page.keyboard.type('terminal 14:7');
    },
  },
  {
    name: 'check-file',
    channel: null,
    reach: async (page) => {
      await endCheck(page);
      await check(page, false);
      const id = Number(/check\/(\d+)/.exec(page.url())?.[1]);
      const record = String(await page.evaluate(`fetch('/api/check/record?session_id=${id}&format=json').then((reply) => reply.text())`));
      await page.getByTestId('check-back').click();
      await page.getByTestId('check-file-open').click();
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'record.json', mimeType: 'application/json', buffer: Buffer.from(record) });
      await page.getByTestId('record-verified').waitFor();
    },
  },
];
