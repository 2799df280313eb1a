import { describe, expect, it } from 'vitest';
import type { ListRole } from '#shared/domain/list-mapping.ts';
import { findFactors, type RowScale } from './factors.ts';

type Texts = Partial<Record<ListRole, string>>;
interface Asked {
  readonly headers?: Texts;
  readonly answers?: Record<string, string>;
}

const one = (scale: RowScale) => {
  if (scale.kind === 'open') return `? ${scale.question}`;
  if (scale.kind === 'left') return `left ${scale.value}`;
  const offset = scale.offset === 0 ? '' : scale.offset > 0 ? `+${scale.offset}` : `${scale.offset}`;
  return `×${scale.factor}${offset} ${scale.unit}`.trim();
};
const scalesOf = (rows: readonly Texts[], { headers = {}, answers = {} }: Asked = {}) => {
  const factors = findFactors(rows, headers, answers);
  return rows.map((texts) => one(factors.of(texts)));
};
/** A column of factors. */
const column = (texts: readonly string[], header = '', answers: Record<string, string> = {}) =>
  scalesOf(
    texts.map((factor) => ({ factor })),
    { headers: { factor: header }, answers },
  );

describe('numbers in a column of factors', () => {
  it.each<[string, string[], string[]]>([
    ['', ['0.1', '10', '1'], ['×0.1', '×10', '×1']],
    ['', ['/10', '1'], ['×0.1', '×1']],
    ['', ['0,001', '0,1'], ['×0.001', '×0.1']],
    ['Multiplier', ['1', '-1'], ['×1', '×-1']],
    ['乘系数', ['-1', '1'], ['×-1', '×1']],
    ['Multiplier', ['1,000', '0,125'], ['? factor:1,000', '×0.125']],
    ['Gain', ['10', '1', '1/10', '0.1 V'], ['×0.1', '×1', '×0.1', '×0.1 V']],
    ['增益', ['100', '0.5'], ['×0.01', '×2']],
    ['Multiplier', ['10', '100'], ['×10', '×100']],
    ['分辨率', ['0.01'], ['×0.01']],
  ])('under "%s": %j', (header, texts, expected) => {
    expect(column(texts, header)).toEqual(expected);
  });

  it('are asked for where they multiply in one list and divide in the next', () => {
    const texts = ['10', '1', '100'];
    const { questions } = findFactors(
      texts.map((factor) => ({ factor })),
      {},
      {},
    );
    expect(questions).toMatchObject([{ id: 'factor_way', choices: ['times', 'by'], proposed: 'times' }]);
    expect(column(texts)).toEqual(['? factor_way', '×1', '? factor_way']);
    expect(column(texts, '', { factor_way: 'by' })).toEqual(['×0.1', '×1', '×0.01']);
    expect(column(texts, '', { factor_way: 'times' })).toEqual(['×10', '×1', '×100']);
    expect(column(texts, '', { factor_way: 'else' })[0]).toBe('? factor_way');
  });

  it('are not asked for where there are none', () => {
    expect(findFactors([{ factor: '-' }, {}], {}, {}).questions).toEqual([]);
    expect(column(['-', ''])).toEqual(['×1', '×1']);
  });
});

describe('exponents of ten', () => {
  it.each<[string, string[], string[]]>([
    ['Scale', ['-1', '0', '2'], ['×0.1', '×1', '×100']],
    ['Scale', ['−1', '－2', '1'], ['×0.1', '×0.01', '×10']],
    ['SF', ['-1', '0', '-2'], ['×0.1', '×1', '×0.01']],
    ['SF', ['0', '1'], ['×1', '×10']],
    ['Exponent', ['1', '3'], ['×10', '×1000']],
    ['指数', ['-3'], ['×0.001']],
    ['SF', ['-2', '10^-1', '/10'], ['×0.01', '×0.1', '×0.1']],
  ])('under "%s": %j', (header, texts, expected) => {
    expect(column(texts, header)).toEqual(expected);
  });

  it.each<[string, string[], string[]]>([
    ['SF', ['0.1', '0.01', '1'], ['×0.1', '×0.01', '×1']],
    ['SF', ['1', '1'], ['×1', '×1']],
    ['SF', ['10^-1', '10^-2'], ['×0.1', '×0.01']],
    ['SF', ['1', '10'], ['×1', '? factor_way']],
    ['Exponent', ['0.1'], ['×0.1']],
    ['Exponent', ['1', '0.5'], ['×1', '×0.5']],
    ['Exponent', ['1', '12'], ['×1', '? factor_way']],
    ['Scale', ['-1', '0.5'], ['×-1', '×0.5']],
    ['Scale', ['0', '0.5'], ['? factor:0', '×0.5']],
    ['Scale', ['-1', 'V'], ['×-1', '×1 V']],
  ])('are none under "%s" where %j stands', (header, texts, expected) => {
    expect(column(texts, header)).toEqual(expected);
  });

  it('are no words to be asked for', () => {
    const asked = (header: string) => findFactors([{ factor: '0' }, { factor: '-1' }], { factor: header }, {}).questions;
    expect([asked('SF'), asked('Scale')]).toEqual([[], []]);
  });
});

describe('words in a column of factors', () => {
  const rows = [{ factor: '0.1' }, { factor: 'see note' }, { factor: 'see note' }];

  it('are asked for once each, and the answer says one or that the rows are left', () => {
    expect(findFactors(rows, {}, {}).questions).toMatchObject([
      { id: 'factor:see note', kind: 'factor', params: { word: 'see note' }, choices: ['1', 'leave'], proposed: '1' },
    ]);
    expect(scalesOf(rows)).toEqual(['×0.1', '? factor:see note', '? factor:see note']);
    expect(scalesOf(rows, { answers: { 'factor:see note': '1' } })).toEqual(['×0.1', '×1', '×1']);
    expect(scalesOf(rows, { answers: { 'factor:see note': 'leave' } })).toEqual(['×0.1', 'left see note', 'left see note']);
  });

  it('are no factors where there are many of them, nor where they are units', () => {
    const remarks = Array.from({ length: 7 }, (_, at) => ({ factor: `remark no. ${at}` }));
    expect(findFactors(remarks, {}, {}).questions).toEqual([]);
    expect(scalesOf(remarks)).toEqual(Array(7).fill('×1'));
    expect(findFactors(remarks.slice(1), {}, {}).questions).toHaveLength(6);
    expect(column(['kWh', '0.1'])).toEqual(['×1 kWh', '×0.1']);
  });
});

describe('the factor of a row without one in its column', () => {
  it.each<[Texts, string]>([
    [{ unit: '0.1V' }, '×0.1 V'],
    [{ unit: 'x10 kWh' }, '×10 kWh'],
    [{ unit: 'V' }, '×1 V'],
    [{ unit: '0=off; 1=on' }, '×1'],
    [{ unit: '-' }, '×1'],
    [{ unit: '0.1' }, '×1 0.1'],
    [{ name: 'Voltage (0.1 V)' }, '×0.1 V'],
    [{ name: 'Voltage (V)' }, '×1 V'],
    [{ name: '功率因数（×0.001）' }, '×0.001'],
    [{ name: 'Current (/10)', unit: 'A' }, '×0.1 A'],
    [{ name: 'Current (/10)', factor: '0.5' }, '×0.5'],
    [{ name: 'Voltage (0.1)' }, '×1'],
    [{ name: 'Current (x10)' }, '×1'],
    [{ name: 'Current (x-1000)' }, '×1'],
    [{ name: 'Voltage (0.1 V)', unit: 'kV' }, '×0.1 kV'],
    [{ name: 'Voltage (0.1 V)', unit: '0.01V' }, '×0.01 V'],
    [{ decimals: '2' }, '×0.01'],
    [{ decimals: 'FIX1', unit: 'A' }, '×0.1 A'],
    [{ decimals: 'DEC 3' }, '×0.001'],
    ...['two', '12', '2 places', 'max 2', 'FIX-2'].map((decimals): [Texts, string] => [{ decimals }, '×1']),
    [{ factor: '0.5', decimals: '2' }, '×0.5'],
  ])('%j', (texts, expected) => {
    expect(scalesOf([texts])).toEqual([expected]);
  });

  it.each<[Texts, string]>([
    [{ unit: 'Unit (0.1 V)' }, '×0.1 V'],
    [{ name: 'Value (0.01 kW)' }, '×0.01 kW'],
    [{ name: 'Value (10)' }, '×1'],
    [{ factor: 'Scaling [kW]' }, '×1 kW'],
    [{ offset: 'Offset [°C]' }, '×1 °C'],
  ])('is that of a header: %j', (headers, expected) => {
    expect(scalesOf([{}], { headers })).toEqual([expected]);
  });

  it('is not that of a header where there is a column of factors', () => {
    expect(scalesOf([{ factor: '0.5' }, {}], { headers: { factor: 'Factor', name: 'Value (0.01 kW)' } })).toEqual(['×0.5', '×1']);
  });

  it('says which header it is of, and that it stands in the unit alone', () => {
    const factors = findFactors([], { name: 'Value (0.01 kW)' }, {});
    expect(factors.ofHeader).toEqual({ header: 'Value (0.01 kW)', factor: 0.01 });
    for (const name of ['Value', 'Value (1 V)', 'Value (10)']) expect(findFactors([], { name }, {}).ofHeader).toBeNull();
    expect([{ unit: '0.1V' }, { unit: '0.1V', factor: '0.1' }, { unit: 'V' }].map((texts) => factors.isInUnit(texts))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('is told where its column and its unit disagree', () => {
    const factors = findFactors([{ factor: '0.01' }], {}, {});
    expect(factors.differs({ factor: '0.01', unit: '0.1V' })).toEqual({ factor: 0.01, unit: '0.1V' });
    for (const texts of [{ factor: '0.1', unit: '0.1V' }, { factor: '0.1', unit: 'V' }, { unit: '0.1V' }, { factor: '?', unit: '0.1V' }])
      expect(factors.differs(texts)).toBeNull();
  });
});

describe('an offset', () => {
  it.each<[Texts, string]>([
    [{ offset: '-40' }, '×1-40'],
    [{ offset: '−40' }, '×1-40'],
    [{ offset: '－４０' }, '×1-40'],
    [{ offset: '0,5' }, '×1+0.5'],
    [{ offset: '.5' }, '×1+0.5'],
    [{ offset: '-' }, '×1'],
    [{ offset: 'about 40' }, '×1'],
    [{ offset: '1e999' }, '×1'],
    [{ offset: '-40', factor: 'raw*0.1' }, '×0.1-40'],
    [{ offset: '5', factor: 'raw*0.1-40' }, '×0.1-40'],
  ])('of %j', (texts, expected) => {
    expect(scalesOf([texts])).toEqual([expected]);
  });
});

describe('two ranges', () => {
  const ranges = (raw_low: string, raw_high: string, scaled_low: string, scaled_high: string) =>
    scalesOf([{ raw_low, raw_high, scaled_low, scaled_high, factor: '5', offset: '7' }], { headers: { factor: 'Multiplier' } })[0];

  it.each<[[string, string, string, string], string]>([
    [['0', '1000', '0', '100'], '×0.1'],
    [['4000', '20000', '-50', '150'], '×0.0125-100'],
    [['0', '1000', '0,5', '100,5'], '×0.1+0.5'],
    [['0x0000', '0x03E8', '0', '100'], '×0.1'],
    [['0', '1000', '0,125', '1000.125'], '×1+0.125'],
    [['0', '1000', '−50', '50'], '×0.1-50'],
    [['0', '1000', '100', '0'], '×-0.1+100'],
  ])('%j are a factor and an offset', (texts, expected) => {
    expect(ranges(...texts)).toBe(expected);
  });

  it.each<[string, [string, string, string, string]]>([
    ['one of them is empty', ['0', '1000', '', '100']],
    ['one of them is no number', ['0', 'full', '0', '100']],
    ['a comma may divide thousands or decimals', ['0', '27,648', '0', '100']],
    ['nothing is between the raw ones', ['5', '5', '0', '100']],
    ['nothing is between the others', ['0', '1000', '5', '5']],
  ])('say nothing where %s', (_, texts) => {
    expect(ranges(...texts)).toBe('×5+7');
  });
});
