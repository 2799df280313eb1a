/** Readings on their way to the sink in the order of their arrival: plain numbers in blocks, all others in lists. */
import type { DriverSink, PointReading, PointValue, ReadingDetail } from '../spi/index.ts';
import { BLOCK_CAPACITY, BLOCK_INVALID, BLOCK_OCTETS, BLOCK_STATE, flagBits, littleEndian, ReadingBlock } from '../spi/reading-block.ts';

/** As `DriverSink.values`. */
export type RunKind = boolean | 'only';

export class ReadingRun {
  readonly #sink: Pick<DriverSink, 'values'>;
  /** Either this or the list has any. */
  readonly #block = new ReadingBlock();
  #list: PointReading[] = [];
  #kind: RunKind = false;

  constructor(sink: Pick<DriverSink, 'values'>) {
    this.#sink = sink;
  }

  /** Passes on what has come, as one batch. */
  flush(): void {
    if (this.#block.length > 0) {
      this.#sink.values(this.#block, this.#kind);
      this.#block.length = 0;
    }
    if (this.#list.length === 0) return;
    const list = this.#list;
    this.#list = [];
    this.#sink.values(list, this.#kind);
  }

  push(reading: PointReading, kind: RunKind): void {
    if (kind !== this.#kind || this.#block.length > 0) {
      this.flush();
      this.#kind = kind;
    }
    const list = this.#list;
    // as `push`, which is a call of its own here
    list[list.length] = reading;
  }

  /** The block with room for one more value with this detail, which the caller puts at its `length`, and counts. */
  room(detail: ReadingDetail | undefined, kind: RunKind): ReadingBlock {
    const block = this.#block;
    if (kind !== this.#kind || block.detail !== detail || block.length === BLOCK_CAPACITY || this.#list.length > 0) {
      this.flush();
      this.#kind = kind;
      block.detail = detail;
    }
    return block;
  }

  /** Takes a value whose octets are the first `size` of its `raw`: that may be written in again as soon as this returns. */
  add(reading: PointValue, size: number, kind: RunKind): void {
    const { value, raw } = reading;
    if (typeof value !== 'number' || size > BLOCK_OCTETS || !isPlain(reading)) {
      this.push({ ...reading, raw: raw.slice(0, size) }, kind);
      return;
    }
    // before what is full is passed on: who takes it may write there
    const [low, high] = [littleEndian(raw, 0, size), littleEndian(raw, 4, size - 4)];
    const block = this.room(reading.detail, kind);
    const at = block.length;
    block.length = at + 1;
    block.pointId[at] = reading.pointId;
    block.value[at] = value;
    block.form[at] = (reading.form === 'state' ? BLOCK_STATE : 0) | (reading.quality === 'invalid' ? BLOCK_INVALID : 0);
    block.flags[at] = reading.flags.length === 0 ? 0 : flagBits(reading.flags);
    block.sourceTime[at] = reading.sourceTime ?? Number.NaN;
    block.rawLow[at] = low;
    block.rawHigh[at] = high;
    block.rawLength[at] = size;
  }
}

/** True for a number and nothing beside it that a block has no column for. */
function isPlain({ form, exponent, valueText, textBehind, remark }: PointValue): boolean {
  return form !== 'written' && !exponent && valueText === '' && !textBehind && remark === undefined;
}
