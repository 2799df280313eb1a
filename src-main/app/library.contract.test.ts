import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LARGEST_TEMPLATE } from '#shared/contract/library.ts';
import { BUILT_IN } from '../services/device-library/built-in.ts';
import { createLazyDrivers } from './lazy-drivers.ts';
import { type ManualCore, startManualCore } from './testing/manual-core.ts';
import { freePort, type RunningCore, startCore } from './testing/running-core.ts';

const running: RunningCore[] = [];
afterEach(async () => {
  for (const core of running.splice(0)) await core.close();
});

async function start(dataDir?: string): Promise<RunningCore> {
  const core = await startCore(dataDir === undefined ? {} : { dataDir }, { drivers: createLazyDrivers() });
  running.push(core);
  return core;
}

const readAll = async (core: RunningCore, device_name: string) => {
  await core.api.call('manualRead', { device_name, mode: 'batch' });
  await expect.poll(async () => (await core.api.call('manualReadStatus', { device_name })).data.state, { timeout: 20_000 }).toBe('idle');
};
const rowsOf = async ({ api }: Pick<RunningCore, 'api'>, channel_id: number) =>
  (await api.call('pointTable', { channel_id, page: 1, page_size: 1000 })).data.items;
const send = (core: RunningCore, content: unknown) =>
  core.send({
    method: 'POST',
    url: '/api/library/file',
    file: { name: 'x.json', bytes: new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content)) },
  });
const channelOf = (points: readonly object[], more: object = {}) => ({
  format: 'loopcheck-project',
  version: 1,
  device: { name: 'Mine' },
  channels: [{ protocol_type: 1, conn_type: 2, points, ...more }],
});

describe('every template that comes with the program', () => {
  it.each(Object.keys(BUILT_IN))('%s makes a channel and a simulated device, both without a word of complaint', async (id) => {
    const core = await start();
    const { items, unreadable } = (await core.api.call('listTemplates', {})).data;
    expect(unreadable).toEqual([]);
    const row = items.find((item) => item.id === id);
    expect(row).toMatchObject({ built_in: true, name_zh: expect.stringMatching(/\p{Script=Han}|DL/u) });
    const served = row?.conn_type === 0 ? 3 : 1;
    const asking = (await core.api.call('useTemplate', { id, conn_type: row?.conn_type })).data;
    const simulated = (await core.api.call('useTemplate', { id, conn_type: served })).data;
    expect(asking).toMatchObject({ name: row?.name, point_count: row?.points, status: 'stopped' });
    expect(simulated).toMatchObject({ name: `${row?.name} 2`, point_count: row?.points, conn_type: served });
    expect((await rowsOf(core, asking.id)).filter(({ protocol }) => 'start_value' in protocol)).toEqual([]);
    expect(row?.start_values).toBeGreaterThan(0);
  });

  it.each(
    Object.entries(BUILT_IN).filter(
      ([, content]) => (content as { channels: { protocol_type: number }[] }).channels[0]?.protocol_type !== 2,
    ),
  )(
    '%s: the channel reads from the simulated device what the template says',
    async (id) => {
      const core = await start();
      const port = await freePort();
      const device = (await core.api.call('useTemplate', { id, conn_type: 1, port, name: 'Device' })).data;
      const client = (await core.api.call('useTemplate', { id, conn_type: 2, port, name: 'Client' })).data;
      await core.api.call('startDevice', { channel_id: device.id });
      await core.api.call('startDevice', { channel_id: client.id });
      // what it serves is the same behind a stop, whether the protocol goes on with it or begins anew
      await core.api.call('stopDevice', { channel_id: device.id });
      await core.api.call('startDevice', { channel_id: device.id });
      await core.api.call('stopDevice', { channel_id: client.id });
      await core.api.call('startDevice', { channel_id: client.id });
      await readAll(core, 'Client');
      const want = (await rowsOf(core, device.id)).flatMap(({ code, frame_type, protocol }) =>
        typeof protocol.start_value === 'number' && frame_type !== 2 && protocol.simulate === undefined
          ? [[code, protocol.start_value] as const]
          : [],
      );
      const got = new Map((await rowsOf(core, client.id)).map(({ code, value, quality }) => [code, { value, quality }]));
      const { points: formulas } = (await core.api.call('simulation', { channel_id: device.id })).data;
      if (formulas === 0) expect(want.length).toBeGreaterThan(3);
      for (const [code, value] of want) {
        expect(got.get(code), code).toMatchObject({ quality: 'good' });
        expect(Math.abs((got.get(code)?.value ?? Number.NaN) - value), code).toBeLessThanOrEqual(Math.max(1e-5 * Math.abs(value), 1e-6));
      }
    },
    60_000,
  );
});

describe('device models', () => {
  let plant: ManualCore;
  beforeEach(async () => {
    plant = await startManualCore();
  });
  afterEach(() => plant.close());

  /** The simulated device of a template, started. */
  async function served(id: string) {
    const { api } = plant.core;
    const { id: channel_id } = (await api.call('useTemplate', { id, conn_type: 1, port: plant.network.freePort() })).data;
    await Promise.all([api.call('startDevice', { channel_id }), plant.clock.advance(100)]);
    const simulation = async () => (await api.call('simulation', { channel_id })).data;
    const values = async () => Object.fromEntries((await rowsOf(plant.core, channel_id)).map(({ code, value }) => [code, value]));
    const command = async (code: string, value: number) => {
      const point_id = (await rowsOf(plant.core, channel_id)).find((row) => row.code === code)?.id ?? 0;
      await api.call('updatePoint', { point_id, frame_type: 2, value });
    };
    return { channel_id, simulation, values, command };
  }

  it.each(Object.keys(BUILT_IN).filter((id) => id.startsWith('model-')))('%s: every formula gives a value that is served', async (id) => {
    const { channel_id, simulation } = await served(id);
    await plant.core.api.call('setSimulation', { channel_id, speed: 100 });
    await plant.clock.advance(10_000);
    const { steps, points, faults } = await simulation();
    expect(steps).toBeGreaterThan(5);
    expect(points).toBeGreaterThan(5);
    expect(faults).toEqual([]);
    for (const { code, quality } of await rowsOf(plant.core, channel_id)) expect([code, quality]).toEqual([code, 'good']);
  });

  it('follow their commands: a breaker opens, its line is dead, its operations are counted', async () => {
    const { values, command } = await served('model-breaker-tcp');
    await plant.clock.advance(2000);
    expect(await values()).toMatchObject({ CB: 1, LIVE: 1, SPRING: 1 });
    await command('CB_CTRL', 0);
    await plant.clock.advance(2000);
    expect(await values()).toMatchObject({ CB: 0, LIVE: 0, I: 0, P: 0, CB_COUNT: 126, SPRING: 1 });
    await command('CB_CTRL', 1);
    await plant.clock.advance(2000);
    expect(await values()).toMatchObject({ CB: 1, LIVE: 1, CB_COUNT: 127, SPRING: 0 });
    await plant.clock.advance(5000);
    expect(await values()).toMatchObject({ SPRING: 0 });
    await plant.clock.advance(3000);
    expect(await values()).toMatchObject({ SPRING: 1 });
    await plant.clock.advance(20_000);
    expect(await values()).toMatchObject({ CB: 1, SPRING: 1 });
  });

  it('follow their commands: a tap changer goes up once for each command, and not beyond its end', async () => {
    const { channel_id, simulation, values, command } = await served('model-tap-changer-tcp');
    await plant.core.api.call('setSimulation', { channel_id, speed: 50, period_ms: 50 });
    await plant.clock.advance(1000);
    // a command that is there from the first step on is no new one
    expect((await simulation()).steps).toBeGreaterThan(2);
    expect(await values()).toMatchObject({ TAP: 9, MOVING: 0 });
    for (let wanted = 10; wanted <= 11; wanted++) {
      await command('RAISE', 1);
      await plant.clock.advance(2000);
      expect(await values()).toMatchObject({ WANTED: wanted, TAP: wanted, MOVING: 0, COUNT: 4031 + wanted - 9 });
      await command('RAISE', 0);
      await plant.clock.advance(200);
    }
  });
});

describe('a template of a channel', () => {
  it('has its settings, points and present values, and nothing of its place; used it gives them back', async () => {
    const core = await start();
    const port = await freePort();
    const { api } = core;
    const made = (
      await api.call('addChannel', { name: 'Feeder 7', protocol_type: 1, conn_type: 1, port, max_gap: 4, note: 'n', group: 'here' })
    ).data;
    await api.call('addPoints', {
      channel_id: made.id,
      points: [
        { frame_type: 0, code: 'U', address: 0, mul_coe: 0.1, decode: '0x20', slave_id: 9 },
        { frame_type: 2, code: 'Q', address: 3, slave_id: 9 },
        { frame_type: 0, code: 'NEVER', address: 8, decode: '0x20', slave_id: 9 },
      ],
    });
    await api.call('startDevice', { channel_id: made.id });
    const [u] = await rowsOf(core, made.id);
    await api.call('updatePoint', { point_id: u?.id ?? 0, frame_type: 0, value: 23.1 });
    const row = (await api.call('makeTemplate', { channel_id: made.id, name: '馈线 7/x', about: 'two words' })).data;
    expect(row).toMatchObject({
      id: 'own-馈线-7-x',
      built_in: false,
      points: 3,
      slaves: [9],
      start_values: expect.any(Number),
      about: 'two words',
    });
    const file = (await api.call('templateFile', { id: row.id })).data;
    expect(file.name).toBe('馈线 7_x.device.json');
    const { channels, device } = JSON.parse(new TextDecoder().decode(file.bytes));
    expect(device).toEqual({ name: '馈线 7/x', about: 'two words' });
    for (const key of ['name', 'ip', 'com_port', 'auto_start', 'group']) expect(channels[0]).not.toHaveProperty(key);
    expect(channels[0]).toMatchObject({
      max_gap: 4,
      note: 'n',
      points: [{ code: 'U', protocol: { start_value: 23.1 } }, { code: 'Q' }, {}],
    });
    expect(channels[0].points[1].protocol).toEqual({});

    const used = (await api.call('useTemplate', { id: row.id, conn_type: 2, ip: '10.1.2.3', port: 1502, slave_id: 12 })).data;
    expect(used).toMatchObject({ name: '馈线 7/x', conn_type: 2, ip: '10.1.2.3', port: 1502, max_gap: 4, point_count: 3, group: '' });
    expect((await rowsOf(core, used.id)).map(({ slave_id, protocol }) => [slave_id, protocol])).toEqual([
      [12, {}],
      [12, {}],
      [12, {}],
    ]);
  });

  it('is exchanged as a file: another service takes it, lists it after a restart, and deletes it', async () => {
    const one = await start();
    const made = (await one.api.call('addChannel', { name: 'A', protocol_type: 1, conn_type: 2 })).data;
    await one.api.call('addPoints', { channel_id: made.id, points: [{ frame_type: 0, code: 'U', address: 0 }] });
    const { id } = (await one.api.call('makeTemplate', { channel_id: made.id, name: 'Pump' })).data;
    const { bytes } = (await one.api.call('templateFile', { id })).data;
    const other = await start();
    expect((await send(other, new TextDecoder().decode(bytes))).body).toMatchObject({ data: { id, name: 'Pump', points: 1 } });
    expect(readdirSync(join(other.dir, 'devices'))).toEqual(['own-pump.device.json']);
    expect((await other.api.call('listTemplates', {})).data.items.at(-1)).toMatchObject({ id, built_in: false });
    await other.api.call('deleteTemplate', { id });
    expect((await other.api.call('listTemplates', {})).data.items.some((item) => item.id === id)).toBe(false);
    await expect(other.api.call('useTemplate', { id })).rejects.toMatchObject({ status: 404 });
  });

  it('never takes the place of one of another name, however alike', async () => {
    const core = await start();
    const made = (await core.api.call('addChannel', { name: 'A', protocol_type: 1, conn_type: 2 })).data;
    const names = ['Pump 1', 'Pump/1', `${'馈线'.repeat(38)}甲`, `${'馈线'.repeat(38)}乙`];
    for (const name of [...names, 'Pump/1']) await core.api.call('makeTemplate', { channel_id: made.id, name, about: 'kept' });
    const own = (await core.api.call('listTemplates', {})).data.items.filter(({ built_in }) => !built_in);
    expect(own.map(({ name }) => name).sort()).toEqual([...names].sort());
    expect(new Set(own.map(({ id }) => id)).size).toBe(names.length);
  });

  it('takes the text form of one channel, named by the channel', async () => {
    const core = await start();
    const made = (await core.api.call('addChannel', { name: 'Panel', protocol_type: 1, conn_type: 2 })).data;
    const text = new TextDecoder().decode((await core.api.call('projectText', { channel_id: made.id })).data.bytes);
    expect((await send(core, text)).body).toMatchObject({ data: { name: 'Panel', id: 'own-panel' } });
  });
});

describe('what is no template', () => {
  it.each([
    ['{', 'is no JSON'],
    ['[]', 'must be "loopcheck-project"'],
    [{ format: 'loopcheck-project', version: 2, channels: [] }, 'must be 1'],
    [{ format: 'loopcheck-project', version: 1, channels: [] }, 'must hold one channel; it has 0'],
    [{ ...channelOf([]), channels: [{}, {}] }, 'must hold one channel; it has 2'],
    [channelOf([1 as unknown as object]), 'must be a list of points'],
  ])('%j is refused with what is wrong', async (content, words) => {
    const core = await start();
    const { status, body } = await send(core, content);
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain(JSON.stringify(words).slice(1, -1));
  });

  it('is told by the place of each wrong setting and point, and nothing is kept', async () => {
    const core = await start();
    const { status, body } = await send(core, channelOf([{ frame_type: 0, code: 'U', address: -1 }], { max_gap: 9999 }));
    expect(status).toBe(422);
    const paths = (body as { data: { path: string }[] }).data.map(({ path }) => path);
    expect(paths).toContain('channels[0].max_gap');
    expect(await send(core, channelOf([{ frame_type: 0, code: 'U', address: 0, decode: '0x99' }]))).toMatchObject({ status: 422 });
    expect((await core.api.call('listTemplates', {})).data.items.filter(({ built_in }) => !built_in)).toEqual([]);
  });

  it('in the folder is named with its reason, and keeps nobody from the others', async () => {
    const core = await start();
    const folder = join(core.dir, 'devices');
    mkdirSync(folder);
    writeFileSync(join(folder, 'torn.device.json'), '{"format": "loopch');
    writeFileSync(join(folder, 'huge.device.json'), ' '.repeat(LARGEST_TEMPLATE + 1));
    mkdirSync(join(folder, 'folder.device.json'));
    writeFileSync(join(folder, 'good.device.json'), JSON.stringify(channelOf([])));
    const { items, unreadable } = (await core.api.call('listTemplates', {})).data;
    expect(items.filter(({ built_in }) => !built_in)).toMatchObject([{ id: 'good', name: 'Mine' }]);
    expect(unreadable.map(({ file }) => file)).toEqual(['huge.device.json', 'torn.device.json']);
    await expect(core.api.call('useTemplate', { id: 'torn' })).rejects.toMatchObject({ status: 422 });
    await expect(core.api.call('useTemplate', { id: '../../etc/passwd' })).rejects.toMatchObject({ status: 404 });
  });

  it('a name that is taken, that a built-in one has, or without a letter is refused', async () => {
    const core = await start();
    const { api } = core;
    const made = (await api.call('addChannel', { name: 'A', protocol_type: 1, conn_type: 2 })).data;
    await expect(api.call('makeTemplate', { channel_id: made.id, name: 'Line bay (IEC 104)' })).rejects.toMatchObject({ status: 422 });
    await expect(api.call('makeTemplate', { channel_id: made.id, name: '***' })).rejects.toMatchObject({ status: 422 });
    await expect(api.call('deleteTemplate', { id: 'iec104-bay' })).rejects.toMatchObject({ status: 409 });
    await expect(api.call('useTemplate', { id: 'iec104-bay', name: 'A' })).rejects.toMatchObject({ status: 409 });
    await expect(api.call('useTemplate', { id: 'iec61850-bay', slave_id: 1 })).rejects.toMatchObject({ status: 422 });
    await expect(api.call('useTemplate', { id: 'iec104-bay', conn_type: 0 })).rejects.toMatchObject({ status: 422 });
  });
});
