import type { PublisherTarget } from '#shared/contract/publish.ts';
import { type AppError, toAppError } from '#shared/domain/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { BrokerNews, BrokerOpener } from '../../transport/types.ts';
import { Announcer } from './home-assistant/announcer.ts';
import { type Outlet, setUp, taken } from './outlet.ts';
import type { PublishedTable } from './published-table.ts';
import type { AboutPoint, PublishedValue } from './record-queue.ts';
import { topicLevel } from './topic-level.ts';
import { KIND_NAMES, valueRecord } from './value-json.ts';

const CONNECT_MS = 10_000;
/** Messages that are under way at the same time: a broker with 100 ms takes 200 a second of QoS 1. */
const UNDER_WAY = 20;
/**
 * `online` is said again so long behind the first, in milliseconds: a process that was killed, or a line that was cut, is told `offline` by the broker up to 45 s
 * late, over the word of the one that came after it.
 */
const ONLINE_AGAIN_MS = 60_000;

type MqttTarget = Extract<PublisherTarget, { kind: 'mqtt' }>;

/** As whom the broker is spoken to. */
export interface MqttIdentity {
  readonly clientId: string;
  readonly password: string | undefined;
  /** Stands in each record. */
  readonly session: string;
  /** Of this program. */
  readonly version: string;
  /** Stands for this publisher of this project, and for no other one. */
  readonly owner: string;
}

/**
 * Each value as one message of JSON under `prefix/device/type/code`. `prefix/status` is `online` while the connection stands, and `offline` by the will of
 * the connection, both retained. Where it is asked for, Home Assistant is told of the points of `table`.
 */
export function mqttOutlet(
  openBroker: BrokerOpener,
  clock: Clock,
  table: Pick<PublishedTable, 'devices' | 'points'>,
  target: MqttTarget,
  { clientId, password, session, version, owner }: MqttIdentity,
): Outlet {
  const { url, user, prefix, qos, retain, ca } = target;
  const told = new Set<string>();
  const status = (payload: string) => ({ topic: `${prefix}/status`, payload, qos, retain: true });
  return {
    url,
    batch: 1,
    underWay: UNDER_WAY,
    everyMs: 0,
    keepsLast: retain,
    tellsUnread: retain || target.home_assistant !== undefined,
    async open(signal) {
      const fault = Promise.withResolvers<AppError>();
      let announcer: Announcer | null = null;
      const onNews = (news: BrokerNews) => announcer?.take(news);
      const link = await openBroker({ url, clientId, user, password, ca, will: status('offline'), onNews }, CONNECT_MS, signal);
      const sayOnline = () => link.publish(status('online'));
      const cancelAgain = clock.after(ONLINE_AGAIN_MS, () => void sayOnline().catch(() => {}));
      const close = async () => {
        cancelAgain();
        // a disconnect in order leaves the will unsaid (MQTT 3.1.1, 3.14.4), and waits for this as long as it waits at all
        link.publish(status('offline')).catch(() => {});
        await link.close();
      };
      await setUp(signal, close, async () => {
        await taken(clock, url, sayOnline());
        if (!target.home_assistant) return;
        const announced = { discoveryPrefix: target.home_assistant.prefix, prefix, owner, qos, version };
        const onFault = (thrown: unknown) => fault.resolve(toAppError(thrown));
        announcer = new Announcer({ link, table, announced, topicOf: (about) => topicOf(prefix, about), told, onFault });
        await taken(clock, url, announcer.begin());
      });
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
        close,
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
