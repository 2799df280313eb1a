import { spawnSync } from 'node:child_process';
import { JsonPeer } from '../iec61850/json-peer.ts';
import { findPython } from '../python.ts';
import { expectEqual, expectSoon, type Suite } from '../report.ts';
import { Broker, hasMosquitto, Reader } from './broker.ts';

const PREFIX = 'site/bay1';

/** What Home Assistant would make of a discovery message. */
interface Entity {
  readonly state_topic: string;
  readonly value_template: string;
  readonly unit_of_measurement?: string;
  readonly availability: readonly { readonly topic: string; readonly value_template?: string }[];
}

/** Discovery messages on a real mosquitto; their templates are rendered by Jinja2, as Home Assistant renders them. */
export const homeAssistantSuite: Suite = async (service, report) => {
  if (!hasMosquitto()) return report.skip('mosquitto', 'broker and clients of Debian are not here and could not be installed');
  const found = findPython({ name: 'jinja2', version: '3.1.6', script: 'tools/interop/publish/templates.py' });
  if ('reason' in found) return report.skip('jinja2', found.reason);
  const added = { name: 'Assistant', protocol_type: 1, conn_type: 1, port: 15_033 };
  const { id: channel } = await service.ask<{ id: number }>('POST', '/api/channel/add', added);
  const points = [
    { frame_type: 3, code: 'P', name: 'Power', address: 0, decode: '0x21', unit: 'kW' },
    { frame_type: 2, code: 'Q', name: 'Breaker', address: 0 },
  ];
  const { items } = await service.ask<{ items: { id: number }[] }>('POST', '/api/device/add_points', { channel_id: channel, points });
  await service.ask('POST', '/api/device/start', { channel_id: channel });
  const set = (index: number, value: number) =>
    service.ask('PUT', '/api/device/update_point', { point_id: items[index]?.id, frame_type: points[index]?.frame_type, value });
  const broker = await Broker.start();
  const jinja = await JsonPeer.start(found.program, found.args);
  const publisher = async (more: Readonly<Record<string, unknown>>) => {
    const target = { kind: 'mqtt', url: broker.url, client_id: '', user: '', prefix: PREFIX, qos: 1, retain: true };
    const given = { name: 'Assistant', enabled: true, devices: [added.name], frame_types: [], codes: [] };
    const whole = { ...given, target: { ...target, home_assistant: { prefix: 'homeassistant' } }, ...more };
    return (await service.ask<{ id: number }>('PUT', '/api/publishers', whole)).id;
  };
  const reader = new Reader(broker, '+');
  /** Entities as they are known now, by the topic that makes them known. */
  const entitiesOf = ({ messages }: Reader) => {
    const configs = new Map(
      messages.filter(({ topic }) => topic.startsWith('homeassistant/')).map(({ topic, payload }) => [topic, payload]),
    );
    return [...configs.values()].filter((payload) => payload !== '').map((payload) => JSON.parse(payload) as Entity);
  };
  const expectEntities = async (count: number) => {
    await expectSoon('entities', async () => entitiesOf(reader).length, count, 5000);
    const late = new Reader(broker, '+');
    try {
      await expectSoon('the status', async () => late.messages.some(({ topic }) => topic.endsWith('/status')), true);
      // behind it nothing of what was retained is still to come
      spawnSync('mosquitto_pub', ['-h', '127.0.0.1', '-p', String(broker.port), '-t', 'marker/a', '-m', 'x', '-q', '1'], {
        timeout: 10_000,
      });
      await expectSoon('the marker', async () => late.last('marker/a'), 'x');
      expectEqual('entities for one who comes late', entitiesOf(late).length, count);
    } finally {
      await late.end();
    }
  };
  try {
    await set(0, 12);
    await set(1, 1);
    let id = 0;
    await report.check('home assistant: who comes late knows all entities, their states, and that they are available', async () => {
      id = await publisher({});
      await expectSoon('what was sent', async () => sent(service.ask('GET', '/api/publishers')), true);
      await expectEntities(2);
      const entities = entitiesOf(reader);
      const last = (topic: string) => reader.last(topic);
      const [power, breaker] = ['P', 'Q'].map((code) => entities.find(({ state_topic }) => state_topic.endsWith(`/${code}`)));
      const state = async (entity: Entity | undefined) =>
        jinja.ask<string>('render', entity?.value_template, last(entity?.state_topic ?? ''));
      expectEqual('states', [await state(power), await state(breaker)], ['12', 'ON']);
      expectEqual('the unit', power?.unit_of_measurement, 'kW');
      const [status, quality] = power?.availability ?? [];
      expectEqual('the status', last(status?.topic ?? ''), 'online');
      const record = JSON.parse(last(quality?.topic ?? '') ?? '{}');
      const available = (more: object) => jinja.ask('render', quality?.value_template, JSON.stringify({ ...record, ...more }));
      expectEqual('availability', [await available({}), await available({ quality: 'stale' })], ['online', 'offline']);
      const rendered = (template: string | undefined, value: unknown) =>
        jinja.ask('render', template, JSON.stringify({ ...record, value }));
      expectEqual('no value', await rendered(power?.value_template, null), 'None');
      const states: unknown[] = [];
      for (const value of [0, 1, 2, null]) states.push(await rendered(breaker?.value_template, value));
      expectEqual('states of a breaker', states, ['OFF', 'ON', 'None', 'None']);
    });
    await report.check(
      'home assistant: a point that is deleted is forgotten, also by who comes late, and so is what is published no more',
      async () => {
        await service.ask('POST', '/api/device/delete_points', { channel_id: channel, point_ids: [items[1]?.id] });
        await expectEntities(1);
        await publisher({ id, codes: ['nothing'] });
        await expectEntities(0);
        await publisher({ id });
        await expectEntities(1);
        await service.ask('DELETE', `/api/publishers?id=${id}`);
        await expectEntities(0);
      },
    );
  } finally {
    await jinja.end();
    await reader.end();
    await broker.end();
    await service.ask('DELETE', `/api/channel/delete?channel_id=${channel}`);
  }
};

async function sent(asked: Promise<unknown>): Promise<boolean> {
  const { items } = (await asked) as { items: { sent: number; waiting: number }[] };
  return items.every(({ sent, waiting }) => sent >= 2 && waiting === 0);
}
