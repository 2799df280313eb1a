import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Point } from '#shared/contract/points.ts';
import { quoted } from '#shared/messages/index.ts';
import { iec61850Driver } from '../drivers/iec61850/driver.ts';
import { sclText } from '../drivers/iec61850/model/testing/files.ts';
import type { Command, DriverCommandResult, ProtocolDriver } from '../drivers/spi/index.ts';
import { toyDriver } from '../drivers/testing/toy-driver.ts';
import { createDriverRegistry } from './driver-registry.ts';
import { freePort, type RunningCore, startCore, until } from './testing/running-core.ts';

/** What the device of the toy protocol says to a step. */
let told: (command: Command) => Partial<DriverCommandResult> = () => ({});

/** A protocol with selections, whose device says what the test wants. */
const selecting: ProtocolDriver = {
  ...toyDriver,
  descriptor: { ...toyDriver.descriptor, commandSteps: ['operate', 'select', 'execute', 'cancel'] },
  async connect(io, signal) {
    const connection = await toyDriver.connect(io, signal);
    connection.execute = async (command) => ({ outcome: 'accepted', stages: [], refusal: null, failure: null, ...told(command) });
    return connection;
  },
};

let running: RunningCore;
let served = 0;
let client = 0;
let toy = 0;
let points: Point[];
let toyPoint: Point;

beforeAll(async () => {
  running = await startCore({}, { drivers: createDriverRegistry([selecting, iec61850Driver]) });
  const { api } = running;
  const port = await freePort();
  const add = async (name: string, conn_type: 1 | 2) => {
    const { id } = (await api.call('addChannel', { protocol_type: 5, port, name, conn_type, timeout_ms: 10_000 })).data;
    await api.call('storeDocument', { channel_id: id, mode: 'store', file: new File([sclText('bay.cid')], 'bay.cid') });
    await api.call('startDevice', { channel_id: id });
    return id;
  };
  served = await add('Bay', 1);
  client = await add('Centre', 2);
  await until(
    async () => (await api.call('deviceModel', { channel_id: client })).data,
    ({ state, source }) => state === 'known' && source === 'device',
  );
  points = (
    await api.call('addPoints', {
      channel_id: client,
      points: [
        { frame_type: 2, code: 'FAN', reference: 'BAY1LD0/GGIO1.SPCSO1' },
        { frame_type: 3, code: 'DELAY', reference: 'Protection/PTOC1.OpDlTmms.setVal' },
        { frame_type: 1, code: 'IND1', reference: 'BAY1LD0/GGIO1.Ind1' },
      ],
    })
  ).data.items;
  const toyPort = await freePort();
  const ends = [1, 2].map((conn_type) => ({ name: `toy ${conn_type}`, conn_type: conn_type as 1 | 2 }));
  for (const end of ends) {
    toy = (await api.call('addChannel', { protocol_type: 1, port: toyPort, ip: '127.0.0.1', ...end })).data.id;
    await api.call('startDevice', { channel_id: toy });
  }
  const added = (await api.call('addPoints', { channel_id: toy, points: [{ frame_type: 3, code: 'YT', address: 8 }] })).data.items[0];
  if (!added) throw new Error('no point');
  toyPoint = added;
});
afterAll(() => running.close());

const key = (code: string) => {
  const { id, frame_type } = points.find((point) => point.code === code) ?? toyPoint;
  return { channel_id: client, point_id: id, frame_type };
};

describe('POST /api/device/command_state', () => {
  it('tells what the device says of a control, in words and as messages, and writes no audit', async () => {
    const before = (await running.api.call('listAudit', {})).data.total;
    const { data } = await running.api.call('commandState', { ...key('FAN'), options: { test: true } });
    expect(data).toMatchObject({ steps: ['operate'], selection: null, obstacle: null, obstacle_message: null });
    expect(data.missing_options).toContain('operate_at');
    expect(data.items[0]).toMatchObject({
      name: 'ctlModel',
      label: 'Control model',
      label_message: { code: 'control.label_model' },
      value: 'direct-with-normal-security',
      remark: null,
      remark_message: null,
    });
    expect(data.items.map(({ name }) => name)).toEqual(expect.arrayContaining(['stVal', 'Beh']));
    expect((await running.api.call('listAudit', {})).data.total).toBe(before);
  });

  it('of a setting: nothing is asked, and no option of a control has a place', async () => {
    const octets = async () => (await running.api.call('listChannels', {})).data.find(({ id }) => id === client)?.health.tx_bytes;
    const before = await octets();
    const { data } = await running.api.call('commandState', key('DELAY'));
    expect(data).toMatchObject({ items: [], steps: ['operate'], missing_options: expect.arrayContaining(['test', 'originator_category']) });
    expect(await octets()).toBe(before);
  });

  it('refuses what is no command, what no option is, a channel that serves, and a protocol that tells nothing', async () => {
    await expect(running.api.call('commandState', key('IND1'))).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await expect(running.api.call('commandState', { ...key('FAN'), options: { originator_category: 9 } })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      data: [expect.objectContaining({ path: 'options.originator_category' })],
    });
    const { id } = toyPoint;
    await expect(running.api.call('commandState', { channel_id: toy, point_id: id, frame_type: 3 })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('tells nothing'),
    });
    const own = (
      await running.api.call('addPoints', {
        channel_id: served,
        points: [{ frame_type: 2, code: 'OWN', reference: 'BAY1LD0/GGIO1.SPCSO1' }],
      })
    ).data.items[0];
    await expect(running.api.call('commandState', { channel_id: served, point_id: own?.id ?? 0, frame_type: 2 })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('tells nothing'),
    });
  });

  it('is declared by the descriptor, with the options of commands', async () => {
    const protocols = (await running.api.call('listProtocols', {})).data;
    const mine = protocols.find(({ protocol_type }) => protocol_type === 5);
    expect(mine).toMatchObject({ command_state: true, cancels_under_way: true });
    expect(mine?.command_options_schema).toMatchObject({
      properties: {
        test: { is_test: true },
        originator_category: { enum: [1, 2, 3, 4, 5, 6, 7, 8] },
        originator_identifier: { max_octets: 64 },
      },
    });
    expect(protocols.find(({ protocol_type }) => protocol_type === 1)).not.toHaveProperty('command_state');
  });
});

describe('POST /api/device/command', () => {
  const step = (name: 'select' | 'execute' | 'cancel') =>
    running.api.call('command', {
      channel_id: toy,
      point_id: toyPoint.id,
      frame_type: 3,
      step: name,
      value: 1,
      options: { read_back: false },
    });

  it.each([
    [30_000, false],
    [null, true],
    [null, false],
  ])('an accepted select says how long it stands: %s, endless %s', async (remainingMs, isEndless) => {
    told = () => ({ selection: { remainingMs, isEndless } });
    expect((await step('select')).data.selection).toEqual({ remaining_ms: remainingMs, is_endless: isEndless });
  });

  it('a step without a selection says nothing of one', async () => {
    told = () => ({});
    expect((await step('cancel')).data).not.toHaveProperty('selection');
  });

  it('has the state before the step, where the device told it', async () => {
    told = () => ({
      outcome: 'rejected',
      state: [{ name: 'Loc', label: quoted('On site'), value: quoted('yes'), remark: quoted('remote commands are refused') }],
    });
    expect((await step('execute')).data).toMatchObject({
      outcome: 'rejected',
      state: [{ name: 'Loc', value: 'yes', remark: 'remote commands are refused', remark_message: { code: 'common.text' } }],
    });
    expect((await running.api.call('command', { ...key('FAN'), step: 'operate', value: 1 })).data.state?.[0]?.name).toBe('ctlModel');
  });
});
