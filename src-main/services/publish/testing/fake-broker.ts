import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { BrokerAddress, BrokerLink, BrokerMessage } from '../../../transport/types.ts';

/** A broker in memory with one client: it keeps what is retained, tells it to whom subscribes, and refuses, loses and says what a test asks for. */
export class FakeBroker {
  readonly connects: BrokerAddress[] = [];
  readonly messages: BrokerMessage[] = [];
  readonly subscriptions: string[] = [];
  readonly retained = new Map<string, Uint8Array>();
  closed = 0;
  isThere = true;
  /** What is published goes no further before this has passed. */
  slow: Promise<void> = Promise.resolve();
  /** Filters that may not be read. */
  refuses: (filter: string) => boolean = () => false;
  #lost: ((reason: AppError) => void) | null = null;
  #isLost = false;
  #filters: string[] = [];

  /** Opens a connection, as `BrokerOpener` does. */
  readonly open = async (address: BrokerAddress): Promise<BrokerLink> => {
    if (!this.isThere) throw new AppError('TRANSPORT_REFUSED', say('publish.refused', { url: address.url }));
    this.connects.push(address);
    this.#filters = [];
    this.#isLost = false;
    let isClosed = false;
    return {
      subscribe: async (filter) => {
        if (this.refuses(filter)) throw new AppError('PROTOCOL_REFUSED', say('publish.subscription', { url: address.url, filter }));
        this.subscriptions.push(filter);
        this.#filters.push(filter);
        for (const [topic, payload] of this.retained) if (fits(filter, topic)) address.onNews?.({ topic, payload, isRetained: true });
      },
      publish: async (message) => {
        await this.slow;
        if (this.#isLost) throw this.#reason();
        this.#take(message);
      },
      onLost: (fn) => {
        this.#lost = fn;
      },
      close: async () => {
        if (isClosed) return;
        isClosed = true;
        // what was published goes before
        await this.slow;
        this.closed += 1;
      },
    };
  };

  /** What another client publishes. */
  say(topic: string, payload: string | Uint8Array, retain = false): void {
    const octets = octetsOf(payload);
    if (retain) this.retained.set(topic, octets);
    this.#tell(topic, octets);
  }

  /** The connection is lost; the will is said. */
  lose(): void {
    this.isThere = false;
    this.#isLost = true;
    const will = this.connects.at(-1)?.will;
    if (will) this.#take(will);
    this.#lost?.(this.#reason());
  }

  #take(message: BrokerMessage): void {
    this.messages.push(message);
    const octets = octetsOf(message.payload);
    if (message.retain && octets.length === 0) this.retained.delete(message.topic);
    else if (message.retain) this.retained.set(message.topic, octets);
    this.#tell(message.topic, octets);
  }

  #tell(topic: string, payload: Uint8Array): void {
    if (this.#filters.some((filter) => fits(filter, topic))) this.connects.at(-1)?.onNews?.({ topic, payload, isRetained: false });
  }

  #reason(): AppError {
    return new AppError('TRANSPORT_LOST', say('publish.lost', { url: this.connects.at(-1)?.url ?? '' }));
  }
}

/** A filter with + for one level each; # is not used. */
function fits(filter: string, topic: string): boolean {
  const [wanted, levels] = [filter.split('/'), topic.split('/')];
  return wanted.length === levels.length && wanted.every((level, at) => level === '+' || level === levels[at]);
}

function octetsOf(payload: string | Uint8Array): Uint8Array {
  return typeof payload === 'string' ? new TextEncoder().encode(payload) : payload;
}

export function textOf(payload: string | Uint8Array): string {
  return typeof payload === 'string' ? payload : new TextDecoder().decode(payload);
}
