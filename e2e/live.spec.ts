import { expect, test } from './fixtures.ts';

test.describe('live values of the demo plant', () => {
  test('a value changes on the screen by itself', async ({ view }) => {
    await view.choose('Demo meter');
    await view.find('MTR_UA');
    await expect(view.quality('MTR_UA')).toHaveText(/Good/);
    const before = await view.value('MTR_UA').innerText();
    await expect(view.value('MTR_UA')).not.toHaveText(before);
  });

  test('all rows are in one list; type, slave and quality filters narrow it, and lead back to its first row', async ({ view }) => {
    await view.choose('Demo BMS');
    const range = view.page.getByTestId('points-range');
    await expect(range).toContainText('of 588');
    await view.page.getByRole('grid', { name: 'Point table' }).focus();
    await view.page.keyboard.press('End');
    await expect(range).toHaveText(/–588 of 588$/);
    await expect(view.page.locator('[data-row="587"][data-code]')).toBeVisible();
    await view.page.getByRole('checkbox', { name: 'YK control' }).locator('xpath=following-sibling::label').click();
    await expect(range).toHaveText(/^1–4 of 4$/);
    await view.page.getByRole('textbox', { name: 'Slave' }).fill('12');
    await expect(range).toHaveText('1–1 of 1');
    await expect(view.row('BMS2_CONTACTOR')).toBeVisible();
    await view.page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(range).toContainText('of 588');
  });

  test('a silent unit that never answered shows no value and says why, a missing register is invalid', async ({ view }) => {
    await view.choose('Demo BMS');
    await view.find('BMS5_U');
    await expect(view.value('BMS5_U')).toHaveText('—');
    await view.select('BMS5_U');
    await view.page.getByTestId('point-read').click();
    await expect(view.page.getByTestId('points-feedback')).toContainText('could not be read');
    await view.choose('Demo meter');
    await view.find('IO_AI5');
    await expect(view.quality('IO_AI5')).toHaveText('Invalid');
  });

  test('sorting is done by the service over the whole table', async ({ view }) => {
    await view.choose('Demo BMS');
    await view.page.getByRole('columnheader', { name: 'Code' }).getByRole('button').click();
    await expect(view.page.getByTestId('point-row').first()).toHaveAttribute('data-code', /^BMS1_A/);
    await view.page.getByRole('columnheader', { name: 'Code' }).getByRole('button').click();
    await expect(view.page.getByTestId('point-row').first()).toHaveAttribute('data-code', /^BMS5/);
  });

  test('a range taken with Shift and the mouse is copied as rows, not as marked text', async ({ view }) => {
    await view.choose('Demo PCS');
    await view.page.getByRole('searchbox').fill('PCS_U');
    await expect(view.page.getByTestId('points-range')).toHaveText('1–4 of 4');
    const cell = (row: number) => view.page.getByTestId('point-row').nth(row).locator('[data-column="code"]');
    await cell(0).click();
    await cell(2).click({ modifiers: ['Shift'] });
    await expect(view.page.getByText('3 selected')).toBeVisible();
    expect(await view.page.evaluate('window.getSelection()?.toString() ?? ""')).toBe('');
    await view.page.keyboard.press('Control+c');
    await expect(view.page.getByTestId('points-feedback')).toHaveText('3 rows copied.');
    const text = await view.around.clipboard();
    expect(text.split('\r\n')).toHaveLength(4);
  });

  test('a silent unit leads to the doctor, which asks that unit alone', async ({ view }) => {
    await view.choose('Demo BMS');
    await view.find('BMS5_U');
    await view.select('BMS5_U');
    await view.page.getByTestId('point-cause').click();
    const dialog = view.page.getByTestId('doctor-dialog');
    await expect(dialog.getByTestId('doctor-preset')).toContainText('15');
    await expect(dialog.getByTestId('job-progress')).toHaveAttribute('data-state', 'done', { timeout: 30_000 });
    await expect(dialog.getByTestId('doctor-address')).toContainText('15');
    await dialog.getByTestId('doctor-close').click();
  });

  test('selected rows are copied as a table', async ({ view }) => {
    await view.choose('Demo PCS');
    await view.page.getByRole('searchbox').fill('PCS_U');
    await expect(view.page.getByTestId('points-range')).toHaveText('1–4 of 4');
    await view.select('PCS_UAB');
    await view.page.keyboard.press('Shift+ArrowDown');
    await view.page.keyboard.press('Control+c');
    await expect(view.page.getByTestId('points-feedback')).toHaveText('2 rows copied.');
    const text = await view.around.clipboard();
    const lines = text.split('\r\n').map((line) => line.split('\t'));
    expect(lines).toHaveLength(3);
    expect(lines[0]?.slice(0, 3)).toEqual(['Address', 'Hex', 'Slave']);
    expect(lines[1]?.slice(0, 7)).toEqual(['100', '0x0064', '1', '', '3', 'YC', 'PCS_UAB']);
  });
});
