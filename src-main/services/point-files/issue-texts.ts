import type { TableRule } from '#shared/contract/point-files.ts';
import type { RuleParams } from './table-file.ts';

type Texts = (params: Readonly<Record<string, string>>) => string;

/** What each rule says: what is wrong, and what would be right. */
const TEXTS: Readonly<Record<TableRule, Texts>> = {
  file_empty: () => 'The file is empty.',
  file_unreadable: ({ detail }) => `The file cannot be read as xlsx or csv: ${detail}.`,
  file_old_xls: () => 'The file is a workbook of Excel 97 to 2003 (.xls); save it as .xlsx.',
  file_encrypted: () => 'The workbook has a password; save it without one.',
  file_too_large: ({ megabytes }) => `The file unpacks to more than ${megabytes} MiB, which no point table needs.`,
  file_too_slow: ({ seconds }) => `Reading the file took more than ${seconds} s and was ended.`,
  file_encoding: () => 'The csv is neither UTF-8 nor GBK; save it as "CSV UTF-8".',
  csv_broken: ({ line, detail }) => `The csv breaks off near line ${line}: ${detail}.`,
  sheets_missing: ({ found }) =>
    `There is no sheet of the name 遥测, 遥信, 遥控 or 遥调, and none with a column 测点类型; there are: ${found}.`,
  sheet_unknown: ({ name }) => `The sheet "${name}" was not used: its name is none of 遥测, 遥信, 遥控, 遥调.`,
  sheet_hidden: ({ name }) => `The sheet "${name}" is hidden; its rows were read.`,
  rows_none: () => 'The file has no row with a point.',
  rows_too_many: ({ max }) => `The file has more than ${max} rows with a point; divide it.`,
  header_missing: ({ header }) => `The column ${header} is missing; its header stands in row 1.`,
  header_twice: ({ header, first }) => `The columns ${first} and ${header} mean the same; one of them has to go.`,
  header_row: ({ row }) => `The headers were found in row ${row}, not in row 1.`,
  type_unknown: () => 'The csv does not say what its points are: add a column 测点类型 with 遥测, 遥信, 遥控 or 遥调.',
  columns_noted: ({ headers }) => `These columns are not known; what they hold was kept in the note: ${headers}.`,
  column_unnamed: ({ column }) => `Column ${column} has no header; what it holds was not used.`,
  column_not_used: ({ header }) => `${header} means nothing to this protocol; what it holds was kept in the note.`,
  merged: ({ range }) => `The cells ${range} are merged; each of them was given the value of the first.`,
  formula: ({ count, header }) => `${count} cells of ${header} are formulas; the values the file was saved with were taken.`,
  formula_no_value: () => 'The cell is a formula without a saved value; open the file in a spreadsheet, save it, or write the value.',
  cell_error: ({ value }) => `The cell shows the error ${value}.`,
  cell_date: ({ value }) => `The spreadsheet has made the date ${value} of what was written; format the cell as text.`,
  required: ({ header }) => `${header} is empty; it is needed.`,
  text_too_long: ({ length, max }) => `The text has ${length} characters; at most ${max} are possible.`,
  not_number: ({ value }) => `"${value}" is no number; numbers are written 16 or 0x0010.`,
  not_whole: ({ value }) => `${value} is no whole number.`,
  out_of_range: ({ value, min, max }) => `${value} is not within ${min} to ${max}.`,
  not_yes_no: ({ value }) => `"${value}" is neither yes nor no; write 是 or 否, 1 or 0.`,
  not_settings: ({ value, example }) => `"${value}" cannot be read; write it like ${example}.`,
  type_wrong: ({ value }) => `"${value}" is no point type; write 遥测, 遥信, 遥控 or 遥调.`,
  type_differs: ({ type, sheet }) => `The row says ${type}, but stands in the sheet ${sheet}.`,
  decode_unknown: ({ value, near }) => `${value} is no decode code; near ones are ${near}.`,
  note_clipped: ({ max }) => `The note would have more than ${max} characters; its end was left out.`,
  function_invalid: ({ message }) => `The function code does not fit the point type: ${message}.`,
  address_invalid: ({ message }) => `The address is not possible: it ${message}.`,
  slave_invalid: ({ message }) => `The slave address is not possible: ${message}.`,
  bit_invalid: ({ message }) => `The bit is not possible: it ${message}.`,
  setting_invalid: ({ field, message }) => `${field}: ${message}.`,
  factor_zero: () => 'The factor is 0, so every value would be the offset.',
  limits_inverted: ({ min, max }) => `The lower limit ${min} is above the upper limit ${max}.`,
  code_twice: ({ code, place }) => `The code "${code}" stands in ${place} already; codes are unique in a channel.`,
  type_changed: ({ code, before, after }) => `"${code}" is ${before} in the table and becomes ${after}.`,
  related_missing: ({ code }) => `There is no point with the code "${code}"; the relation is kept.`,
  same_address: ({ code }) => `"${code}" has the same address, type and bit.`,
  overlap: ({ code, range }) => `It shares registers with "${code}" (${range}).`,
  decode_old: ({ code, type, order, old, instead, count }) =>
    `${code} is ${type} ${order} here (${count} points). Old tables were computed as ${old}${instead ? `, which is ${instead}` : ''}: compare with the device.`,
};

/** The English sentence of a rule. */
export function issueText(rule: TableRule, params: RuleParams): string {
  return TEXTS[rule](Object.fromEntries(Object.entries(params).map(([key, value]) => [key, String(value)])));
}
