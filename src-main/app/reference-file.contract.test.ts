import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProtocolType } from '#shared/domain/enums.ts';
import { writeTable } from '../services/point-files/table-formats.ts';
import { GatedReader, type PointInput } from './testing/gated-device.ts';
import { type ManualCore, startManualCore } from './testing/manual-core.ts';

let plant: ManualCore;
let reader: GatedReader;
let session: number;

beforeEach(async () => {
  plant = await startManualCore();
});
afterEach(() => plant.close());

const point = (frame_type: 0 | 1 | 2, code: string, address: number): PointInput => ({
  frame_type,
  code,
  address,
  ...(frame_type === 2 ? {} : { decode: frame_type === 0 ? '0x21' : '0x20' }),
});
async function open() {
  const points = [point(0, 'P', 1), point(0, 'Q', 2), point(0, 'R', 3), point(1, 'QF', 1), point(2, 'CTL', 9)];
  reader = await GatedReader.open(plant, { protocol: ProtocolType.modbusTcp, client: {}, served: points, read: points });
  session = (await plant.core.api.call('addCheck', { name: 'Factory' })).data.id;
  await plant.core.api.call('addCheckItems', { session_id: session, channel_id: reader.id });
}
const compare = (file: File, rest: { tolerance?: number; percent?: number } = {}) =>
  plant.core.api.call('compareCheckFile', { session_id: session, operator: 'script', file, ...rest });
const csv = (...lines: string[]) => new File([lines.join('\r\n')], 'references.csv');
const items = async () => (await plant.core.api.call('checkItems', { session_id: session })).data.items;
const states = async () =>
  Object.fromEntries((await items()).map(({ code, state, last }) => [code, [state, ...(last?.findings ?? []).map(({ name }) => name)]]));
const run = async () => (await plant.core.api.call('checkRun', {})).data.run;
/** What a refused file is told, as codes of messages with their row. */
async function faults(file: File) {
  const error = await compare(file).then(
    () => expect.fail('taken'),
    (thrown: { status: number; data: { path: string; message: string; message_code: string; params: { row?: number } }[] }) => thrown,
  );
  expect(error.status).toBe(422);
  return error.data.map(({ message_code, params }) => [message_code, params.row]);
}

describe('references from a file', () => {
  it('are compared with the very items that the file names, measurements and signals, each with its tolerance', async () => {
    await open();
    for (const [code, value] of [
      ['P', 101],
      ['Q', 55],
      ['R', 7],
      ['QF', 1],
    ] as const)
      await reader.serve(code, value);
    await compare(csv('Test report', 'code,value,tolerance', 'P,100,2', 'Q,50,', 'QF,1,'), { tolerance: 1 });
    await plant.clock.advance(10_000);
    expect(await run()).toMatchObject({ way: 'unattended', state: 'ended', total: 3, done: 3, error: null });
    expect(await states()).toEqual({
      P: ['passed'],
      Q: ['failed', 'wrong_value'],
      R: ['not_checked'],
      QF: ['passed'],
      CTL: ['not_checked'],
    });
    const { item } = (await items())[0] ?? { item: '' };
    const [result] = (await plant.core.api.call('checkHistory', { session_id: session, item })).data.items;
    expect(result?.expectation).toEqual({ kind: 'values', references: [{ value: 100, tolerance: 2, percent: 0 }] });
  });

  it('are read from a workbook as well, in Chinese words and with the channel by name', async () => {
    await open();
    const other = (await plant.core.api.call('listChannels', {})).data.find(({ name }) => name === 'Served')?.id ?? 0;
    await plant.core.api.call('addCheckItems', { session_id: session, channel_id: other });
    await reader.serve('P', 101);
    const sheet = {
      name: '定值',
      header: ['通道', '编码', '参考值'],
      rows: [['Device', 'P', 101]],
      choices: {},
      textColumns: [],
      isTable: true,
    };
    const bytes = await writeTable('xlsx', [sheet]);
    await compare(new File([new Uint8Array(bytes)], 'references.xlsx'));
    await plant.clock.advance(10_000);
    expect(await run()).toMatchObject({ total: 1, done: 1, results: [{ verdict: 'passed', channel: { name: 'Device' } }] });
    expect(await faults(csv('code,value', 'P,101'))).toEqual([['check.ref_channels', 2]]);
  });

  it('that do not fit are refused row by row, with what would be right, and nothing is read', async () => {
    await open();
    const rows = ['code,value,tolerance', 'P,100,', 'PP,1,', 'Q,abc,', 'R,,', ',5,', 'QF,1,-2', 'P,100,', 'CTL,1,'];
    expect(await faults(csv(...rows))).toEqual([
      ['check.ref_unknown_near', 3],
      ['check.ref_no_number', 4],
      ['check.ref_no_value', 5],
      ['check.ref_no_code', 6],
      ['check.ref_tolerance', 7],
      ['check.ref_twice', 8],
      ['check.ref_not_compared', 9],
    ]);
    expect(await faults(csv('code,value', 'PP,1', 'XYZ,5', 'CTL,1'))).toEqual([
      ['check.ref_unknown_near', 2],
      ['check.ref_unknown_near', 3],
      ['check.ref_not_compared', 4],
    ]);
    expect(await faults(csv('a,b', '1,2'))).toEqual([['check.ref_header', undefined]]);
    expect(await faults(csv('code,value', ''))).toEqual([['check.ref_empty', undefined]]);
    expect(await faults(new File([new Uint8Array([0, 1, 2, 3])], 'x.csv'))).toEqual([['check.ref_no_table', undefined]]);
    expect(await run()).toBeNull();
    expect(reader.gate.asked).toBe(0);
  });

  it('with thousands of bad rows tell the first of them and how many there are', async () => {
    await open();
    const told = await faults(csv('code,value', ...Array.from({ length: 5000 }, (_, at) => `N${at},x`)));
    expect([told.length, told.at(-1)?.[0]]).toEqual([101, 'check.ref_more']);
  });
});
