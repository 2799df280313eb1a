import { MOST_CAPTURE_COLUMNS, MOST_SERIES_VALUES } from '#shared/contract/simulation.ts';
import { protocolFacts } from '#shared/domain/protocols.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Conversation, Said } from '../../capture/conversations.ts';
import type { CapturedRead, ProtocolDriver, ReadFinder } from '../../drivers/spi/index.ts';

/** What can be taken of a conversation. */
export interface Surveyed {
  /** Whose reads it holds; null: those of no protocol that can be served again. */
  readonly driver: ProtocolDriver | null;
  readonly reads: number;
  /** Addresses that they were of; no further than one more than may be. */
  readonly addresses: number;
  /** Why it cannot be taken, as said of it; null: it can. */
  readonly reason: Message | null;
}

/** Counts what each protocol finds in the conversations of a capture, without keeping any of it. */
export class CaptureSurvey {
  readonly #drivers: readonly ProtocolDriver[];
  readonly #tallies = new Map<Conversation, readonly Tally[]>();

  constructor(drivers: readonly ProtocolDriver[]) {
    this.#drivers = drivers.filter(({ capturedReads }) => capturedReads);
  }

  readonly hear = ({ conversation, isToDevice, stretch }: Said): void => {
    if (isToDevice === null) return;
    for (const tally of this.#of(conversation)) {
      if (stretch.kind === 'gap') tally.finder.gap(isToDevice);
      else for (const read of tally.finder.push(isToDevice, stretch.bytes)) tally.count(read, stretch.timeNs);
    }
  };

  /** To be asked at the end. Of several protocols that found something it is the one that found most. */
  of(conversation: Conversation): Surveyed {
    const [best] = this.#of(conversation).toSorted((a, b) => b.reads - a.reads);
    if (!best || best.reads === 0) {
      const protocols = this.#drivers.map(({ descriptor }) => protocolFacts(descriptor.protocolType).name);
      return { driver: null, reads: 0, addresses: 0, reason: say('capture.nothing_read', { protocols }) };
    }
    const { driver, reads, addresses, values } = best;
    return { driver, reads, addresses, reason: refusalOf(addresses, values) };
  }

  #of(conversation: Conversation): readonly Tally[] {
    const known = this.#tallies.get(conversation);
    if (known) return known;
    const made = this.#drivers.flatMap((driver) => {
      const finder = driver.capturedReads?.();
      return finder ? new Tally(driver, finder) : [];
    });
    this.#tallies.set(conversation, made);
    return made;
  }
}

function refusalOf(addresses: number, values: number): Message | null {
  if (addresses > MOST_CAPTURE_COLUMNS) return say('capture.many_places', { most: MOST_CAPTURE_COLUMNS });
  if (values > MOST_SERIES_VALUES) return say('simulation.series_large', { count: values, most: MOST_SERIES_VALUES });
  return null;
}

class Tally {
  readonly driver: ProtocolDriver;
  readonly finder: ReadFinder;
  reads = 0;
  #rows = 0;
  #lastNs: bigint | null = null;
  readonly #last = new Map<string, number>();

  constructor(driver: ProtocolDriver, finder: ReadFinder) {
    this.driver = driver;
    this.finder = finder;
  }

  get addresses(): number {
    return this.#last.size;
  }

  get values(): number {
    return this.#rows * this.#last.size;
  }

  count({ slaveId, functionCode, start, numbers }: CapturedRead, timeNs: bigint | null): void {
    this.reads += 1;
    let isNews = false;
    for (const [offset, number] of numbers.entries()) {
      const place = `${slaveId}:${functionCode}:${start + offset}`;
      const last = this.#last.get(place);
      if (last === number) continue;
      if (last === undefined && this.#last.size > MOST_CAPTURE_COLUMNS) return;
      this.#last.set(place, number);
      isNews = true;
    }
    // a time that is not later belongs to the row before
    if (!isNews || (this.#lastNs !== null && (timeNs ?? this.#lastNs) <= this.#lastNs)) return;
    this.#lastNs = timeNs ?? 0n;
    this.#rows += 1;
  }
}
