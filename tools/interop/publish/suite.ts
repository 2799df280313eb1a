import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { inRoot } from '../../lib/paths.ts';
import { expectEqual, expectSoon, type Report, type Suite } from '../report.ts';
import type { Service } from '../service.ts';
import { Broker, hasMosquitto, Reader } from './broker.ts';

const USER = { name: 'plant', password: 'secret of the plant' };
const PREFIX = 'site/bay1';
const TOPIC = `${PREFIX}/Published/YT/P`;

interface Said {
  readonly id: number;
  readonly state: string;
  readonly sent: number;
  readonly waiting: number;
  readonly lost: number;
  readonly error: string | null;
}

/** Values of a served device go to a real mosquitto, and mosquitto_sub reads them. */
export const publishSuite: Suite = async (service, report) => {
  if (!hasMosquitto()) return report.skip('mosquitto', 'broker and clients of Debian are not here and could not be installed');
  const channel = await service.ask<{ id: number }>('POST', '/api/channel/add', {
    name: 'Published',
    protocol_type: 1,
    conn_type: 1,
    port: 15029,
  });
  const point = { frame_type: 3, code: 'P', name: 'Power', address: 0, decode: '0x21', unit: 'kW' };
  const added = await service.ask<{ items: { id: number }[] }>('POST', '/api/device/add_points', {
    channel_id: channel.id,
    points: [point],
  });
  await service.ask('POST', '/api/device/start', { channel_id: channel.id });
  const set = (value: number) => service.ask('PUT', '/api/device/update_point', { point_id: added.items[0]?.id, frame_type: 3, value });
  await set(1);
  for (const qos of [0, 1, 2] as const) await valuesArrive(service, report, set, qos);
  await withUser(service, report, set);
  await broken(service, report, set);
  await encrypted(service, report, set);
  await service.ask('DELETE', `/api/channel/delete?channel_id=${channel.id}`);
};

type SetValue = (value: number) => Promise<unknown>;

async function publisher(service: Service, broker: Broker, more: Readonly<Record<string, unknown>> = {}, id?: number): Promise<number> {
  const target = { kind: 'mqtt', url: broker.url, client_id: '', user: '', prefix: PREFIX, qos: 1, retain: true, ...more };
  const given = {
    name: 'Interop',
    enabled: true,
    target,
    devices: ['Published'],
    frame_types: [],
    codes: [],
    ...(id !== undefined && { id }),
  };
  return (await service.ask<Said>('PUT', '/api/publishers', given)).id;
}

async function said(service: Service, id: number): Promise<Said> {
  const { items } = await service.ask<{ items: Said[] }>('GET', '/api/publishers');
  const one = items.find((item) => item.id === id);
  if (!one) throw new Error(`there is no publisher ${id}`);
  return one;
}

async function valuesArrive(service: Service, report: Report, set: SetValue, qos: 0 | 1 | 2): Promise<void> {
  await report.check(`publish: mosquitto takes values with QoS ${qos}, and a late reader gets the retained ones`, async () => {
    const broker = await Broker.start();
    const reader = new Reader(broker, PREFIX);
    try {
      const id = await publisher(service, broker, { qos });
      await expectSoon('the status', async () => reader.last(`${PREFIX}/status`), 'online');
      for (const value of [10, 20, 30]) {
        await set(value);
        await expectSoon('the value', async () => reader.values(TOPIC).at(-1), value);
      }
      const late = new Reader(broker, PREFIX);
      try {
        await expectSoon('the retained value', async () => [late.values(TOPIC), late.messages.every(({ isRetained }) => isRetained)], [
          [30],
          true,
        ]);
      } finally {
        await late.end();
      }
      await expectSoon('what waits', async () => (await said(service, id)).waiting, 0);
      expectEqual('what was lost', (await said(service, id)).lost, 0);
      await service.ask('DELETE', `/api/publishers?id=${id}`);
      await expectSoon('the status at the end', async () => reader.last(`${PREFIX}/status`), 'offline');
    } finally {
      await reader.end();
      await broker.end();
    }
  });
}

async function withUser(service: Service, report: Report, set: SetValue): Promise<void> {
  await report.check('publish: a broker with users refuses without password, and takes it with one', async () => {
    const broker = await Broker.start(USER);
    const reader = new Reader(broker, PREFIX, USER);
    try {
      const id = await publisher(service, broker, { user: USER.name });
      await expectSoon('the state', async () => (await said(service, id)).state, 'failing');
      const { error } = await said(service, id);
      if (!error?.includes('does not accept user and password')) throw new Error(`the error is ${error}`);
      const test = await service.call('POST', '/api/publisher/test', { id });
      expectEqual('the test', test.status, 502);
      await service.ask('PUT', '/api/publisher/secrets', { id, secrets: { password: USER.password } });
      await set(41);
      await expectSoon('the value', async () => reader.values(TOPIC).at(-1), 41);
      await service.ask('POST', '/api/publisher/test', { id });
      expectEqual('the state behind the test', (await said(service, id)).state, 'running');
      await service.ask('DELETE', `/api/publishers?id=${id}`);
    } finally {
      await reader.end();
      await broker.end();
    }
  });
}

/** A mosquitto that is reached by TLS alone, with a certificate of an authority of its own. */
async function encrypted(service: Service, report: Report, set: SetValue): Promise<void> {
  const file = (name: string) => inRoot('src-main/transport/testing/certificates', `${name}.pem`);
  await report.check('publish: a broker with a private authority is trusted by that one alone, and says why otherwise', async () => {
    const lines = [`certfile ${file('station')}`, `keyfile ${file('station.key')}`];
    const broker = await Broker.start(undefined, lines);
    try {
      const url = broker.url.replace('mqtt:', 'mqtts:');
      const ca = readFileSync(file('ca'), 'utf8');
      const id = await publisher(service, broker, { url, ca });
      await set(61);
      await expectSoon('the state', async () => (await said(service, id)).state, 'running');
      await expectSoon('what waits', async () => (await said(service, id)).waiting, 0);
      for (const other of [readFileSync(file('other-ca'), 'utf8'), undefined]) {
        await publisher(service, broker, { url, ca: other }, id);
        await expectSoon('the state', async () => (await said(service, id)).state, 'failing');
        const { error } = await said(service, id);
        if (!error?.includes('signed by none of the authorities')) throw new Error(`the error is ${error}`);
      }
      await service.ask('DELETE', `/api/publishers?id=${id}`);
    } finally {
      await broker.end();
    }
  });
}

async function broken(service: Service, report: Report, set: SetValue): Promise<void> {
  await report.check('publish: a broker that is killed and comes back gets what waited, and then the present value', async () => {
    const broker = await Broker.start();
    try {
      const id = await publisher(service, broker);
      await expectSoon('what was sent', async () => (await said(service, id)).sent, 1);
      await broker.kill();
      await expectSoon('the state without broker', async () => (await said(service, id)).state, 'failing');
      for (const value of [51, 52, 53]) {
        await set(value);
        await expectSoon('what waits', async () => (await said(service, id)).waiting, value - 50);
      }
      await broker.run();
      const reader = new Reader(broker, PREFIX);
      try {
        await expectSoon('the state again', async () => (await said(service, id)).state, 'running', 20_000);
        await expectSoon('the last value', async () => reader.values(TOPIC).at(-1), 53);
        await expectSoon('what waits', async () => (await said(service, id)).waiting, 0);
        expectEqual('what was lost', (await said(service, id)).lost, 0);
      } finally {
        await reader.end();
      }
      await service.ask('DELETE', `/api/publishers?id=${id}`);
    } finally {
      await broker.end();
    }
  });
  await report.check('publish: a publisher that is killed is told offline by its will', async () => {
    const broker = await Broker.start();
    const reader = new Reader(broker, PREFIX);
    try {
      const id = await publisher(service, broker);
      await expectSoon('the status', async () => reader.last(`${PREFIX}/status`), 'online');
      // another client with its name: the broker drops the first one without a word from it
      const { items } = await service.ask<{ items: { id: number; session: string }[] }>('GET', '/api/publishers');
      const name = `loopcheck-${items.find((item) => item.id === id)?.session}-${id}`;
      spawnSync('mosquitto_pub', ['-h', '127.0.0.1', '-p', String(broker.port), '-i', name, '-t', 'elsewhere/a', '-m', 'x'], {
        timeout: 10_000,
      });
      await expectSoon(
        'the will',
        async () =>
          reader.messages
            .filter(({ topic }) => topic === `${PREFIX}/status`)
            .map(({ payload }) => payload)
            .includes('offline'),
        true,
      );
      await expectSoon('the status later', async () => reader.last(`${PREFIX}/status`), 'online', 10_000);
      await service.ask('DELETE', `/api/publishers?id=${id}`);
    } finally {
      await reader.end();
      await broker.end();
    }
  });
}
