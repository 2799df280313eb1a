/** A list of Modbus registers as a whole: how its addresses count, which word comes first, what has to be asked. */
import { LEAVE_ROWS } from '#shared/domain/list-mapping.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { ListConclusion, ListContext, ListRow, ListSurvey, OpenListQuestion } from '../../spi/lists.ts';
import { type AddressHints, type AddressSample, byPlaces, type FoundReading, findReading } from './address-reading.ts';
import { type AddressReading, type AddressStyle, placeWord } from './address-style.ts';
import { functionInTitle } from './function-words.ts';
import { readLengths } from './lengths.ts';
import { findNumberForm } from './number-form.ts';
import { cutOrder } from './order-words.ts';
import { type ListReading, placeRow, READS } from './place-row.ts';
import { factsOf, type RowFacts, textOf } from './row-facts.ts';
import { findTypeQuestions } from './type-questions.ts';
import { type RegisterOrder, registersOf } from './value-types.ts';
import { AREAS } from './written-address.ts';

const ORDERS: readonly RegisterOrder[] = ['ABCD', 'CDAB', 'BADC', 'DCBA'];
const READINGS: readonly AddressReading[] = ['plain0', 'plain1', 'ref0', 'ref1'];

/** Looks at all rows of a list at once. */
export function surveyList(rows: readonly ListRow[], context: ListContext): ListSurvey {
  const told: ListConclusion[] = [];
  const questions: OpenListQuestion[] = [];
  const facts = rows.map(factsOf);
  const tables = Map.groupBy(facts, ({ row }) => row.table);
  const lengths = readLengths(tables, context);
  const hasTables = facts.some(({ written }) => written?.form === 'table');
  const forms = formsOf(tables, lengths, context, questions);
  const styles = stylesOf({ tables, lengths, forms, hasTables }, context, told, questions);
  const types = findTypeQuestions(facts, lengths, context.answers);
  questions.push(...functionQuestions(facts), ...types.questions);
  const order = orderOf(facts, { lengths, types }, context, told, questions);
  const reading: ListReading = { styles, lengths, order, types, context, prose: functionOfProse(context.prose) };
  tellFunction(facts, reading, told);
  const known = new Map(facts.map((row) => [row.row, row]));
  return { told, questions, place: (row) => placeRow(known.get(row) ?? factsOf(row), reading) };
}

/** One for each word of a function that nobody knows. */
function functionQuestions(facts: readonly RowFacts[]): OpenListQuestion[] {
  const unknown = facts
    .filter((row) => row.written !== null && row.function === null)
    .map(({ row }) => textOf(row, 'function').toLowerCase());
  return [...new Set(unknown)]
    .filter((word) => word !== '')
    .map((word) => ({
      id: `function:${word}`,
      kind: 'function',
      params: { word },
      choices: ['3', '4', '1', '2', LEAVE_ROWS],
      proposed: null,
      isTold: false,
    }));
}

type Tables = ReadonlyMap<number, readonly RowFacts[]>;
type Lengths = ReturnType<typeof readLengths>;

/** True for each table whose digits are hexadecimal; null where that has to be asked. */
function formsOf(
  tables: Tables,
  lengths: Lengths,
  { headers, answers }: ListContext,
  questions: OpenListQuestion[],
): Map<number, boolean | null> {
  const forms = new Map<number, boolean | null>();
  for (const [table, facts] of tables) {
    const addressed = facts.filter(({ written }) => written !== null);
    const form = findNumberForm(
      addressed.flatMap(({ written }) => written ?? []),
      addressed.map((row) => lengths.registers(row)),
      headers[table]?.address ?? '',
    );
    const answer = answers.number_form;
    forms.set(table, form === null ? (answer === undefined ? null : answer === 'hexadecimal') : form === 'hexadecimal');
    if (form !== null || questions.some(({ id }) => id === 'number_form')) continue;
    questions.push({
      id: 'number_form',
      kind: 'number_form',
      params: {},
      choices: ['decimal', 'hexadecimal'],
      proposed: 'hexadecimal',
      isTold: false,
    });
  }
  return forms;
}

interface Surveyed {
  readonly tables: Tables;
  readonly lengths: Lengths;
  readonly forms: ReadonlyMap<number, boolean | null>;
  readonly hasTables: boolean;
}

/** How the addresses of each table are read; the questions it waits for where it has to be asked. */
function stylesOf(
  list: Surveyed,
  context: ListContext,
  told: ListConclusion[],
  questions: OpenListQuestion[],
): Map<number, AddressStyle | readonly string[]> {
  const found = together(new Map([...list.tables].map(([table, facts]) => [table, readingOf(table, facts, list, context)])));
  const answer = READINGS.find((reading) => reading === context.answers.base);
  const known = [...found.values()].flatMap((item) => (item?.reading ? [item] : []));
  const open = [...found.values()].filter((item) => item !== null && item.reading === null);
  const agreed = new Set(known.map(({ reading }) => reading));
  // what the other tables of the list say holds for one that says nothing
  const shared = agreed.size === 1 ? ([...agreed][0] ?? null) : null;
  const choices = READINGS.filter((reading) => open.some((item) => item?.choices.includes(reading)));
  const fits = shared !== null && choices.includes(shared) ? shared : null;
  if (open.length > 0 && fits === null) {
    questions.push({ id: 'base', kind: 'base', params: {}, choices, proposed: choices[0] ?? null, isTold: true });
  }
  const first = known[0];
  if (answer === undefined && first?.reading) told.push(toldReading(first.reading, first.why));
  const tableBase = [...list.tables.values()].flat().some(({ written }) => written?.form === 'table' && Number(written.digits) === 0)
    ? 0
    : 1;
  return new Map(
    [...found].map(([table, item]): [number, AddressStyle | readonly string[]] => {
      const reading = answer ?? item?.reading ?? (item === null ? 'plain0' : fits);
      const isHex = list.forms.get(table) ?? null;
      if (reading === null || isHex === null)
        return [table, [...(reading === null ? ['base'] : []), ...(isHex === null ? ['number_form'] : [])]];
      return [table, { reading, isHex, hasTables: list.hasTables, tableBase, words: context.words }];
    }),
  );
}

/** Tables that say nothing by themselves say more together. */
function together(found: ReadonlyMap<number, FoundReading | null>): ReadonlyMap<number, FoundReading | null> {
  const items = [...found.values()];
  const places = items.flatMap((item) => item?.places ?? []);
  const pooled = items.some((item) => item !== null && item.reading !== null) ? null : byPlaces(places);
  return pooled === null ? found : new Map([...found].map(([table, item]) => [table, item && item.places.length > 0 ? pooled : item]));
}

function toldReading(reading: AddressReading, why: Message | null): ListConclusion {
  return { rule: 'list_base', params: { reading: say(`list.base_${reading}`), why: why ?? say('list.why_other') } };
}

function readingOf(
  table: number,
  facts: readonly RowFacts[],
  { lengths, forms, hasTables }: Surveyed,
  { headers, prose, words }: ListContext,
) {
  const samples = facts.flatMap((row): AddressSample[] =>
    row.written && !placeWord(textOf(row.row, 'address'), words)
      ? [{ written: row.written, area: row.function?.area ?? null, registers: lengths.registers(row), check: row.check }]
      : [],
  );
  const hints: AddressHints = {
    header: headers[table]?.address ?? '',
    checkHeader: headers[table]?.address_check ?? '',
    prose: [...prose, ...facts.slice(0, 50).map(({ row }) => row.texts.name ?? row.texts.code ?? '')],
    isHex: forms.get(table) === true,
    hasTables,
  };
  return findReading(samples, hints);
}

/** The order of values of several registers whose row says none; null where it has to be asked. */
function orderOf(
  facts: readonly RowFacts[],
  { lengths, types }: Pick<ListReading, 'lengths' | 'types'>,
  { prose, headers, answers }: ListContext,
  told: ListConclusion[],
  questions: OpenListQuestion[],
): RegisterOrder | null {
  const isWide = (row: RowFacts): boolean => {
    const found = types.typeOf(row);
    return (found.kind === 'type' ? registersOf(found.type.bits) : (lengths.registers(row) ?? 1)) > 1;
  };
  const wide = facts.filter((row) => row.written !== null && isNumber(row) && isWide(row));
  const silent = wide.filter(({ order }) => order === null || order === 'little');
  if (silent.length === 0) return null;
  const answer = ORDERS.find((order) => order === answers.order);
  if (answer) return answer;
  const stated = new Set(facts.flatMap(({ order }) => (order === null ? [] : [order])));
  const sources = [...headers.flatMap((texts) => Object.values(texts)), ...facts.flatMap(({ row }) => row.titles), ...prose];
  const text = [...new Set(sources)]
    .map((source) => ({ source, order: cutOrder(source, false).order }))
    .find(({ order }) => order !== null);
  const orders = stated.size > 0 ? [...stated] : text?.order ? [text.order] : [];
  const [only] = orders;
  if (orders.length === 1 && only !== undefined && only !== 'little') {
    const why = stated.size > 0 ? say('list.why_types') : say('list.why_prose', { text: (text?.source ?? '').slice(0, 80) });
    told.push({ rule: 'list_order', params: { order: only, why } });
    return only;
  }
  const isLittle = orders.length === 1;
  const choices = isLittle ? ['CDAB', 'DCBA'] : [...ORDERS];
  questions.push({ id: 'order', kind: 'order', params: {}, choices, proposed: choices[0] ?? null, isTold: true });
  return null;
}

const isNumber = ({ type }: RowFacts): boolean => type === null || type.kind === 'uint' || type.kind === 'int' || type.kind === 'float';

/** The function that sentences of the list name, where it is one only. */
function functionOfProse(prose: readonly string[]) {
  const areas = new Set(
    prose.flatMap((text) => functionInTitle(text)?.area ?? []).filter((area) => area === AREAS.holding || area === AREAS.input),
  );
  return areas.size === 1 ? ([...areas][0] ?? null) : null;
}

/** Where nothing says the function, it is that of holding registers. */
function tellFunction(facts: readonly RowFacts[], { styles, prose, context }: ListReading, told: ListConclusion[]): void {
  const silent = facts.filter(({ written, function: said, row }) => {
    const style = styles.get(row.table);
    const isReference = style !== undefined && 'reading' in style && style.reading.startsWith('ref');
    return (
      written !== null && written.area === null && said?.area == null && !isReference && !placeWord(textOf(row, 'address'), context.words)
    );
  });
  if (silent.length > 0) told.push({ rule: 'list_function', params: { function: READS[prose ?? AREAS.holding], count: silent.length } });
}
