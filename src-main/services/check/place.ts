import type { StoredCheckItem } from '../../persistence/check-repositories.ts';
import type { StoredChannel } from '../../persistence/repositories.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import type { FoundPoint } from '../lookup.ts';
import type { ProjectSession } from '../ports.ts';
import { canonical } from './chain.ts';
import { type PlaceFacts, placeOf } from './evidence.ts';
import { mappingOf, type PointThen } from './mapping.ts';
import { pointOfItem } from './states.ts';

/** The point of an item, as long as nobody edits anything. */
interface Known {
  readonly channel: ChannelRuntime;
  readonly settings: StoredChannel;
  readonly configRevision: number;
  readonly found: FoundPoint | undefined;
}

/** Where an item leads while it is checked; told again and again, so it is looked for anew only when something was edited. */
export class Place {
  readonly #session: ProjectSession;
  readonly #item: StoredCheckItem;
  /** What the point was at the beginning; null: there was none. */
  readonly #mapping: string | null;
  /** The point when it was there last, read from where it was at the beginning; null: it never was. */
  #right: PointThen | null;
  #known: Known | null = null;
  #isElsewhere = false;

  constructor(session: ProjectSession, item: StoredCheckItem) {
    this.#session = session;
    this.#item = item;
    const found = pointOfItem(session, item);
    this.#mapping = found ? canonical(mappingOf(found)) : null;
    this.#right = found ? pointThen(found) : null;
  }

  /** The point as it is now; undefined where it is gone. */
  find(): FoundPoint | undefined {
    const channel = this.#session.channels.get(this.#item.channelId);
    if (!channel) return undefined;
    const known = this.#known;
    const { settings, points } = channel;
    const { configRevision } = points;
    if (known?.channel === channel && known.settings === settings && known.configRevision === configRevision) return known.found;
    const found = pointOfItem(this.#session, this.#item);
    this.#known = { channel, settings, configRevision, found };
    this.#isElsewhere = found !== undefined && this.#mapping !== canonical(mappingOf(found));
    if (found && !this.#isElsewhere) this.#right = pointThen(found);
    return found;
  }

  /** What the point was while it was read from where it was at the beginning: what was seen of it was seen there, whatever was edited since. */
  get facts(): PlaceFacts {
    return this.#right ? placeOf(this.#right) : { point: {}, channel: {}, mapping: {} };
  }

  /** True where the channel leads to another device than it did then, or is gone. */
  get isOtherDevice(): boolean {
    const channel = this.#session.channels.get(this.#item.channelId);
    if (!channel || !this.#right) return true;
    const { point } = this.#right;
    return canonical(mappingOf({ channel, point })) !== canonical(mappingOf(this.#right));
  }

  /** True where the point is read from another place than at the beginning, or otherwise; as of the last `find`. */
  get isElsewhere(): boolean {
    return this.#isElsewhere;
  }
}

/** Settings are replaced when they are edited, so they stay what they were. */
function pointThen({ channel: { settings, driver }, point }: FoundPoint): PointThen {
  return { channel: { settings, driver }, point };
}
