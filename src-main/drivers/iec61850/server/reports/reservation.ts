/** Who holds a report block (IEC 61850-7-2, 17.2.2 and 17.2.4): one client, until it gives it free or is gone. */
import type { CancelTimer, Clock } from '../../../../platform/clock.ts';
import type { ReportClient } from './report-client.ts';

/** How long a buffered block waits for a client that did not say how long, in seconds. */
const IMPLICIT_S = 10;

export interface ReservationOptions {
  readonly clock: Clock;
  /** True where a reservation outlasts the association for its time: a buffered block with ResvTms. */
  readonly lasts: boolean;
  /** Somebody else holds the block now, or nobody. */
  onChanged(): void;
}

export class Reservation {
  readonly #options: ReservationOptions;
  #holder: ReportClient | null = null;
  /** Address of the holder, also while it is away; null: nobody holds the block. */
  #address: string | null = null;
  #seconds = 0;
  #isImplicit = false;
  #cancel: CancelTimer | null = null;

  constructor(options: ReservationOptions) {
    this.#options = options;
  }

  /** Whose association holds the block; null also while a holder is away. */
  get holder(): ReportClient | null {
    return this.#holder;
  }

  /** Address of who holds the block; null where nobody does. */
  get address(): string | null {
    return this.#address;
  }

  /** What ResvTms says: 0 where the block is free. */
  get seconds(): number {
    return this.#seconds;
  }

  /** True where the client may not touch the block. One that lost its association is known again by its address. */
  isOfOther(client: ReportClient): boolean {
    if (this.#holder) return this.#holder !== client;
    return this.#address !== null && this.#address !== client.address;
  }

  /** The client asks for the block; `seconds` for which it is kept behind the end of the association. */
  take(client: ReportClient, seconds = IMPLICIT_S): void {
    this.#set(client, client.address, seconds, false);
  }

  /** The client uses a block that it did not ask for. */
  takeByUse(client: ReportClient): void {
    if (this.#holder === client) return;
    const isNew = this.#address === null;
    this.#set(client, client.address, isNew ? IMPLICIT_S : this.#seconds, isNew);
  }

  /** The client has disabled the block. */
  disabled(): void {
    if (this.#isImplicit) this.release();
  }

  /** The association of the holder has ended. */
  left(client: ReportClient): void {
    if (this.#holder !== client) return;
    if (this.#options.lasts) {
      this.#holder = null;
      this.#cancel = this.#options.clock.after(this.#seconds * 1000, () => this.release());
    } else this.release();
  }

  release(): void {
    this.#set(null, null, 0, false);
  }

  #set(holder: ReportClient | null, address: string | null, seconds: number, isImplicit: boolean): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#holder = holder;
    this.#address = address;
    this.#seconds = this.#options.lasts ? seconds : 0;
    this.#isImplicit = isImplicit;
    this.#options.onChanged();
  }
}
