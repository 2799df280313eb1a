/** What outlasts the simulated device, kept in the project: data sets, settings and the configuration of buffered report blocks that clients changed, and the entries of these blocks and of logs. */
import { z } from 'zod';
import { toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { CancelTimer } from '../../../platform/clock.ts';
import type { Steps } from '../../../platform/steps.ts';
import { BerReader } from '../../../protocol-kit/ber/reader.ts';
import { BerWriter } from '../../../protocol-kit/ber/writer.ts';
import { hexText } from '../../../protocol-kit/bytes.ts';
import type { ServerIo } from '../../spi/index.ts';
import { decodeValue, encodeValue } from '../mms/data.ts';
import type { MmsValue } from '../mms/types.ts';
import type { SimulatedIed } from './ied.ts';
import { KeptLog } from './logs/lasting-log.ts';
import { KeptBlock } from './reports/lasting-entries.ts';

/** Values that are kept; beyond them the oldest go. */
const MOST_VALUES = 2000;
/** From a change to its storing: what belongs together is stored at once. */
const STORE_MS = 500;
/** Between two storings of entries that come all the time: the most that a program that is killed loses of them. */
const STORE_ENTRIES_MS = 5000;

const Kept = z.object({
  data_sets: z.array(z.object({ name: z.string(), members: z.array(z.string()) })).default([]),
  /** Octets of the values in hexadecimal, by their places in the image, in the order of the changes. */
  values: z.array(z.tuple([z.string(), z.string()])).default([]),
  /** Read apart: what is wrong with entries leaves the rest as it is. */
  entries: z.unknown().optional(),
  logs: z.unknown().optional(),
});

export class ServedMemory {
  readonly #io: Pick<ServerIo, 'lasting' | 'clock' | 'sink'>;
  readonly #ied: SimulatedIed;
  /** Places of the values that clients have set, the newest last. */
  readonly #places = new Set<string>();
  #cancel: CancelTimer | null = null;
  #cancelEntries: CancelTimer | null = null;
  /** What is being written out before it is stored; null: nothing is. */
  #writing: Steps<void> | null = null;
  #cancelWriting: CancelTimer | null = null;
  #storedMs = Number.NEGATIVE_INFINITY;

  constructor(io: Pick<ServerIo, 'lasting' | 'clock' | 'sink'>, ied: SimulatedIed) {
    this.#io = io;
    this.#ied = ied;
  }

  /** Gives the device what was kept and still suits its model. */
  restore(): void {
    const { data_sets: sets, values } = Kept.safeParse(this.#io.lasting?.read()).data ?? Kept.parse({});
    for (const { name, members } of sets) this.#ied.dataSets.restore(name, members, (item) => this.#ied.access.exists(item));
    for (const [place, octets] of values) {
      const value = valueFrom(octets);
      if (value && this.#ied.image.keep(place, value)) this.#places.add(place);
    }
  }

  /** Clients have set these. */
  set(places: readonly string[]): void {
    for (const place of places) {
      this.#places.delete(place);
      this.#places.add(place);
    }
    for (const place of this.#places) {
      if (this.#places.size <= MOST_VALUES) break;
      this.#places.delete(place);
    }
    this.changed();
  }

  /** Data sets are others; everything is stored soon. */
  changed(): void {
    if (this.#io.lasting) this.#cancel ??= this.#io.clock.after(STORE_MS, () => this.#store());
  }

  /** Gives the report blocks and logs the entries that were kept; behind their start. */
  restoreEntries(): void {
    const { entries, logs } = Kept.safeParse(this.#io.lasting?.read()).data ?? {};
    this.#ied.reports.restoreEntries(z.array(KeptBlock).safeParse(entries).data ?? []);
    this.#ied.logs.restore(z.array(KeptLog).safeParse(logs).data ?? []);
  }

  /** Buffered blocks or logs have other entries: soon behind a quiet time, else at their interval. */
  entriesChanged(): void {
    const { lasting, clock } = this.#io;
    if (!lasting || this.#cancelEntries) return;
    const waitMs = Math.max(STORE_MS, this.#storedMs + STORE_ENTRIES_MS - clock.monotonicMs());
    this.#cancelEntries = clock.after(waitMs, () => this.#store());
  }

  /** Stores what waits for it. */
  end(): void {
    // what is being gathered becomes entries, and waits then
    const entries = this.#ied.reports.keptEntries(true);
    if (this.#cancel || this.#cancelEntries) this.#write(entries);
  }

  /** Entries of many members are written out in turns, and then stored as they are by then. */
  #store(): void {
    if (this.#writing) return;
    this.#writing = this.#ied.reports.keptSteps();
    this.#goOn();
  }

  #goOn(): void {
    if (this.#writing?.next().done === false) this.#cancelWriting = this.#io.clock.after(0, () => this.#goOn());
    else this.#write(this.#ied.reports.keptEntries(false));
  }

  #write(entries: readonly KeptBlock[]): void {
    this.#cancel?.();
    this.#cancelEntries?.();
    this.#cancelWriting?.();
    this.#cancel = null;
    this.#cancelEntries = null;
    this.#cancelWriting = null;
    this.#writing = null;
    this.#storedMs = this.#io.clock.monotonicMs();
    const { dataSets, image, logs } = this.#ied;
    const values = [...this.#places].flatMap((place) => {
      const value = image.keptAt(place);
      return value ? [[place, hexText(encodeValue(new BerWriter(), value).finish())]] : [];
    });
    try {
      this.#io.lasting?.write({ data_sets: dataSets.dynamic(), values, entries, logs: logs.kept() });
    } catch (thrown) {
      this.#io.sink.notice(say('iec61850.served_not_kept', { reason: toAppError(thrown).said }));
    }
  }
}

function valueFrom(hex: string): MmsValue | null {
  try {
    return decodeValue(new BerReader(Uint8Array.from(hex.split(' '), (pair) => Number.parseInt(pair, 16))));
  } catch {
    return null;
  }
}
