import { say } from '#shared/messages/index.ts';
import { type Names, names } from '#shared/messages/message.ts';
import type { FrameText } from '../../spi/index.ts';
import { addressText } from '../address.ts';

interface Area {
  readonly name: Names;
  readonly plural: Names;
  /** First digit of the reference that many tables use, e.g. 4 for holding registers: 40001 is address 0. */
  readonly digit: number | '';
}

function area(en: string, zh: string, digit: Area['digit']): Area {
  return { name: names(en, zh), plural: names(`${en}s`, zh), digit };
}

const AREAS: Readonly<Record<number, Area>> = {
  1: area('coil', '线圈', 0),
  2: area('discrete input', '离散输入', 1),
  3: area('holding register', '保持寄存器', 4),
  4: area('input register', '输入寄存器', 3),
};
const ANY_AREA = area('register', '寄存器', '');
const AREA_OF_FUNCTION: Readonly<Record<number, number>> = { 1: 1, 2: 2, 3: 3, 4: 4, 5: 1, 6: 3, 15: 1, 16: 3, 22: 3, 23: 3 };

/** Highest address of a five-digit reference; beyond it references have six digits. */
const LAST_SHORT_REFERENCE = 9998;

/** Addresses of one function in the words of its area, with the reference that many tables use beside them (V1.1b3, 4.4). */
export class AddressWording {
  readonly #area: Area;
  readonly #addressBase: number;

  /** `addressBase` as in the channel settings. */
  constructor(functionCode: number, addressBase: number) {
    this.#area = AREAS[AREA_OF_FUNCTION[functionCode] ?? 0] ?? ANY_AREA;
    this.#addressBase = addressBase;
  }

  /** The address on the wire, the reference, and the address of the point table where that is another one. */
  address(address: number): FrameText {
    const said = { address: addressText(address), reference: this.reference(address) };
    if (this.#addressBase === 0) return say('modbusframe.reference', said);
    return say('modbusframe.reference_in_table', { ...said, point: address + this.#addressBase });
  }

  /** `40108` for holding register 107; six digits where five are not enough. */
  reference(address: number): string {
    const digits = address <= LAST_SHORT_REFERENCE ? 4 : 5;
    return `${this.#area.digit}${String(address + 1).padStart(digits, '0')}`;
  }

  /** `holding register 107 (40108)`; without a known address its place in the answer. */
  one(start: number | null, index: number): FrameText {
    const { name } = this.#area;
    if (start === null) return say('modbusframe.place', { area: name, place: index + 1 });
    return say('modbusframe.one', { area: name, address: start + index, reference: this.reference(start + index) });
  }

  /** `holding registers 107 to 109 (40108 to 40110)`. */
  range(start: number, quantity: number): FrameText {
    if (quantity === 1) return this.one(start, 0);
    const last = start + quantity - 1;
    return say('modbusframe.range', {
      area: this.#area.plural,
      first: start,
      last,
      first_reference: this.reference(start),
      last_reference: this.reference(last),
    });
  }

  /** True for coils and discrete inputs. */
  get hasBits(): boolean {
    return this.#area === AREAS[1] || this.#area === AREAS[2];
  }
}
