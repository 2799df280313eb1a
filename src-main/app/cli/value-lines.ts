import type { CliContext } from './context.ts';
import { valueText } from './points.ts';
import { padded, plain, textWidth } from './table.ts';
import type { Watched, WatchedValue } from './watched.ts';

/** Columns of a time such as 2026-01-31T10:00:00.000Z. */
const TIME_WIDTH = 24;
const VALUE_WIDTH = 12;

/** Lines of values, one a change; a value that is told again and is the same makes none. */
export class ValueLines {
  readonly #context: CliContext;
  #left: number | null;
  readonly #last = new Map<number, string>();
  #device = 0;
  #code = 0;

  /** `count`: lines until the end; null: no end. */
  constructor(context: CliContext, count: number | null) {
    this.#context = context;
    this.#left = count;
  }

  /** Writes a value of a device. False: that was the last line, or nobody reads them. */
  async write(device: string, value: WatchedValue, watched: Watched): Promise<boolean> {
    const { updated_at: _, ...told } = value;
    const said = JSON.stringify(told);
    if (this.#last.get(value.id) === said) return true;
    this.#last.set(value.id, said);
    const unit = watched.unitOf(value.id);
    const line = this.#context.isJson ? JSON.stringify({ device_name: device, unit, ...value }) : this.#text(device, unit, value, watched);
    const isRead = await this.#context.io.out(`${line}\n`);
    if (this.#left !== null) this.#left -= 1;
    return isRead && this.#left !== 0;
  }

  #text(device: string, unit: string, value: WatchedValue, { texts }: Watched): string {
    const { speech } = this.#context;
    if (this.#code === 0) {
      this.#device = texts.devices.reduce((most, text) => Math.max(most, textWidth(text)), 0);
      this.#code = texts.codes.reduce((most, text) => Math.max(most, textWidth(text)), 1);
    }
    const { quality, value: number, value_text, error, error_message } = value;
    const reading = valueText({ value: number ?? Number.NaN, value_text, quality });
    return [
      (value.source_time ?? value.updated_at ?? '').padEnd(TIME_WIDTH),
      padded(plain(device), this.#device),
      padded(plain(value.code), this.#code),
      padded(plain(reading), VALUE_WIDTH, 'right'),
      ...(unit ? [plain(unit)] : []),
      speech.page.quality[quality] ?? quality,
      ...(value.flags?.length ? [value.flags.join(' ')] : []),
      ...(error === undefined ? [] : [plain(speech.message(error_message, error))]),
    ].join('  ');
  }
}
