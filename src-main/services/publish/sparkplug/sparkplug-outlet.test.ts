import { afterEach, describe, expect, it } from 'vitest';
import { MOST_WAITING_RECORDS, type StoredPublisher } from '#shared/contract/publish.ts';
import { testPoint } from '../../../drivers/testing/points.ts';
import { silentLogger } from '../../../platform/logger.ts';
import { ManualClock } from '../../../platform/manual-clock.ts';
import { ChangeCounter } from '../../../runtime/values/change-counter.ts';
import { PublishedTable } from '../published-table.ts';
import { Publisher } from '../publisher.ts';
import { RecordQueue } from '../record-queue.ts';
import { FakeBroker } from '../testing/fake-broker.ts';
import { PublishedChannel } from '../testing/published-channel.ts';
import { readPayload, type SeenMetric } from '../testing/read-payload.ts';
import { DataType, encodeMetric, encodePayload, REBIRTH } from './payload.ts';
import { sparkplugOutlet } from './sparkplug-outlet.ts';

const COMMANDS = 'spBv1.0/Site/NCMD/Bay1';
const STATE = 'spBv1.0/STATE/scada';
const online = (timestamp: number, isOnline = true) => JSON.stringify({ online: isOnline, timestamp });

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

/** A node with the device `PCS 1`: YC P (id 1), YX Q (id 2), YC never read (id 3). */
async function setUp({ host = '', broker = new FakeBroker() } = {}) {
  const clock = new ManualClock();
  const changes = new ChangeCounter();
  const device = new PublishedChannel(clock, changes, { id: 1, name: 'PCS 1' }).add(
    testPoint({ id: 1, code: 'P', name: 'Active power', unit: 'kW' }),
    testPoint({ id: 2, code: 'Q', name: '', frame_type: 1 }),
    testPoint({ id: 3, code: 'T', name: '', unit: '°C' }),
  );
  const runtimes = [device.runtime()];
  const target = { kind: 'sparkplug', url: 'mqtt://broker', client_id: '', user: '', group: 'Site', node: 'Bay1', host } as const;
  const settings: StoredPublisher = { id: 1, name: 'Plant', enabled: true, target, devices: [], frame_types: [], codes: [] };
  const channels = { list: () => runtimes };
  const table = new PublishedTable(settings, channels);
  let bdSeq = 254;
  const nextBdSeq = () => {
    bdSeq = (bdSeq + 1) % 256;
    return bdSeq;
  };
  device.set(1, 10);
  device.set(2, 1);
  const outlet = sparkplugOutlet(broker.open, clock, table, target, { clientId: 'c', password: undefined, nextBdSeq });
  const publisher = new Publisher(settings, outlet, new RecordQueue(MOST_WAITING_RECORDS), { clock, logger: silentLogger, notice() {} });
  endings.push(() => publisher.close());
  const look = async (ms = 50) => {
    await clock.advance(ms);
    await publisher.look(runtimes, changes.last, async () => {});
    await clock.advance(0);
  };
  /** Looks as often as the service does. */
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 50) await look();
  };
  const add = (id: number, name: string) => {
    const other = new PublishedChannel(clock, changes, { id, name });
    runtimes.push(other.runtime());
    return other;
  };
  return { clock, broker, publisher, device, runtimes, look, pass, add };
}

/** Messages behind the first `from`: type, device and payload. */
function seen({ messages }: FakeBroker, from = 0) {
  return messages.slice(from).map(({ topic, payload, qos, retain }) => {
    const [, , type, , name] = topic.split('/');
    return { type, name, qos, retain, ...readPayload(payload) };
  });
}
const brief = (broker: FakeBroker, from = 0) =>
  seen(broker, from).map(({ type, seq, name }) => [type, seq, name].filter((part) => part !== undefined));
const rebirthCommand = (value = true) => encodePayload(1, [encodeMetric({ name: REBIRTH, timestamp: 1, type: DataType.boolean, value })]);

describe('an edge node of Sparkplug B', () => {
  it('subscribes its commands, then is born with its devices: names, aliases, datatypes, present values, qualities', async () => {
    const { broker, publisher, clock, look } = await setUp();
    const now = clock.wallMs();
    await look();
    await look();
    expect(broker.subscriptions).toEqual([COMMANDS]);
    expect(seen(broker)).toEqual([
      {
        type: 'NBIRTH',
        name: undefined,
        qos: 0,
        retain: false,
        timestamp: now,
        seq: 0,
        metrics: [
          { name: 'bdSeq', timestamp: now, datatype: 4, value: 255 },
          { name: 'Node Control/Rebirth', timestamp: now, datatype: 11, value: false },
        ],
      },
      {
        type: 'DBIRTH',
        name: 'PCS 1',
        qos: 0,
        retain: false,
        timestamp: now,
        seq: 1,
        metrics: [
          {
            name: 'YC/P',
            alias: 1,
            timestamp: now,
            datatype: 10,
            value: 10,
            description: 'Active power',
            properties: { Quality: 192, engUnit: 'kW' },
          },
          { name: 'YX/Q', alias: 2, timestamp: now, datatype: 11, value: true, properties: { Quality: 192 } },
          { name: 'YC/T', alias: 3, timestamp: now, datatype: 10, value: null, properties: { Quality: 0, engUnit: '°C' } },
        ],
      },
    ]);
    expect(publisher.state()).toMatchObject({ state: 'running', waiting: 0, lost: 0 });
  });

  it('is born with the values in the order of their times, those that there are none of last', async () => {
    const { broker, device, pass } = await setUp();
    device.add(testPoint({ id: 4, code: 'U' }), testPoint({ id: 5, code: 'V' }));
    for (const id of [5, 4, 1]) {
      await pass(100);
      device.set(id, 7);
    }
    await pass(10_000);
    broker.say(COMMANDS, rebirthCommand());
    await pass(100);
    const births = seen(broker).filter(({ type }) => type === 'DBIRTH');
    expect(births.at(-1)?.metrics.map(({ name }) => name)).toEqual(['YX/Q', 'YC/V', 'YC/U', 'YC/P', 'YC/T']);
  });

  it('dies by its will with the number of its birth, and by a word when it ends', async () => {
    const { broker, publisher, look } = await setUp();
    await look();
    const [{ will } = expect.fail('it did not connect')] = broker.connects;
    expect([will.topic, will.qos, will.retain]).toEqual(['spBv1.0/Site/NDEATH/Bay1', 1, false]);
    const death = readPayload(will.payload);
    expect([death.seq, death.metrics.map(({ name, value, datatype }) => [name, value, datatype])]).toEqual([
      undefined,
      [['bdSeq', 255, 4]],
    ]);
    await publisher.close();
    expect(brief(broker).at(-1)).toEqual(['NDEATH']);
    expect([seen(broker).at(-1)?.metrics[0]?.value, broker.closed]).toEqual([255, 1]);
  });

  it('tells what changes by alias alone, together, and quality where it is not good or becomes good again', async () => {
    const { broker, device, pass, clock } = await setUp();
    await pass(200);
    const data = async (change: () => void): Promise<readonly SeenMetric[]> => {
      const from = broker.messages.length;
      change();
      await pass(200);
      return seen(broker, from).flatMap(({ metrics }) => metrics);
    };
    const at = () => clock.wallMs();
    const readAt = at();
    expect(
      await data(() => {
        device.set(1, 11);
        device.set(2, 0);
      }),
    ).toEqual([
      { alias: 1, timestamp: readAt, value: 11 },
      { alias: 2, timestamp: readAt, value: false },
    ]);
    expect(await data(() => device.set(1, 12, 'invalid'))).toMatchObject([{ alias: 1, properties: { Quality: 0 } }]);
    expect(await data(() => device.set(1, 13))).toMatchObject([{ alias: 1, value: 13, properties: { Quality: 192 } }]);
    expect((await data(() => device.set(1, 14)))[0]).not.toHaveProperty('properties');
    // a breaker between its ends
    expect(await data(() => device.set(2, 2))).toMatchObject([{ alias: 2, value: null, properties: { Quality: 0 } }]);
    expect(await data(() => device.set(1, Number.NaN))).toMatchObject([{ alias: 1, properties: { Quality: 0 } }]);
    expect(await data(() => {})).toEqual([]);
  });

  it('takes the values of a device back that was left, and tells nothing of metrics that had none', async () => {
    const { broker, device, pass, publisher } = await setUp();
    await pass(200);
    const from = broker.messages.length;
    device.table.leaveDevice();
    await pass(300);
    expect(seen(broker, from).flatMap(({ metrics }) => metrics)).toMatchObject([
      { alias: 1, value: null, properties: { Quality: 0 } },
      { alias: 2, value: null, properties: { Quality: 0 } },
    ]);
    device.table.meetDevice();
    device.set(1, 5);
    await pass(200);
    expect(seen(broker).at(-1)?.metrics).toMatchObject([{ alias: 1, value: 5, properties: { Quality: 192 } }]);
    expect(publisher.state()).toMatchObject({ waiting: 0, lost: 0 });
  });

  it('counts its messages from 0 to 255 and begins again', async () => {
    const { broker, device, pass } = await setUp();
    await pass(100);
    for (let value = 0; value < 300; value++) {
      device.set(1, 1000 + value);
      await pass(100);
    }
    expect(seen(broker).map(({ seq }) => seq)).toEqual(broker.messages.map((_, index) => index % 256));
    expect(broker.messages.length).toBeGreaterThan(300);
  });

  it('is born anew when it is asked to, under the same number of its connection, and says nothing between', async () => {
    const { broker, device, pass, look } = await setUp();
    await pass(2000);
    const from = broker.messages.length;
    device.set(1, 77);
    broker.say(COMMANDS, rebirthCommand());
    await look();
    await pass(200);
    expect(brief(broker, from).slice(0, 2)).toEqual([
      ['NBIRTH', 0],
      ['DBIRTH', 1, 'PCS 1'],
    ]);
    const [node, born, ...later] = seen(broker, from);
    expect([node?.metrics[0]?.value, born?.metrics.find(({ alias }) => alias === 1)?.value]).toEqual([255, 77]);
    // the birth told it
    expect(later).toEqual([]);
  });

  it('is born once, and its devices once, however long that takes', async () => {
    const { broker, device, pass } = await setUp();
    await pass(2000);
    for (const begin of [() => broker.say(COMMANDS, rebirthCommand()), () => device.add(testPoint({ id: 20, code: 'New' }))]) {
      const from = broker.messages.length;
      const slow = Promise.withResolvers<void>();
      broker.slow = slow.promise;
      begin();
      await pass(1000);
      slow.resolve();
      await pass(1000);
      const told = brief(broker, from).map(([type]) => type);
      expect(told.filter((type) => type !== 'NBIRTH')).toEqual(['DBIRTH']);
    }
  });

  it('takes no other command, and no flood of them', async () => {
    const { broker, pass } = await setUp();
    await pass(2000);
    const from = broker.messages.length;
    broker.say(COMMANDS, rebirthCommand(false));
    broker.say(COMMANDS, encodePayload(1, [encodeMetric({ name: 'YT/P', timestamp: 1, type: DataType.double, value: 5 })]));
    broker.say(COMMANDS, 'rebirth');
    broker.say(COMMANDS, new Uint8Array(0));
    broker.say('spBv1.0/Site/DCMD/Bay1/PCS 1', rebirthCommand());
    await pass(500);
    expect(brief(broker, from)).toEqual([]);
    for (let count = 0; count < 100; count++) {
      broker.say(COMMANDS, rebirthCommand());
      await pass(50);
    }
    expect(brief(broker, from).filter(([type]) => type === 'NBIRTH').length).toBeLessThanOrEqual(6);
  });

  it('does not take what the broker had kept for a command of now', async () => {
    const broker = new FakeBroker();
    broker.say(COMMANDS, rebirthCommand(), true);
    const { pass } = await setUp({ broker });
    await pass(1500);
    // told behind the births
    broker.connects.at(-1)?.onNews?.({ topic: COMMANDS, payload: rebirthCommand(), isRetained: true });
    await pass(3000);
    expect(brief(broker)).toEqual([
      ['NBIRTH', 0],
      ['DBIRTH', 1, 'PCS 1'],
    ]);
  });

  it('whose broker is away comes back with the next number, the present values, and what was missed as history', async () => {
    const { broker, device, pass, publisher, clock } = await setUp();
    await pass(200);
    broker.lose();
    const from = broker.messages.length;
    const times: number[] = [];
    for (const value of [21, 22, 23]) {
      times.push(clock.wallMs());
      device.set(1, value);
      await pass(100);
    }
    broker.isThere = true;
    await pass(3000);
    const [node, born, ...data] = seen(broker, from);
    expect([node?.type, node?.metrics[0]?.value, node?.seq]).toEqual(['NBIRTH', 0, 0]);
    expect(born?.metrics.find(({ alias }) => alias === 1)).toMatchObject({ value: 23, timestamp: times[2] });
    expect(data.flatMap(({ metrics }) => metrics)).toEqual([
      { alias: 1, timestamp: times[0], value: 21, isHistorical: true, properties: { Quality: 192 } },
      { alias: 1, timestamp: times[1], value: 22, isHistorical: true, properties: { Quality: 192 } },
    ]);
    expect(publisher.state()).toMatchObject({ waiting: 0, lost: 0, state: 'running' });
    device.set(1, 24);
    await pass(200);
    expect(seen(broker).at(-1)?.metrics).toEqual([{ alias: 1, timestamp: expect.any(Number), value: 24 }]);
  });

  it('does not take a clock that was set back for history', async () => {
    const { broker, device, pass, clock } = await setUp();
    await pass(200);
    clock.setWall(-3_600_000);
    device.set(1, 31);
    await pass(200);
    expect(seen(broker).at(-1)?.metrics).toEqual([{ alias: 1, timestamp: expect.any(Number), value: 31 }]);
  });
});

describe('devices of a node', () => {
  it('are born anew when their table changes, alone', async () => {
    const { broker, device, pass, add } = await setUp();
    add(2, 'A/B#1').add(testPoint({ id: 9, code: 'X' }));
    await pass(200);
    const from = broker.messages.length;
    device.add(testPoint({ id: 20, code: 'New' }));
    device.set(20, 5);
    await pass(200);
    expect(brief(broker)[2]).toEqual(['DBIRTH', 2, 'A%2FB%231']);
    expect(brief(broker, from)).toEqual([['DBIRTH', 3, 'PCS 1']]);
    expect(seen(broker, from)[0]?.metrics.find(({ alias }) => alias === 20)).toMatchObject({ name: 'YC/New', value: 5 });
  });

  it('die when they are gone or have no point left, and are born when they come', async () => {
    const { broker, device, pass, runtimes, add } = await setUp();
    await pass(200);
    const from = broker.messages.length;
    device.table.remove([1, 2, 3]);
    await pass(200);
    expect(brief(broker, from)).toEqual([['DDEATH', 2, 'PCS 1']]);
    const other = add(2, 'Meter').add(testPoint({ id: 9, code: 'E' }));
    other.set(9, 3);
    await pass(200);
    runtimes.splice(1);
    await pass(200);
    expect(brief(broker, from).slice(1)).toEqual([
      ['DBIRTH', 3, 'Meter'],
      ['DDEATH', 4, 'Meter'],
    ]);
  });

  it('die a second after their line went down, behind their last values, and are born with it', async () => {
    const { broker, device, pass, publisher } = await setUp();
    await pass(200);
    const from = broker.messages.length;
    device.set(1, 99);
    device.status = 'reconnecting';
    await pass(500);
    expect(brief(broker, from)).toEqual([['DDATA', 2, 'PCS 1']]);
    await pass(1000);
    expect(brief(broker, from).slice(1)).toEqual([['DDEATH', 3, 'PCS 1']]);
    device.set(1, 100, 'invalid');
    await pass(200);
    expect([brief(broker, from).length, publisher.state().lost]).toEqual([2, 0]);
    device.status = 'running';
    await pass(200);
    expect(brief(broker, from).slice(2)).toEqual([['DBIRTH', 4, 'PCS 1']]);
    // a line that blinks is no death
    device.status = 'reconnecting';
    await pass(300);
    device.status = 'running';
    await pass(2000);
    expect(brief(broker, from).length).toBe(3);
  });

  it('that never came up are not born', async () => {
    const { broker, pass, add } = await setUp();
    const other = add(2, 'Absent').add(testPoint({ id: 9, code: 'E' }));
    other.status = 'stopped';
    await pass(2000);
    expect(brief(broker).map(([, , name]) => name)).not.toContain('Absent');
  });

  it('have words of state as numbers, and one bit as a Boolean', async () => {
    const { broker, pass, runtimes, clock } = await setUp();
    const rawRange = ({ address }: { address: number }) =>
      address === 0 ? { least: 0, most: 1 } : address === 1 ? { least: 0, most: 65_535 } : null;
    const device = new PublishedChannel(clock, new ChangeCounter(), { id: 3, name: 'RTU', rawRange }).add(
      ...[0, 1, 2].map((address) => testPoint({ id: 30 + address, code: `S${address}`, frame_type: 1, address })),
      testPoint({ id: 33, code: 'S3', frame_type: 1, protocol: { enum_texts: { 0: 'off', 2: 'on' } } }),
      testPoint({ id: 34, code: 'S4', frame_type: 2, protocol: { enum_texts: { 0: 'off', 1: 'on' } } }),
    );
    runtimes.push(device.runtime());
    await pass(200);
    const born = seen(broker).find(({ name }) => name === 'RTU');
    expect(born?.metrics.map(({ name, datatype }) => [name, datatype])).toEqual([
      ['YX/S0', 11],
      ['YX/S1', 10],
      ['YX/S2', 10],
      ['YX/S3', 10],
      ['YK/S4', 11],
    ]);
  });
});

describe('a node with a primary host', () => {
  it('waits for it, and says so; a host that was offline before it came counts as offline', async () => {
    const broker = new FakeBroker();
    broker.say(STATE, online(50, false), true);
    const { pass, publisher } = await setUp({ host: 'scada', broker });
    await pass(120_000);
    expect([broker.messages, broker.connects.length]).toEqual([[], 1]);
    expect(publisher.state()).toMatchObject({ state: 'connecting', error: { code: 'publish.host_waiting', params: { host: 'scada' } } });
    broker.say(STATE, online(60));
    await pass(200);
    expect(brief(broker).map(([type]) => type)).toEqual(['NBIRTH', 'DBIRTH']);
    expect(publisher.state()).toMatchObject({ state: 'running', error: null });
    expect(broker.subscriptions).toEqual([COMMANDS, STATE]);
  });

  it('dies when the host goes offline, and is born with a new number when it comes back', async () => {
    const broker = new FakeBroker();
    broker.say(STATE, online(50), true);
    const { pass, publisher, device } = await setUp({ host: 'scada', broker });
    await pass(200);
    // of a connection of the host before this one
    broker.say(STATE, online(49, false));
    await pass(200);
    expect(publisher.state().state).toBe('running');
    broker.say(STATE, online(50, false), true);
    await pass(200);
    expect(brief(broker).at(-1)).toEqual(['NDEATH']);
    expect(publisher.state()).toMatchObject({ state: 'failing', error: { code: 'publish.host_offline' } });
    device.set(1, 41);
    await pass(5000);
    device.set(1, 42);
    expect(publisher.state()).toMatchObject({ state: 'connecting' });
    const from = broker.messages.length;
    broker.say(STATE, online(70), true);
    await pass(300);
    const [node, born, data] = seen(broker, from);
    expect([node?.metrics[0]?.value, born?.metrics.find(({ alias }) => alias === 1)?.value]).toEqual([0, 42]);
    expect(data?.metrics).toMatchObject([{ alias: 1, value: 41, isHistorical: true }]);
  });

  it('that is ended while it waits leaves the connection, and was never born', async () => {
    const { broker, pass, publisher, clock } = await setUp({ host: 'scada' });
    await pass(200);
    await publisher.close();
    await clock.advance(0);
    expect([broker.messages, broker.closed]).toEqual([[], 1]);
  });

  it('whose broker goes while it waits tries again', async () => {
    const { broker, pass, publisher } = await setUp({ host: 'scada' });
    await pass(200);
    broker.lose();
    await pass(100);
    expect(publisher.state()).toMatchObject({ state: 'failing' });
    broker.isThere = true;
    broker.say(STATE, online(1), true);
    await pass(3000);
    expect(publisher.state()).toMatchObject({ state: 'running' });
  });
});

it('a broker that lets no command be read is told, and nothing is born', async () => {
  const broker = new FakeBroker();
  broker.refuses = (filter) => filter === COMMANDS;
  const { pass, publisher } = await setUp({ broker });
  await pass(200);
  expect(publisher.state()).toMatchObject({ state: 'failing', error: { code: 'publish.subscription', params: { filter: COMMANDS } } });
  expect([broker.messages, broker.closed]).toEqual([[], 1]);
});
