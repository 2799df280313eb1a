import type { PointDeadBand, RecordingSettings } from '#shared/contract/history.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';

/** Rows that are looked at before other work gets its turn. */
const ROWS_A_TURN = 5000;
/** Index of `never` in QUALITIES. */
const NEVER = 0;
/** Of a point that was not recorded yet. */
const NONE = 255;

/** Takes a sample: whole UTC milliseconds, value, index of its quality in QUALITIES. */
export type TakeSample = (point: number, at: number, value: number, quality: number) => void;

/** Looks for what is to be recorded of one channel, and remembers what was recorded last of each point: 17 octets and a place in a map. */
export class Tape {
  readonly channel: ChannelRuntime;
  readonly settings: RecordingSettings;
  #places = new Map<number, number>();
  #value = new Float64Array(16);
  #at = new Float64Array(16);
  #quality = new Uint8Array(16).fill(NONE);
  /** Dead bands of single points by their ids, as codes are at this revision of the table. */
  #bands: ReadonlyMap<number, PointDeadBand> = new Map();
  #bandsRevision = -1;
  /** Change up to which the table was looked at. */
  #change = -1;
  #revision = -1;
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** Since when the channel is recorded without a break, UTC milliseconds; null: it was not looked at yet. */
  #since: number | null = null;
  /** Counts how often it began anew. */
  #beginnings = 0;

  constructor(channel: ChannelRuntime, settings: RecordingSettings) {
    this.channel = channel;
    this.settings = settings;
  }

  get since(): number | null {
    return this.#since;
  }

  /** Each value that is read, not only those that changed. */
  get #isAll(): boolean {
    return this.settings.mode === 'all' || this.settings.mode === 'trigger';
  }

  /** Begins anew: the next look takes every point that has a value. */
  restart(): void {
    this.#places = new Map();
    this.#quality.fill(NONE);
    this.#change = -1;
    this.#revision = -1;
    this.#lookedAt = Number.NEGATIVE_INFINITY;
    this.#since = null;
    this.#beginnings += 1;
  }

  /** Gives `take` what is to be recorded now. `now` is UTC milliseconds, `change` the last one of the project. */
  async look(now: number, change: number, take: TakeSample, breathe: () => Promise<void>): Promise<void> {
    const { points } = this.channel;
    // points that left the table leave their places behind
    if (this.#places.size > 2 * points.size + 1000) this.restart();
    this.#since ??= now;
    const beginnings = this.#beginnings;
    const isAll = this.#isAll;
    const hasNews = points.lastChange > this.#change || (isAll && points.valueRevision !== this.#revision);
    const revision = points.valueRevision;
    // behind a clock that was set back the times of values say nothing
    const readAt = isAll ? (now < this.#lookedAt ? Number.NEGATIVE_INFINITY : this.#lookedAt) : Number.POSITIVE_INFINITY;
    if (hasNews && this.settings.dead_bands.length > 0 && points.configRevision !== this.#bandsRevision) this.#findBands();
    let afterId: number | null = hasNews ? 0 : null;
    while (afterId !== null) {
      const which = { afterId, rows: ROWS_A_TURN, change: this.#change, readAt };
      afterId = points.visit(which, (id, value, quality, updatedAt) => this.#take(now, take, id, value, quality, updatedAt));
      if (afterId !== null) await breathe();
      // the rows that this look had behind it are to be taken again
      if (this.#beginnings !== beginnings) return;
    }
    this.#change = change;
    this.#revision = revision;
    this.#lookedAt = now;
  }

  #take(now: number, take: TakeSample, id: number, value: number, quality: number, updatedAt: number): void {
    const place = this.#placeOf(id);
    const known = this.#quality[place];
    const isFirst = known === NONE;
    if (isFirst && quality === NEVER) return;
    const last = this.#value[place] as number;
    const isOther = quality !== known || (!Object.is(value, last) && !this.#isWithin(id, value, last));
    const isRead = updatedAt !== this.#at[place];
    if (!isOther && !(isRead && this.#isAll)) return;
    this.#value[place] = value;
    this.#quality[place] = quality;
    this.#at[place] = updatedAt;
    // a failure leaves the time of the value, and is of now
    const at = isRead && Number.isFinite(updatedAt) ? Math.max(updatedAt, this.#since ?? updatedAt) : now;
    take(id, Math.round(at), value, quality);
  }

  #findBands(): void {
    const { points } = this.channel;
    this.#bandsRevision = points.configRevision;
    this.#bands = new Map(
      this.settings.dead_bands.flatMap((band) => {
        const id = points.byCode(band.code);
        return id === undefined ? [] : [[id, band] as const];
      }),
    );
  }

  /** True when the value lies within the dead band around the last recorded one; never for what is no number. */
  #isWithin(id: number, value: number, last: number): boolean {
    const own = this.#bands.get(id);
    const given = own?.dead_band ?? this.settings.dead_band;
    const width = own?.kind === 'percent' ? (given / 100) * Math.abs(last) : given;
    return Math.abs(value - last) <= width && Number.isFinite(last);
  }

  #placeOf(id: number): number {
    const known = this.#places.get(id);
    if (known !== undefined) return known;
    const place = this.#places.size;
    this.#places.set(id, place);
    if (place >= this.#value.length) this.#grow();
    return place;
  }

  #grow(): void {
    const [value, at, quality] = [this.#value, this.#at, this.#quality];
    this.#value = new Float64Array(2 * value.length);
    this.#at = new Float64Array(2 * value.length);
    this.#quality = new Uint8Array(2 * value.length).fill(NONE);
    this.#value.set(value);
    this.#at.set(at);
    this.#quality.set(quality);
  }
}
