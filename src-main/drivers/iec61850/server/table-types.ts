/** Types of the attributes that points of a table name, by the rules of the common data classes (IEC 61850-7-3). */
import { FrameType } from '#shared/domain/enums.ts';
import type { PointConfig } from '../../spi/index.ts';
import { hasSelection, SBO_NORMAL } from '../control/control-model.ts';
import type { MmsType } from '../mms/types.ts';
import { BOOLEAN, fixedType, INT8, INT8U, REFERENCE, structure, TIMESTAMP } from '../model/scl/basic-types.ts';
import { typeSaid } from './served-types.ts';

const FLOAT32 = basic('FLOAT32');
const INT32 = basic('INT32');
const DOUBLE_POINT = basic('Dbpos');
const QUALITY = basic('Quality');
const OCTETS_64: MmsType = { kind: 'octet-string', size: -64 };
const ORIGINATOR = structure({ orCat: INT8, orIdent: OCTETS_64 });
const UNICODE_255: MmsType = { kind: 'mms-string', size: -255 };
const TEXT_255: MmsType = { kind: 'visible-string', size: -255 };

/** Quality and time beside a value. */
export const COMPANIONS: readonly (readonly [name: string, type: MmsType])[] = [
  ['q', QUALITY],
  ['t', TIMESTAMP],
];

/** Attributes whose type their name tells. */
const BY_NAME: Readonly<Record<string, MmsType>> = {
  q: QUALITY,
  t: TIMESTAMP,
  f: FLOAT32,
  i: INT32,
  actVal: basic('INT64'),
  frVal: basic('INT64'),
  cnt: basic('INT32U'),
  sev: INT8,
  posVal: INT8,
  transInd: BOOLEAN,
  general: BOOLEAN,
  phsA: BOOLEAN,
  phsB: BOOLEAN,
  phsC: BOOLEAN,
  neut: BOOLEAN,
  range: INT8,
  ctlModel: INT8,
  sboClass: INT8,
  sboTimeout: basic('INT32U'),
  cmdQual: INT8,
  onDur: basic('INT32U'),
  offDur: basic('INT32U'),
  numPls: basic('INT32U'),
  d: TEXT_255,
  dU: UNICODE_255,
};

/** Data objects of IEC 61850-7-4 that are double points, enumerations and integers. */
const DOUBLE_OBJECT = /^(?:[A-Z][a-z]*)?Pos\d*$|^DP(?:Ind|CSO)\d*$/;
const ENUMERATED_OBJECT = /^(?:Beh|Mod|Health|PhyHealth|EEHealth)$/;
const INTEGER_OBJECT = /^(?:IntIn|ISCSO|OpCnt)\d*$/;

function basic(name: string): MmsType {
  return fixedType(name) ?? BOOLEAN;
}

/** Type of `stVal` of a data object. */
export function stateType(object: string): MmsType {
  if (DOUBLE_OBJECT.test(object)) return DOUBLE_POINT;
  if (ENUMERATED_OBJECT.test(object)) return INT8;
  return INTEGER_OBJECT.test(object) ? INT32 : BOOLEAN;
}

/** Type of the attribute a point names, and the rest of the path where it names a structure or the object alone. */
export function attributeType(
  point: Pick<PointConfig, 'frame_type' | 'protocol'>,
  path: readonly string[],
): { readonly rest: readonly string[]; readonly type: MmsType } {
  const said = path.length > 1 ? typeSaid(point.protocol) : null;
  if (said) return { rest: [], type: said };
  const name = path.at(-1) ?? '';
  const object = path[0] ?? '';
  const isAnalogue = point.frame_type === FrameType.yc || point.frame_type === FrameType.yt;
  if (path.length === 1) return isAnalogue ? { rest: ['mag', 'f'], type: FLOAT32 } : { rest: ['stVal'], type: stateType(object) };
  if (['mag', 'instMag', 'mxVal', 'setMag', 'subMag'].includes(name)) return { rest: ['f'], type: FLOAT32 };
  if (name === 'cVal' || name === 'instCVal') return { rest: ['mag', 'f'], type: FLOAT32 };
  if (name === 'ang' || name === 'minVal' || name === 'maxVal') return { rest: ['f'], type: FLOAT32 };
  if (name === 'stVal' || name === 'subVal') return { rest: [], type: isAnalogue ? INT32 : stateType(object) };
  if (name === 'setVal') return { rest: [], type: isAnalogue ? INT32 : BOOLEAN };
  if (name.startsWith('dir')) return { rest: [], type: INT8 };
  const known = Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined;
  return { rest: [], type: known ?? (isAnalogue ? FLOAT32 : BOOLEAN) };
}

/** Who commanded an object last, and in models that select whether it is selected; none for a status alone (IEC 61850-7-3, 7.5). */
export function commandedParts(controlModel: number): {
  readonly before: readonly (readonly [string, MmsType])[];
  readonly behind: readonly (readonly [string, MmsType])[];
} {
  if (controlModel === 0) return { before: [], behind: [] };
  return {
    before: [
      ['origin', ORIGINATOR],
      ['ctlNum', INT8U],
    ],
    behind: hasSelection(controlModel) ? [['stSeld', BOOLEAN]] : [],
  };
}

/** Members of a control object (IEC 61850-8-1, 20.6) for a control model, below CO. */
export function controlMembers(isAnalogue: boolean, object: string, controlModel: number): readonly (readonly [string, MmsType])[] {
  const value = isAnalogue ? structure({ f: FLOAT32 }) : stateType(object).kind === 'integer' ? stateType(object) : BOOLEAN;
  const cancel = { ctlVal: value, origin: ORIGINATOR, ctlNum: INT8U, T: TIMESTAMP, Test: BOOLEAN };
  const operate = structure({ ...cancel, Check: basic('Check') });
  if (controlModel === 0) return [];
  const select: readonly (readonly [string, MmsType])[] =
    controlModel === SBO_NORMAL ? [['SBO', REFERENCE]] : hasSelection(controlModel) ? [['SBOw', operate]] : [];
  return [...select, ['Oper', operate], ['Cancel', structure(cancel)]];
}

/** What every logical node has beside its points: behaviour, and in LLN0 health and name plate. */
export function plateParts(node: string): readonly (readonly [path: readonly string[], type: MmsType, text: string])[] {
  const state = (object: string) => [[['ST', object, 'stVal'], INT8, '1'] as const];
  if (node !== 'LLN0') return state('Beh');
  return [
    ...['Mod', 'Beh', 'Health'].flatMap(state),
    [['DC', 'NamPlt', 'vendor'], TEXT_255, 'Loopcheck'],
    [['DC', 'NamPlt', 'swRev'], TEXT_255, '1'],
    [['DC', 'NamPlt', 'd'], TEXT_255, 'simulated device'],
    [['DC', 'NamPlt', 'configRev'], TEXT_255, '1'],
    [['EX', 'NamPlt', 'ldNs'], TEXT_255, 'IEC 61850-7-4:2007B'],
  ];
}
