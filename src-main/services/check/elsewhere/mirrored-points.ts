import { POINT_FIELD_KEYS } from '#shared/domain/point-fields.ts';
import type { PointConfig } from '../../../drivers/spi/index.ts';
import type { PointState } from '../../../runtime/values/point-table.ts';
import type { CheckedPoints } from './checked-channel.ts';
import type { RowThere } from './service-client.ts';

interface Mirrored {
  readonly config: PointConfig;
  /** Settings as text, which tells whether they were edited there. */
  readonly text: string;
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

  /** Takes a row of the table there; `nowMs`: UTC here. */
  take(row: RowThere, nowMs: number): void {
    const state = stateOf(row);
    const known = this.#points.get(row.id);
    const config = configOf(row);
    const text = JSON.stringify(config);
    if (known?.text === text) {
      if (known.state.updatedAt !== state.updatedAt) known.arrivedAt = state.updatedAt === null ? null : nowMs;
      known.state = state;
      return;
    }
    if (known && this.#codes.get(known.config.code) === row.id) this.#codes.delete(known.config.code);
    this.#points.set(row.id, { config, text, state, arrivedAt: state.updatedAt === null ? null : nowMs });
    this.#codes.set(config.code, row.id);
    this.#edited();
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

function configOf(row: RowThere): PointConfig {
  const { id, channel_id } = row;
  return { id, channel_id, ...Object.fromEntries(POINT_FIELD_KEYS.map((key) => [key, row[key]])) } as PointConfig;
}

const timeOf = (text: string | null) => (text === null ? null : Date.parse(text));

function stateOf(row: RowThere): PointState {
  const { value, value_text, raw_hex, exponent, quality, flags, source_time, updated_at, cause, negative } = row;
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
    error: row.error_message ?? null,
  };
}
