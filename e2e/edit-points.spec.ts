import { expect, test } from './fixtures.ts';
import type { Screen } from './screen.ts';
import { severe } from './severe.ts';

const NAME = 'Edited device';
const OTHER = 'Other device';
const POINTS = [
  { frame_type: 0, code: 'BAY1_U', name: 'Bay 1 voltage', address: 10, unit: 'V', decode: '0x20' },
  { frame_type: 0, code: 'BAY1_I', name: 'Bay 1 current', address: 11, decode: '0x20' },
  { frame_type: 0, code: 'BAY1_P', name: 'Bay 1 power', address: 12, decode: '0x20' },
];

async function codes(view: Screen): Promise<string[]> {
  return view.page.getByTestId('point-row').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-code') ?? ''));
}

async function cells(view: Screen, column: string): Promise<string[]> {
  return view.page.locator(`[data-testid="point-row"] [data-column="${column}"]`).allInnerTexts();
}

/** Selects all rows with the keyboard, from a cell of this column in the first one. */
async function selectAll(view: Screen, column = 'code'): Promise<void> {
  await view.page.locator(`[data-testid="point-row"] [data-column="${column}"]`).first().click();
  await view.page.keyboard.press('Control+a');
}

/** Takes one step back, once: the table follows a moment later, and a second press would take back what was there before. */
async function undoOne(view: Screen): Promise<void> {
  await view.page.keyboard.press('Control+z');
  await expect.poll(() => codes(view)).toEqual(POINTS.map(({ code }) => code));
}

test.describe('points edited like a spreadsheet', () => {
  let channelId = 0;
  let otherId = 0;

  test.beforeEach(async ({ view }) => {
    for (const name of [NAME, OTHER]) {
      const added = (await view.api('POST', '/api/channel/add', { name, protocol_type: 1, conn_type: 2, port: 15_040 })) as { id: number };
      if (name === NAME) channelId = added.id;
      else otherId = added.id;
    }
    await view.api('POST', '/api/device/add_points', { channel_id: channelId, points: POINTS });
    await view.choose(NAME);
    await expect(view.row('BAY1_P')).toBeVisible();
  });

  test.afterEach(async ({ view }) => {
    for (const id of [channelId, otherId]) await view.api('DELETE', `/api/channel/delete?channel_id=${id}`);
  });

  test('fill down with a step, taken back and done again by keys', async ({ view }) => {
    const { page } = view;
    await selectAll(view, 'address');
    await page.keyboard.press('Control+d');
    await expect(page.getByTestId('fill-form')).toBeVisible();
    await expect(page.getByTestId('fill-value')).toContainText('10');
    await page.keyboard.type('4');
    await expect(page.getByTestId('edit-preview')).toContainText('18');
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('fill-form')).toBeHidden();
    await expect.poll(() => cells(view, 'address')).toEqual(['10', '14', '18']);
    await expect(page.getByTestId('notice-undo')).toBeVisible();
    await page.keyboard.press('Control+z');
    await expect.poll(() => cells(view, 'address')).toEqual(['10', '11', '12']);
    await page.keyboard.press('Control+y');
    await expect.poll(() => cells(view, 'address')).toEqual(['10', '14', '18']);
    await page.keyboard.press('Control+z');
    await expect.poll(() => cells(view, 'address')).toEqual(['10', '11', '12']);
    await page.keyboard.press('Control+Shift+z');
    await expect.poll(() => cells(view, 'address')).toEqual(['10', '14', '18']);
  });

  test('the history leads back and forward over several changes, by keys alone', async ({ view }) => {
    const { page } = view;
    const unit = async (value: string) => {
      const [point] = (
        (await view.api('GET', `/api/device/table?channel_id=${channelId}&page=1&page_size=1`)) as { items: { id: number }[] }
      ).items;
      await view.api('PUT', '/api/device/edit_point', { point_id: point?.id, frame_type: 0, unit: value });
    };
    for (const value of ['kV', 'mV', 'V']) await unit(value);
    const shown = view.row('BAY1_U').locator('[data-column="unit"]');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search commands and channels').fill('history of');
    await page.keyboard.press('Enter');
    const rows = page.getByTestId('history-row');
    // three edits, the points that were added, and the start
    await expect(rows).toHaveCount(5);
    await expect(rows.first()).toContainText('Now');
    await expect(page.getByTestId('history-go')).toHaveAttribute('aria-disabled', 'true');
    await page.getByRole('dialog').getByRole('grid').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect(page.getByTestId('history-dialog')).toContainText('Undoes 2 changes');
    await page.keyboard.press('Enter');
    await expect(shown).toHaveText('kV');
    await expect(rows.nth(2)).toContainText('Now');
    await expect(rows.first()).toContainText('Undone');
    expect(await severe(view, 'history')).toEqual([]);
    await page.keyboard.press('ArrowUp');
    await expect(page.getByTestId('history-dialog')).toContainText('Does 1 change again');
    await page.keyboard.press('Enter');
    await expect(shown).toHaveText('mV');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  test('a text that is written keeps its own undo', async ({ view }) => {
    const { page } = view;
    await page.getByRole('searchbox').fill('BAY');
    await page.getByRole('searchbox').press('Control+z');
    await expect(page.getByRole('searchbox')).not.toHaveValue('BAY');
    expect(await codes(view)).toHaveLength(3);
  });

  test('duplicates raise the number of the code, of the name and the address', async ({ view }) => {
    const { page } = view;
    await selectAll(view);
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search commands and channels').fill('duplicate');
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('duplicate-form')).toBeVisible();
    await view.field('duplicate_copies').fill('2');
    await view.field('duplicate_addressStep').fill('100');
    await expect(page.getByTestId('edit-preview')).toContainText('BAY3_P · 1 · 212');
    await page.keyboard.press('Enter');
    await expect.poll(() => codes(view)).toHaveLength(9);
    await expect(view.row('BAY3_I')).toContainText('Bay 3 current');
    await page.getByTestId('notice-undo').click();
    await expect.poll(() => codes(view)).toEqual(['BAY1_U', 'BAY1_I', 'BAY1_P']);
  });

  test('find and replace shows before and after, refuses what could take for ever, and is one step', async ({ view }) => {
    const { page } = view;
    await selectAll(view);
    await page.keyboard.press('Control+h');
    const form = page.getByTestId('replace_text-form');
    await expect(form).toBeVisible();
    await view.field('find').fill('BAY1');
    await view.field('by').fill('INV07');
    await expect(page.getByTestId('edit-preview')).toContainText('INV07_P');
    await view.field('is_pattern').check();
    await view.field('find').fill('(a+)+');
    await expect(page.getByTestId('edit-count')).toContainText('could take for ever');
    await expect(page.getByTestId('edit-apply')).toBeDisabled();
    await view.field('find').fill('B[a-zA-Z]+ ?1');
    await view.field('by').fill('Bay 9');
    await view.field('in_code').uncheck();
    await expect(page.getByTestId('edit-preview')).toContainText('Bay 9 power');
    await expect(page.getByTestId('edit-apply')).toBeEnabled();
    await view.field('find').press('Enter');
    await expect(form).toBeHidden();
    await expect(view.row('BAY1_U')).toContainText('Bay 9 voltage');
    await page.keyboard.press('Control+z');
    await expect(view.row('BAY1_U')).toContainText('Bay 1 voltage');
  });

  test('what the service refuses is told by the code of the point, and nothing changed', async ({ view }) => {
    const { page } = view;
    await selectAll(view, 'address');
    await page.keyboard.press('Control+d');
    await view.field('fill_step').fill('70000');
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('edit-refusals')).toContainText('BAY1_I, Address');
    await page.keyboard.press('Escape');
    expect(await cells(view, 'address')).toEqual(['10', '11', '12']);
  });

  test('move to another channel and back', async ({ view }) => {
    const { page } = view;
    await view.select('BAY1_I');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search commands and channels').fill('move to');
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('move-form')).toBeVisible();
    await view.field('move_target').click();
    await page.getByRole('option', { name: OTHER }).click();
    await page.getByTestId('edit-apply').click();
    await expect.poll(() => codes(view)).toEqual(['BAY1_U', 'BAY1_P']);
    await view.choose(OTHER);
    await expect(view.row('BAY1_I')).toBeVisible();
    await page.keyboard.press('Control+z');
    await expect(view.row('BAY1_I')).toHaveCount(0);
    await view.choose(NAME);
    await expect.poll(() => codes(view)).toEqual(['BAY1_U', 'BAY1_I', 'BAY1_P']);
  });

  test('rows from a spreadsheet go through the preview; errors are told with their row', async ({ view }) => {
    const { page } = view;
    await page.getByRole('group', { name: 'Point type' }).getByText('YC').click();
    await view.around.copy('U1\tVoltage\t1\tten\r\nU2\tCurrent\t1\t21');
    await page.keyboard.press('Control+v');
    await expect(page.getByTestId('import-file')).toContainText('Clipboard');
    await expect(page.getByTestId('import-row').first()).toContainText('"ten" is no number');
    await expect(page.getByTestId('import-apply')).toHaveAttribute('aria-disabled', 'true');
    await page.keyboard.press('Escape');
    await view.around.copy('U1\tVoltage\t1\t20\r\nU2\tCurrent\t1\t21');
    await page.keyboard.press('Control+v');
    await expect(page.getByTestId('import-tally')).toContainText('2 added');
    await page.getByTestId('import-apply').click();
    await page.getByTestId('import-close').click();
    await expect(view.row('U2')).toBeVisible();
    await undoOne(view);
    // a word is no table
    await view.around.copy('word');
    await page.keyboard.press('Control+v');
    await expect(page.getByText('The clipboard holds no rows of a table.')).toBeVisible();
  });

  test('deleted points come back from the notice, and a colleague is not taken back', async ({ view }) => {
    const { page } = view;
    await view.select('BAY1_U');
    await page.keyboard.press('Delete');
    await page.getByTestId('confirm').click();
    await expect.poll(() => codes(view)).toEqual(['BAY1_I', 'BAY1_P']);
    await expect(page.getByTestId('notice-undo')).toBeVisible();
    await view.api('POST', '/api/device/add_points', {
      channel_id: channelId,
      points: [{ frame_type: 0, code: 'COLLEAGUE', address: 90 }],
    });
    await page.getByTestId('notice-undo').click();
    await expect(page.getByText('is "Add "COLLEAGUE""')).toBeVisible();
    await expect(view.row('COLLEAGUE')).toBeVisible();
    await expect.poll(() => codes(view)).toEqual(['BAY1_I', 'BAY1_P', 'COLLEAGUE']);
  });
});
