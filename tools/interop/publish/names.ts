import { readFileSync } from 'node:fs';
import { inRoot } from '../../lib/paths.ts';
import { expectEqual, expectSoon, type Report } from '../report.ts';
import type { Service } from '../service.ts';
import { InfluxServer, PostgresServer } from './databases.ts';

/** Codes with what a line, a row and a statement could trip over. */
const CODES = ['P 1', 'a,b', 'a=b', 'say "x"', "it's", 'C:\\x', 'tab\\t', '50 %', '测点 1', '😀', 'a;DROP TABLE x', '\\N', '#1', '{"a":1}'];

const NAME = 'Odd, names=1';

interface Said {
  readonly id: number;
  readonly state: string;
  readonly sent: number;
  readonly waiting: number;
  readonly lost: number;
}

/** Codes of points arrive as they are in databases that are there. */
export async function namesArrive(service: Service, report: Report): Promise<void> {
  const added = { name: NAME, protocol_type: 1, conn_type: 1, port: 15031 };
  const { id: channel } = await service.ask<{ id: number }>('POST', '/api/channel/add', added);
  const points = CODES.map((code, index) => ({ frame_type: 3, code, name: code, address: index, decode: '0x21', unit: 'm³/h' }));
  const made = await service.ask<{ items: { id: number }[] }>('POST', '/api/device/add_points', { channel_id: channel, points });
  await service.ask('POST', '/api/device/start', { channel_id: channel });
  for (const [index, { id }] of made.items.entries())
    await service.ask('PUT', '/api/device/update_point', { point_id: id, frame_type: 3, value: index });
  const expected = CODES.map((code, index) => [code, index] as const);
  const publish = async (target: Readonly<Record<string, unknown>>, password?: string) => {
    const given = { name: 'Names', enabled: true, target, devices: [added.name], frame_types: [], codes: [] };
    const { id } = await service.ask<Said>('PUT', '/api/publishers', given);
    if (password !== undefined) await service.ask('PUT', '/api/publisher/secrets', { id, secrets: { password } });
    const one = async () => (await service.ask<{ items: Said[] }>('GET', '/api/publishers')).items.find((item) => item.id === id);
    await expectSoon('what was sent', async () => (await one())?.sent, CODES.length, 20_000);
    expectEqual('what was lost', (await one())?.lost, 0);
    await service.ask('DELETE', `/api/publishers?id=${id}`);
  };
  const inOrder = (rows: readonly (readonly unknown[])[]) => [...rows].sort((one, other) => Number(one[1]) - Number(other[1]));

  const postgres = await PostgresServer.start();
  if (!postgres) report.skip('PostgreSQL', 'it is not here and could not be installed');
  else
    await report.check('publish: PostgreSQL has odd names as they are', async () => {
      const target = {
        kind: 'postgresql',
        url: postgres.url,
        user: PostgresServer.user,
        table: 'public.odd',
        create_table: true,
        tls: false,
      };
      await publish({ ...target, every_ms: 100 }, PostgresServer.password);
      const rows = postgres.sql(
        "SELECT json_agg(json_build_array(code, value)) FROM odd WHERE name = code AND unit = 'm³/h' AND time > now() - interval '1 hour'",
      );
      expectEqual('codes and values', inOrder(JSON.parse(rows) as unknown[][]), expected);
      await refusesAnOpenTable(service, postgres);
    });
  await postgres?.end();

  await encrypted(service, report, publish);

  const influx = await InfluxServer.start();
  if (!influx) report.skip('InfluxDB 1', 'it is not here and could not be installed');
  else
    await report.check('publish: InfluxDB has odd names as they are', async () => {
      const target = { kind: 'influxdb', version: 1, url: influx.url, database: 'plant', retention_policy: '', org: '', user: '' };
      await publish({ ...target, measurement: 'odd, one', every_ms: 100 });
      const rows = await influx.query('SELECT code, value, "name", unit, device, good FROM "odd, one" WHERE time > now() - 1h');
      expectEqual('codes and values', inOrder(rows.map(([, code, value]) => [code, value])), expected);
      const others = rows.map(([, code, , name, unit, device, good]) => [name === code, unit, device, good]);
      expectEqual('name, unit, device, good', others[0], [true, 'm³/h', added.name, true]);
      expectEqual('all of them', new Set(others.map((one) => JSON.stringify(one))).size, 1);
      await countsWhatIsRefused(service, influx);
    });
  await influx?.end();
  await service.ask('DELETE', `/api/channel/delete?channel_id=${channel}`);
}

type Publish = (target: Readonly<Record<string, unknown>>, password?: string) => Promise<void>;

/** A PostgreSQL that is reached by TLS alone, with a certificate of an authority of its own. */
async function encrypted(service: Service, report: Report, publish: Publish): Promise<void> {
  const file = (name: string) => inRoot('src-main/transport/testing/certificates', `${name}.pem`);
  const postgres = await PostgresServer.start({ certificate: file('station'), key: file('station.key') });
  if (!postgres) return report.skip('PostgreSQL by TLS', 'it is not here and could not be installed');
  const target = { kind: 'postgresql', url: postgres.url, user: PostgresServer.user, table: 'coded', create_table: true, every_ms: 100 };
  await report.check('publish: PostgreSQL by TLS is trusted by its own authority alone, and says why otherwise', async () => {
    await publish({ ...target, tls: true, ca: readFileSync(file('ca'), 'utf8') }, PostgresServer.password);
    expectEqual('records', Number(postgres.sql('SELECT count(*) FROM coded')), CODES.length);
    const refused = async (rest: object, words: string) => {
      const given = { name: 'Coded', enabled: false, target: { ...target, ...rest }, devices: [], frame_types: [], codes: [] };
      const { id } = await service.ask<Said>('PUT', '/api/publishers', given);
      await service.ask('PUT', '/api/publisher/secrets', { id, secrets: { password: PostgresServer.password } });
      const { message } = await service.call('POST', '/api/publisher/test', { id });
      if (!message.includes(words)) throw new Error(`the test says ${message}`);
      await service.ask('DELETE', `/api/publishers?id=${id}`);
    };
    await refused({ tls: true, ca: readFileSync(file('other-ca'), 'utf8') }, 'signed by none of the authorities');
    await refused({ tls: true }, 'signed by none of the authorities');
    await refused({ tls: false }, 'no encryption');
  });
  await postgres.end();
}

/** A table where a record could stand twice gets none. */
async function refusesAnOpenTable(service: Service, postgres: PostgresServer): Promise<void> {
  postgres.sql('CREATE TABLE open_one (LIKE odd)');
  const target = {
    kind: 'postgresql',
    url: postgres.url,
    user: PostgresServer.user,
    table: 'open_one',
    create_table: true,
    tls: false,
    every_ms: 100,
  };
  const given = { name: 'Open', enabled: true, target, devices: [], frame_types: [], codes: [] };
  const { id } = await service.ask<Said>('PUT', '/api/publishers', given);
  const wrong = await service.call('POST', '/api/publisher/test', { id });
  if (!wrong.message.includes('asks for a password')) throw new Error(`without a password the test says ${wrong.message}`);
  await service.ask('PUT', '/api/publisher/secrets', { id, secrets: { password: PostgresServer.password } });
  const open = await service.call('POST', '/api/publisher/test', { id });
  if (!open.message.includes('no unique index over session and sequence')) throw new Error(`the test says ${open.message}`);
  await service.ask('DELETE', `/api/publishers?id=${id}`);
}

/** Where another program wrote the field with another type, every line is refused; that is counted, and holds nothing up. */
async function countsWhatIsRefused(service: Service, influx: InfluxServer): Promise<void> {
  const written = await fetch(`${influx.url}/write?db=plant`, { method: 'POST', body: 'mixed value="text"' });
  expectEqual('the status of another program', written.status, 204);
  const target = { kind: 'influxdb', version: 1, url: influx.url, database: 'plant', retention_policy: '', org: '', user: '' };
  const given = {
    name: 'Mixed',
    enabled: true,
    target: { ...target, measurement: 'mixed', every_ms: 100 },
    devices: [NAME],
    frame_types: [],
    codes: [],
  };
  const { id } = await service.ask<Said>('PUT', '/api/publishers', given);
  const one = async () => (await service.ask<{ items: Said[] }>('GET', '/api/publishers')).items.find((item) => item.id === id);
  await expectSoon('what was lost', async () => (await one())?.lost, CODES.length, 20_000);
  expectEqual('what was sent', [(await one())?.sent, (await one())?.state], [0, 'running']);
  await service.ask('DELETE', `/api/publishers?id=${id}`);
}
