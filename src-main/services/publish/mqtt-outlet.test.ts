import { expect, it } from 'vitest';
import { ManualClock } from '../../platform/manual-clock.ts';
import { mqttOutlet, topicOf } from './mqtt-outlet.ts';
import { FakeBroker } from './testing/fake-broker.ts';

const topic = (device: string, code: string) => topicOf('site', { device, code, frameType: 0, name: '', unit: '' });

it('a topic has one level for the device and one for the code, whatever stands in their names', () => {
  expect(topic('PCS 1', 'U_ab')).toBe('site/PCS 1/YC/U_ab');
  expect(topic('柜/7', 'a+b#')).toBe('site/柜%2F7/YC/a%2Bb%23');
  expect(topic('50%', '\u0085')).toBe('site/50%25/YC/%C2%85');
});

it('no two points share a topic', () => {
  const names = ['a/b', 'a_b', 'a%2Fb', 'a+b', 'a#b', 'a b', 'a\tb'];
  expect(new Set(names.map((name) => topic('d', name))).size).toBe(names.length);
});

const TARGET = { kind: 'mqtt', url: 'mqtt://broker', client_id: '', user: '', prefix: 'site', qos: 1, retain: true } as const;
const IDENTITY = { clientId: 'c', password: undefined, session: 's', version: '1.0', owner: 'project/1' };
const TABLE = { devices: () => [], points: async () => [] };

function setUp() {
  const [broker, clock, end] = [new FakeBroker(), new ManualClock(), new AbortController()];
  const opened = mqttOutlet(broker.open, clock, TABLE, TARGET, IDENTITY).open(end.signal, () => {});
  const said = () => broker.messages.map(({ payload }) => payload);
  return { broker, clock, end, opened, said };
}

it('says online again when the broker has told offline of one before it that is gone', async () => {
  const { broker, clock, opened, said } = setUp();
  const link = await opened;
  await clock.advance(45_000);
  broker.say('site/status', 'offline', true);
  await clock.advance(20_000);
  expect(said()).toEqual(['online', 'online']);
  await clock.advance(200_000);
  await link.close();
  expect([said(), clock.pending]).toEqual([['online', 'online', 'offline'], 0]);
});

it('gives up a broker that stands and takes nothing, and says so', async () => {
  const { broker, clock, opened } = setUp();
  const slow = Promise.withResolvers<void>();
  broker.slow = slow.promise;
  let told: unknown = null;
  opened.catch((error: unknown) => {
    told = error;
  });
  await clock.advance(31_000);
  slow.resolve();
  await clock.advance(0);
  expect(told).toMatchObject({ code: 'TIMEOUT_RESPONSE', said: { code: 'publish.not_taken' } });
  expect([broker.closed, clock.pending]).toEqual([1, 0]);
});

it('that is ended while the broker is silent waits for nothing, and leaves no online', async () => {
  const { broker, clock, end, opened, said } = setUp();
  const slow = Promise.withResolvers<void>();
  broker.slow = slow.promise;
  await clock.advance(100);
  end.abort();
  slow.resolve();
  await expect(opened).rejects.toMatchObject({ code: 'CANCELLED' });
  expect([said().at(-1), broker.closed, clock.pending]).toEqual(['offline', 1, 0]);
});

it('tells of points that have no value where what was told of them before stands there still', () => {
  const tells = (more: object) => mqttOutlet(new FakeBroker().open, new ManualClock(), TABLE, { ...TARGET, ...more }, IDENTITY).tellsUnread;
  expect([tells({}), tells({ retain: false }), tells({ retain: false, home_assistant: { prefix: 'ha' } })]).toEqual([true, false, true]);
});
