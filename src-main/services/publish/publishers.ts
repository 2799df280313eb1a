import { MOST_PUBLISHERS, MOST_WAITING_RECORDS, type PublisherSettings, type StoredPublisher } from '#shared/contract/publish.ts';
import { AppError, invalidField } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { ProjectSecrets } from '../../persistence/repositories.ts';
import type { CancelTimer } from '../../platform/clock.ts';
import { knownProjectId } from '../../platform/project-id.ts';
import { Turns } from '../../platform/turns.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import type { ChangeCounter } from '../../runtime/values/change-counter.ts';
import type { DatabaseOpener, WebAsker } from '../../transport/store-types.ts';
import type { BrokerOpener, WebPoster } from '../../transport/types.ts';
import { Buffers, type BuffersParts } from './buffers.ts';
import { influxOutlet } from './influx-outlet.ts';
import { mqttOutlet, tryBroker } from './mqtt-outlet.ts';
import type { Notice } from './news.ts';
import type { Outlet } from './outlet.ts';
import { postgresOutlet } from './postgres-outlet.ts';
import { PublishedTable } from './published-table.ts';
import { Publisher, type PublisherState } from './publisher.ts';
import { RecordQueue } from './record-queue.ts';
import { CONFIRMED, confirmation, isConfirmed, readPublishers, requireAuthority, secretName, writePublishers } from './settings.ts';
import { sparkplugOutlet } from './sparkplug/sparkplug-outlet.ts';
import type { BufferState, WaitingRecords } from './waiting.ts';
import { type WebhookIdentity, webhookOutlet } from './webhook-outlet.ts';

/** Time between two looks, in milliseconds. */
const LOOK_EVERY_MS = 50;
/** Setting with the greatest id that was ever given: ids are never used again, so a secret never comes to another publisher. */
const LAST_ID = 'publishers_last_id';

/** Begin of the name of the setting with the number of the last connection of an edge node of Sparkplug, which is an octet. */
const BD_SEQ = 'publisher_bdseq_';
const BD_SEQS = 256;

const NO_SECRETS = { password: null, key: null, token: null };

/** What they need of the session and of the service. */
export interface PublishersParts extends BuffersParts {
  readonly secrets: Pick<ProjectSecrets, 'ofPublisher' | 'writeOfPublisher'>;
  readonly channels: { list(): readonly ChannelRuntime[] };
  readonly changes: ChangeCounter;
  readonly openBroker: BrokerOpener;
  readonly postToWeb: WebPoster;
  readonly askWeb: WebAsker;
  readonly openDatabase: DatabaseOpener;
  readonly version: string;
  /** Enters an event of the service itself. */
  readonly notice: Notice;
}

/** A publisher as it is set, and as it is now. */
export interface PublisherNow {
  readonly settings: StoredPublisher;
  readonly isSecretSet: boolean;
  readonly session: string;
  readonly state: PublisherState;
  /** Null: nothing of it waits on the disk. */
  readonly buffer: BufferState | null;
}

/** One that runs or could. */
interface Entry {
  readonly settings: StoredPublisher;
  readonly session: string;
  /** UTC milliseconds. */
  readonly since: number;
  /** Null: off, or not confirmed. */
  readonly running: Publisher | null;
}

/**
 * The publishers of the open project. They look at the tables 20 times a second; nothing on the lines waits for them. Those that nobody confirmed on this
 * computer do not run.
 */
export class Publishers {
  readonly #parts: PublishersParts;
  readonly #entries = new Map<number, Entry>();
  readonly #buffers: Buffers;
  readonly #bdSeqs = new Map<number, number>();
  /** Those that end: what begins in their place, on topics that were theirs, waits for them. */
  readonly #endings = new Set<Promise<void>>();
  #timer: CancelTimer | null = null;
  #isClosed = false;

  constructor(parts: PublishersParts) {
    this.#parts = parts;
    this.#buffers = new Buffers(parts);
    for (const settings of readPublishers(parts.store.settings)) this.#begin(settings);
  }

  list(): PublisherNow[] {
    return [...this.#entries.keys()].map((id) => this.get(id));
  }

  /** A file of waiting records that was moved aside since the project was opened. */
  get bufferAside(): string | null {
    return this.#buffers.aside;
  }

  /** Throws `CONFIG_NOT_FOUND`. */
  get(id: number): PublisherNow {
    const { settings, session, since, running } = this.#entry(id);
    const idle = { sequence: 0, sent: 0, waiting: 0, lost: 0, failures: 0, error: null, since };
    const state = running?.state() ?? { ...idle, state: settings.enabled ? 'unconfirmed' : 'off' };
    const buffer = this.#buffers.get(id)?.state() ?? null;
    const isSecretSet = this.#secret(settings) !== undefined;
    return buffer === null || buffer.session === ''
      ? { settings, session, isSecretSet, state, buffer }
      : { settings, session: buffer.session, isSecretSet, state: { ...state, sequence: buffer.sequence }, buffer };
  }

  /** Adds one, or sets one anew; either confirms it. Throws `CONFIG_NOT_FOUND`, `STATE_CONFLICT` for one too many, and what keeps files from being written. */
  set(given: PublisherSettings & { readonly id?: number | undefined }): PublisherNow {
    requireKeepable(given);
    requireAuthority(given);
    const before = given.id === undefined ? null : this.#entry(given.id).settings;
    if (!before && this.#entries.size >= MOST_PUBLISHERS)
      throw new AppError('STATE_CONFLICT', say('publish.most', { most: MOST_PUBLISHERS }));
    const rivals = this.#stored().filter(({ id }) => id !== before?.id);
    requireOwnPlace(given, rivals);
    const settings: StoredPublisher = { ...given, id: before?.id ?? this.#newId() };
    // a secret was given for one target: it goes nowhere else
    const isElsewhere = before !== null && !isSameTarget(before, settings);
    const others = this.#stored().filter(({ id }) => id !== settings.id);
    const dropped = isElsewhere ? NO_SECRETS : {};
    this.#parts.secrets.writeOfPublisher(settings.id, { ...dropped, [CONFIRMED]: confirmation(settings) });
    writePublishers(
      this.#parts.store.settings,
      [...others, settings].sort((one, other) => one.id - other.id),
    );
    this.#begin(settings, before !== null && isAnnouncedElsewhere(before, settings));
    this.#dropBuffers();
    return this.get(settings.id);
  }

  delete(id: number): void {
    this.#entry(id);
    const left = this.#stored().filter((one) => one.id !== id);
    writePublishers(this.#parts.store.settings, left);
    this.#parts.secrets.writeOfPublisher(id, { ...NO_SECRETS, [CONFIRMED]: null });
    this.#end(id, true);
    this.#entries.delete(id);
    this.#dropBuffers();
  }

  /** Throws `CONFIG_INVALID` for the secret of another kind. */
  setSecrets(
    id: number,
    secrets: Readonly<{ password?: string | null | undefined; key?: string | null | undefined; token?: string | null | undefined }>,
  ): PublisherNow {
    const { settings } = this.#entry(id);
    const name = secretName(settings);
    const given = Object.entries(secrets).filter((pair): pair is [string, string | null] => pair[1] !== undefined);
    const [wrong] = given.filter(([key]) => key !== name);
    if (wrong) throw invalidField(`secrets.${wrong[0]}`, say('publish.other_secret', { name }));
    if (given.length > 0) {
      this.#parts.secrets.writeOfPublisher(id, Object.fromEntries(given));
      this.#begin(settings);
    }
    return this.get(id);
  }

  confirm(id: number): PublisherNow {
    const { settings, running } = this.#entry(id);
    this.#parts.secrets.writeOfPublisher(id, { [CONFIRMED]: confirmation(settings) });
    if (!running) this.#begin(settings);
    return this.get(id);
  }

  /** Reaches the target once. Throws why it cannot, `STATE_CONFLICT` before it was confirmed. */
  async test(id: number): Promise<void> {
    const { settings } = this.#entry(id);
    const { url } = settings.target;
    if (!isConfirmed(settings, this.#parts.secrets.ofPublisher(id)))
      throw new AppError('STATE_CONFLICT', say('publish.unconfirmed', { url }));
    const session = this.#parts.newId();
    const { target } = settings;
    if (target.kind === 'mqtt' || target.kind === 'sparkplug') {
      await tryBroker(this.#parts.openBroker, target, this.#asWhom(settings, session));
      return;
    }
    const link = await this.#outlet(settings, session).open(new AbortController().signal, () => {});
    await link.close();
  }

  /** Ends all connections; what waits in memory is not sent, what is to be kept is written. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.();
    for (const id of this.#entries.keys()) this.#end(id, false);
    // what was under way waits again by now: the disk does not wait for a target
    await this.#buffers
      .close()
      .catch((error: unknown) => this.#parts.logger.warn({ err: error }, 'the last waiting records were not written'));
    await Promise.all(this.#endings);
  }

  #entry(id: number): Entry {
    const entry = this.#entries.get(id);
    if (!entry) throw new AppError('CONFIG_NOT_FOUND', say('publish.none', { id }));
    return entry;
  }

  #stored(): StoredPublisher[] {
    return [...this.#entries.values()].map(({ settings }) => settings);
  }

  #newId(): number {
    const { settings } = this.#parts.store;
    const last = settings.read(LAST_ID);
    const id = 1 + Math.max(typeof last === 'number' ? last : 0, ...this.#entries.keys());
    settings.write(LAST_ID, id);
    return id;
  }

  #secret(settings: StoredPublisher): string | undefined {
    return this.#parts.secrets.ofPublisher(settings.id)[secretName(settings)];
  }

  #end(id: number, isForGood: boolean): void {
    const running = this.#entries.get(id)?.running;
    if (!running) return;
    const ended: Promise<void> = running.close(isForGood).finally(() => this.#endings.delete(ended));
    this.#endings.add(ended);
  }

  /** Begins anew with these settings, in the place of what ran before, and takes back what that told of the points where `isElsewhere`. */
  #begin(settings: StoredPublisher, isElsewhere = false): void {
    this.#end(settings.id, isElsewhere);
    const before = this.#endings.size > 0 ? Promise.all(this.#endings) : null;
    const session = this.#parts.newId().replaceAll('-', '').slice(-12);
    const mayRun = settings.enabled && isConfirmed(settings, this.#read(settings.id));
    const make = () => new Publisher(settings, this.#outlet(settings, session), this.#queue(settings), this.#parts, before);
    const running = mayRun ? make() : null;
    this.#entries.set(settings.id, { settings, session, since: this.#parts.clock.wallMs(), running });
    this.#start();
  }

  #queue(settings: StoredPublisher): WaitingRecords {
    return settings.keep ? this.#buffers.of(settings, settings.keep) : new RecordQueue(MOST_WAITING_RECORDS);
  }

  /** Of publishers that were deleted, or keep nothing any more. */
  #dropBuffers(): void {
    this.#buffers.keepOnly([...this.#entries.values()].filter(({ settings }) => settings.keep).map(({ settings }) => settings.id));
  }

  /** Secrets that cannot be read are told by the service; nothing is confirmed then. */
  #read(id: number) {
    try {
      return this.#parts.secrets.ofPublisher(id);
    } catch (error) {
      this.#parts.logger.warn({ err: error, publisher: id }, 'secrets of a publisher were not read');
      return {};
    }
  }

  #outlet(settings: StoredPublisher, session: string): Outlet {
    const { openBroker, postToWeb, askWeb, openDatabase, clock, version } = this.#parts;
    const { target, name } = settings;
    if (target.kind === 'mqtt' || target.kind === 'sparkplug') {
      const table = new PublishedTable(settings, this.#parts.channels);
      const asWhom = this.#asWhom(settings, session);
      if (target.kind === 'mqtt')
        return mqttOutlet(openBroker, clock, table, target, { ...asWhom, session, version, owner: this.#owner(settings) });
      return sparkplugOutlet(openBroker, clock, table, target, { ...asWhom, nextBdSeq: () => this.#nextBdSeq(settings.id) });
    }
    const secret = this.#secret(settings);
    if (target.kind === 'influxdb') return influxOutlet(askWeb, clock, target, { version, session, secret });
    if (target.kind === 'postgresql') return postgresOutlet(openDatabase, target, { session, password: secret });
    const identity: WebhookIdentity = { name, version, session, key: secret };
    return webhookOutlet(postToWeb, clock, target, identity);
  }

  #asWhom(settings: StoredPublisher, session: string): { readonly clientId: string; readonly password: string | undefined } {
    return { clientId: clientIdOf(settings.target) || `loopcheck-${session}-${settings.id}`, password: this.#secret(settings) };
  }

  /** The same on every computer that the project comes to; a project with a publisher that was confirmed has its id. */
  #owner({ id }: StoredPublisher): string {
    return `${knownProjectId(this.#parts.store.settings)}/${id}`;
  }

  /** Goes on where the last connection was, also of a process before this one: its death may be told late, and must not be taken for that of the next one. */
  #nextBdSeq(id: number): number {
    const { settings } = this.#parts.store;
    const name = `${BD_SEQ}${id}`;
    const last = this.#bdSeqs.get(id) ?? settings.read(name);
    const next = typeof last === 'number' ? (last + 1) % BD_SEQS : 0;
    this.#bdSeqs.set(id, next);
    try {
      settings.write(name, next);
    } catch (error) {
      this.#parts.logger.warn({ err: error, publisher: id }, 'the number of a connection was not kept');
    }
    return next;
  }

  #start(): void {
    const isAnyRunning = [...this.#entries.values()].some(({ running }) => running !== null);
    if (this.#isClosed || this.#timer || !isAnyRunning) return;
    this.#timer = this.#parts.clock.after(LOOK_EVERY_MS, () => void this.#tick());
  }

  async #tick(): Promise<void> {
    const { channels, changes, logger } = this.#parts;
    const { breathe } = new Turns('behind');
    for (const { running } of [...this.#entries.values()]) {
      try {
        await running?.look(channels.list(), changes.last, breathe);
      } catch (error) {
        logger.error({ err: error }, 'publishing met an internal fault');
      }
    }
    this.#timer = null;
    this.#start();
  }
}

function isSameTarget(one: StoredPublisher, other: StoredPublisher): boolean {
  return one.target.kind === other.target.kind && one.target.url === other.target.url;
}

/** What one told Home Assistant the other one will not look after. */
function isAnnouncedElsewhere({ target: one }: StoredPublisher, { target: other }: StoredPublisher): boolean {
  if (one.kind !== 'mqtt' || !one.home_assistant) return false;
  const isSame = other.kind === 'mqtt' && other.url === one.url && other.prefix === one.prefix;
  return !isSame || other.home_assistant?.prefix !== one.home_assistant.prefix;
}

/** A broker confirms nothing with quality of service 0, which all data of Sparkplug B have: nobody would know what may be forgotten. */
function requireKeepable({ keep, target }: PublisherSettings): void {
  if (keep && target.kind === 'sparkplug') throw invalidField('keep', say('buffer.sparkplug'));
  if (keep && target.kind === 'mqtt' && target.qos === 0) throw invalidField('keep', say('buffer.qos'));
}

/** Two of one name could not be told apart in warnings and metrics; two under the same topics would overwrite what the other one retained, and its status; two of one client id would end each other's connections. */
function requireOwnPlace({ name, target }: PublisherSettings, others: readonly StoredPublisher[]): void {
  const key = (text: string) => text.normalize('NFKC').trim().toLowerCase();
  const same = others.find((other) => key(other.name) === key(name));
  if (same) throw new AppError('STATE_CONFLICT', say('publish.name_taken', { name: same.name }));
  const prefix = placeOf(target);
  const rival = others.find(({ target: other }) => prefix !== null && other.url === target.url && placeOf(other) === prefix);
  if (prefix !== null && rival) throw new AppError('STATE_CONFLICT', say('publish.same_topics', { name: rival.name, prefix }));
  const id = clientIdOf(target);
  const twin = others.find(({ target: other }) => id !== '' && other.url === target.url && clientIdOf(other) === id);
  if (twin) throw new AppError('STATE_CONFLICT', say('publish.same_client', { name: twin.name, id }));
}

/** Topics that one publisher has for itself; null: those of no broker. */
function placeOf(target: StoredPublisher['target']): string | null {
  if (target.kind === 'sparkplug') return `spBv1.0/${target.group}/+/${target.node}`;
  return target.kind === 'mqtt' ? target.prefix : null;
}

/** Empty: one of its own, or that of no broker. */
function clientIdOf(target: StoredPublisher['target']): string {
  return 'client_id' in target ? target.client_id : '';
}
