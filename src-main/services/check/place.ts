import type { StoredCheckItem } from '../../persistence/check-repositories.ts';
import type { StoredChannel } from '../../persistence/repositories.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import type { FoundPoint } from '../lookup.ts';
import type { ProjectSession } from '../ports.ts';
import { canonical } from './chain.ts';
import { mappingOf } from './mapping.ts';
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
  #known: Known | null = null;
  #isElsewhere = false;

  constructor(session: ProjectSession, item: StoredCheckItem) {
    this.#session = session;
    this.#item = item;
    const found = pointOfItem(session, item);
    this.#mapping = found ? canonical(mappingOf(found)) : null;
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
    return found;
  }

  /** True where the point is read from another place than at the beginning, or otherwise; as of the last `find`. */
  get isElsewhere(): boolean {
    return this.#isElsewhere;
  }
}
