import type { StoredCheckItem } from '../../persistence/check-repositories.ts';
import type { StoredChannel } from '../../persistence/repositories.ts';
import type { ProjectSession } from '../ports.ts';
import { canonical } from './chain.ts';
import type { CheckedChannel, CheckedPoint } from './elsewhere/checked-channel.ts';
import { type PlaceFacts, placeOf } from './evidence.ts';
import { mappingOf, type PointThen, pointThen } from './mapping.ts';
import { channelOfItem, pointOfItem } from './states.ts';

/** The point of an item, as long as nobody edits anything. */
interface Known {
  readonly channel: CheckedChannel;
  readonly settings: StoredChannel;
  readonly configRevision: number;
  readonly found: CheckedPoint | undefined;
}

/** Where an item leads while it is checked; told again and again, so it is looked for anew only when something was edited. */
export class Place {
  readonly #session: ProjectSession;
  readonly #item: StoredCheckItem;
  /** What the point was at the beginning; null: there was none. */
  readonly #mapping: string | null;
  /** The point when it was there last (settings are replaced when they are edited, so these stay what they were), read from where it was at the beginning; null: it never was. */
  #right: PointThen | null;
  #known: Known | null = null;
  #isElsewhere = false;

  constructor(session: ProjectSession, item: StoredCheckItem) {
    this.#session = session;
    this.#item = item;
    const found = pointOfItem(session, item);
    this.#mapping = found ? canonical(mappingOf(pointThen(found))) : null;
    this.#right = found ? pointThen(found) : null;
  }

  /** The point as it is now; undefined where it is gone. */
  find(): CheckedPoint | undefined {
    const channel = channelOfItem(this.#session, this.#item);
    if (!channel) return undefined;
    const known = this.#known;
    const { settings, points } = channel;
    const { configRevision } = points;
    if (known?.channel === channel && known.settings === settings && known.configRevision === configRevision) return known.found;
    const found = pointOfItem(this.#session, this.#item);
    this.#known = { channel, settings, configRevision, found };
    this.#isElsewhere = found !== undefined && this.#mapping !== canonical(mappingOf(pointThen(found)));
    if (found && !this.#isElsewhere) this.#right = pointThen(found);
    return found;
  }

  /** What the point was while it was read from where it was at the beginning: what was seen of it was seen there, whatever was edited since. */
  get facts(): PlaceFacts {
    return this.#right ? placeOf(this.#right) : { point: {}, channel: {}, mapping: {} };
  }

  /** True where the channel leads to another device than it did then, or is gone. */
  get isOtherDevice(): boolean {
    const channel = channelOfItem(this.#session, this.#item);
    if (!channel || !this.#right) return true;
    const { point } = this.#right;
    return canonical(mappingOf(pointThen({ channel, point }))) !== canonical(mappingOf(this.#right));
  }

  /** True where the point is read from another place than at the beginning, or otherwise; as of the last `find`. */
  get isElsewhere(): boolean {
    return this.#isElsewhere;
  }
}
