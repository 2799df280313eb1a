import type { ScanBlock, ScanFunction } from '../../../drivers/spi/diagnostics.ts';

/** A place that gave a value. */
export interface ScannedPlace {
  readonly scanned: ScanFunction;
  readonly address: number;
  readonly value: number;
}

/** Values of a scan by function and address, in the order they were read, which is ascending. */
export class ScanValues {
  readonly functions: readonly ScanFunction[];
  readonly #places: ScannedPlace[] = [];
  readonly #byAddress = new Map<string, number>();

  constructor(functions: readonly ScanFunction[]) {
    this.functions = functions;
  }

  get size(): number {
    return this.#places.length;
  }

  put({ functionCode, start }: ScanBlock, values: readonly number[]): void {
    const scanned = this.functions.find((item) => item.code === functionCode);
    if (!scanned) return;
    for (const [index, value] of values.entries()) {
      this.#places.push({ scanned, address: start + index, value });
      this.#byAddress.set(`${functionCode} ${start + index}`, value);
    }
  }

  /** Value at an address; undefined where none was read. */
  at(functionCode: number, address: number): number | undefined {
    return this.#byAddress.get(`${functionCode} ${address}`);
  }

  page(offset: number, limit: number): readonly ScannedPlace[] {
    return this.#places.slice(offset, offset + limit);
  }

  all(): readonly ScannedPlace[] {
    return this.#places;
  }
}
