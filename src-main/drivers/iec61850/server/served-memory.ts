/** What clients change for good in the simulated device, kept in the project: data sets, settings, configuration of buffered report blocks. */
import { z } from 'zod';
import { toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { CancelTimer } from '../../../platform/clock.ts';
import { BerReader } from '../../../protocol-kit/ber/reader.ts';
import { BerWriter } from '../../../protocol-kit/ber/writer.ts';
import { hexText } from '../../../protocol-kit/bytes.ts';
import type { ServerIo } from '../../spi/index.ts';
import { decodeValue, encodeValue } from '../mms/data.ts';
import type { MmsValue } from '../mms/types.ts';
import type { SimulatedIed } from './ied.ts';

/** Values that are kept; beyond them the oldest go. */
const MOST_VALUES = 2000;
/** From a change to its storing: what belongs together is stored at once. */
const STORE_MS = 500;

const Kept = z.object({
  data_sets: z.array(z.object({ name: z.string(), members: z.array(z.string()) })).default([]),
  /** Octets of the values in hexadecimal, by their places in the image, in the order of the changes. */
  values: z.array(z.tuple([z.string(), z.string()])).default([]),
});

export class ServedMemory {
  readonly #io: Pick<ServerIo, 'lasting' | 'clock' | 'sink'>;
  readonly #ied: SimulatedIed;
  /** Places of the values that clients have set, the newest last. */
  readonly #places = new Set<string>();
  #cancel: CancelTimer | null = null;

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
    if (this.#io.lasting) this.#cancel ??= this.#io.clock.after(STORE_MS, () => this.store());
  }

  /** Stores what waits for it. */
  store(): void {
    if (!this.#cancel) return;
    this.#cancel();
    this.#cancel = null;
    const { dataSets, image } = this.#ied;
    const values = [...this.#places].flatMap((place) => {
      const value = image.keptAt(place);
      return value ? [[place, hexText(encodeValue(new BerWriter(), value).finish())]] : [];
    });
    try {
      this.#io.lasting?.write({ data_sets: dataSets.dynamic(), values });
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
