import { describe, expect, it } from 'vitest';
import { iec61850Driver } from '../../drivers/iec61850/driver.ts';
import { modbusTcpDriver } from '../../drivers/modbus/driver.ts';
import type { NormalPoint } from '../../drivers/spi/index.ts';
import { testPoint } from '../../drivers/testing/points.ts';
import { runSteps } from '../../platform/steps.ts';
import { pairByPlace } from './match.ts';

type Row = readonly [name: string, address: number, rest?: Partial<NormalPoint>];
const table = (rows: readonly Row[]) =>
  rows.map(([name, address, rest], at) => ({ at, point: testPoint({ code: `${name}${at}`, name, address, ...rest }) }));
/** Places of pairs, as "before>after". */
const pairs = (before: readonly Row[], after: readonly Row[]) =>
  runSteps(pairByPlace(table(before), table(after), modbusTcpDriver)).map((pair) => `${pair.before}>${pair.after}`);

describe('points whose code was changed', () => {
  it.each<[string, Row[], Row[], string[]]>([
    ['stand at the same place', [['U', 1]], [['Ua', 1]], ['0>0']],
    [
      'stand at the same place, in another order',
      [
        ['U', 1],
        ['I', 2],
      ],
      [
        ['I', 2],
        ['U', 1],
      ],
      ['0>1', '1>0'],
    ],
    ['are none at another address', [['U', 1]], [['U', 2]], []],
    ['are none of another unit', [['U', 1]], [['U', 1, { slave_id: 2 }]], []],
    ['are none of another function', [['U', 1]], [['U', 1, { func_code: 4 }]], []],
    ['are none of another type', [['U', 1]], [['U', 1, { frame_type: 3 }]], []],
    ['are none at another bit', [['U', 1, { frame_type: 1, bit: 0 }]], [['U', 1, { frame_type: 1, bit: 1 }]], []],
    ['are none at another bit than the lowest', [['U', 1, { frame_type: 1, bit: 2 }]], [['U', 1, { frame_type: 1, bit: 3 }]], []],
    [
      'are not there for the one whose other side is gone',
      [
        ['U', 1],
        ['I', 1],
      ],
      [['U', 1]],
      ['0>0'],
    ],
    [
      'are those of one name where several stand at a place',
      [
        ['U', 1],
        ['I', 1],
      ],
      [
        ['I', 1],
        ['U', 1],
      ],
      ['0>1', '1>0'],
    ],
    [
      'are the two that are left beside others of one name',
      [
        ['U', 1],
        ['I', 1],
      ],
      [
        ['U', 1],
        ['P', 1],
      ],
      ['0>0', '1>1'],
    ],
    [
      'are not known among more that are left',
      [
        ['U', 1],
        ['I', 1],
      ],
      [
        ['P', 1],
        ['Q', 1],
      ],
      [],
    ],
    [
      'are not known where one is left and two stand there',
      [['U', 1]],
      [
        ['P', 1],
        ['Q', 1],
      ],
      [],
    ],
    [
      'are not known where two stood and one is left',
      [
        ['U', 1],
        ['I', 1],
      ],
      [['P', 1]],
      [],
    ],
    [
      'are not known by a name that stands there twice',
      [
        ['U', 1],
        ['U', 1],
      ],
      [
        ['U', 1],
        ['I', 1],
      ],
      [],
    ],
    [
      'are not known by a name that came twice',
      [
        ['U', 1],
        ['I', 1],
      ],
      [
        ['U', 1],
        ['U', 1],
      ],
      [],
    ],
  ])('%s', (_, before, after, expected) => {
    expect(pairs(before, after)).toEqual(expected);
  });

  it('are none that have no place', () => {
    const nowhere = table([['U', 1, { reference: '' }]]);
    expect(runSteps(pairByPlace(nowhere, nowhere, iec61850Driver))).toEqual([]);
  });

  it.each([0, 1])('are sought in steps, whether any is found or not (other addresses by %i)', (shift) => {
    const rows = (from: number) => table(Array.from({ length: 600 }, (_, at): Row => ['P', 2 * at + from]));
    const steps = pairByPlace(rows(0), rows(shift), modbusTcpDriver);
    let count = 0;
    while (!steps.next().done) count += 1;
    // three for the places of each table, and three for their pairs
    expect(count).toBe(9);
  });

  it('are found in long tables as in short ones', () => {
    const rows = Array.from({ length: 600 }, (_, at): Row => [`P${at}`, at * 2]);
    expect(pairs(rows, rows)).toEqual(rows.map((__, at) => `${at}>${at}`));
  });
});
