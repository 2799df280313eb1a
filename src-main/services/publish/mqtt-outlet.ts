import type { PublisherTarget } from '#shared/contract/publish.ts';
import type { BrokerOpener } from '../../transport/types.ts';
import type { Outlet } from './outlet.ts';
import type { AboutPoint, PublishedValue } from './record-queue.ts';
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
}

/**
 * Each value as one message of JSON under `prefix/device/type/code`. `prefix/status` is `online` while the connection stands, and `offline` by the will of
 * the connection, both retained.
 */
export function mqttOutlet(openBroker: BrokerOpener, target: MqttTarget, { clientId, password, session }: MqttIdentity): Outlet {
  const { url, user, prefix, qos, retain } = target;
  const status = (payload: string) => ({ topic: `${prefix}/status`, payload, qos, retain: true });
  return {
    url,
    batch: 1,
    underWay: UNDER_WAY,
    everyMs: 0,
    keepsLast: retain,
    async open() {
      const link = await openBroker({ url, clientId, user, password, will: status('offline') }, CONNECT_MS);
      try {
        await link.publish(status('online'));
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
        onLost: (fn) => link.onLost(fn),
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
export async function tryBroker(openBroker: BrokerOpener, target: MqttTarget, { clientId, password }: MqttIdentity): Promise<void> {
  const { url, user, prefix } = target;
  const will = { topic: `${prefix}/test`, payload: '', qos: 0, retain: false } as const;
  const link = await openBroker({ url, clientId: `${clientId}-test`, user, password, will }, CONNECT_MS);
  await link.close();
}

/** Topic of a point; what cannot stand in a level of a topic (MQTT 3.1.1, 4.7) is written as `%` and its octets of UTF-8, so that no two points share one. */
export function topicOf(prefix: string, { device, frameType, code }: AboutPoint): string {
  return [prefix, level(device), KIND_NAMES[frameType], level(code)].join('/');
}

function level(text: string): string {
  return text.replace(/[%/+#\p{Cc}]/gu, (char) => encodeURIComponent(char));
}

function payloadOf(value: PublishedValue, session: string): string {
  return JSON.stringify({ ...valueRecord(value), session });
}
