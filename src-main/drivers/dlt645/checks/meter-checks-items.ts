/** What the checks of a meter read, and how they are called. */
import type { Edition } from '../codec/control.ts';
import type { CheckTitle } from './meter-checks-rows.ts';

/** Identifiers that the checks of one edition read. */
export interface CheckItems {
  /** Total and rates of forward and reverse active energy: block, and its items. */
  readonly forward: { readonly block: number; readonly items: readonly number[] };
  readonly reverse: { readonly block: number; readonly items: readonly number[] };
  /** Total and phases, with the last digit they have, in kW and kvar. */
  readonly active: { readonly block: number | null; readonly items: readonly number[]; readonly digit: number };
  readonly reactive: { readonly block: number | null; readonly items: readonly number[]; readonly digit: number };
  /** Total of forward active energy, and the energies of the phases; none in the 1997 edition. */
  readonly phaseEnergy: readonly number[];
  readonly clock: { readonly date: number; readonly time: number };
  readonly current: number;
  readonly voltage: number;
  /** What one phase is further than the one before it. */
  readonly phaseStep: number;
  /** Ratio of the current transformer that the meter has stored. */
  readonly storedRatio: number | null;
}

const family = (first: number, step: number, count: number) => Array.from({ length: count }, (_, index) => first + index * step);

/** By edition. */
export const CHECK_ITEMS: Readonly<Record<Edition, CheckItems>> = {
  2007: {
    forward: { block: 0x0001ff00, items: family(0x00010000, 0x100, 5) },
    reverse: { block: 0x0002ff00, items: family(0x00020000, 0x100, 5) },
    active: { block: 0x0203ff00, items: family(0x02030000, 0x100, 4), digit: 0.0001 },
    reactive: { block: 0x0204ff00, items: family(0x02040000, 0x100, 4), digit: 0.0001 },
    phaseEnergy: [0x00010000, 0x00150000, 0x00290000, 0x003d0000],
    clock: { date: 0x04000101, time: 0x04000102 },
    current: 0x02020100,
    voltage: 0x02010100,
    phaseStep: 0x100,
    storedRatio: 0x04000306,
  },
  1997: {
    forward: { block: 0x901f, items: family(0x9010, 1, 5) },
    reverse: { block: 0x902f, items: family(0x9020, 1, 5) },
    active: { block: null, items: family(0xb630, 1, 4), digit: 0.0001 },
    reactive: { block: null, items: family(0xb640, 1, 4), digit: 0.01 },
    phaseEnergy: [],
    clock: { date: 0xc010, time: 0xc011 },
    current: 0xb621,
    voltage: 0xb611,
    phaseStep: 1,
    storedRatio: null,
  },
};

/** Names of the checks that compare numbers. */
export const CHECK_TITLES = {
  forward: {
    check: 'rates_forward',
    name_en: 'Forward active energy: total and rates',
    name_zh: '正向有功电能：总与各费率之和',
    unit: 'kWh',
  },
  reverse: {
    check: 'rates_reverse',
    name_en: 'Reverse active energy: total and rates',
    name_zh: '反向有功电能：总与各费率之和',
    unit: 'kWh',
  },
  phaseEnergy: {
    check: 'phases_energy',
    name_en: 'Forward active energy: total and phases',
    name_zh: '正向有功电能：总与各相之和',
    unit: 'kWh',
  },
  active: { check: 'phases_active', name_en: 'Active power: total and phases', name_zh: '有功功率：总与各相之和', unit: 'kW' },
  reactive: { check: 'phases_reactive', name_en: 'Reactive power: total and phases', name_zh: '无功功率：总与各相之和', unit: 'kvar' },
  ct: { check: 'ct_ratio', name_en: 'CT ratio by the reference current', name_zh: '电流互感器变比（按参考电流）', unit: '' },
  stored: { check: 'ct_ratio_stored', name_en: 'CT ratio stored in the meter', name_zh: '表内电流互感器变比', unit: '' },
  pt: { check: 'pt_ratio', name_en: 'PT ratio by the reference voltage', name_zh: '电压互感器变比（按参考电压）', unit: '' },
} as const satisfies Record<string, CheckTitle>;
