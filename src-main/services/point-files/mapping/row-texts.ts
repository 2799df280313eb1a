/** The texts of a row by what they mean. */
import type { ListRole } from '#shared/domain/list-mapping.ts';
import { headerKey } from './header-words.ts';
import type { ListTableAt } from './list-tables.ts';
import { parseScale } from './scale.ts';
import type { DataRow } from './table-rows.ts';
import { isUnit } from './units.ts';

export type RoleTexts = Readonly<Partial<Record<ListRole, string>>>;

/** A column whose cells are kept beside the point. */
export interface KeptColumn {
  readonly index: number;
  readonly header: string;
  readonly role: 'note' | 'texts' | 'category';
}

/** How the columns of a table become texts by role. */
export class TexterOfTable {
  readonly headers: RoleTexts;
  readonly kept: readonly KeptColumn[];
  readonly #single: readonly (readonly [index: number, role: ListRole])[];
  readonly #parts: readonly number[];

  constructor({ table, roles }: ListTableAt) {
    const header = (index: number) => table.headers.get(index) ?? '';
    this.headers = Object.fromEntries(roles.filter(({ role }) => role !== 'ignore').map(({ index, role }) => [role, header(index)]));
    this.kept = roles.flatMap(({ index, role }) =>
      role === 'note' || role === 'texts' || role === 'category' ? [{ index, header: header(index), role }] : [],
    );
    this.#single = roles
      .filter(({ role }) => !['note', 'texts', 'category', 'ignore', 'address_part'].includes(role))
      .map(({ index, role }) => [index, role]);
    const parts = roles.filter(({ role }) => role === 'address_part');
    // DI3 to DI0, whatever their order on the paper
    const digit = (index: number) => Number(/\d/.exec(header(index))?.[0] ?? Number.NaN);
    const isNumbered =
      new Set(parts.map(({ index }) => digit(index))).size === parts.length && parts.every(({ index }) => !Number.isNaN(digit(index)));
    this.#parts = (isNumbered ? parts.toSorted((a, b) => digit(b.index) - digit(a.index)) : parts).map(({ index }) => index);
  }

  texts({ texts }: DataRow): RoleTexts {
    const result: Partial<Record<ListRole, string>> = {};
    for (const [index, role] of this.#single) {
      const text = texts.get(index);
      if (text !== undefined) result[role] = text;
    }
    const parts = this.#parts.map((index) => texts.get(index) ?? '');
    if (parts.some((part) => part !== '') && result.address === undefined) result.address = parts.join(' ').trim();
    const unit = result.unit === undefined ? this.#unitBeside(texts) : undefined;
    if (unit !== undefined) result.unit = unit;
    return result;
  }

  /** A unit in a column that is called format, resolution or range, where the row has none of its own. */
  #unitBeside(texts: DataRow['texts']): string | undefined {
    const beside = this.kept
      .filter(({ header }) => /format|格式|resolution|分辨|range|量程/.test(headerKey(header)))
      .map(({ index }) => texts.get(index) ?? '');
    return beside.find((text) => isUnit(text) || (parseScale(text)?.unit ?? '') !== '');
  }

  /** True for a column whose header says no more than that it is a remark. */
  static isPlainNote({ role, header }: KeptColumn): boolean {
    return role === 'note' && /^(remarks?|notes?|comments?|备注|说明|注释|描述|description|desc)$/.test(headerKey(header));
  }
}
