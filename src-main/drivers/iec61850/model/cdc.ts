/**
 * Common data classes (IEC 61850-7-3) as far as points need them: where the value of a data object lies, which point it makes, and how
 * a class is told by its attributes where no file names it.
 */
import { FrameType } from '#shared/domain/enums.ts';
import type { MmsType } from '../mms/types.ts';
import { componentType } from './types.ts';

/** Where a class has its value. */
export interface ClassRule {
  /** Paths of the value below the data object, the first that is there counts: `mag.f`, then `mag.i`. */
  readonly values: readonly (readonly string[])[];
  /** Functional constraints in which it may lie. */
  readonly constraints: readonly string[];
  /** Point of the value when it is read or set as it is. */
  readonly frameType: FrameType;
  /** Point of the object when it can be controlled (a part under CO is there); null for classes without control. */
  readonly control: FrameType | null;
}

const magnitude = (name: string) => [
  [name, 'f'],
  [name, 'i'],
];
const status = (values: readonly (readonly string[])[], frameType: FrameType, control: FrameType | null = null): ClassRule => ({
  values,
  constraints: ['ST'],
  frameType,
  control,
});
const measured = (values: readonly (readonly string[])[]): ClassRule => ({
  values,
  constraints: ['MX'],
  frameType: FrameType.yc,
  control: null,
});
const setting = (values: readonly (readonly string[])[], frameType: FrameType): ClassRule => ({
  values,
  constraints: ['SP', 'SG', 'SE'],
  frameType,
  control: null,
});

const STATUS_VALUE = [['stVal']];
const STEP_VALUE = [['valWTr', 'posVal']];
const { yc, yx, yk, yt } = FrameType;

const RULES: Readonly<Record<string, ClassRule>> = {
  SPS: status(STATUS_VALUE, yx),
  DPS: status(STATUS_VALUE, yx),
  INS: status(STATUS_VALUE, yx),
  ENS: status(STATUS_VALUE, yx),
  VSS: status(STATUS_VALUE, yx),
  ACT: status([['general']], yx),
  ACD: status([['general']], yx),
  SEC: status([['cnt']], yc),
  BCR: status([['actVal'], ['frVal']], yc),
  MV: measured([...magnitude('mag'), ...magnitude('instMag')]),
  CMV: measured([
    ['cVal', 'mag', 'f'],
    ['cVal', 'mag', 'i'],
  ]),
  SAV: measured(magnitude('instMag')),
  SPC: status(STATUS_VALUE, yx, yk),
  DPC: status(STATUS_VALUE, yx, yk),
  INC: status(STATUS_VALUE, yx, yk),
  ENC: status(STATUS_VALUE, yx, yk),
  BSC: status(STEP_VALUE, yx, yk),
  ISC: status(STEP_VALUE, yx, yk),
  APC: {
    ...measured([
      ['mxVal', 'f'],
      ['mxVal', 'i'],
      ['setMag', 'f'],
      ['setMag', 'i'],
    ]),
    control: yt,
  },
  BAC: { ...measured(magnitude('mxVal')), control: yt },
  SPG: setting([['setVal']], yk),
  ING: setting([['setVal']], yt),
  ENG: setting([['setVal']], yt),
  ASG: setting(magnitude('setMag'), yt),
};

/** The rule of a class; null for one whose objects make no point by themselves (WYE: its phases do). */
export function classRule(cdc: string): ClassRule | null {
  return Object.hasOwn(RULES, cdc) ? (RULES[cdc] ?? null) : null;
}

/** Parts of a data object by functional constraint. */
export type ObjectParts = ReadonlyMap<string, MmsType>;

/** The class of a data object by its attributes; empty where they suggest none. A file knows better. */
export function guessClass(parts: ObjectParts): string {
  return (
    controllableClass(parts) || statusClass(parts.get('ST')) || measuredClass(parts.get('MX')) || settingClass(parts) || plateClass(parts)
  );
}

function controllableClass(parts: ObjectParts): string {
  const model = component(parts.get('CF'), 'ctlModel');
  const control = component(component(parts.get('CO'), 'Oper'), 'ctlVal');
  if (!model && !control) return '';
  const value = component(parts.get('ST'), 'stVal');
  if (component(parts.get('ST'), 'valWTr')) return control?.kind === 'integer' ? 'ISC' : 'BSC';
  if (component(parts.get('MX'), 'mxVal') || control?.kind === 'structure') return 'APC';
  if (value?.kind === 'bit-string') return 'DPC';
  if (value?.kind === 'boolean') return 'SPC';
  if (value?.kind === 'integer') return value.size === 8 ? 'ENC' : 'INC';
  return control?.kind === 'boolean' ? 'SPC' : '';
}

function statusClass(part: MmsType | undefined): string {
  const value = component(part, 'stVal');
  if (value?.kind === 'boolean') return 'SPS';
  if (value?.kind === 'bit-string') return 'DPS';
  if (value?.kind === 'integer') return value.size === 8 ? 'ENS' : 'INS';
  if (value?.kind === 'visible-string' || value?.kind === 'mms-string') return 'VSS';
  if (component(part, 'general')) return component(part, 'dirGeneral') ? 'ACD' : 'ACT';
  if (component(part, 'actVal')) return 'BCR';
  return component(part, 'cnt') && component(part, 'sev') ? 'SEC' : '';
}

function measuredClass(part: MmsType | undefined): string {
  if (component(part, 'mag')) return 'MV';
  if (component(part, 'cVal')) return 'CMV';
  if (component(part, 'instMag')) return 'SAV';
  if (component(part, 'mxVal')) return 'APC';
  if (component(part, 'phsAHar')) return 'HWYE';
  if (component(part, 'phsABHar')) return 'HDEL';
  if (component(part, 'har')) return 'HMV';
  if (component(part, 'phsAB')) return 'DEL';
  if (component(part, 'phsA')) return 'WYE';
  return component(part, 'c1') ? 'SEQ' : '';
}

function settingClass(parts: ObjectParts): string {
  for (const constraint of ['SP', 'SG', 'SE']) {
    const part = parts.get(constraint);
    const value = component(part, 'setVal');
    if (value) return value.kind === 'boolean' ? 'SPG' : value.kind === 'integer' ? (value.size === 8 ? 'ENG' : 'ING') : 'VSG';
    if (component(part, 'setMag')) return 'ASG';
    if (component(part, 'setTm')) return 'TSG';
    if (component(part, 'setSrcRef')) return 'ORG';
    if (component(part, 'setCharact')) return 'CURVE';
  }
  return '';
}

function plateClass(parts: ObjectParts): string {
  const part = parts.get('DC');
  if (!component(part, 'vendor')) return '';
  return component(part, 'swRev') && !component(part, 'hwRev') && !component(part, 'serNum') ? 'LPL' : 'DPL';
}

function component(type: MmsType | null | undefined, name: string): MmsType | null {
  return type ? componentType(type, name) : null;
}

/** Members a structure that is a value is read by: `mag` means `mag.f`, `cVal` its magnitude, `valWTr` the position. */
const STEPS: readonly string[] = ['f', 'i', 'mag', 'posVal'];

/** Path from a structured value to the number in it; null where it has none. Empty for a value that is no structure. */
export function valueWithin(type: MmsType): readonly string[] | null {
  if (type.kind !== 'structure') return type.kind === 'array' ? null : [];
  for (const step of STEPS) {
    const part = componentType(type, step);
    const rest = part && valueWithin(part);
    if (rest) return [step, ...rest];
  }
  return null;
}

/** Point that an attribute by itself makes; null for what accompanies values, texts and structures. */
export function attributeFrameType(type: MmsType, constraint: string, name: string): FrameType | null {
  if (name === 'q' || name === 't' || name === 'T' || name === 'd' || name === 'dU') return null;
  switch (constraint) {
    case 'ST':
    case 'OR':
      return statusFrameType(type, name);
    case 'MX':
      return isNumeric(type) ? yc : null;
    case 'SP':
    case 'SG':
    case 'SE':
    case 'SV':
    case 'CF':
    case 'BL':
      return type.kind === 'boolean' ? yk : isNumeric(type) ? yt : null;
    default:
      return null;
  }
}

function statusFrameType(type: MmsType, name: string): FrameType | null {
  if (type.kind === 'boolean') return yx;
  if (type.kind === 'bit-string') return Math.abs(type.size) === 2 ? yx : null;
  if (type.kind === 'integer' || type.kind === 'unsigned') return name === 'stVal' || name.startsWith('dir') ? yx : yc;
  if (type.kind === 'float') return yc;
  return (type.kind === 'visible-string' || type.kind === 'mms-string') && name === 'stVal' ? yx : null;
}

function isNumeric(type: MmsType): boolean {
  return type.kind === 'float' || type.kind === 'integer' || type.kind === 'unsigned';
}
