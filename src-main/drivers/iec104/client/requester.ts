/** Sends the requests of a controlling station, each once and at once, and waits for what answers them. */

import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { HealthSink } from '../../spi/index.ts';
import { type Asdu, encodeAsdu } from '../codec/asdu.ts';
import type { AsduSizes } from '../codec/sizes.ts';
import type { Link } from '../link/link.ts';
import type { LinkSource, OutgoingAsdu } from '../link/link-types.ts';
import { type Transaction, type TransactionKey, Transactions } from './transactions.ts';

export interface RequesterOptions {
  readonly clock: Clock;
  readonly sizes: AsduSizes;
  readonly health: HealthSink;
  readonly limits: { readonly k: number };
  /** How long an answer may come after its request was given up. */
  readonly owedMs: number;
}

/** Source of the link: holds nothing back for later. A request that cannot leave now is refused. */
export class Requester implements LinkSource {
  readonly transactions: Transactions;
  readonly #options: RequesterOptions;
  #link: Pick<Link, 'room' | 'state' | 'wake'> | null = null;
  #staged: OutgoingAsdu | null = null;

  constructor(options: RequesterOptions) {
    this.#options = options;
    this.transactions = new Transactions(options.clock, options.owedMs);
  }

  use(link: Pick<Link, 'room' | 'state' | 'wake'>): void {
    this.#link = link;
  }

  next(): OutgoingAsdu | null {
    const staged = this.#staged;
    this.#staged = null;
    return staged;
  }

  /**
   * Sends a request. Throws `TRANSPORT_NOT_CONNECTED` when it could not be sent: data transfer is not started, or the station has left k
   * messages without an acknowledgement.
   */
  send(asdu: Asdu, key: TransactionKey): Transaction {
    return this.sendOctets(encodeAsdu(asdu, this.#options.sizes), key);
  }

  /** The same for an ASDU that is octets already. */
  sendOctets(octets: Uint8Array, key: TransactionKey): Transaction {
    const link = this.#link;
    if (link?.state !== 'started') throw new AppError('TRANSPORT_NOT_CONNECTED', say('iec104.not_started'));
    if (link.room <= 0) {
      const { k } = this.#options.limits;
      throw new AppError('TRANSPORT_NOT_CONNECTED', say('iec104.window_full', { k }));
    }
    const transaction = this.transactions.open(key);
    this.#staged = {
      asdu: octets,
      onSent: (seq, sendNumber) => {
        transaction.seq = seq;
        transaction.sendNumber = sendNumber;
      },
    };
    this.#options.health.request();
    link.wake();
    return transaction;
  }
}
