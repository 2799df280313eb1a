import type { PublisherTarget } from '#shared/contract/publish.ts';
import { type AppError, toAppError } from '#shared/domain/errors.ts';
import type { BrokerNews, BrokerOpener } from '../../transport/types.ts';
import { Announcer } from './home-assistant/announcer.ts';
import type { Outlet } from './outlet.ts';
import type { PublishedTable } from './published-table.ts';
import type { AboutPoint, PublishedValue } from './record-queue.ts';
import { topicLevel } from './topic-level.ts';
import { KIND_NAMES, valueRecord } from './value-json.ts';

const CONNECT_MS = 10_000;
/** Messages that are under way at the same time: a broker with 100 ms takes 200 a second of QoS 1. */
const UNDER_WAY = 20;

type MqttTarget = Extract<PublisherTarget, { kind: 'mqtt' }>;

/** As whom the broker is spoken to. */
export interface MqttIdentity {
  readonly clientId: string;
  readonly password: string | undefined;
  /** Stands in each record. */
  readonly session: string;
  /** Of this program. */
  readonly version: string;
}

/**
 * Each value as one message of JSON under `prefix/device/type/code`. `prefix/status` is `online` while the connection stands, and `offline` by the will of
 * the connection, both retained. Where it is asked for, Home Assistant is told of the points of `table`.
 */
export function mqttOutlet(
  openBroker: BrokerOpener,
  table: Pick<PublishedTable, 'devices' | 'points' | 'isUnread'>,
  target: MqttTarget,
  { clientId, password, session, version }: MqttIdentity,
): Outlet {
  const { url, user, prefix, qos, retain, ca } = target;
  const status = (payload: string) => ({ topic: `${prefix}/status`, payload, qos, retain: true });
  return {
    url,
    batch: 1,
    underWay: UNDER_WAY,
    everyMs: 0,
    keepsLast: retain,
    async open() {
      const fault = Promise.withResolvers<AppError>();
      let announcer: Announcer | null = null;
      const onNews = (news: BrokerNews) => announcer?.take(news);
      const link = await openBroker({ url, clientId, user, password, ca, will: status('offline'), onNews }, CONNECT_MS);
      try {
        await link.publish(status('online'));
        if (target.home_assistant) {
          const announced = { discoveryPrefix: target.home_assistant.prefix, prefix, qos, version, isKept: retain };
          const onFault = (thrown: unknown) => fault.resolve(toAppError(thrown));
          announcer = new Announcer({ link, table, announced, topicOf: (about) => topicOf(prefix, about), onFault });
          await announcer.begin();
        }
      } catch (error) {
        await link.close();
        throw error;
      }
      return {
        async send(values) {
          for (const value of values)
            await link.publish({ topic: topicOf(prefix, value.about), payload: payloadOf(value, value.session ?? session), qos, retain });
          return 'taken';
        },
        look: () => announcer?.look(),
        retire: async () => announcer?.retire().catch(() => {}),
        onLost(fn) {
          link.onLost(fn);
          void fault.promise.then(fn);
        },
        async close() {
          // a disconnect in order leaves the will unsaid: MQTT 3.1.1, 3.14.4
          await link.publish(status('offline')).catch(() => {});
          await link.close();
        },
      };
    },
  };
}

/** Connects and disconnects under another client id, so that the connection that stands is not ended by it; leaves no will. */
export async function tryBroker(
  openBroker: BrokerOpener,
  target: Extract<PublisherTarget, { kind: 'mqtt' | 'sparkplug' }>,
  { clientId, password }: Pick<MqttIdentity, 'clientId' | 'password'>,
): Promise<void> {
  const { url, user, ca } = target;
  const topic = target.kind === 'mqtt' ? `${target.prefix}/test` : 'loopcheck/test';
  const will = { topic, payload: '', qos: 0, retain: false } as const;
  const link = await openBroker({ url, clientId: `${clientId}-test`, user, password, ca, will }, CONNECT_MS);
  await link.close();
}

/** Topic of a point; of no other one. */
export function topicOf(prefix: string, { device, frameType, code }: AboutPoint): string {
  return [prefix, topicLevel(device), KIND_NAMES[frameType], topicLevel(code)].join('/');
}

function payloadOf(value: PublishedValue, session: string): string {
  return JSON.stringify({ ...valueRecord(value), session });
}
