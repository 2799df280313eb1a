import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { expectEqual, expectSoon, type Report } from '../report.ts';
import type { Service } from '../service.ts';
import { Broker, hasMosquitto } from './broker.ts';
import { InfluxServer, type Killable, PostgresServer } from './databases.ts';
import { Gate } from './gate.ts';

const POINTS = 200;
/** With 200 points 1,000 values a second. */
const STEP_MS = 200;
const PREFIX = 'site/outage';
const KEEP = { mb: 2048, hours: 24 };
/** Messages of MQTT that are under way at once, so as many may come twice by each loss. */
const UNDER_WAY = 20;

interface Said {
  readonly id: number;
  readonly name: string;
  readonly state: string;
  readonly session: string;
  readonly sequence: number;
  readonly sent: number;
  readonly waiting: number;
  readonly lost: number;
}

/** What came at a target. */
interface Arrived {
  /** Different sequences, and the greatest of them. */
  readonly sequences: number;
  readonly greatest: number;
  /** Sequences that stand for two different values, or stand there twice where that is not told apart. */
  readonly doubled: number;
  /** Records that came again, the same. */
  readonly repeated: number;
}

interface Target {
  readonly name: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly secret?: string;
  readonly server: Killable;
  /** Begins again, so that nothing is missed by whoever counts. */
  back(): Promise<void>;
  arrived(): Promise<Arrived>;
  end(): Promise<void>;
}

/** All records of a topic prefix as mosquitto_sub sees them, counted by sequence. */
class Counter {
  readonly seen = new Map<number, string>();
  repeated = 0;
  doubled = 0;
  probes = 0;
  readonly #child: ChildProcess;

  constructor(port: number) {
    // quality of service 0: what the broker took is handed on at once, and nothing of it waits in a broker that is killed
    const args = ['-h', '127.0.0.1', '-p', String(port), '-t', `${PREFIX}/#`, '-q', '0', '-F', '%t %p'];
    this.#child = spawn('mosquitto_sub', args, { stdio: ['ignore', 'pipe', 'ignore'] });
    if (!this.#child.stdout) throw new Error('mosquitto_sub has no output');
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#take(line));
  }

  #take(line: string): void {
    const topic = line.slice(0, line.indexOf(' '));
    if (topic === `${PREFIX}/probe`) this.probes += 1;
    if (topic === `${PREFIX}/probe` || topic === `${PREFIX}/status`) return;
    const { sequence, session, code, value, time } = JSON.parse(line.slice(topic.length + 1)) as Record<string, string> & {
      sequence: number;
    };
    const said = `${session} ${code} ${value} ${time}`;
    const before = this.seen.get(sequence);
    if (before === undefined) this.seen.set(sequence, said);
    else if (before === said) this.repeated += 1;
    else this.doubled += 1;
  }

  async end(): Promise<void> {
    this.#child.kill('SIGKILL');
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit');
  }
}

async function mosquitto(): Promise<Target | null> {
  if (!hasMosquitto()) return null;
  // a reader that is slow for a moment loses nothing
  const broker = await Broker.start(undefined, ['max_queued_messages 0', 'max_queued_bytes 0']);
  const gate = await Gate.to(broker.port);
  const counter = new Counter(broker.port);
  const isRead = async () => {
    const before = counter.probes;
    const args = ['-h', '127.0.0.1', '-p', String(broker.port), '-t', `${PREFIX}/probe`, '-m', 'x'];
    for (let tries = 0; counter.probes === before && tries < 100; tries++) {
      spawnSync('mosquitto_pub', args, { timeout: 10_000 });
      await wait(200);
    }
    if (counter.probes === before) throw new Error('mosquitto_sub does not come back');
  };
  await isRead();
  return {
    name: 'mosquitto',
    settings: { kind: 'mqtt', url: `mqtt://127.0.0.1:${gate.port}`, client_id: '', user: '', prefix: PREFIX, qos: 1, retain: false },
    server: broker,
    async back() {
      // the reader stands before the first record comes
      gate.isOpen = false;
      await broker.run();
      await isRead();
      gate.isOpen = true;
    },
    async arrived() {
      const { seen, doubled, repeated } = counter;
      let greatest = 0;
      for (const sequence of seen.keys()) greatest = Math.max(greatest, sequence);
      return { sequences: seen.size, greatest, doubled, repeated };
    },
    async end() {
      gate.close();
      await counter.end();
      await broker.end();
    },
  };
}

async function postgres(): Promise<Target | null> {
  const server = await PostgresServer.start();
  if (!server) return null;
  return {
    name: 'PostgreSQL',
    settings: {
      kind: 'postgresql',
      url: server.url,
      user: PostgresServer.user,
      table: 'loopcheck_values',
      create_table: true,
      tls: false,
      every_ms: 1000,
    },
    secret: PostgresServer.password,
    server,
    back: () => server.run(),
    async arrived() {
      const answer = server.sql('SELECT count(*), count(DISTINCT sequence), max(sequence), count(DISTINCT session) FROM loopcheck_values');
      const [rows = 0, sequences = 0, greatest = 0, sessions = 0] = answer.split('|').map(Number);
      expectEqual('the sessions in the table', sessions, 1);
      return { sequences, greatest, doubled: rows - sequences, repeated: 0 };
    },
    end: () => server.end(),
  };
}

async function influx(): Promise<Target | null> {
  const server = await InfluxServer.start();
  if (!server) return null;
  return {
    name: 'InfluxDB',
    settings: {
      kind: 'influxdb',
      version: 1,
      url: server.url,
      database: 'plant',
      retention_policy: '',
      org: '',
      user: '',
      measurement: 'loopcheck',
      every_ms: 1000,
    },
    server,
    back: () => server.run(),
    async arrived() {
      const [[, rows, greatest] = []] = await server.query('SELECT count("sequence"), max("sequence") FROM loopcheck');
      const [[, sequences] = []] = await server.query('SELECT count("distinct") FROM (SELECT distinct("sequence") FROM loopcheck)');
      return { sequences: Number(sequences), greatest: Number(greatest), doubled: Number(rows) - Number(sequences), repeated: 0 };
    },
    end: () => server.end(),
  };
}

const KINDS: readonly (readonly [string, () => Promise<Target | null>])[] = [
  ['mosquitto', mosquitto],
  ['PostgreSQL', postgres],
  ['InfluxDB 1', influx],
];

/** Kills every target that can be had for so many seconds while 1,000 values a second are to go there, and counts what came by sequence. */
export async function outage(service: Service, report: Report, seconds: number): Promise<void> {
  const targets: Target[] = [];
  for (const [name, start] of KINDS) {
    const target = await start();
    if (target) targets.push(target);
    else report.skip(name, 'it is not here and could not be installed');
  }
  try {
    if (targets.length > 0) await run(service, report, seconds, targets);
  } finally {
    for (const target of targets) await target.end();
  }
}

async function run(service: Service, report: Report, seconds: number, targets: readonly Target[]): Promise<void> {
  const added = { name: 'Outage', protocol_type: 1, conn_type: 1, port: 15030 };
  const { id: channel } = await service.ask<{ id: number }>('POST', '/api/channel/add', added);
  const points = Array.from({ length: POINTS }, (_, index) => ({
    frame_type: 0,
    code: `P${index}`,
    address: index * 2,
    decode: '0x41',
    protocol: { simulate: 'last + 1' },
  }));
  await service.ask('POST', '/api/device/add_points', { channel_id: channel, points });
  await service.ask('PUT', '/api/simulation', { channel_id: channel, period_ms: STEP_MS });
  for (const { name, settings, secret } of targets) {
    const given = { name, enabled: true, target: settings, devices: ['Outage'], frame_types: [], codes: [], keep: KEEP };
    const { id } = await service.ask<Said>('PUT', '/api/publishers', given);
    if (secret !== undefined) await service.ask('PUT', '/api/publisher/secrets', { id, secrets: { password: secret } });
  }
  const names = new Set(targets.map(({ name }) => name));
  const all = async () => (await service.ask<{ items: Said[] }>('GET', '/api/publishers')).items.filter(({ name }) => names.has(name));
  await service.ask('POST', '/api/device/start', { channel_id: channel });
  const began = performance.now();
  let states: readonly Said[] = [];
  await report.check(`publish: all targets take values, are killed for ${seconds} s, and are reached again`, async () => {
    await expectSoon('publishers that sent', async () => (await all()).filter(({ sent }) => sent > 1000).length, targets.length, 30_000);
    await Promise.all(targets.map(({ server }) => server.kill()));
    await wait(seconds * 1000);
    const failing = await all();
    const rate = (failing[0]?.sequence ?? 0) / ((performance.now() - began) / 1000);
    console.log(
      `        ${Math.round(rate)} values a second; waiting ${failing.map(({ name, waiting }) => `${name} ${waiting}`).join(', ')}`,
    );
    expectEqual('publishers that fail', failing.filter(({ state }) => state === 'failing').length, targets.length);
    for (const target of targets) await target.back();
    const backAt = performance.now();
    const limitMs = 120_000 + seconds * 1000;
    await expectSoon(
      'publishers that caught up',
      async () => (await all()).filter(({ waiting }) => waiting < 3000).length,
      targets.length,
      limitMs,
    );
    console.log(`        caught up ${Math.round((performance.now() - backAt) / 1000)} s behind the return`);
    await service.ask('PUT', '/api/simulation', { channel_id: channel, is_on: false });
    await expectSoon('publishers with something waiting', async () => (await all()).filter(({ waiting }) => waiting > 0).length, 0, 30_000);
    states = await all();
  });
  for (const { name, arrived } of targets) {
    const state = states.find((one) => one.name === name);
    await report.check(`publish: ${name} has each of ${state?.sequence} records once: 0 lost, 0 doubled by sequence`, async () => {
      if (!state) throw new Error('it was not reached again');
      expectEqual('what the publisher lost', state.lost, 0);
      // the last of it may still be on the way to the reader
      await expectSoon('the sequences that came', async () => (await arrived()).sequences, state.sequence, 5000);
      const { greatest, doubled, repeated } = await arrived();
      expectEqual('the greatest sequence', greatest, state.sequence);
      expectEqual('sequences that stand for two records', doubled, 0);
      if (repeated > UNDER_WAY) throw new Error(`${repeated} records came again, more than were under way`);
      if (repeated > 0) console.log(`        ${repeated} came again under their sequence`);
    });
  }
  for (const { id } of await all()) await service.ask('DELETE', `/api/publishers?id=${id}`);
  await service.ask('DELETE', `/api/channel/delete?channel_id=${channel}`);
}
