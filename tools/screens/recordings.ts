import type { Page } from '@playwright/test';
import { inRoot } from '../lib/paths.ts';
import { CABINET, type Shot, tab } from './shot.ts';

const STATION = 'Station to be served again';

/** Chooses a curve of a channel as it is offered, by a part of the name of the point. */
async function addCurve(page: Page, channel: string, point: string): Promise<void> {
  await page.getByTestId('trend-channel').click();
  await page.getByRole('option', { name: channel, exact: true }).click();
  await page.getByTestId('trend-point').fill(point);
  await page.getByRole('option', { name: point }).first().click();
  await page.locator(`[data-testid="trend-curve"][data-code="${point}"]`).first().waitFor();
}

async function trends(page: Page): Promise<void> {
  await tab(page, 'trends');
  for (const point of ['PCS_UAB', 'PCS_UBC']) await addCurve(page, 'Demo PCS', point);
  await page.getByTestId('trend-range').click();
  await page.getByRole('option').first().click();
  await page.getByTestId('trend-chart').locator('canvas').waitFor();
}

/** The changes of a channel are recorded from now on. */
async function recordChanges(page: Page, channel: string): Promise<void> {
  await page.evaluate(`(async () => {
    const { data } = await (await fetch('/api/channel/list')).json();
    const { id: channel_id } = data.find(({ name }) => name === ${JSON.stringify(channel)});
    const body = JSON.stringify({ channel_id, mode: 'changed' });
    await fetch('/api/recording', { method: 'PUT', headers: { 'content-type': 'application/json' }, body });
  })()`);
}

/** Takes what a channel kept of its frames, where it has none. */
async function keepCapture(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    const data = async (url, init) => (await (await fetch(url, init)).json()).data;
    if ((await data('/api/captures/list')).items.length > 0) return;
    const { id } = (await data('/api/channel/list')).find(({ name }) => name === 'Demo PCS');
    const body = JSON.stringify({ channel_id: id });
    await data('/api/captures/keep', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  })()`);
}

/** The dialog in which a capture is chosen for a channel that serves, which is made when it is not there. */
async function captureDialog(page: Page): Promise<void> {
  await keepCapture(page);
  await page.evaluate(`(async () => {
    const { data } = await (await fetch('/api/channel/list')).json();
    if (data.some(({ name }) => name === ${JSON.stringify(STATION)})) return;
    const body = JSON.stringify({ name: ${JSON.stringify(STATION)}, protocol_type: 1, conn_type: 1, port: 15092 });
    await fetch('/api/channel/add', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  })()`);
  await page.reload();
  await page.locator(`[data-channel="${STATION}"] button`).first().click();
  await tab(page, 'tools');
  await page.getByTestId('capture-open').click();
  await page.getByTestId('capture-dialog').waitFor();
  await page.getByTestId('kept-captures').waitFor();
}

async function conversations(page: Page): Promise<void> {
  await captureDialog(page);
  await page.getByTestId('capture-dialog').locator('input[type="file"]').setInputFiles(inRoot('e2e/captures/two-devices.pcapng'));
  await page.getByTestId('conversation').first().waitFor();
}

/** What is kept of values and frames, and what is made of it. */
export const RECORDING_SHOTS: readonly Shot[] = [
  { name: 'trends-empty', channel: 'Demo meter', reach: (page) => tab(page, 'trends') },
  { name: 'trends', channel: 'Demo PCS', reach: trends },
  {
    name: 'trends-bands',
    channel: 'Demo meter',
    reach: async (page) => {
      await recordChanges(page, 'Demo meter');
      await tab(page, 'trends');
      await page.getByTestId('recording-open').click();
      for (const code of ['MTR_UA', 'MTR_P']) {
        await page.getByTestId('recording-add-band').click();
        await page.getByTestId('recording-band').last().locator('input').first().fill(code);
        // what is offered for it would lie over the button of the next one
        await page.keyboard.press('Tab');
      }
    },
  },
  {
    name: 'trends-services',
    channel: 'Demo PCS',
    isOverServices: true,
    reach: async (page) => {
      await tab(page, 'trends');
      await addCurve(page, 'Demo PCS', 'PCS_UAB');
      await addCurve(page, CABINET.channel, CABINET.point);
      await page.getByTestId('trend-not-recorded').first().waitFor();
    },
  },
  {
    name: 'frames-kept',
    channel: 'Demo PCS',
    reach: async (page) => {
      await tab(page, 'frames');
      await page.getByTestId('frame-row').first().waitFor();
      await keepCapture(page);
      await page.getByTestId('frames-export').click();
      await page.getByTestId('frames-kept').click();
      await page.locator('[data-capture]').first().waitFor();
    },
  },
  {
    name: 'frames-statistics',
    channel: 'Demo PCS',
    reach: async (page) => {
      await tab(page, 'frames');
      await page.getByTestId('frame-row').first().waitFor();
      await page.getByTestId('frames-statistics').click();
      await page.getByTestId('frame-statistics').locator('tbody').filter({ hasText: /\d/ }).waitFor();
    },
  },
  { name: 'capture', channel: null, reach: captureDialog },
  { name: 'capture-conversations', channel: null, reach: conversations },
  {
    name: 'capture-done',
    channel: null,
    reach: async (page) => {
      await conversations(page);
      await page.getByTestId('capture-take').click();
      await page.getByTestId('capture-done').waitFor();
    },
  },
];
