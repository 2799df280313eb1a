import { Turns } from '../../../platform/turns.ts';
import { csvLine, csvOf } from '../../point-files/csv-text.ts';
import { recordRow, type TableRecord } from './table-records.ts';

const COLUMNS = [
  'point_type',
  'code',
  'name',
  'slave_id',
  'address',
  'reference',
  'outcome',
  'detail',
  'value',
  'value_text',
  'raw_hex',
  'changed',
  'hint',
] as const;

/** Lines between two turns of the lines of the channels. */
const LINES_A_TURN = 256;

/** What a device said to the points of its table: UTF-8 with BOM, CRLF, a line a point. */
export async function tableCsv(records: readonly TableRecord[]): Promise<Uint8Array> {
  const turns = new Turns();
  const lines = [csvLine(COLUMNS)];
  for (const record of records) {
    if (lines.length % LINES_A_TURN === 0) await turns.breathe();
    const { frame_type, code, name, slave_id, address, reference, ...said } = recordRow(record);
    const { outcome, detail, value, value_text, raw_hex, changed, hint } = said;
    lines.push(csvLine([frame_type, code, name, slave_id, address, reference, outcome, detail, value, value_text, raw_hex, changed, hint]));
  }
  await turns.next();
  return csvOf(lines);
}
