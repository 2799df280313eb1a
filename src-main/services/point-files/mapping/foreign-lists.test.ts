import { describe, expect, it } from 'vitest';
import { findDecode } from '#shared/domain/decode.ts';
import type { NormalPoint } from '../../../drivers/spi/index.ts';
import { BUILT_IN_PROFILES } from '../../mapping-profiles/built-in.ts';
import { planTable, readTableFile } from '../import-table.ts';
import { bytesOf, countCorrections, driverOf, LISTS, type ListCase } from '../testing/lists/index.ts';
import { CHANNEL } from '../testing/tables.ts';

const TYPES = ['YC', 'YX', 'YK', 'YT'];

/** A point in one line. */
function lineOf(point: NormalPoint): string {
  const {
    frame_type,
    code,
    address,
    slave_id,
    func_code,
    decode,
    mul_coe,
    add_coe,
    unit,
    bit,
    min_limit,
    max_limit,
    related_code,
    protocol,
  } = point;
  const type = findDecode(decode);
  const isRegister = func_code !== null && ![1, 2, 5].includes(func_code);
  const texts = Object.entries((protocol.enum_texts ?? {}) as Record<string, string>).map(([key, text]) => `${key}=${text}`);
  return [
    TYPES[frame_type],
    code,
    address > 65_535 ? `0x${address.toString(16).padStart(8, '0')}` : address,
    slave_id === 1 ? '' : `@${slave_id}`,
    func_code === null ? '' : `f${func_code}`,
    isRegister && type ? `${type.type} ${type.order}` : '',
    mul_coe === 1 && add_coe === 0 ? '' : `×${mul_coe}${add_coe === 0 ? '' : add_coe > 0 ? `+${add_coe}` : add_coe}`,
    unit,
    bit === null ? '' : `[${bit}]`,
    texts.length > 0 ? `{${texts.join(';')}}` : '',
    min_limit === null && max_limit === null ? '' : `<${min_limit ?? ''}..${max_limit ?? ''}>`,
    related_code === '' ? '' : `→${related_code}`,
    'type_id' in protocol && ![13, 1, 45, 50].includes(protocol.type_id as number) ? `type ${protocol.type_id}` : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

const sorted = (lines: readonly string[]) => lines.map((line) => line.split(' ').toSorted().join(' ')).toSorted();
/** The same words, whatever their order; `type 13` and the like of 104 are the defaults. */
const words = (line: string) => line.replace(/ type (13|1|45|50)(?=$| )/, '');

async function importCase(list: ListCase, mapping = list.corrections) {
  const driver = driverOf(list);
  const table = { driver, settings: CHANNEL, points: [] };
  const upload = {
    name: list.file,
    bytes: await bytesOf(list),
    list: { mapping: { ...list.wanted, ...mapping }, profiles: BUILT_IN_PROFILES },
  };
  const read = await readTableFile(upload, table);
  const plans = await planTable(read, 'merge', table);
  const { errors, warnings } = plans.findings;
  return {
    points: (plans.merge?.added ?? []).map(({ point }) => lineOf(point)),
    errors: errors.listed.map(({ message }) => message),
    warnings: warnings.listed,
  };
}

describe('a foreign list', () => {
  it.each(LISTS.map((list) => [list.name, list] as const))('%s', async (_, list) => {
    const { points, errors, warnings } = await importCase(list);
    expect(errors).toEqual([]);
    expect(sorted(points)).toEqual(sorted(list.points.map(words)));
    for (const [rule, count] of Object.entries(list.leftOut ?? {}))
      expect([rule, warnings.filter((issue) => issue.rule === rule).length]).toEqual([rule, count]);
  });

  it.each(LISTS.filter(({ corrections }) => countCorrections(corrections) > 0).map((list) => [list.name, list] as const))(
    'needs its corrections: %s',
    async (_, list) => {
      const { points, errors } = await importCase(list, {});
      expect(errors.length > 0 || sorted(points).join('\n') !== sorted(list.points.map(words)).join('\n')).toBe(true);
    },
  );
});

it('lists of our own making need no correction at the median, and never more than five', () => {
  const counts = LISTS.map(({ corrections }) => countCorrections(corrections)).toSorted((a, b) => a - b);
  expect(counts.length).toBeGreaterThanOrEqual(30);
  expect(counts[Math.floor(counts.length / 2)]).toBe(0);
  expect(counts.at(-1)).toBeLessThanOrEqual(5);
});
