import type { Page } from '@playwright/test';
import { CABINET, type Shot } from './shot.ts';

const SESSION = 'Over two services';

const cabinetChannel = (page: Page) => page.locator(`[data-service="${CABINET.name}"] [data-remote-channel="${CABINET.channel}"]`);

/** Makes what the page sends by hand elsewhere: `send(method, url, body)` answers the data. */
const SEND = `const send = async (method, url, body) => {
  const json = body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {};
  return (await (await fetch(url, { method, ...json })).json()).data;
};`;

/** A session whose items are of this service and of the cabinet; answers its number. */
async function sessionOverServices(page: Page): Promise<number> {
  return Number(
    await page.evaluate(`(async () => {
      ${SEND}
      const sessions = (await send('GET', '/api/check/sessions')).items;
      const known = sessions.find(({ name }) => name === ${JSON.stringify(SESSION)});
      if (known) return known.id;
      const { id: session_id } = await send('POST', '/api/check/add', { name: ${JSON.stringify(SESSION)} });
      const { id: channel_id } = (await send('GET', '/api/channel/list')).find(({ name }) => name === 'Demo meter');
      const { id: service_id } = (await send('GET', '/api/remotes/list')).items.at(-1);
      const views = (await send('GET', '/api/remotes/channels')).items;
      const there = views.find(({ id }) => id === service_id).channels[0];
      // those of the cabinet first: only what is in sight is drawn
      await send('POST', '/api/check/add_items', { session_id, service_id, channel_id: there.id });
      await send('POST', '/api/check/add_items', { session_id, channel_id });
      return session_id;
    })()`),
  );
}

/** A gateway is tried by values that are set below it; two of its points are crossed. */
async function gatewayRun(page: Page): Promise<void> {
  const id = await page.evaluate(`(async () => {
    ${SEND}
    await send('POST', '/api/check/stop', {});
    const channels = await send('GET', '/api/channel/list');
    const find = (wanted) => channels.find(({ name }) => name === wanted);
    const below = find('Below the gateway') ?? (await send('POST', '/api/channel/add', { name: 'Below the gateway', protocol_type: 1, conn_type: 1, port: 15093 }));
    const above = find('Above the gateway') ?? (await send('POST', '/api/channel/add', { name: 'Above the gateway', protocol_type: 1, conn_type: 2, port: 15093 }));
    const points = ['U_A', 'U_B', 'U_C', 'P', 'Q', 'F'].map((code, at) => ({ frame_type: 0, code, name: code, address: 2 * at, decode: '0x42' }));
    if (!find('Below the gateway')) {
      await send('POST', '/api/device/add_points', { channel_id: below.id, points });
      // one is crossed with its neighbour above
      const crossed = points.map((point, at) => ({ ...point, address: at === 1 ? 4 : at === 2 ? 2 : point.address }));
      await send('POST', '/api/device/add_points', { channel_id: above.id, points: crossed });
    }
    for (const { id: channel_id } of [below, above]) await send('POST', '/api/device/start', { channel_id });
    const sessions = (await send('GET', '/api/check/sessions')).items;
    const known = sessions.find(({ name }) => name === 'Gateway');
    const session_id = known?.id ?? (await send('POST', '/api/check/add', { name: 'Gateway' })).id;
    if (!known) await send('POST', '/api/check/add_items', { session_id, channel_id: above.id });
    await send('POST', '/api/check/trace', { session_id, operator: 'Li', reference_channel_id: below.id, within_ms: 2000, settle_ms: 500 });
    return session_id;
  })()`);
  await page.evaluate(`location.hash = '#/check/${id}/run'`);
  await page.locator('[data-run="ended"]').waitFor();
}

/** Other services beside this one, and what is checked through them. */
export const SERVICE_SHOTS: readonly Shot[] = [
  { name: 'services', channel: 'Demo PCS', isOverServices: true, reach: (page) => cabinetChannel(page).waitFor() },
  {
    name: 'services-settings',
    channel: null,
    isOverServices: true,
    reach: async (page) => {
      await page.getByTestId('more-menu').click();
      await page.getByRole('menuitem').first().click();
      await page.getByTestId('settings-remotes').click();
      await page.locator(`[data-remote="${CABINET.name}"]`).waitFor();
    },
  },
  {
    name: 'services-check',
    channel: null,
    isOverServices: true,
    reach: async (page) => {
      const id = await sessionOverServices(page);
      await page.evaluate(`location.hash = '#/check/${id}'`);
      await page.getByTestId('check-item').filter({ hasText: CABINET.name }).first().waitFor();
    },
  },
  { name: 'check-gateway', channel: null, reach: gatewayRun },
  // the last one: the page goes on showing that service
  {
    name: 'services-shown',
    channel: null,
    isOverServices: true,
    reach: async (page) => {
      await cabinetChannel(page).getByRole('button').first().click();
      await page.getByTestId('shown-service').waitFor();
      await page.getByTestId('point-row').first().waitFor();
    },
  },
];
