import { MOST_TABLE_ROWS } from '#shared/contract/point-files.ts';
import { MOST_SERIES_COLUMNS, MOST_SERIES_VALUES } from '#shared/contract/simulation.ts';
import { invalidField } from '#shared/domain/errors.ts';
import { quoted, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { plainText, readCell } from '../point-files/cells.ts';
import { type Cell, cellKey, type SheetTable, TableFileFault } from '../point-files/table-file.ts';
import { readTable } from '../point-files/table-formats.ts';

const SHOWN = 40;
/** `2026-05-06 07:08:09.5`, with or without seconds; as written, whatever its zone: only distances count. */
const MOMENT = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})[ T](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?$/;
const CLOCK = /^(\d{1,3}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?$/;

/** The columns of a file, then its rows: seconds behind the first row, then a number or null (a gap) for each column. */
export type SeriesLine = readonly string[] | readonly (number | null)[];

/**
 * Reads recorded values from an xlsx or csv file: names in the first row that has any, the time in the first column (seconds, clock times or dates with a time), numbers or gaps in
 * the others. Throws `CONFIG_INVALID` with row and column for what does not fit.
 */
export async function readSeries(bytes: Uint8Array): Promise<SeriesLine[]> {
  const { sheets, delimiter } = await readTable(bytes).catch((thrown: unknown) => {
    throw thrown instanceof TableFileFault ? wrong(say('simulation.series_table')) : thrown;
  });
  const sheet = sheets.find(({ rows }) => rows.some((row) => row.some((cell) => plainText(cell) !== '')));
  if (!sheet) throw wrong(say('simulation.series_rows'));
  return linesOf(sheet, delimiter === ';');
}

function wrong(said: Message) {
  return invalidField('file', said);
}

function linesOf(sheet: SheetTable, hasDecimalComma: boolean): SeriesLine[] {
  const { rows } = sheet;
  const header = rows.findIndex((row) => row.some((cell) => plainText(cell) !== ''));
  const names = (rows[header] ?? []).map(plainText);
  const places = names.flatMap((name, place) => (place > 0 && name !== '' ? [place] : []));
  const isNumbers =
    places.length > 0 && places.every((place) => typeof rows[header]?.[place] === 'number' || /^[+-]?\d/.test(names[place] ?? ''));
  if (places.length === 0 || isNumbers) throw wrong(say('simulation.series_header'));
  const twice = places.find((place) => places.some((other) => other < place && names[other] === names[place]));
  if (twice !== undefined) throw wrong(say('simulation.series_twice', { column: names[twice] ?? '' }));
  if (places.length > MOST_SERIES_COLUMNS) throw wrong(say('simulation.series_large', { count: places.length, most: MOST_SERIES_COLUMNS }));
  const lines: SeriesLine[] = [places.map((place) => names[place] ?? '')];
  let [first, before, way] = [Number.NaN, Number.NEGATIVE_INFINITY, ''];
  for (let at = header + 1; at < rows.length; at++) {
    const row = rows[at] ?? [];
    if (row.every((cell) => plainText(cell) === '')) continue;
    const time = timeOf(row[0] ?? null, hasDecimalComma);
    const shown = plainText(row[0] ?? null).slice(0, SHOWN);
    if (!time || (way !== '' && time.way !== way)) throw wrong(say('simulation.series_time', { row: at + 1, text: quoted(shown) }));
    if (Number.isNaN(first)) [first, way] = [time.seconds, time.way];
    if (!(time.seconds > before)) throw wrong(say('simulation.series_order', { row: at + 1 }));
    before = time.seconds;
    const numbers = places.map((place) => numberOf(sheet, at, place, hasDecimalComma, names[place] ?? ''));
    // what a sum of fractions adds is none of the file's
    lines.push([Math.round((time.seconds - first) * 1e6) / 1e6, ...numbers]);
    if ((lines.length - 1) * places.length > MOST_SERIES_VALUES) {
      throw wrong(say('simulation.series_large', { count: (rows.length - header - 1) * places.length, most: MOST_SERIES_VALUES }));
    }
  }
  if (lines.length - 1 > MOST_TABLE_ROWS) throw wrong(say('simulation.series_long', { most: MOST_TABLE_ROWS }));
  if (lines.length === 1) throw wrong(say('simulation.series_rows'));
  return lines;
}

function numberOf(sheet: SheetTable, at: number, place: number, hasDecimalComma: boolean, column: string): number | null {
  const cell = sheet.rows[at]?.[place] ?? null;
  const read = sheet.errors.has(cellKey(at, place)) ? null : readCell(cell, { is: 'number' }, hasDecimalComma);
  if (read === null || 'rule' in read) {
    throw wrong(say('simulation.series_number', { row: at + 1, column, text: quoted(plainText(cell).slice(0, SHOWN)) }));
  }
  return (read.value as number | undefined) ?? null;
}

/** Seconds of a cell on a scale of its own; `way` tells the scales apart. Null: no time. */
function timeOf(cell: Cell, hasDecimalComma: boolean): { readonly seconds: number; readonly way: string } | null {
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? null : { seconds: cell.getTime() / 1000, way: 'date' };
  const text = plainText(cell);
  const moment = MOMENT.exec(text);
  if (moment) return momentOf(moment);
  const clock = CLOCK.exec(text);
  if (clock)
    return isOfClock(clock[2], clock[3])
      ? { seconds: 3600 * Number(clock[1]) + secondsOf(clock[2], clock[3], clock[4]), way: 'clock' }
      : null;
  const read = readCell(cell, { is: 'number' }, hasDecimalComma);
  return 'rule' in read || typeof read.value !== 'number' ? null : { seconds: read.value, way: 'seconds' };
}

function momentOf([, year, month, day, hour, minute, second, fraction, zone]: RegExpExecArray) {
  const days = Date.UTC(Number(year), Number(month) - 1, Number(day));
  const isDay = new Date(days).getUTCMonth() === Number(month) - 1 && new Date(days).getUTCDate() === Number(day);
  if (!isDay || Number(hour) > 23 || !isOfClock(minute, second)) return null;
  const offset = zone && zone !== 'Z' ? 60 * (60 * Number(zone.slice(0, 3)) + Number(`${zone[0]}${zone.slice(-2)}`)) : 0;
  return { seconds: days / 1000 + 3600 * Number(hour) + secondsOf(minute, second, fraction) - offset, way: zone ? 'zoned' : 'date' };
}

/** A second 60 is a leap second. */
function isOfClock(minute = '0', second = '0'): boolean {
  return Number(minute) < 60 && Number(second) <= 60;
}

function secondsOf(minute = '0', second = '0', fraction = ''): number {
  return 60 * Number(minute) + Number(second) + (fraction === '' ? 0 : Number(`0.${fraction}`));
}
