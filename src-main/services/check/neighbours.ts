import { FrameType } from '#shared/domain/enums.ts';
import type { StoredCheckItem } from '../../persistence/check-repositories.ts';
import type { ProjectSession } from '../ports.ts';
import { type CheckedPoint, isOwn } from './elsewhere/checked-channel.ts';
import { toleranceOf } from './sight.ts';
import { pointOfItem } from './states.ts';

/** Other items that are told; points that are looked at in one look. */
const MOST_TOLD = 5;
const POINTS_A_LOOK = 200;

/** A point that changed while another one was waited for. */
export interface Moved {
  readonly item: string;
  readonly code: string;
  readonly before: number;
  readonly after: number;
}

interface Other {
  readonly item: StoredCheckItem;
  readonly found: CheckedPoint;
  /** Changes smaller than this are no change: a measurement is never quite still. */
  readonly band: number;
  before: number;
  /** When a value was received that nobody knows the time of, UTC milliseconds; null: where it stands is known. */
  unsureAt: number | null;
  /** Of another service, until it was asked for its table behind this time, monotonic: what it had at the beginning is not known before. Null: it is. */
  untoldAt: number | null;
}

/**
 * The other items of the session while one is waited for: wires that are crossed show in them. Signals count with each change, measurements only where their own
 * references say what a change is.
 */
export class Neighbours {
  readonly #others: readonly Other[];
  readonly #moved = new Map<string, Moved>();
  #next = 0;

  /** `now` is monotonic. */
  constructor(session: ProjectSession, items: readonly StoredCheckItem[], own: StoredCheckItem, now: number) {
    this.#others = items.filter(({ uuid }) => uuid !== own.uuid).flatMap((item) => otherOf(session, item, now));
  }

  /** Looks at the next of them, in turns, so that no look takes long. */
  look(): void {
    const count = Math.min(POINTS_A_LOOK, this.#others.length);
    for (let turn = 0; turn < count; turn++) {
      const other = this.#others[this.#next % this.#others.length];
      this.#next = (this.#next + 1) % this.#others.length;
      if (other) this.#lookAt(other);
    }
  }

  /** Those that changed, the latest first. */
  moved(): Moved[] {
    return [...this.#moved.values()].reverse().slice(0, MOST_TOLD);
  }

  #lookAt(other: Other): void {
    const { item, found, band } = other;
    const state = found.channel.points.state(found.point.id);
    if (state?.quality !== 'good') return;
    if (other.untoldAt !== null) {
      if ((found.channel.elsewhere?.askedAt ?? Number.POSITIVE_INFINITY) > other.untoldAt) other.untoldAt = null;
      other.before = state.value;
      if (other.unsureAt !== null) other.unsureAt = state.updatedAt;
      return;
    }
    if (other.unsureAt !== null && other.unsureAt !== state.updatedAt) {
      // it may have moved before the other one was waited for
      other.before = state.value;
      other.unsureAt = null;
    }
    const { before } = other;
    if (Math.abs(state.value - before) <= band) return;
    if (this.#moved.get(item.uuid)?.after === state.value) return;
    this.#moved.delete(item.uuid);
    this.#moved.set(item.uuid, { item: item.uuid, code: found.point.code, before, after: state.value });
  }
}

function otherOf(session: ProjectSession, item: StoredCheckItem, begunAt: number): Other[] {
  const band = bandOf(item);
  const found = pointOfItem(session, item);
  const state = found?.channel.points.state(found.point.id);
  if (band === null || !found || !state || state.quality !== 'good' || !Number.isFinite(state.value)) return [];
  const isTold = state.detail?.cause !== undefined;
  return [
    { item, found, band, before: state.value, unsureAt: isTold ? null : state.updatedAt, untoldAt: isOwn(found.channel) ? null : begunAt },
  ];
}

/** Null for a point of which nobody can say what a change is. */
function bandOf({ frameType, expectation }: StoredCheckItem): number | null {
  if (expectation.kind === 'states') return 0;
  if (expectation.kind === 'values' && expectation.references.length > 0) return Math.max(...expectation.references.map(toleranceOf));
  return frameType === FrameType.yx ? 0 : null;
}
