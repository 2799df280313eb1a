import mqtt, { type IClientOptions, type MqttClient } from 'mqtt';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { cancelled } from '../platform/clock.ts';
import type { BrokerAddress, BrokerLink, BrokerMessage, BrokerOpener } from './types.ts';
import { webError } from './web-errors.ts';

/** The broker hears of this side at least so often, in seconds; it takes it for gone after one and a half times that. */
const KEEPALIVE_S = 30;
/** Return code of a subscription that the broker refuses: MQTT 3.1.1, 3.9.3. */
const REFUSED = 0x80;
/** Octets of a message that is heard; a greater one is none of those that are waited for. */
const MOST_HEARD = 65_536;
/** A disconnect in order gets so long, in milliseconds. */
const CLOSE_MS = 1000;

/**
 * Connects to a broker with MQTT 3.1.1, a clean session and a will. One attempt: it neither connects again by itself nor keeps messages; its owner does.
 * Of mqtts:// the certificate is verified by the authorities that are given, or those of the system.
 */
export const openBroker: BrokerOpener = (address, timeoutMs, signal) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(cancelled());
      return;
    }
    const client = mqtt.connect(address.url, optionsOf(address, timeoutMs));
    let isSettled = false;
    let failure: AppError | null = null;
    const isFirst = () => {
      if (isSettled) return false;
      isSettled = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      return true;
    };
    const fail = (error: AppError) => {
      if (!isFirst()) return;
      client.end(true);
      reject(error);
    };
    const onAbort = () => fail(cancelled());
    signal?.addEventListener('abort', onAbort);
    const timer = setTimeout(
      () => fail(new AppError('TIMEOUT_CONNECT', say('publish.silent', { url: address.url, ms: timeoutMs }))),
      timeoutMs,
    );
    client.on('error', (error) => {
      failure ??= brokerError(error, address.url);
      fail(failure);
    });
    client.on('close', () => fail(new AppError('TRANSPORT_LOST', say('publish.no_broker', { url: address.url }))));
    client.on('connect', () => {
      if (isFirst()) resolve(linkOf(client, address));
    });
  });

function optionsOf({ clientId, user, password, will, ca }: BrokerAddress, timeoutMs: number): IClientOptions {
  return {
    clientId,
    ...(user !== '' && { username: user }),
    // a password needs a user: MQTT 3.1.1, 3.1.2.9
    ...(user !== '' && password !== undefined && { password }),
    protocolVersion: 4,
    ...(ca !== undefined && { ca }),
    clean: true,
    keepalive: KEEPALIVE_S,
    // its owner tries again
    reconnectPeriod: 0,
    connectTimeout: timeoutMs + 1000,
    queueQoSZero: false,
    resubscribe: false,
    will: { topic: will.topic, payload: octetsOf(will.payload), qos: will.qos, retain: will.retain },
  };
}

function octetsOf(payload: string | Uint8Array): Buffer {
  return typeof payload === 'string' ? Buffer.from(payload) : Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
}

function linkOf(client: MqttClient, { url, onNews }: BrokerAddress): BrokerLink {
  let isClosed = false;
  let lost: ((reason: AppError) => void) | null = null;
  let reason: AppError | null = null;
  let closed: Promise<void> | null = null;
  const pending = new Set<(reason: AppError) => void>();
  const end = (error: AppError) => {
    if (isClosed) return;
    isClosed = true;
    reason = error;
    client.end(true);
    for (const reject of pending) reject(error);
    pending.clear();
    lost?.(error);
  };
  client.on('error', (error) => end(brokerError(error, url)));
  client.on('close', () => end(new AppError('TRANSPORT_LOST', say('publish.lost', { url }))));
  const filters = new Set<string>();
  client.on('message', (topic, payload, { retain }) => {
    if (isClosed || payload.length > MOST_HEARD || ![...filters].some((filter) => fits(filter, topic))) return;
    onNews?.({ topic, payload, isRetained: retain });
  });
  /** Begins something that the broker answers; `begin` gets what settles it. */
  const ask = (begin: (answered: (error?: Error | null) => void) => void) =>
    new Promise<void>((resolve, reject) => {
      if (isClosed) {
        reject(reason ?? new AppError('TRANSPORT_LOST', say('publish.lost', { url })));
        return;
      }
      pending.add(reject);
      begin((error) => {
        if (!pending.delete(reject)) return;
        if (!error) resolve();
        else if (error instanceof AppError) reject(error);
        else reject(reason ?? new AppError('TRANSPORT_LOST', say('publish.lost', { url }), { cause: error }));
      });
    });
  const disconnect = async () => {
    isClosed = true;
    const error = new AppError('CANCELLED', say('publish.lost', { url }));
    for (const reject of pending) reject(error);
    pending.clear();
    await new Promise<void>((resolve) => {
      const force = setTimeout(() => {
        // an end that waits for its answers is not hurried by another one
        client.stream.destroy();
        resolve();
      }, CLOSE_MS);
      client.end(false, {}, () => {
        clearTimeout(force);
        resolve();
      });
    });
  };
  return {
    subscribe: (filter) =>
      ask((answered) => {
        filters.add(filter);
        client.subscribe(filter, { qos: 1 }, (error) => {
          const isRefused = (error as { readonly packet?: { readonly granted?: readonly unknown[] } } | null)?.packet?.granted?.includes(
            REFUSED,
          );
          answered(isRefused ? new AppError('PROTOCOL_REFUSED', say('publish.subscription', { url, filter })) : error);
        });
      }),
    publish: ({ topic, payload, qos, retain }: BrokerMessage) =>
      ask((answered) => {
        client.publish(topic, octetsOf(payload), { qos, retain }, answered);
      }),
    onLost(fn) {
      if (isClosed) fn(reason ?? new AppError('TRANSPORT_LOST', say('publish.lost', { url })));
      else lost = fn;
    },
    async close() {
      closed ??= isClosed ? Promise.resolve() : disconnect();
      await closed;
    },
  };
}

/** True for a topic that a filter asks for, in which + stands for one level; # is not used (MQTT 3.1.1, 4.7.1). */
function fits(filter: string, topic: string): boolean {
  const [wanted, levels] = [filter.split('/'), topic.split('/')];
  return wanted.length === levels.length && wanted.every((level, at) => level === '+' || level === levels[at]);
}

/** Return codes of CONNACK: MQTT 3.1.1, table 3.1. */
function brokerError(thrown: Error, url: string): AppError {
  const { code, message } = thrown as Error & { readonly code?: unknown };
  if (typeof code !== 'number') return webError(thrown, url);
  const params = { url, code, reason: message.replace(/^Connection refused: /, '') };
  if (code === 4 || code === 5) return new AppError('PROTOCOL_REFUSED', say('publish.broker_credentials', params));
  if (code === 2) return new AppError('PROTOCOL_REFUSED', say('publish.broker_id', params));
  return new AppError('PROTOCOL_REFUSED', say('publish.broker_refused', params));
}
