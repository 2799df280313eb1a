import { addressText } from '../address.ts';

interface Area {
  readonly name: string;
  /** First digit of the reference that many tables use, e.g. 4 for holding registers: 40001 is address 0. */
  readonly digit: number;
}

const AREAS: Readonly<Record<number, Area>> = {
  1: { name: 'coil', digit: 0 },
  2: { name: 'discrete input', digit: 1 },
  3: { name: 'holding register', digit: 4 },
  4: { name: 'input register', digit: 3 },
};
const AREA_OF_FUNCTION: Readonly<Record<number, number>> = { 1: 1, 2: 2, 3: 3, 4: 4, 5: 1, 6: 3, 15: 1, 16: 3, 22: 3, 23: 3 };

/** Highest address of a five-digit reference; beyond it references have six digits. */
const LAST_SHORT_REFERENCE = 9998;

/** Addresses of one function in the words of its area, with the reference that many tables use beside them (V1.1b3, 4.4). */
export class AddressWording {
  readonly #area: Area | undefined;
  readonly #addressBase: number;

  /** `addressBase` as in the channel settings. */
  constructor(functionCode: number, addressBase: number) {
    this.#area = AREAS[AREA_OF_FUNCTION[functionCode] ?? 0];
    this.#addressBase = addressBase;
  }

  /** The address on the wire, the reference, and the address of the point table where that is another one. */
  address(address: number): string {
    const base = this.#addressBase === 0 ? '' : `, in the point table ${address + this.#addressBase}`;
    return `${addressText(address)}, reference ${this.reference(address)}${base}`;
  }

  /** `40108` for holding register 107; six digits where five are not enough. */
  reference(address: number): string {
    const digits = address <= LAST_SHORT_REFERENCE ? 4 : 5;
    return `${this.#area?.digit ?? ''}${String(address + 1).padStart(digits, '0')}`;
  }

  /** `holding register 107 (40108)`; without a known address its place in the answer. */
  one(start: number | null, index: number): string {
    const name = this.#area?.name ?? 'register';
    return start === null ? `${name}, place ${index + 1}` : `${name} ${start + index} (${this.reference(start + index)})`;
  }

  /** `holding registers 107 to 109 (40108 to 40110)`. */
  range(start: number, quantity: number): string {
    const name = this.#area?.name ?? 'register';
    if (quantity === 1) return this.one(start, 0);
    const last = start + quantity - 1;
    return `${name}s ${start} to ${last} (${this.reference(start)} to ${this.reference(last)})`;
  }

  /** True for coils and discrete inputs. */
  get hasBits(): boolean {
    return this.#area === AREAS[1] || this.#area === AREAS[2];
  }
}
