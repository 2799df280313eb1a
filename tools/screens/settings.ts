import type { Page } from '@playwright/test';
import type { Shot } from './shot.ts';

const BROKER = 'mqtt://broker.plant.example:1883';

async function settings(page: Page, tab: string): Promise<void> {
  await page.getByTestId('more-menu').click();
  await page.getByRole('menuitem').first().click();
  await page.getByTestId(`settings-${tab}`).click();
}

/** The form of something that values go to; nothing of it is saved. */
async function publisher(page: Page, kind: string, fields: Readonly<Record<string, string>>): Promise<void> {
  await settings(page, 'publish');
  await page.getByTestId(`publish-add-${kind}`).click();
  for (const [field, text] of Object.entries(fields)) await page.getByTestId(`publisher-${field}`).fill(text);
}

/** A build without a key is told nothing, so the answer is replaced. */
async function newerVersion(page: Page): Promise<void> {
  const name = 'Loopcheck-9.1.0-setup-x64.exe';
  const data = {
    state: 'newer',
    place: 'D:\\Loopcheck',
    file: 'D:\\Loopcheck\\loopcheck-update.json',
    version: '9.1.0',
    date: '2026-12-01',
    notes: ['## Added', '', ...Array.from({ length: 30 }, (_, line) => `- what is new, line ${line + 1}`)].join('\n'),
    files: [{ name, place: `D:\\Loopcheck\\${name}`, octets: 80_000_000, sha256: '5a'.repeat(32) }],
    looked_at: '2026-12-02T08:00:00.000Z',
    trouble: null,
  };
  await page.route('**/api/service/update', (route) => route.fulfill({ json: { code: 200, message: 'success', data } }));
  try {
    await page.reload();
    await page.getByTestId('status-update').click();
    await page.getByTestId('update-newer').waitFor();
  } finally {
    await page.unroute('**/api/service/update');
  }
}

/** The pages of the settings that lead out of the window, and the actions that are copied in place of being sent. */
export const SETTINGS_SHOTS: readonly Shot[] = [
  ...(['access', 'publish', 'remotes', 'updates'] as const).map(
    (name): Shot => ({ name: `settings-${name}`, channel: null, reach: (page) => settings(page, name) }),
  ),
  {
    name: 'publish-mqtt',
    channel: null,
    reach: async (page) => {
      await publisher(page, 'mqtt', { name: 'Home', url: BROKER });
      await page.getByTestId('publisher-home-assistant').click();
      await page.getByTestId('publisher-discovery').waitFor();
    },
  },
  {
    name: 'publish-sparkplug',
    channel: null,
    reach: (page) => publisher(page, 'sparkplug', { name: 'Node', url: BROKER, group: 'Site', node: 'Bay/1' }),
  },
  {
    name: 'publish-webhook',
    channel: null,
    reach: (page) => publisher(page, 'webhook', { name: 'Cloud', url: 'https://cloud.example/hook' }),
  },
  { name: 'publish-database', channel: null, reach: (page) => publisher(page, 'influxdb', { name: 'Archive' }) },
  { name: 'update-newer', channel: null, reach: newerVersion },
  {
    name: 'requests',
    channel: 'Demo PCS',
    reach: async (page) => {
      await page.getByTestId('point-row').first().waitFor();
      await page.getByTestId('open-palette').click();
      await page.locator('input.mantine-Spotlight-search').fill('curl');
      await page.keyboard.press('Enter');
      await page.getByTestId('hold-actions').waitFor();
    },
  },
  {
    name: 'actions-held',
    channel: 'Demo PCS',
    reach: async (page) => {
      await page.getByTestId('point-row').first().waitFor();
      await page.keyboard.press('Alt+c');
      await page.locator('[data-channel="Demo PCS"]').hover();
      await page.locator('[data-channel="Demo PCS"]').getByTestId('stop-channel').click();
      await page.getByTestId('held-text').waitFor();
    },
  },
];
