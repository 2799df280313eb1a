import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { StoredCheckItem } from '../../../persistence/check-repositories.ts';
import { delay } from '../../../platform/clock.ts';
import { settlesWithin } from '../../../runtime/bounded.ts';
import type { ProjectSession, ServiceDeps } from '../../ports.ts';
import { Mirror } from './mirror.ts';
import { ServiceClient } from './service-client.ts';

/** Channels of other services that one project checks. */
const MOST_MIRRORS = 50;
/** Between two looks while a check is under way, in milliseconds; a look that takes longer is followed by as long a pause. */
const PAUSE_MS = 250;
/** A service that does not answer is asked again after so long, in milliseconds. */
const AGAIN_MS = 1000;
/** One that nobody looked at for so long makes room for another one, in milliseconds. */
const IDLE_MS = 60_000;
/** Nobody waits longer for a look, in milliseconds: large tables and slow services take their time. */
const WAIT_MS = 10_000;
/** Who adds its points waits so long for its table, in milliseconds. */
const OPEN_MS = 60_000;
/** What a page shows of another service is no older than this, in milliseconds. */
const SHOWN_MS = 5000;

/** An item of a channel of another service. */
type Placed = Pick<StoredCheckItem, 'service' | 'channel'>;

/** Mirrors that are kept up to date until `release`, or while `keep` says so. */
export interface Held {
  keep(isWanted: () => boolean): void;
  release(): void;
}

interface Following {
  readonly isWanted: (() => boolean)[];
}

const all = new WeakMap<ProjectSession, Mirrors>();

/** The channels of other services that the items of a project are of, as they are known here. */
export class Mirrors {
  readonly #deps: ServiceDeps;
  readonly #mirrors = new Map<string, Mirror>();
  readonly #followed = new Map<Mirror, Following>();
  readonly #ending = new AbortController();
  /** Numbers are never given again: what is kept of one is none of the next. */
  #lastId = 0;

  private constructor(deps: ServiceDeps, session: ProjectSession) {
    this.#deps = deps;
    session.endings.add(async () => this.#ending.abort(new AppError('CANCELLED', say('service.expected_project'))));
  }

  static of(deps: ServiceDeps): Mirrors {
    const session = deps.projects.current();
    const known = all.get(session);
    // a project that could not be left goes on
    if (known && !known.#ending.signal.aborted) return known;
    const mirrors = new Mirrors(deps, session);
    all.set(session, mirrors);
    return mirrors;
  }

  /** The mirror of an item of another service; undefined while nobody looked. */
  static find(session: ProjectSession, item: Placed): Mirror | undefined {
    return all.get(session)?.at(item);
  }

  at(item: Placed): Mirror | undefined {
    return this.#mirrors.get(keyOf(item));
  }

  /** True where one more has no room. */
  get isFull(): boolean {
    return this.#mirrors.size >= MOST_MIRRORS && this.#idle().length === 0;
  }

  list(): readonly Mirror[] {
    return [...this.#mirrors.values()];
  }

  /** The mirror of a channel by its number there, looked at now. Throws what keeps it from being looked at. */
  async open(serviceId: number, channelId: number): Promise<Mirror> {
    const { remotes } = this.#deps.facts;
    const remote = remotes.find(serviceId);
    const channel = await new ServiceClient(remotes, this.#deps.clock, remote, this.#ending.signal).channelName(channelId);
    if (channel === undefined)
      throw new AppError('CONFIG_NOT_FOUND', say('check.elsewhere_no_number', { service: remote.name, id: channelId }));
    const mirror = this.#of({ service: remote.name, channel });
    if (!mirror) throw new AppError('STATE_CONFLICT', noRoom());
    const looked = await settlesWithin(this.#deps.clock, OPEN_MS, mirror.lookAnew());
    if (!looked) throw new AppError('TIMEOUT_RESPONSE', say('remote.silent', { name: remote.name, seconds: OPEN_MS / 1000 }));
    if (mirror.trouble) throw new AppError('PROTOCOL_REFUSED', mirror.trouble);
    return mirror;
  }

  /** Looks at the channels of these items that were not looked at for a while, and waits for nobody. */
  show(items: readonly Placed[]): void {
    const now = this.#deps.clock.monotonicMs();
    for (const mirror of this.#ofItems(items)) if (now - mirror.lookedAt >= SHOWN_MS) void mirror.look();
  }

  /** Looks at the channels of these items now; what is not known in time is known later. */
  async look(items: readonly Placed[]): Promise<void> {
    const looks = this.#ofItems(items).map((mirror) => mirror.lookAnew());
    if (looks.length > 0) await settlesWithin(this.#deps.clock, WAIT_MS, Promise.all(looks));
  }

  /** Looks at the channels of these items, and goes on looking. */
  async hold(items: readonly Placed[]): Promise<Held> {
    const mirrors = this.#ofItems(items);
    let isWanted = () => true;
    await this.look(items);
    for (const mirror of mirrors) this.#follow(mirror, () => isWanted());
    return {
      keep(wanted) {
        isWanted = wanted;
      },
      release() {
        isWanted = () => false;
      },
    };
  }

  #ofItems(items: readonly Placed[]): Mirror[] {
    const found = new Map<string, Mirror>();
    for (const item of items) {
      if (item.service === '' || found.has(keyOf(item))) continue;
      const mirror = this.#of(item);
      if (mirror) found.set(keyOf(item), mirror);
    }
    return [...found.values()];
  }

  /** Undefined where there are as many as there may be. */
  #of(place: Placed): Mirror | undefined {
    const key = keyOf(place);
    const known = this.#mirrors.get(key);
    if (known) return known;
    if (this.#mirrors.size >= MOST_MIRRORS) for (const idle of this.#idle()) this.#mirrors.delete(idle);
    if (this.#mirrors.size >= MOST_MIRRORS) return undefined;
    const { service, channel } = place;
    this.#lastId -= 1;
    const mirror = new Mirror(this.#deps, { id: this.#lastId, service, channel }, this.#ending.signal);
    this.#mirrors.set(key, mirror);
    return mirror;
  }

  /** Keys of those that no check follows and nobody looked at for long. */
  #idle(): string[] {
    const now = this.#deps.clock.monotonicMs();
    return [...this.#mirrors].flatMap(([key, mirror]) => (now - mirror.lookedAt <= IDLE_MS || this.#followed.has(mirror) ? [] : [key]));
  }

  #follow(mirror: Mirror, isWanted: () => boolean): void {
    const known = this.#followed.get(mirror);
    if (known) {
      known.isWanted.push(isWanted);
      return;
    }
    const following = { isWanted: [isWanted] };
    this.#followed.set(mirror, following);
    void this.#lookOn(mirror, following).catch(() => {
      // the project is left
    });
  }

  async #lookOn(mirror: Mirror, { isWanted }: Following): Promise<void> {
    const { clock } = this.#deps;
    const { signal } = this.#ending;
    try {
      while (!signal.aborted && isWanted.some((wanted) => wanted())) {
        const begunAt = clock.monotonicMs();
        await mirror.look();
        const tookMs = clock.monotonicMs() - begunAt;
        await delay(clock, Math.max(mirror.trouble ? AGAIN_MS : PAUSE_MS, tookMs), signal);
      }
    } finally {
      // in the same step: who follows it from now on begins anew
      this.#followed.delete(mirror);
    }
  }
}

const noRoom = () => say('check.elsewhere_full', { most: MOST_MIRRORS });

const keyOf = ({ service, channel }: Placed) => `${service}\n${channel}`;

/** What a row says of an item of another service: which one, and what keeps it from being known; nothing for one of this project. */
export function elsewhereRow(session: ProjectSession, item: Placed): { readonly service?: string; readonly trouble?: Message } {
  if (item.service === '') return {};
  const trouble = troubleOf(session, item);
  return { service: item.service, ...(trouble && { trouble }) };
}

/** Why nothing is known of an item of another service now; null: it is, and for one of this project. */
export function troubleOf(session: ProjectSession, item: Placed): Message | null {
  if (item.service === '') return null;
  const mirror = Mirrors.find(session, item);
  if (mirror) return mirror.trouble;
  return all.get(session)?.isFull ? noRoom() : say('check.elsewhere_not_asked');
}
