import { z } from 'zod';

const State = z.object({ online: z.boolean(), timestamp: z.number() });

/**
 * Whether the primary host application is there, by the messages of its STATE topic (Sparkplug 3.0, 5.4 and 5.6): what is older than the
 * last one that said online is of a connection before, and counts for nothing.
 */
export class HostState {
  #isOnline = false;
  /** Times of the newest message, and of the newest that said online. */
  #at = Number.NEGATIVE_INFINITY;
  #onlineAt = Number.NEGATIVE_INFINITY;

  get isOnline(): boolean {
    return this.#isOnline;
  }

  /** Takes a message. What is none changes nothing. */
  take(payload: Uint8Array): void {
    const said = State.safeParse(parsed(payload));
    if (!said.success) return;
    const { online, timestamp } = said.data;
    if (timestamp < (online ? this.#at : this.#onlineAt)) return;
    this.#isOnline = online;
    this.#at = Math.max(this.#at, timestamp);
    if (online) this.#onlineAt = timestamp;
  }

  /** For another connection: nothing is known but the times. */
  forget(): void {
    this.#isOnline = false;
  }
}

function parsed(payload: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(payload));
  } catch {
    return null;
  }
}
