import { spawnSync } from 'node:child_process';
import { JsonPeer } from '../iec61850/json-peer.ts';
import { findPython } from '../python.ts';
import { expectEqual, expectSoon, type Suite } from '../report.ts';
import { Broker, hasMosquitto } from './broker.ts';

/** What its mqtt integration asks for, and would install by itself. */
const ALSO = [
  ...['paho-mqtt==1.6.1', 'aiohttp_cors==0.7.0', 'aiohttp-fast-url-dispatcher==0.3.0', 'aiohttp-zlib-ng==0.3.1', 'janus==1.0.0'],
];

/** An entity as Home Assistant shows it. */
interface Shown {
  readonly entity: string;
  readonly name: string;
  readonly device: string;
  readonly state: string;
  readonly unit: string | null;
  readonly deviceClass: string | null;
  readonly stateClass: string | null;
}

interface Assistant {
  readonly isRunning: boolean;
  readonly entities: readonly Shown[];
  readonly errors: readonly string[];
}

const SERVED = [
  { frame_type: 3, code: 'P', name: 'Power', address: 0, decode: '0x21', unit: 'kW' },
  { frame_type: 3, code: 'U', name: 'Voltage', address: 1, decode: '0x21', unit: 'V' },
  { frame_type: 3, code: 'E', name: 'Energy', address: 2, decode: '0x21', unit: 'kWh' },
  { frame_type: 3, code: 'T', name: 'Oil', address: 3, decode: '0x21', unit: '°C' },
  { frame_type: 3, code: 'N', name: '', address: 4, decode: '0x21', unit: '%' },
  { frame_type: 2, code: 'Q', name: 'Breaker', address: 0 },
] as const;
const VALUES = [12, 230, 4711, -5, 50, 1];

/** Home Assistant itself, with its mqtt integration, beside a real mosquitto: what it makes of our discovery messages. */
export const assistantSuite: Suite = async (service, report) => {
  if (!hasMosquitto()) return report.skip('mosquitto', 'broker and clients of Debian are not here and could not be installed');
  const found = findPython({ name: 'homeassistant', version: '2024.3.3', also: ALSO, script: 'tools/interop/publish/assistant.py' });
  if ('reason' in found) return report.skip('Home Assistant', found.reason);
  const channel = async (added: object) => (await service.ask<{ id: number }>('POST', '/api/channel/add', added)).id;
  const points = async (id: number, given: readonly object[]) =>
    (await service.ask<{ items: { id: number }[] }>('POST', '/api/device/add_points', { channel_id: id, points: given })).items;
  const served = await channel({ name: 'Plant', protocol_type: 1, conn_type: 1, port: 15_034 });
  const items = await points(served, SERVED);
  // its device is not there, so it is never read
  const silent = await channel({ name: 'Away', protocol_type: 1, conn_type: 2, ip: '127.0.0.1', port: 1 });
  await points(silent, [{ frame_type: 0, code: 'F', name: 'Frequency', address: 0, decode: '0x21', unit: 'Hz' }]);
  await service.ask('POST', '/api/device/start', { channel_id: served });
  const set = (index: number, value: number) =>
    service.ask('PUT', '/api/device/update_point', { point_id: items[index]?.id, frame_type: SERVED[index]?.frame_type, value });
  const broker = await Broker.start();
  const assistant = await JsonPeer.start(found.program, found.args);
  const publisher = async (more: Readonly<Record<string, unknown>> = {}, prefix = 'site/bay 1') => {
    const target = { kind: 'mqtt', url: broker.url, client_id: 'fixed', user: '', prefix, qos: 1, retain: true };
    const given = { name: 'Assistant', enabled: true, devices: ['Plant', 'Away'], frame_types: [], codes: [] };
    const whole = { ...given, target: { ...target, home_assistant: { prefix: 'homeassistant' } }, ...more };
    return (await service.ask<{ id: number }>('PUT', '/api/publishers', whole)).id;
  };
  const asked = () => assistant.ask<Assistant>('state');
  const states = async () => Object.fromEntries((await asked()).entities.map(({ name, state }) => [name, state]));
  const shown = ['12', '230', '4711', '-5', '50', 'on'];
  const plant = Object.fromEntries(SERVED.map(({ name, code }, index) => [name || code, shown[index]]));
  const sorted = (given: object) => JSON.stringify(Object.entries(given).sort());
  const expectStates = (what: string, wanted: object) => expectSoon(what, async () => sorted(await states()), sorted(wanted), 15_000);
  /** Behind a loss it hears values again before it hears discovery: waits until an entity of another one comes, and goes. */
  const hearsDiscovery = async () => {
    const marker = { name: 'Marker', unique_id: 'marker', state_topic: 'marker/a' };
    for (const payload of [JSON.stringify(marker), '']) {
      const where = ['-h', '127.0.0.1', '-p', String(broker.port), '-q', '1', '-r', '-t', 'homeassistant/sensor/marker/marker/config'];
      spawnSync('mosquitto_pub', [...where, ...(payload === '' ? ['-n'] : ['-m', payload])], { timeout: 10_000 });
      await expectSoon('the marker', async () => 'Marker' in (await states()), payload !== '', 30_000);
    }
  };
  try {
    for (const [index, value] of VALUES.entries()) await set(index, value);
    await assistant.ask('begin', broker.port);
    await expectSoon('that it runs', async () => (await asked()).isRunning, true, 90_000);
    let id = 0;
    await report.check(
      'assistant: Home Assistant has each point with value, unit, class and device, and one that was never read unavailable',
      async () => {
        id = await publisher();
        await expectStates('states', { ...plant, Frequency: 'unavailable' });
        const { entities, errors } = await asked();
        const kinds = Object.fromEntries(
          entities.map(({ name, entity, unit, deviceClass, stateClass, device }) => [
            name,
            [entity, unit, deviceClass, stateClass, device],
          ]),
        );
        expectEqual('Power', kinds.Power, ['sensor', 'kW', 'power', 'measurement', 'Plant']);
        expectEqual('Voltage', kinds.Voltage, ['sensor', 'V', 'voltage', 'measurement', 'Plant']);
        expectEqual('Energy', kinds.Energy, ['sensor', 'kWh', 'energy', 'total', 'Plant']);
        expectEqual('Oil', kinds.Oil, ['sensor', '°C', 'temperature', 'measurement', 'Plant']);
        expectEqual('N', kinds.N, ['sensor', '%', null, null, 'Plant']);
        expectEqual('Breaker', kinds.Breaker, ['binary_sensor', null, null, null, 'Plant']);
        expectEqual('Frequency', kinds.Frequency, ['sensor', 'Hz', 'frequency', 'measurement', 'Away']);
        expectEqual(
          'what it logged',
          errors.filter((line) => /mqtt|sensor/.test(line)),
          [],
        );
      },
    );
    await report.check('assistant: values follow, and nothing is available while the broker or this side is gone', async () => {
      await set(0, 13);
      await set(5, 0);
      const now = { ...plant, Power: '13', Breaker: 'off' };
      await expectStates('states', { ...now, Frequency: 'unavailable' });
      const none = Object.fromEntries([...Object.keys(now), 'Frequency'].map((name) => [name, 'unavailable']));
      await publisher({ id, enabled: false });
      await expectStates('states while it is off', none);
      await publisher({ id });
      await expectStates('states when it is on again', { ...now, Frequency: 'unavailable' });
      await broker.kill();
      await expectStates('states without broker', none);
      await broker.run();
      await hearsDiscovery();
      // what it kept is gone with it: discovery, status and values come anew
      await expectStates('states with a broker that knows nothing', { ...now, Frequency: 'unavailable' });
    });
    await report.check(
      'assistant: a point that is deleted goes, one that is renamed comes anew, and all go with the publisher',
      async () => {
        await service.ask('POST', '/api/device/delete_points', { channel_id: served, point_ids: [items[5]?.id] });
        await expectSoon('names', async () => Object.keys(await states()).includes('Breaker'), false, 15_000);
        await publisher({ id, codes: ['P', 'U'] });
        await expectStates('states of those that are left', { Power: '13', Voltage: '230' });
        await publisher({ id, codes: ['P', 'U'] }, 'moved');
        await expectStates('states under other topics', { Power: '13', Voltage: '230' });
        await service.ask('DELETE', `/api/publishers?id=${id}`);
        await expectStates('states without publisher', {});
        // of the broker that was killed it may have heard by a word of the connection, or by a socket that broke
        expectEqual(
          'what it logged',
          (await asked()).errors.filter((line) => /mqtt|sensor/.test(line) && !/broker|[Cc]onnect|socket/.test(line)),
          [],
        );
      },
    );
  } finally {
    const { items: left } = await service.ask<{ items: { id: number }[] }>('GET', '/api/publishers');
    for (const { id } of left) await service.ask('DELETE', `/api/publishers?id=${id}`);
    await assistant.end();
    await broker.end();
    for (const id of [served, silent]) await service.ask('DELETE', `/api/channel/delete?channel_id=${id}`);
  }
};
