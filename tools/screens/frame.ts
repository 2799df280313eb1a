import type { Page } from '@playwright/test';
import { inRoot } from '../lib/paths.ts';
import type { Shot } from './shot.ts';

const command = async (page: Page, place: number) => {
  await page.getByTestId('more-menu').click();
  await page.getByRole('menuitem').nth(place).click();
};

const project = async (page: Page, name: string) => {
  await page.getByTestId('project-menu').click();
  await page.getByTestId(`project-${name}`).click();
  await page.getByRole('dialog').waitFor();
};

/** The frame of the window, channels, projects and settings. */
export const FRAME_SHOTS: readonly Shot[] = [
  { name: 'plant', channel: null, reach: (page) => page.getByTestId('open-plant').click() },
  { name: 'channel-form', channel: null, reach: (page) => page.getByTestId('add-channel').click() },
  {
    name: 'library',
    channel: 'Demo PCS',
    reach: async (page) => {
      await page.getByTestId('open-start').or(page.getByTestId('project-menu')).first().click();
      await page.getByTestId('open-start').click();
      await page.getByTestId('begin-library').click();
      await page.locator('[data-template="sunspec-battery-tcp"]').click();
    },
  },
  {
    name: 'make-template',
    channel: 'Demo PCS',
    reach: async (page) => {
      await page.locator('[data-channel="Demo PCS"]').hover();
      await page.getByTestId('channel-menu').first().click();
      await page.getByRole('menuitem').nth(-3).click();
    },
  },
  { name: 'palette', channel: 'Demo PCS', reach: (page) => page.getByTestId('open-palette').click() },
  { name: 'settings', channel: null, reach: (page) => command(page, 0) },
  {
    name: 'settings-service',
    channel: null,
    reach: async (page) => {
      await command(page, 0);
      await page.getByTestId('settings-service').click();
    },
  },
  {
    name: 'settings-keys',
    channel: 'Demo PCS',
    reach: async (page) => {
      await command(page, 0);
      await page.getByTestId('settings-keys').click();
    },
  },
  { name: 'project', channel: null, reach: (page) => project(page, 'facts') },
  { name: 'project-menu', channel: null, reach: (page) => page.getByTestId('project-menu').click() },
  { name: 'project-open', channel: null, reach: (page) => project(page, 'open') },
  {
    name: 'start-page',
    channel: null,
    reach: async (page) => {
      await page.getByTestId('project-menu').click();
      await page.getByTestId('open-start').click();
      await page.getByTestId('recent-projects').waitFor();
    },
  },
  {
    name: 'new-channel',
    channel: null,
    reach: async (page) => {
      await page.getByTestId('project-menu').click();
      await page.getByTestId('open-start').click();
      await page.getByTestId('begin-channel').click();
      await page.getByTestId('new-channel-form').waitFor();
    },
  },
  {
    name: 'device-file',
    channel: null,
    reach: async (page) => {
      await page.getByTestId('project-menu').click();
      await page.getByTestId('open-start').click();
      await page.getByTestId('begin-file').click();
      await page.locator('input[type=file]').setInputFiles(inRoot('resources/demo/bay.cid'));
      await page.getByTestId('device-row').first().waitFor();
    },
  },
  {
    name: 'device-taken',
    channel: null,
    reach: async (page) => {
      await page.getByTestId('project-menu').click();
      await page.getByTestId('open-start').click();
      await page.getByTestId('begin-file').click();
      await page.locator('input[type=file]').setInputFiles(inRoot('resources/demo/bay.cid'));
      await page.getByTestId('device-take').click();
      await page.getByTestId('device-file-taken').waitFor();
    },
  },
  { name: 'all-writes', channel: null, reach: (page) => command(page, 1) },
  {
    name: 'keys',
    channel: 'Demo PCS',
    reach: (page) => page.keyboard.press('Shift+F1'),
  },
  {
    name: 'channel-menu',
    channel: 'Demo 645 line',
    reach: async (page) => {
      await page.getByTestId('channel-header').getByTestId('channel-menu').click();
      await page.getByTestId('command-edit-channel').waitFor();
    },
  },
  ...(
    [
      ['104', 'Demo 104 master'],
      ['645', 'Demo 645 line'],
      ['61850', 'Demo 61850 client'],
    ] as const
  ).map(
    ([name, channel]): Shot => ({
      name: `channel-${name}`,
      channel,
      reach: async (page) => {
        await page.getByTestId('channel-header').getByTestId('channel-menu').click();
        await page.getByTestId('command-edit-channel').click();
        await page.getByTestId('save-channel').waitFor();
      },
    }),
  ),
  {
    name: 'channel-secrets',
    channel: 'Demo 645 line',
    reach: async (page) => {
      await page.getByTestId('channel-header').getByTestId('channel-menu').click();
      await page.getByTestId('command-channel-secrets').click();
      await page.getByTestId('secrets-form').waitFor();
    },
  },
  {
    name: 'channel-delete',
    channel: 'Demo PCS',
    reach: async (page) => {
      await page.getByTestId('channel-header').getByTestId('channel-menu').click();
      await page.getByTestId('command-delete-channel').click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'project-refused',
    channel: null,
    reach: async (page) => {
      await project(page, 'open');
      await page.locator('[data-path="path"]').fill('/nowhere/site.loopcheck');
      await page.keyboard.press('Enter');
      await page.getByTestId('error-notice').waitFor();
    },
  },
  { name: 'project-new', channel: null, reach: (page) => project(page, 'new') },
];
