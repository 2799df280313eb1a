import type { Page } from '@playwright/test';
import { call, cell, find, type Shot, selectFrom } from './shot.ts';

/** Writes the setpoints of a channel whose code begins so, as a script would. */
async function writeSetpoints(page: Page, channel: string, prefix: string): Promise<void> {
  await page.evaluate(`(async () => {
    const data = async (url, init) => (await (await fetch(url, init)).json()).data;
    const { id } = (await data('/api/channel/list')).find(({ name }) => name === ${JSON.stringify(channel)});
    const table = await data('/api/device/table?page=1&page_size=100&frame_type=3&search=${prefix}&channel_id=' + id);
    for (const [index, { id: point_id, frame_type }] of table.items.entries()) {
      const body = JSON.stringify({ point_id, frame_type, value: 20 + index });
      await data('/api/device/update_point', { method: 'PUT', headers: { 'content-type': 'application/json' }, body });
    }
  })()`);
}

/** The point table and what is done with its rows. */
export const POINT_SHOTS: readonly Shot[] = [
  { name: 'points', channel: 'Demo BMS', reach: (page) => cell(page, 'BMS1_U').click() },
  { name: 'points-silent', channel: 'Demo BMS', reach: (page) => find(page, 'BMS5_U') },
  {
    name: 'points-menu',
    channel: 'Demo PCS',
    reach: async (page) => {
      await cell(page, 'PCS_UAB').click({ button: 'right' });
      await page.getByTestId('grid-menu').waitFor();
    },
  },
  {
    name: 'points-header-menu',
    channel: 'Demo PCS',
    reach: (page) => page.locator('[data-head="value"]').click({ button: 'right' }),
  },
  {
    name: 'points-edit-error',
    channel: 'Demo PCS',
    reach: async (page) => {
      await cell(page, 'PCS_UAB', 'unit').dblclick();
      await page.getByTestId('cell-editor').fill('\u0007');
      await page.keyboard.press('Enter');
      await page.locator('[role="alert"]:not(:empty)').first().waitFor();
    },
  },
  {
    name: 'inspector',
    channel: 'Demo BMS',
    reach: async (page) => {
      await cell(page, 'BMS1_U').click();
      await page.getByTestId('inspector-toggle').click();
      await page.getByTestId('inspector-value').waitFor();
    },
  },
  {
    name: 'points-frames',
    channel: 'Demo PCS',
    reach: async (page) => {
      await cell(page, 'PCS_UAB').click();
      await page.keyboard.press('F12');
      await page.getByTestId('drawer-frame').first().waitFor();
    },
  },
  {
    name: 'edit-fill',
    channel: 'Demo PCS',
    reach: async (page) => {
      await cell(page, 'PCS_UAB', 'address').click();
      for (let more = 0; more < 4; more++) await page.keyboard.press('Shift+ArrowDown');
      await page.keyboard.press('Control+d');
      await page.locator('[data-path="fill_step"]').fill('10');
      await page.getByTestId('edit-preview').waitFor();
    },
  },
  {
    name: 'edit-duplicate',
    channel: 'Demo BMS',
    reach: async (page) => {
      await cell(page, 'BMS1_U').click();
      for (let more = 0; more < 3; more++) await page.keyboard.press('Shift+ArrowDown');
      await cell(page, 'BMS1_U').click({ button: 'right' });
      await page.getByTestId('menu-duplicate-points').click();
      await page.getByTestId('edit-preview').waitFor();
    },
  },
  {
    name: 'edit-replace',
    channel: 'Demo BMS',
    reach: async (page) => {
      await cell(page, 'BMS1_U').click();
      await page.keyboard.press('Control+h');
      await page.locator('[data-path="find"]').fill('BMS(\\d+)_');
      await page.locator('[data-path="by"]').fill('RACK$1.');
      await page.locator('[data-path="is_pattern"]').check();
      await page.getByTestId('edit-preview').getByText('RACK1.U').first().waitFor();
    },
  },
  {
    name: 'edit-move',
    channel: 'Demo PCS',
    reach: async (page) => {
      await cell(page, 'PCS_UAB').click({ button: 'right' });
      await page.getByTestId('menu-move-points').click();
      await page.getByTestId('edit-preview').waitFor();
    },
  },
  {
    name: 'edit-paste',
    channel: 'Demo PCS',
    reach: async (page) => {
      await cell(page, 'PCS_UAB').click();
      await page.evaluate(`(() => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', '遥测\\tX1\\tVoltage\\t1\\tten\\n遥测\\tX2\\tCurrent\\t1\\t21');
        document.dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true }));
      })()`);
      await page.getByTestId('import-file').waitFor();
    },
  },
  { name: 'points-104', channel: 'Demo 104 master', reach: (page) => page.getByTestId('point-row').first().click() },
  { name: 'points-61850', channel: 'Demo 61850 client', reach: (page) => page.getByTestId('point-row').first().click() },
  { name: 'points-645', channel: 'Demo 645 line', reach: (page) => page.getByTestId('point-row').first().click() },
  {
    name: 'control',
    channel: 'Demo 61850 client',
    reach: async (page) => {
      await find(page, 'BAY_CB_CTL');
      await page.getByTestId('point-write').click();
      await page.getByTestId('write-disarmed').waitFor();
    },
  },
  { name: 'point-form', channel: 'Demo PCS', reach: (page) => page.getByTestId('point-add').click() },
  {
    name: 'write',
    channel: 'Demo PCS',
    reach: async (page) => {
      await find(page, 'PCS_P_SET');
      await page.getByTestId('point-write').click();
    },
  },
  {
    name: 'setpoints',
    channel: 'Demo PCS',
    reach: async (page) => {
      await writeSetpoints(page, 'Demo PCS', 'PCS_');
      await page.getByTestId('setpoints').click();
      await page.getByTestId('setpoint-row').first().waitFor();
    },
  },
  {
    name: 'points-empty',
    channel: null,
    reach: async (page) => {
      await call(page, 'POST', '/api/channel/add', { name: 'Empty', protocol_type: 1, conn_type: 2 });
      await page.locator('[data-channel="Empty"] button').first().click();
      await page.getByTestId('points-range').waitFor();
    },
  },
  {
    name: 'edit-bulk',
    channel: 'Demo BMS',
    reach: async (page) => {
      await selectFrom(page, 'BMS1_U', 9);
      await page.keyboard.press('F2');
      await page.getByTestId('bulk-form').waitFor();
    },
  },
  {
    name: 'edit-history',
    channel: 'Demo PCS',
    reach: async (page) => {
      await selectFrom(page, 'PCS_UAB', 0);
      await cell(page, 'PCS_UAB').click({ button: 'right' });
      await page.getByTestId('menu-point-history').click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'edit-delete',
    channel: 'Demo BMS',
    reach: async (page) => {
      await selectFrom(page, 'BMS1_U', 3);
      await page.keyboard.press('Delete');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'import',
    channel: 'Demo PCS',
    reach: async (page) => {
      await page.keyboard.press('Alt+i');
      await page.getByTestId('import-drop').waitFor();
    },
  },
  {
    name: 'import-errors',
    channel: 'Demo PCS',
    reach: async (page) => {
      await page.keyboard.press('Alt+i');
      await page.getByTestId('import-drop').waitFor();
      const rows = [
        '遥测,X1,Voltage,1,ten',
        '遥测,X2,Current,1,21',
        '遥测,X2,Again,1,22',
        '遥调,X3,Setpoint,1,99999',
        '遥信,PCS_UAB,Taken,1,5',
      ];
      const text = ['测点类型,测点编码,测点名称,从机地址,寄存器地址', ...rows].join('\n');
      await page.locator('input[type=file]').setInputFiles({ name: '点表.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
      await page.getByTestId('import-file').waitFor();
    },
  },
  ...(['questions', 'columns'] as const).map((tab) => ({
    name: `mapping-${tab}`,
    channel: 'Demo PCS',
    reach: async (page: Page) => {
      await page.getByTestId('point-row').first().waitFor();
      await page.keyboard.press('Alt+i');
      await page.getByTestId('import-drop').waitFor();
      const rows = ['517;Output frequency;uint16;Hz;100', '524;Energy;uint32;kWh;1', '538;Speed;T9;rpm;1', '* T9 see manual'];
      const text = ['ACME drive, register map v1.2', '', 'Reg;Designation;Type;Unit;Scale', ...rows].join('\n');
      await page.locator('input[type=file]').setInputFiles({ name: 'drive.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
      await page.getByTestId('mapping-step').waitFor();
      if (tab === 'columns') await page.getByTestId('mapping-tab-columns').click();
    },
  })),
];
