import type { EventRecord } from '../../runtime/logs/event-log.ts';

/** A clock that was set back is believed again after once or twice this time, in milliseconds. */
const WINDOW_MS = 60_000;

/** How far the clock of a device is behind ours, told by its events: the one that was on its way for the shortest time tells it best. */
class Lag {
  #before = Number.POSITIVE_INFINITY;
  #present = Number.POSITIVE_INFINITY;
  #since = Number.NEGATIVE_INFINITY;

  get least(): number {
    return Math.min(this.#before, this.#present);
  }

  /** The least of the last minutes and this one. */
  take(lag: number, at: number): number {
    const least = Math.min(this.least, lag);
    if (at - this.#since >= WINDOW_MS) {
      this.#before = this.#present;
      this.#present = lag;
      this.#since = at;
    } else this.#present = Math.min(this.#present, lag);
    return least;
  }
}

/**
 * When events happened that came late: devices keep them while the line is lost, and gateways pass on what was long ago. Clocks of devices are not ours, so each is compared with itself: an event
 * that was on its way for longer than others happened earlier by so much.
 */
export class DeviceTimes {
  readonly #lags = new Map<number, Lag>();

  /**
   * Takes note of an event that was received at `at`, monotonic milliseconds, and answers the latest time at which it happened, monotonic as well. That is `at` where it bears no time, and where nothing
   * else came that it could be compared with.
   */
  note({ channelId, deviceTime }: Pick<EventRecord, 'channelId' | 'deviceTime'>, at: number): number {
    if (deviceTime === null || channelId === null) return at;
    const lag = this.#lags.get(channelId) ?? new Lag();
    this.#lags.set(channelId, lag);
    return deviceTime + lag.take(at - deviceTime, at);
  }

  /** The latest time at which something happened that bears this time of a device, monotonic milliseconds; null where no event of it was noted. */
  happenedBy(channelId: number, deviceTime: number): number | null {
    const lag = this.#lags.get(channelId);
    return lag ? deviceTime + lag.least : null;
  }

  /** Takes note of events that are in the log already; `wallMs` and `at` are the same moment. */
  noteAll(events: readonly EventRecord[], at: number, wallMs: number): void {
    for (const event of events) if (event.kind === 'change' && !event.isNoValue) this.note(event, at - (wallMs - event.receivedAt));
  }
}
