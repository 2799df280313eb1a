import type { PublisherTarget } from '#shared/contract/publish.ts';
import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { type Clock, cancelled } from '../../../platform/clock.ts';
import type { BrokerLink, BrokerNews, BrokerOpener } from '../../../transport/types.ts';
import { type Outlet, setUp, taken } from '../outlet.ts';
import type { PublishedTable } from '../published-table.ts';
import { HostState } from './host-state.ts';
import { asksRebirth } from './payload.ts';
import { deathPayload, nodeTopic, SparkplugSession } from './session.ts';

const CONNECT_MS = 10_000;
/** Values of one look are told together. */
const BATCH = 500;
const EVERY_MS = 100;

type SparkplugTarget = Extract<PublisherTarget, { kind: 'sparkplug' }>;

/** As whom the broker is spoken to. */
export interface SparkplugIdentity {
  readonly clientId: string;
  readonly password: string | undefined;
  /** 0 to 255, another one for each connection. */
  nextBdSeq(): number;
}

/**
 * Values as an edge node of Sparkplug B (Eclipse Sparkplug 3.0). Of what the broker sends, a request to be born anew and the state of the primary host
 * are heard; nothing else is subscribed, and nothing reaches a device.
 */
export function sparkplugOutlet(
  openBroker: BrokerOpener,
  clock: Clock,
  table: PublishedTable,
  target: SparkplugTarget,
  { clientId, password, nextBdSeq }: SparkplugIdentity,
): Outlet {
  const { url, user, group, node, host, ca } = target;
  const names = { group, node };
  const [commands, stateTopic] = [nodeTopic(names, 'NCMD'), `spBv1.0/STATE/${host}`];
  const state = new HostState();
  return {
    url,
    batch: BATCH,
    underWay: 1,
    everyMs: EVERY_MS,
    isFullAtOnce: true,
    tellsPresent: true,
    async open(signal, tell) {
      const bdSeq = nextBdSeq();
      const will = { topic: nodeTopic(names, 'NDEATH'), payload: deathPayload(bdSeq, clock.wallMs()), qos: 1, retain: false } as const;
      let session: SparkplugSession | null = null;
      const heard = new Heard();
      const onNews = ({ topic, payload, isRetained }: BrokerNews) => {
        if (topic === commands && !isRetained && asksRebirth(payload)) session?.rebirth();
        if (host !== '' && topic === stateTopic) {
          state.take(payload);
          heard.tell();
        }
      };
      state.forget();
      const link = await openBroker({ url, clientId, user, password, ca, will, onNews }, CONNECT_MS, signal);
      const fault = Promise.withResolvers<AppError>();
      const running = new SparkplugSession({ link, clock, table, names, bdSeq, onFault: (thrown) => fault.resolve(toAppError(thrown)) });
      const close = async () => {
        // a disconnect in order leaves the will unsaid (MQTT 3.1.1, 3.14.4), and waits for this as long as it waits at all
        session?.end().catch(() => {});
        await link.close();
      };
      await setUp(signal, close, async () => {
        await taken(clock, url, link.subscribe(commands));
        if (host !== '') {
          await taken(clock, url, link.subscribe(stateTopic));
          await whenOnline(link, { state, heard, signal, tell }, say('publish.host_waiting', { url, host }));
        }
        session = running;
        await running.begin();
      });
      // Sparkplug 3.0, 5.4: a host that goes offline ends the session
      heard.listen(() => {
        if (host !== '' && !state.isOnline) fault.resolve(new AppError('TRANSPORT_LOST', say('publish.host_offline', { host })));
      });
      return {
        send: (values) => running.send(values),
        look: () => running.look(),
        onLost(fn) {
          link.onLost(fn);
          void fault.promise.then(fn);
        },
        close,
      };
    },
  };
}

/** One listener for what is heard of the host. */
class Heard {
  #fn: (() => void) | null = null;

  tell(): void {
    this.#fn?.();
  }

  /** Calls at once, and with all that is heard from now on. */
  listen(fn: () => void): void {
    this.#fn = fn;
    fn();
  }
}

interface Waiting {
  readonly state: HostState;
  readonly heard: Heard;
  readonly signal: AbortSignal;
  readonly tell: (waitsFor: Message) => void;
}

/** Waits until the host is online; rejects when the connection is lost, and when it is ended. */
async function whenOnline(link: BrokerLink, { state, heard, signal, tell }: Waiting, waitsFor: Message): Promise<void> {
  if (state.isOnline) return;
  tell(waitsFor);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onAbort = () => reject(cancelled());
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  link.onLost(reject);
  heard.listen(() => {
    if (state.isOnline) resolve();
  });
  await promise.finally(() => signal.removeEventListener('abort', onAbort));
}
