import { createHash } from 'node:crypto';
import { Turns } from '../../../platform/turns.ts';
import type { BrokerLink, BrokerNews } from '../../../transport/types.ts';
import type { PublishedDevice, PublishedTable } from '../published-table.ts';
import type { AboutPoint } from '../record-queue.ts';
import { type Announced, type Announcement, announcementOf, isOwn, isOwnTopic, nodeOf } from './config.ts';

/** Messages that are under way at the same time. */
const UNDER_WAY = 20;
/** Entities of before that are looked at. */
const MOST_FOUND = 200_000;

export interface AnnouncerParts {
  readonly link: Pick<BrokerLink, 'publish' | 'subscribe'>;
  readonly table: Pick<PublishedTable, 'devices' | 'points'>;
  readonly announced: Announced;
  readonly topicOf: (about: AboutPoint) => string;
  /** Discovery topics that stand there because of this publisher; kept over its connections, since the broker may forget what Home Assistant knows still. */
  readonly told: Set<string>;
  /** Called when something could not be sent that nobody waits for. */
  readonly onFault: (thrown: unknown) => void;
}

/** What was told of a device: discovery topics, and a digest of what stands there. */
interface Told {
  readonly mark: string;
  readonly configs: ReadonlyMap<string, string>;
}

/**
 * Makes the points of a publisher known to Home Assistant on one connection, and takes back what is no point any more. What was made known before stands at
 * the broker: it is read from there, so nothing of it has to be kept here.
 */
export class Announcer {
  readonly #parts: AnnouncerParts;
  readonly #devices = new Map<string, Told>();
  readonly #told: Set<string>;
  /** Topics of a connection before this one, and what the broker had kept, which nobody announced yet; null: everything was announced. */
  #found: Set<string> | null;
  #isWorking = false;
  #isEnded = false;

  constructor(parts: AnnouncerParts) {
    this.#parts = parts;
    this.#found = new Set(parts.told);
    this.#told = parts.told;
  }

  /** Throws where the broker does not let its messages be read. */
  async begin(): Promise<void> {
    const { announced } = this.#parts;
    await this.#parts.link.subscribe(`${announced.discoveryPrefix}/+/${nodeOf(announced)}/+/config`);
  }

  /** Takes what the broker sends. What is no message of its own, and its own ones that come back, are left alone. */
  take({ topic, payload, isRetained }: BrokerNews): void {
    const { announced } = this.#parts;
    if (!isRetained || payload.length === 0 || this.#isEnded || !isOwnTopic(topic, announced) || !isOwn(payload, announced)) return;
    if (!this.#found) this.#begin(() => this.#remove(this.#told.has(topic) ? [] : [topic]));
    else if (this.#found.size < MOST_FOUND) this.#found.add(topic);
  }

  /** Announces what changed since the last look. */
  look(): void {
    if (this.#isWorking || this.#isEnded) return;
    const there = this.#parts.table.devices();
    const names = new Set(there.map(({ name }) => name));
    const gone = [...this.#devices.keys()].filter((name) => !names.has(name));
    const changed = there.filter(({ name, mark }) => this.#devices.get(name)?.mark !== mark);
    if (gone.length + changed.length === 0 && !this.#found) return;
    this.#isWorking = true;
    this.#begin(async () => {
      for (const device of changed) await this.#announce(device);
      for (const name of gone) await this.#forget(name);
      const found = this.#found ?? [];
      this.#found = null;
      const now = new Set([...this.#devices.values()].flatMap(({ configs }) => [...configs.keys()]));
      await this.#takeBack([...found].filter((topic) => !now.has(topic)));
      this.#isWorking = false;
    });
  }

  /** Takes back all that was announced. */
  async retire(): Promise<void> {
    this.#isEnded = true;
    const found = this.#found ?? [];
    await this.#remove([...new Set([...found, ...this.#told])]);
  }

  async #announce({ name, mark }: PublishedDevice): Promise<void> {
    const { table, announced, topicOf } = this.#parts;
    const { breathe } = new Turns('behind');
    const before = this.#devices.get(name)?.configs ?? new Map<string, string>();
    const configs = new Map<string, string>();
    const news: Announcement[] = [];
    for (const { about, isTwoState } of await table.points(name, breathe)) {
      const { topic, payload } = announcementOf(announced, { about, stateTopic: topicOf(about), isTwoState });
      const digest = digestOf(payload);
      configs.set(topic, digest);
      if (before.get(topic) !== digest) news.push({ topic, payload });
      await breathe();
    }
    this.#devices.set(name, { mark, configs });
    for (const topic of configs.keys()) this.#told.add(topic);
    await this.#publish(news);
    await this.#takeBack([...before.keys()].filter((topic) => !configs.has(topic)));
  }

  async #forget(name: string): Promise<void> {
    const { configs } = this.#devices.get(name) ?? { configs: new Map<string, string>() };
    this.#devices.delete(name);
    await this.#takeBack([...configs.keys()]);
  }

  async #takeBack(topics: readonly string[]): Promise<void> {
    for (const topic of topics) this.#told.delete(topic);
    await this.#remove(topics);
  }

  /** A retained message without content removes the one before it: MQTT 3.1.1, 3.3.1.3. */
  async #remove(topics: readonly string[]): Promise<void> {
    await this.#publish(topics.map((topic) => ({ topic, payload: '' })));
  }

  async #publish(messages: Iterable<Announcement>): Promise<void> {
    const { link, announced } = this.#parts;
    const waiting = messages[Symbol.iterator]();
    const oneAfterAnother = async () => {
      for (let next = waiting.next(); !next.done; next = waiting.next()) {
        const message = next.value;
        // what is taken back is not told again
        if (this.#isEnded && message.payload !== '') return;
        await link.publish({ ...message, qos: announced.qos, retain: true });
      }
    };
    await Promise.all(Array.from({ length: UNDER_WAY }, oneAfterAnother));
  }

  #begin(work: () => Promise<void>): void {
    work().catch((thrown: unknown) => {
      if (!this.#isEnded) this.#parts.onFault(thrown);
    });
  }
}

function digestOf(payload: string): string {
  return createHash('sha256').update(payload).digest('base64').slice(0, 16);
}
