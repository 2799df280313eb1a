import { type Shot, tab } from './shot.ts';

/** The other views of a channel. */
export const VIEW_SHOTS: readonly Shot[] = [
  {
    name: 'model',
    channel: 'Demo 61850 client',
    reach: async (page) => {
      await tab(page, 'model');
      await page.getByTestId('model-tree').focus();
      for (const key of ['Home', 'ArrowRight', 'ArrowDown', 'ArrowRight', 'ArrowDown', 'ArrowRight']) {
        await page.keyboard.press(key);
        await page.getByTestId('model-waiting').waitFor({ state: 'detached' });
      }
    },
  },
  {
    name: 'logs',
    channel: 'Demo 61850 client',
    reach: async (page) => {
      await tab(page, 'tools');
      await page.getByTestId('operation-query_log').click();
      await page.locator('[data-path="log"]').fill('BAY1CTRL/LLN0.events');
      await page.getByTestId('operation-run').click();
      await page.getByTestId('operation-outcome').waitFor();
    },
  },
  {
    name: 'data-sets',
    channel: 'Demo 61850 client',
    reach: async (page) => {
      await tab(page, 'model');
      await page.locator('.mantine-SegmentedControl-label').nth(1).click();
      await page.getByTestId('member-row').first().waitFor();
    },
  },
  {
    name: 'frames',
    channel: 'Demo PCS',
    reach: async (page) => {
      await tab(page, 'frames');
      await page.getByTestId('frame-row').first().waitFor();
      await page.getByTestId('frames-pause').click();
      await page.locator('[data-testid="frame-row"][data-kind="tx"]').last().click();
      await page.getByTestId('explain-tree').waitFor();
    },
  },
  { name: 'line', channel: 'Demo BMS', reach: (page) => tab(page, 'line') },
  { name: 'tools', channel: 'Demo BMS', reach: (page) => tab(page, 'tools') },
  {
    name: 'unknown',
    channel: 'Demo 104 master',
    reach: async (page) => {
      await tab(page, 'tools');
      await page.getByTestId('tools-unknown').click();
    },
  },
  { name: 'events', channel: 'Demo 104 master', reach: (page) => tab(page, 'events') },
  { name: 'audit', channel: 'Demo PCS', reach: (page) => tab(page, 'audit') },
  {
    name: 'beside',
    channel: 'Demo PCS',
    reach: async (page) => {
      await page.locator('[data-channel="Demo 104 master"]').hover();
      await page.locator('[data-channel="Demo 104 master"]').getByTestId('channel-menu').click();
      await page.getByTestId('command-show-beside').click();
      await page.locator('[data-area="beside"] [data-testid="point-row"]').first().waitFor();
    },
  },
  {
    name: 'operations-104',
    channel: 'Demo 104 master',
    reach: async (page) => {
      await tab(page, 'tools');
      await page.getByTestId('operation-clock_synchronization').click();
    },
  },
  {
    name: 'report-blocks',
    channel: 'Demo 61850 client',
    reach: async (page) => {
      await tab(page, 'tools');
      await page.getByTestId('operation-report_blocks').click();
      await page.getByTestId('operation-run').click();
      await page.getByTestId('operation-outcome').waitFor();
    },
  },
  {
    name: 'doctor',
    channel: 'Demo BMS',
    reach: async (page) => {
      // before its silent slave is known, all of them are examined
      await page.locator('[data-channel="Demo BMS"]', { hasText: /silent|无应答/ }).waitFor();
      await page.keyboard.press('F8');
      await page.locator('[data-testid="doctor-address"][data-state="bad"]').waitFor();
    },
  },
  {
    name: 'find',
    channel: null,
    reach: async (page) => {
      await page.getByTestId('add-channel').click();
      await page.getByTestId('open-find').click();
      await page.getByTestId('find-start').waitFor();
    },
  },
];
