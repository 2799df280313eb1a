import { describe, expect, it } from 'vitest';
import { english, say } from '#shared/messages/index.ts';
import { setLanguage } from '../../i18n/index.ts';
import { aChannel } from '../testing/fake-service.ts';
import { IEC104 } from '../testing/protocols.ts';
import {
  type Operation,
  operationObstacle,
  operationsFor,
  paramDefaults,
  paramsOf,
  resultFile,
  resultTables,
  stayingParams,
} from './operation-model.ts';

const [ask, change] = IEC104.operations ?? [];
const open = { isServiceReadOnly: false, isDisarmed: false };

function anOperation(properties: Record<string, unknown>): Operation {
  return { name: 'x', summary: '', effect: 'repeatable', writes: false, conn_types: [2], params_schema: { type: 'object', properties } };
}

describe('operations', () => {
  it('are those of this side of the connection', () => {
    expect(operationsFor(IEC104, aChannel({ conn_type: 2 })).map((item) => item.name)).toEqual(['general_interrogation', 'counter_freeze']);
    expect(operationsFor(IEC104, aChannel({ conn_type: 1 }))).toEqual([]);
    expect(operationsFor(undefined, aChannel())).toEqual([]);
  });

  it('that change the device are guarded like writes, the others only need a started channel', () => {
    if (!ask || !change) throw new Error('the descriptor has two operations');
    const disarmed = { ...open, isDisarmed: true };
    const readOnly = aChannel({ read_only: true });
    expect(operationObstacle(change, aChannel(), open)).toBeNull();
    expect(operationObstacle(change, aChannel(), disarmed)).toBe('disarmed');
    expect(operationObstacle(change, readOnly, open)).toBe('readOnlyChannel');
    expect(operationObstacle(change, readOnly, { ...open, isServiceReadOnly: true })).toBe('readOnlyService');
    expect(operationObstacle(ask, readOnly, { isServiceReadOnly: true, isDisarmed: false })).toBeNull();
    expect(operationObstacle(ask, aChannel({ status: 'stopped' }), open)).toBe('notStarted');
  });

  it('keep what they are told to keep, and nothing by its name or words', () => {
    const staying = (properties: Record<string, unknown>) => stayingParams(anOperation(properties)).map(({ key, names }) => [key, names]);
    const meter = { type: 'string', description: 'meter number' };
    expect(staying({ meter, new_meter: meter, other: { type: 'string', names: 'slave' } })).toEqual([]);
    expect(staying({ meter: { ...meter, names: 'slave', stays: true }, level: { type: 'integer', stays: true } })).toEqual([
      ['meter', 'slave'],
    ]);
  });

  it('send what was filled in; what is empty is left out', () => {
    const operation = anOperation({
      common_address: { type: 'integer' },
      deep: { type: 'boolean' },
      mode: { enum: ['a', 'b'], default: 'b' },
      text: { type: 'string' },
    });
    expect(paramDefaults(operation)).toEqual({ common_address: undefined, deep: false, mode: 'b', text: undefined });
    expect(paramsOf(paramDefaults(operation), operation)).toEqual({ deep: false, mode: 'b' });
    expect(paramsOf({ common_address: 7, deep: true, mode: 'a', text: '' }, operation)).toEqual({
      common_address: 7,
      deep: true,
      mode: 'a',
    });
  });
});

describe('results', () => {
  it('are tables: the plain values in one row, each list by its columns', () => {
    const stations = [
      { common_address: 1, offset_ms: -12 },
      { common_address: 2, error: 'no answer' },
    ];
    expect(resultTables({ sent: '10:00', stations, names: ['a', 'b'] })).toEqual([
      { name: '', columns: ['sent'], rows: [['10:00']] },
      {
        name: 'stations',
        columns: ['common_address', 'offset_ms', 'error'],
        rows: [
          [1, -12, undefined],
          [2, undefined, 'no answer'],
        ],
      },
      { name: 'names', columns: ['names'], rows: [['a'], ['b']] },
    ]);
    expect(resultTables({})).toEqual([]);
  });

  it('show a structure part by part, and keep the octets of a file apart', () => {
    const value = { mag: { f: 1.5 }, list: [{ q: 'good' }, { q: 'invalid' }] };
    expect(resultTables({ value, base64: 'QUI=' })).toEqual([
      {
        name: 'value',
        columns: ['part', 'value'],
        rows: [
          ['mag.f', 1.5],
          ['list(0).q', 'good'],
          ['list(1).q', 'invalid'],
        ],
      },
    ]);
    expect(resultFile({ name: '/COMTRADE/f1.dat', base64: 'QUI=' })).toEqual({ name: 'f1.dat', bytes: Uint8Array.of(65, 66) });
    expect(resultFile({ name: 'f1.dat' })).toBeNull();
  });

  it('have the words of the reader and no names for scripts', async () => {
    const said = say('dlt645.check_sunday');
    const row = { check: 'clock', name_en: 'Clock', name_zh: '时钟', verdict: 'ok', reason: english(said), reason_message: said };
    const result = { checks: [row], left: [english(said)], left_messages: [said] };
    const columns = ['name', 'verdict', 'reason'];
    await setLanguage('en');
    expect(resultTables(result)).toEqual([
      { name: 'checks', columns, rows: [['Clock', 'ok', '0 is Sunday.']] },
      { name: 'left', columns: ['left'], rows: [['0 is Sunday.']] },
    ]);
    await setLanguage('zh-CN');
    expect(resultTables(result, 'zh-CN')).toEqual([
      { name: 'checks', columns, rows: [['时钟', 'ok', '0 为星期日。']] },
      { name: 'left', columns: ['left'], rows: [['0 为星期日。']] },
    ]);
  });
});
