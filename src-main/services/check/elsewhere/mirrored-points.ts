import { POINT_FIELD_KEYS } from '#shared/domain/point-fields.ts';
import type { PointConfig } from '../../../drivers/spi/index.ts';
import type { PointState } from '../../../runtime/values/point-table.ts';
import type { CheckedPoints } from './checked-channel.ts';
import type { ServiceClient, StateThere } from './service-client.ts';

const SETTINGS = ['id', 'channel_id', ...POINT_FIELD_KEYS] as const;

/** A row that nobody has looked into. */
type Item = Readonly<Record<string, unknown>>;

interface Mirrored {
  readonly config: PointConfig;
  /** The row as it came, which tells whether its settings were edited there. */
  readonly item: Item;
  state: PointState;
  /** When this value arrived here, UTC milliseconds; null: there is none. */
  arrivedAt: number | null;
}

/** The point table of another service as its answers tell it. Times of values are those of that service. */
export class MirroredPoints implements CheckedPoints {
  readonly #points = new Map<number, Mirrored>();
  readonly #codes = new Map<string, number>();
  /** In the order of their ids; null: to be made again. */
  #sorted: readonly PointConfig[] | null = null;
  #revision = 0;
  /** Nothing is known of the values now. */
  isSilent = false;

  get size(): number {
    return this.#points.size;
  }

  get configRevision(): number {
    return this.#revision;
  }

  config(id: number): PointConfig | undefined {
    return this.#points.get(id)?.config;
  }

  configs(from = 0, count = this.#points.size): PointConfig[] {
    this.#sorted ??= [...this.#points.values()].map(({ config }) => config).sort((one, other) => one.id - other.id);
    return this.#sorted.slice(from, from + count);
  }

  /** A value that nobody hears of any more is out of date, as one behind a lost line is. */
  state(id: number): PointState | undefined {
    const state = this.#points.get(id)?.state;
    return this.isSilent && state?.quality === 'good' ? { ...state, quality: 'stale' } : state;
  }

  byCode(code: string): number | undefined {
    return this.#codes.get(code);
  }

  arrivedAt(id: number): number | null {
    return this.#points.get(id)?.arrivedAt ?? null;
  }

  /**
   * Takes a row of the table there, and answers its id; `nowMs`: UTC here. Most rows come again and again: of one whose settings are as before only the value is looked into. Throws what the
   * client throws of a row that is not understood.
   */
  take(item: Item, client: Pick<ServiceClient, 'row' | 'state'>, nowMs: number): number {
    const known = this.#points.get(Number(item.id));
    if (known && isSame(known.item, item)) {
      const state = stateOf(client.state(item));
      if (known.state.updatedAt !== state.updatedAt) known.arrivedAt = state.updatedAt === null ? null : nowMs;
      known.state = state;
      return known.config.id;
    }
    const row = client.row(item);
    const state = stateOf(row);
    const config = Object.fromEntries(SETTINGS.map((key) => [key, row[key]])) as unknown as PointConfig;
    if (known && this.#codes.get(known.config.code) === row.id) this.#codes.delete(known.config.code);
    this.#points.set(row.id, { config, item, state, arrivedAt: state.updatedAt === null ? null : nowMs });
    this.#codes.set(config.code, row.id);
    this.#edited();
    return row.id;
  }

  /** Forgets the points that are not among these. */
  keep(ids: ReadonlySet<number>): void {
    for (const [id, { config }] of this.#points) {
      if (ids.has(id)) continue;
      this.#points.delete(id);
      if (this.#codes.get(config.code) === id) this.#codes.delete(config.code);
      this.#edited();
    }
  }

  #edited(): void {
    this.#revision += 1;
    this.#sorted = null;
  }
}

function isSame(one: Item, other: Item): boolean {
  return SETTINGS.every(
    (key) => one[key] === other[key] || (isObject(one[key]) && JSON.stringify(one[key]) === JSON.stringify(other[key])),
  );
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

const timeOf = (text: string | null) => (text === null ? null : Date.parse(text));

function stateOf(there: StateThere): PointState {
  const { value, value_text, raw_hex, exponent, quality, flags, source_time, updated_at, cause, negative } = there;
  return {
    value,
    valueText: value_text,
    rawHex: raw_hex,
    ...(exponent !== undefined && { exponent }),
    quality,
    flags,
    sourceTime: timeOf(source_time),
    detail: cause || negative !== undefined ? { cause, negative } : null,
    updatedAt: timeOf(updated_at),
    error: there.error_message ?? null,
  };
}
