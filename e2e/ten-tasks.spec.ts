import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from './fixtures.ts';
import { Keyboard } from './keyboard.ts';
import { type Peer, startPeer } from './peer.ts';
import type { Screen } from './screen.ts';

// the tasks as docs/guide/ten-tasks.md has them; the second uses the channel of the first
test.describe.configure({ mode: 'serial' });

const BENCH = 'Ten tasks bench';
let peer: Peer;

test.beforeAll(async () => {
  peer = await startPeer();
  peer.registers[10] = 321;
});
test.afterAll(() => peer.close());

/** The channel whose points the page shows when it is opened. */
async function shown(view: Screen, channel: string): Promise<void> {
  await view.choose(channel);
  await view.tab('points');
}

async function idOf(view: Screen, name: string): Promise<number | undefined> {
  const channels = (await view.api('GET', '/api/channel/list')) as { id: number; name: string }[];
  return channels.find((channel) => channel.name === name)?.id;
}

/** Leaves the points of a channel as they were found. */
async function undo(view: Screen, channel: string): Promise<void> {
  await view.api('POST', '/api/points/undo', { channel_id: await idOf(view, channel) });
}

/** A page that was just opened, its keyboard on nothing; what was done costs no more steps than the guide says. */
async function task(view: Screen, most: number, work: (keys: Keyboard) => Promise<void>): Promise<void> {
  await view.reload();
  await expect(view.page.locator('main [role="grid"]').or(view.page.getByTestId('channel-header')).first()).toBeVisible();
  const keys = new Keyboard(view.page);
  await work(keys);
  test.info().annotations.push({ type: 'steps', description: `${keys.steps} steps, ${keys.strokes} strokes` });
  expect(keys.steps).toBeLessThanOrEqual(most);
}

// another project is opened meanwhile, which stops the channels of the demo
test.use({ plant: 'ten tasks' });

test('1 Modbus channel to its first value', async ({ view }) => {
  const { page } = view;
  await task(view, 12, async (keys) => {
    await keys.press('Alt+n');
    await expect(view.field('name')).toBeFocused();
    await keys.type(BENCH);
    await keys.to('[data-path="port"]');
    await keys.press('Control+a');
    await keys.type(String(peer.port));
    await keys.press('Enter');
    await expect(view.channel(BENCH)).toContainText('Running');
    await keys.press('Insert');
    await expect(view.field('code')).toBeFocused();
    await keys.type('U1');
    await keys.to('[data-path="address"]');
    await keys.type('10');
    await keys.press('Enter');
    await expect(view.row('U1')).toBeVisible();
    await expect(page.getByTestId('point-form')).toBeHidden();
    await keys.press('F5');
    await expect(view.quality('U1')).toHaveText('Good');
  });
});

test('2 import of a table', async ({ view }) => {
  const { page } = view;
  const table = '测点类型,测点编码,测点名称,从机地址,寄存器地址\n遥测,T1,Temperature,1,20\n遥测,T2,Pressure,1,22\n';
  // the choosers of this page are ours before the first is asked for
  page.on('filechooser', () => undefined);
  await task(view, 7, async (keys) => {
    await keys.palette(BENCH);
    await expect(page.getByTestId('channel-header')).toContainText(BENCH);
    // its commands come with the table
    await expect(view.row('U1')).toBeVisible();
    await keys.press('Alt+i');
    await expect(page.getByTestId('import-choose')).toBeFocused();
    const chooser = page.waitForEvent('filechooser');
    await keys.press('Enter');
    await (await chooser).setFiles({ name: 'table.csv', mimeType: 'text/csv', buffer: Buffer.from(table) });
    await expect(page.getByTestId('import-tally')).toContainText('2 added');
    await keys.to('[data-testid="import-apply"]');
    await keys.press('Enter');
    await expect(page.getByTestId('import-done')).toContainText('2 added');
  });
  await page.keyboard.press('Escape');
  await expect(view.row('T2')).toBeVisible();
  await view.api('DELETE', `/api/channel/delete?channel_id=${await idOf(view, BENCH)}`);
});

test('3 write of a setpoint', async ({ view }) => {
  const { page } = view;
  await shown(view, 'Demo PCS');
  await task(view, 11, async (keys) => {
    await expect(page.getByTestId('point-row').first()).toBeVisible();
    await keys.press('Control+f');
    await expect(page.getByRole('searchbox')).toBeFocused();
    await keys.type('PCS_Q_SET');
    await expect(page.getByTestId('points-range')).toHaveText('1–1 of 1');
    await keys.press('F6');
    await keys.press('ArrowDown');
    await keys.press('F7');
    await expect(page.getByTestId('write-value')).toBeFocused();
    await keys.to('[data-testid="write-disarmed"] button', 'Shift+Tab');
    await keys.press('Enter');
    await expect(page.getByTestId('write-value')).toBeFocused();
    await keys.type('7.5');
    await keys.press('Enter');
    await expect(page.getByTestId('write-confirm-text')).toContainText('7.5 kvar');
    await keys.to('[data-testid="write-send"]');
    await keys.press('Enter');
    await expect(page.getByTestId('write-outcome')).toContainText('Accepted');
  });
});

test('4 why a device is silent', async ({ view }) => {
  const { page } = view;
  await shown(view, 'Demo PCS');
  await task(view, 1, async (keys) => {
    await expect(page.getByTestId('status-warn')).toBeVisible();
    await keys.press('F8');
    await expect(page.getByTestId('doctor-address')).toHaveAttribute('data-state', /good|bad|warn/);
  });
});

test('5 objects of IEC 104 that are not in the table', async ({ view }) => {
  const { page } = view;
  await view.choose('Demo 104 master');
  await task(view, 8, async (keys) => {
    await expect(page.getByTestId('tab-tools')).toBeVisible();
    await keys.press('Control+4');
    await expect(page.getByTestId('operation-run')).toBeVisible();
    await keys.to('[role="tabpanel"] input[type="radio"]:checked');
    await keys.press('ArrowRight');
    await expect(page.getByTestId('unknown-total')).toBeVisible();
    await expect(page.getByText('M_DP_NA_1 (3)').first()).toBeVisible();
    await keys.press('F6');
    await keys.press('ArrowDown');
    await keys.press('Shift+ArrowDown', 3);
    await keys.press('Insert');
    await expect(page.getByTestId('proposal')).toHaveCount(4);
    await expect(page.getByTestId('unknown-prefix')).toBeFocused();
    await keys.press('Enter');
    await expect(page.getByTestId('proposal')).toHaveCount(0);
  });
  await undo(view, 'Demo 104 master');
});

test('6 points of the model of an IED', async ({ view }) => {
  const { page } = view;
  await view.choose('Demo 61850 client');
  await task(view, 8, async (keys) => {
    await expect(page.getByTestId('tab-model')).toBeVisible();
    await keys.press('Control+2');
    await expect(page.getByTestId('model-status')).toHaveAttribute('data-state', 'known');
    await keys.press('Control+f');
    await expect(page.getByTestId('model-search')).toBeFocused();
    await keys.type('ggio1 ind5');
    await expect(page.getByTestId('model-row').first()).toContainText('Ind5');
    await keys.press('F6');
    await keys.press('ArrowDown');
    await keys.press('Space');
    await keys.press('Insert');
    await expect(page.getByTestId('draft-row')).toHaveCount(1);
    await expect(page.getByTestId('points-add')).toBeFocused();
    await keys.press('Enter');
    await expect(page.getByTestId('points-dialog')).toBeHidden();
  });
  await undo(view, 'Demo 61850 client');
});

test('7 one field of 30 points', async ({ view }) => {
  const { page } = view;
  await shown(view, 'Demo BMS');
  await task(view, 8, async (keys) => {
    await expect(page.getByTestId('point-row').nth(20)).toBeVisible();
    await keys.press('F6');
    await keys.press('ArrowDown');
    await keys.press('Shift+ArrowDown', 29);
    await keys.press('F2');
    await expect(page.getByTestId('bulk-form')).toBeVisible();
    await keys.to('[data-path="note"]');
    await keys.type('checked');
    await expect(page.getByTestId('bulk-count')).toHaveText('30 of 30 points change');
    await keys.to('[data-testid="bulk-save"]');
    await keys.press('Enter');
    await expect(page.getByTestId('bulk-form')).toBeHidden();
  });
  await undo(view, 'Demo BMS');
});

test('8 the frame that carried a value', async ({ view }) => {
  const { page } = view;
  await shown(view, 'Demo PCS');
  await task(view, 5, async (keys) => {
    await expect(page.getByTestId('point-row').first()).toBeVisible();
    await keys.press('F6');
    await keys.press('ArrowDown');
    await keys.press('F4');
    await expect(page.getByTestId('inspector-frame').first()).toBeVisible();
    await keys.to('[data-testid="inspector-frame"]');
    await keys.press('Enter');
    await expect(page.getByTestId('frame-explanation')).toBeVisible();
  });
});

test('9 the project of a colleague', async ({ view }) => {
  const { page } = view;
  const own = ((await view.api('GET', '/api/project/info')) as { path: string }).path;
  const theirs = join(dirname(own), 'colleague.loopcheck');
  await view.api('POST', '/api/project/backup', { path: theirs });
  await task(view, 3, async (keys) => {
    await view.around.choose(theirs);
    await keys.press('Control+o');
    await expect(view.field('path')).toBeFocused();
    await page.keyboard.press('Control+a');
    await keys.type(theirs);
    await keys.press('Enter');
    await expect(page.getByTestId('project-menu')).toHaveText('colleague');
  });
  await view.api('POST', '/api/project/open', { path: own });
  for (const file of [theirs]) rmSync(file, { force: true });
});

test('10 all reads at one sight', async ({ view }) => {
  const { page } = view;
  await task(view, 1, async (keys) => {
    await keys.press('Control+0');
    await expect(page.getByTestId('plant-row').first()).toBeVisible();
  });
});
