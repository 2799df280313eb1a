import { JsonPeer } from '../iec61850/json-peer.ts';
import { findPython } from '../python.ts';
import { expectEqual, expectSoon, type Report, type Suite } from '../report.ts';
import type { Service } from '../service.ts';
import { Broker, hasMosquitto } from './broker.ts';

const [GROUP, NODE, DEVICE] = ['Site', 'Bay 1', 'Sparkplug'];

interface Metric {
  readonly value: unknown;
  readonly quality: number;
  readonly type: string;
  readonly unit: string;
  readonly description: string;
  readonly history: readonly unknown[];
}

/** What the host application knows: see the head of sparkplug_host.py. */
interface Known {
  readonly online: boolean;
  readonly bdSeq: number;
  readonly births: number;
  readonly deaths: number;
  readonly devices: Readonly<
    Record<string, { readonly online: boolean; readonly births: number; readonly metrics: Readonly<Record<string, Metric>> }>
  >;
  readonly faults: readonly string[];
}

interface Said {
  readonly id: number;
  readonly state: string;
  readonly waiting: number;
  readonly lost: number;
  readonly error: string | null;
}

/** An edge node of Sparkplug B on a real mosquitto, read by pysparkplug, whose host keeps the rules of the standard. */
export const sparkplugSuite: Suite = async (service, report) => {
  if (!hasMosquitto()) return report.skip('mosquitto', 'broker and clients of Debian are not here and could not be installed');
  const found = findPython({ name: 'pysparkplug', version: '0.6.1', script: 'tools/interop/publish/sparkplug_host.py' });
  if ('reason' in found) return report.skip('pysparkplug', found.reason);
  const { id: channel } = await service.ask<{ id: number }>('POST', '/api/channel/add', {
    name: DEVICE,
    protocol_type: 1,
    conn_type: 1,
    port: 15_032,
  });
  const points = [
    { frame_type: 3, code: 'P', name: 'Power', address: 0, decode: '0x21', unit: 'kW' },
    { frame_type: 2, code: 'Q1', name: 'Breaker', address: 0 },
    { frame_type: 0, code: '功率/A', name: '', address: 4, decode: '0x42', unit: 'm³/h' },
  ];
  const { items } = await service.ask<{ items: { id: number }[] }>('POST', '/api/device/add_points', { channel_id: channel, points });
  await service.ask('POST', '/api/device/start', { channel_id: channel });
  const set = (index: number, value: number) =>
    service.ask('PUT', '/api/device/update_point', { point_id: items[index]?.id, frame_type: points[index]?.frame_type, value });
  const broker = await Broker.start();
  const host = await JsonPeer.start(found.program, found.args);
  try {
    await host.ask('connect', broker.port);
    await checks({ service, report, broker, host, channel, set });
  } finally {
    await host.end();
    await broker.end();
    await service.ask('DELETE', `/api/channel/delete?channel_id=${channel}`);
  }
};

interface World {
  readonly service: Service;
  readonly report: Report;
  readonly broker: Broker;
  readonly host: JsonPeer;
  readonly channel: number;
  set(index: number, value: number): Promise<unknown>;
}

async function checks({ service, report, broker, host, channel, set }: World): Promise<void> {
  const known = () => host.ask<Known>('state');
  const metric = async (name: string) => (await known()).devices[DEVICE]?.metrics[name];
  const value = async (name: string) => (await metric(name))?.value;
  const publisher = async (more: Readonly<Record<string, unknown>> = {}, id?: number) => {
    const target = { kind: 'sparkplug', url: broker.url, client_id: '', user: '', group: GROUP, node: NODE, host: '', ...more };
    const given = { name: 'Node', enabled: true, target, devices: [DEVICE], frame_types: [], codes: [], ...(id !== undefined && { id }) };
    return (await service.ask<Said>('PUT', '/api/publishers', given)).id;
  };
  const said = async () => (await service.ask<{ items: Said[] }>('GET', '/api/publishers')).items[0];
  await set(0, 12);
  let id = 0;

  await report.check('sparkplug: a node is born with its device: names, datatypes, units, values', async () => {
    id = await publisher();
    await expectSoon('the node', async () => (await known()).online, true);
    await expectSoon('power', () => value('YT/P'), 12);
    const { type, unit, description, quality } = (await metric('YT/P')) ?? {};
    expectEqual('datatype, unit, description, quality', [type, unit, description, quality], ['DOUBLE', 'kW', 'Power', 192]);
    expectEqual('the breaker', (await metric('YK/Q1'))?.type, 'BOOLEAN');
    expectEqual('the unit of another one', (await metric('YC/功率/A'))?.unit, 'm³/h');
  });
  await report.check('sparkplug: 300 changes arrive, through the whole range of seq', async () => {
    for (let count = 1; count <= 300; count++) {
      await set(0, count);
      if (count % 30 === 0) await expectSoon('power', () => value('YT/P'), count);
    }
    for (const state of [1, 0, 1]) {
      await set(1, state);
      await expectSoon('the breaker', () => value('YK/Q1'), state === 1);
    }
    for (let count = 301; count <= 560; count++) {
      await set(0, count);
      await expectSoon('power', () => value('YT/P'), count);
    }
  });
  await report.check('sparkplug: a request for a rebirth is followed, any other command is not', async () => {
    const { births, bdSeq } = await known();
    await host.ask('rebirth', GROUP, NODE);
    await expectSoon('births', async () => (await known()).births, births + 1);
    await expectSoon('power', () => value('YT/P'), 560);
    await host.ask('command', GROUP, NODE, 'YK/Q1', false);
    await host.ask('command', GROUP, NODE, 'Node Control/Reboot', true);
    await set(0, 561);
    await expectSoon('power', () => value('YT/P'), 561);
    expectEqual('the breaker', await value('YK/Q1'), true);
    const now = await known();
    expectEqual('births and number of the connection', [now.births, now.bdSeq], [births + 1, bdSeq]);
  });
  await report.check('sparkplug: a new point is born with its device, and a device that stops dies', async () => {
    const point = { frame_type: 3, code: 'P2', address: 10, decode: '0x21' };
    await service.ask('POST', '/api/device/add_points', { channel_id: channel, points: [point] });
    await expectSoon('the new metric', async () => (await metric('YT/P2'))?.type, 'DOUBLE');
    await service.ask('POST', '/api/device/stop', { channel_id: channel });
    await expectSoon('the device', async () => (await known()).devices[DEVICE]?.online, false, 5000);
    await service.ask('POST', '/api/device/start', { channel_id: channel });
    await expectSoon('the device again', async () => (await known()).devices[DEVICE]?.online, true, 5000);
  });
  await report.check(
    'sparkplug: a broker that is killed gets the next number, the present value, and what was missed as history',
    async () => {
      await set(0, 600);
      await expectSoon('power', () => value('YT/P'), 600);
      const before = await known();
      await broker.kill();
      await expectSoon('the state without broker', async () => (await said())?.state, 'failing', 5000);
      for (const missed of [601, 602, 603]) {
        await set(0, missed);
        await expectSoon('what waits', async () => ((await said())?.waiting ?? 0) >= missed - 600, true);
      }
      await broker.run();
      await expectSoon('births', async () => (await known()).births > before.births, true, 20_000);
      await expectSoon('power', () => value('YT/P'), 603, 20_000);
      await expectSoon('history', async () => (await metric('YT/P'))?.history, [601, 602]);
      const after = await known();
      expectEqual('the number of the connection', after.bdSeq !== before.bdSeq, true);
      expectEqual('what was lost', (await said())?.lost, 0);
    },
  );
  await report.check('sparkplug: with a primary host nothing is said before it is online, and the node dies with it', async () => {
    await host.ask('host', 'scada', false, 1000);
    const before = await known();
    id = await publisher({ host: 'scada' }, id);
    await expectSoon('the death of the session before', async () => (await known()).online, false, 5000);
    await expectSoon('what it waits for', async () => (await said())?.error?.includes('scada is online'), true, 5000);
    expectEqual('births', (await known()).births, before.births);
    await host.ask('host', 'scada', true, 2000);
    await expectSoon('the node', async () => (await known()).online, true, 5000);
    await host.ask('host', 'scada', false, 1999);
    await set(0, 700);
    await expectSoon('power', () => value('YT/P'), 700);
    await host.ask('host', 'scada', false, 2000);
    await expectSoon('the node without host', async () => (await known()).online, false, 5000);
  });
  await report.check('sparkplug: a publisher that is deleted dies, and the host found no fault in all of it', async () => {
    await host.ask('host', 'scada', true, 3000);
    await expectSoon('the node', async () => (await known()).online, true, 10_000);
    await service.ask('DELETE', `/api/publishers?id=${id}`);
    await expectSoon('the node at the end', async () => (await known()).online, false, 5000);
    expectEqual('faults', (await known()).faults, []);
  });
}
