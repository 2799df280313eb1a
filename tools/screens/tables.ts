import type { Page } from '@playwright/test';
import { call, type Shot } from './shot.ts';

const FAULTY = 'Feeder 1';
const STATION = 'Simulated meter';
/** A slave that is not there costs some timeouts. */
const TRIAL_MS = 60_000;
const YX = { frame_type: 1, func_code: 1 };
const YK = { frame_type: 2, func_code: 5 };
const cell = (at: number, more: object = {}) => ({
  frame_type: 0,
  code: `CELL${at}_T`,
  name: `Cell ${at} temperature`,
  address: 200 + at,
  decode: '0x21',
  unit: '℃',
  ...more,
});
/** One point for each thing that a table check can find, without those that no operation lets in. */
const POINTS = [
  { ...YX, code: 'CB1', name: 'Breaker', address: 0 },
  { ...YK, code: 'CB1_CTRL', name: 'Breaker', address: 10 },
  { ...YX, code: 'ES-1', name: 'Earthing switch', address: 1 },
  { ...YK, code: 'ES1_CTRL', name: 'Earthing switch control', address: 11, related_code: 'es1' },
  { ...YK, code: 'FAN_CTRL', name: 'Fan', address: 12, related_code: 'FAN_GONE' },
  { frame_type: 0, code: 'U_AB', name: 'Voltage AB', address: 0, decode: '0x42', unit: 'V' },
  { frame_type: 0, code: 'U_BC', name: 'Voltage BC', address: 1, decode: '0x42', unit: 'V' },
  { frame_type: 0, code: 'U_CA', name: 'Voltage CA', address: 1, decode: '0x42', unit: 'V' },
  { ...YX, code: 'MODE', name: 'Mode', address: 3, protocol: { enum_texts: { 0: 'local', 1: 'remote', 2: 'test' } } },
  ...[1, 2, 3, 4, 5, 6].map((at) => cell(at)),
  cell(7, { unit: '' }),
];

async function channelId(page: Page, name: string): Promise<number | undefined> {
  const channels = (await call(page, 'GET', '/api/channel/list')) as readonly { id: number; name: string }[];
  return channels.find((channel) => channel.name === name)?.id;
}

/** The findings of a table that has some, below it. */
async function tableCheck(page: Page): Promise<void> {
  if ((await channelId(page, FAULTY)) === undefined) {
    const channel = { name: FAULTY, protocol_type: 1, conn_type: 2, port: 15_077 };
    const { id } = (await call(page, 'POST', '/api/channel/add', channel)) as { id: number };
    await call(page, 'POST', '/api/device/add_points', { channel_id: id, points: POINTS });
    await page.reload();
  }
  await page.locator(`[data-channel="${FAULTY}"] button`).first().click();
  await page.getByTestId('table-check').click();
  await page.getByTestId('finding').first().click();
}

/** The table of a channel as a later revision of the list has it: points that changed, came, went and were renamed, and a row with an error. */
async function laterList(page: Page): Promise<Buffer> {
  const id = await channelId(page, 'Demo PCS');
  const text = await (await fetch(new URL(`/api/channel/export_points?channel_id=${id}&format=csv`, page.url()))).text();
  const [header = '', ...rows] = text.trimEnd().split(/\r?\n/);
  const later = rows.flatMap((row, at) => {
    if (at === 3) return [];
    if (at === 5) return [row.replace(/^([^,]*),([^,]*),/, '$1,$2_2,')];
    if (at === 8) return [row, row.replace(/^([^,]*),([^,]*),([^,]*),([^,]*),([^,]*)/, '$1,NEW_POINT,$3,$4,900')];
    if (at === 10) return [row.replace(/^([^,]*),([^,]*),([^,]*),([^,]*),([^,]*)/, '$1,$2,$3,$4,x')];
    return [at % 4 === 0 ? row.replace(/^([^,]*),([^,]*),([^,]*)/, '$1,$2,$3 (rev. B)') : row];
  });
  return Buffer.from(`${[header, ...later].join('\r\n')}\r\n`);
}

/** The dialog in which two tables are chosen; `isCompared`: with what they differ in. */
async function compare(page: Page, isCompared: boolean): Promise<void> {
  await page.getByTestId('table-files').click();
  await page.getByTestId('compare-tables').click();
  const file = { name: 'PCS rev B.csv', mimeType: 'text/csv', buffer: await laterList(page) };
  await page.getByTestId('compare-dialog').locator('input[type=file]').setInputFiles(file);
  if (!isCompared) return;
  await page.getByTestId('compare-start').click();
  await page.locator('[data-testid="difference"][data-kind="changed"]').first().locator('[data-column="code"]').click();
}

/** What the device said to the points of a table. */
async function tableJob(page: Page): Promise<void> {
  await page.getByTestId('tab-tools').click();
  await page.getByTestId('tools-table').click();
  await page.getByTestId('table-job-start').click();
  await page.locator('[data-testid="job-progress"][data-state="done"]').waitFor({ timeout: TRIAL_MS });
  await page.locator('[data-testid="tried-point"][data-outcome="answers"]').first().waitFor();
}

/** What is found in a table, what two differ in, and what the device says to one. */
/** The simulation of a station with formulas, two of which give no value, and a faulty line. */
async function simulation(page: Page): Promise<void> {
  if ((await channelId(page, STATION)) === undefined) {
    const channel = { name: STATION, protocol_type: 2, conn_type: 1, port: 15_091 };
    const { id } = (await call(page, 'POST', '/api/channel/add', channel)) as { id: number };
    const point = (code: string, at: number, simulate: string) => ({
      frame_type: 0,
      code,
      address: 2 * at,
      decode: '0x42',
      protocol: { simulate },
    });
    const points = [
      point('U_A', 0, 'sine(20, 3, 230)'),
      point('P', 1, 'U_A * 4.2'),
      point('E', 2, 'integrate(P / 3600, 1200)'),
      point('COS', 3, 'P / S'),
      point('S', 4, 'P / COS'),
      point('T_OIL', 5, 'lag(point("Transformer 2", "T"), 600)'),
    ];
    await call(page, 'POST', '/api/device/add_points', { channel_id: id, points });
    await call(page, 'PUT', '/api/simulation/line', {
      channel_id: id,
      delay_ms: 120,
      silent_percent: 5,
      exceptions: [{ from: 100, to: 105, code: 2 }],
    });
    await call(page, 'POST', '/api/device/start', { channel_id: id });
    await page.reload();
  }
  await page.locator(`[data-channel="${STATION}"] button`).first().click();
  await page.getByRole('tab').nth(3).click();
  await page.getByTestId('simulation-fault').first().waitFor();
}

export const TABLE_SHOTS: readonly Shot[] = [
  { name: 'table-check', channel: null, reach: tableCheck },
  { name: 'compare-choice', channel: 'Demo PCS', reach: (page) => compare(page, false) },
  { name: 'compare-result', channel: 'Demo PCS', reach: (page) => compare(page, true) },
  { name: 'table-job', channel: 'Demo BMS', reach: tableJob },
  { name: 'simulation', channel: null, reach: simulation },
];
