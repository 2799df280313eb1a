/** From rows of a list to points, and which rows wait for an answer. */
import type { ListPlacing, ListRow, ListSurvey, OpenListQuestion } from '../../../drivers/spi/index.ts';
import type { PlacedRow } from './coded-rows.ts';
import type { TableFactors } from './factors.ts';
import type { ListTableAt } from './list-tables.ts';
import type { OpenRow } from './open-rows.ts';
import { factsOf, pointsOf, type RowFacts } from './row-points.ts';
import type { TexterOfTable } from './row-texts.ts';
import type { ListFindings } from './table-rows.ts';
import type { ValueList } from './value-list.ts';

/** A question with how many rows wait for it, and some of them. */
export interface AskedQuestion extends OpenListQuestion {
  readonly rows: number;
  readonly samples: readonly OpenRow[];
}

/** Bits of the longest number. */
const MOST_BITS = 64;
/** Samples of a question. */
const SAMPLES = 24;

/** Takes rows to their points, and counts what waits. */
export class RowPlacer {
  readonly placed: PlacedRow[] = [];
  open = 0;
  writable = 0;
  rawLimits = 0;
  cut = 0;
  bitRows = 0;
  bitPoints = 0;
  readonly #survey: ListSurvey;
  readonly #factors: readonly TableFactors[];
  readonly #findings: ListFindings;
  readonly #waiting = new Map<string, { rows: number; samples: OpenRow[] }>();
  readonly #understood = new Map<ListTableAt, number>();

  constructor(survey: ListSurvey, factors: readonly TableFactors[], findings: ListFindings) {
    this.#survey = survey;
    this.#factors = factors;
    this.#findings = findings;
  }

  place(open: OpenRow, texter: TexterOfTable): void {
    const { table, data, row, texts } = open;
    const placing = this.#survey.place(row);
    const place = { sheet: table.sheet.name, row: data.index + 1 };
    if (placing.kind === 'out') {
      this.#findings.leftOut.add(placing.rule, placing.params, place);
      return;
    }
    if (row.access?.isWritten) this.writable += 1;
    const scale = this.#factors[row.table]?.of(texts);
    if (scale?.kind === 'left') {
      this.#findings.leftOut.add('row_factor', { value: scale.value }, place);
      return;
    }
    const waits = [...(placing.kind === 'open' ? placing.questions : []), ...(scale?.kind === 'open' ? [scale.question] : [])];
    if (waits.length > 0 || placing.kind === 'open' || scale?.kind !== 'scale') {
      this.#wait(waits, open);
      return;
    }
    const facts = factsOf(data, texts, texter.kept, scale, placing.range);
    if (facts.isRaw) this.rawLimits += 1;
    if (facts.isCut) this.cut += 1;
    const bits = this.#bitsOf(row, facts, placing);
    const points = pointsOf(facts, bits.length > 0 ? placing.points.filter(({ frame_type }) => frame_type === 3) : placing.points, bits);
    this.#understood.set(table, this.understood(table) + 1);
    this.placed.push({ table, index: data.index, points });
  }

  understood(table: ListTableAt): number {
    return this.#understood.get(table) ?? 0;
  }

  /** The questions that were asked with the rows that wait for each. */
  questions(asked: readonly OpenListQuestion[]): AskedQuestion[] {
    const first = new Map(asked.toReversed().map((question) => [question.id, question]));
    return [...new Set(asked.map(({ id }) => id))].flatMap((id) => {
      const question = first.get(id);
      const { rows, samples } = this.#waiting.get(id) ?? { rows: 0, samples: [] };
      return question ? [{ ...question, rows, samples }] : [];
    });
  }

  #wait(questions: readonly string[], row: OpenRow): void {
    this.open += 1;
    for (const id of questions) {
      const entry = this.#waiting.get(id) ?? { rows: 0, samples: [] };
      this.#waiting.set(id, entry);
      entry.rows += 1;
      if (entry.samples.length < SAMPLES) entry.samples.push(row);
    }
  }

  /** Points of the single bits of a row that lists what they mean. */
  #bitsOf(row: ListRow, { list }: RowFacts, { points, isBits }: Extract<ListPlacing, { kind: 'points' }>) {
    if (list === null || points.length === 0 || points[0]?.bit != null) return [];
    const listed = list.kind === 'bits' ? list.bits : isBits === true ? bitsOfValues(list) : [];
    const bits = listed.flatMap(({ bit, text }) => {
      const placing = bit >= 0 && bit < MOST_BITS ? this.#survey.place({ ...row, bit }) : null;
      const point = placing?.kind === 'points' ? placing.points[0] : undefined;
      return point && point.bit !== null ? [{ point, bit, text }] : [];
    });
    // where one has no place in the register, nobody knows what the others count from
    if (bits.length === 0 || bits.length < listed.length) return [];
    this.bitRows += 1;
    this.bitPoints += bits.length;
    return bits;
  }
}

/** Values of a word of bits are numbers of bits, or masks: `0x0001`, `0x0002`, `0x0004`, where 0 says that none is set. */
function bitsOfValues({ texts, isHex }: Extract<ValueList, { kind: 'values' }>): { bit: number; text: string }[] {
  const all = Object.entries(texts).map(([key, text]) => ({ number: Number(key), text }));
  const set = all.filter(({ number }) => number !== 0);
  // numbers of bits that leave out 0 and 3 are none
  const isMasks =
    set.every(({ number }) => Number.isInteger(Math.log2(number))) && (isHex || set.length > (set.length < all.length ? 3 : 2));
  return isMasks
    ? set.map(({ number, text }) => ({ bit: Math.log2(number), text }))
    : all.map(({ number, text }) => ({ bit: number, text }));
}
