/** The point of a table by which a simulated device serves an attribute that a capture tells. */
import { FrameType } from '#shared/domain/enums.ts';
import type { CapturedPlace } from '../../spi/index.ts';
import type { MmsType, MmsValue } from '../mms/types.ts';
import { isControlBlock } from '../model/constraints.ts';
import { formatReference, isSpeakable, parseReference, type Reference, splitIndex } from '../model/references.ts';
import { VALUE_ATTRIBUTES } from '../point-rules.ts';
import { type SERVED_TYPES, servedType } from '../server/served-types.ts';
import { attributeType } from '../server/table-types.ts';
import type { Attribute } from './attribute-node.ts';

type ServedType = (typeof SERVED_TYPES)[number];

/** Process values and settings; configuration and descriptions do not change, and come with a file of the device. */
const TAKEN_CONSTRAINTS: ReadonlySet<string> = new Set(['ST', 'MX', 'SP', 'SG']);
/** Tell of a command and not of the process. */
const OF_COMMANDS: ReadonlySet<string> = new Set(['origin', 'ctlNum', 'opRcvd', 'opOk', 'tOpOk', 'stSeld']);
const LONGEST_REFERENCE = 200;
const LONGEST_CODE = 90;

/** Where an attribute is served, with the type that it has there. */
export interface ServedPlace {
  readonly place: CapturedPlace;
  readonly type: MmsType;
}

/** The reference of an attribute; null for one that no reference can name. */
export function referenceOf({ domain, node, parts: [constraint = '', ...path] }: Attribute): Reference | null {
  const reference: Reference = { domain, node, constraint, path };
  const text = formatReference(reference);
  const isNamed = path.length > 1 && path.every((part) => isSpeakable(splitIndex(part).name)) && text.length <= LONGEST_REFERENCE;
  const parsed = isNamed ? parseReference(text) : null;
  return parsed && formatReference(parsed) === text && parsed.path.length === path.length ? reference : null;
}

/** Whether values lie at `FC$DO…`, or below. */
export function mayBeTaken([constraint, object = '']: readonly string[]): boolean {
  return constraint === undefined || (TAKEN_CONSTRAINTS.has(constraint) && !isControlBlock(constraint, object));
}

/** Path of the object whose quality and time belong to an attribute, as a table has it; null where there are none. */
export function ownerOf({ constraint, path }: Reference): readonly string[] | null {
  if (constraint !== 'ST' && constraint !== 'MX') return null;
  const known = path.findIndex((name, depth) => depth > 0 && VALUE_ATTRIBUTES.has(name));
  const owner = path.slice(0, known > 0 ? known : path.length - 1);
  return owner.some((step) => splitIndex(step).index !== null) ? null : owner;
}

/** The point that serves values like this one; null for what is no value. `ordinal` is its place in the order in which attributes were told. */
export function servedPlace(reference: Reference, { type }: Attribute, value: MmsValue, ordinal: number): ServedPlace | null {
  const { domain, node, constraint, path } = reference;
  if (constraint === null || !mayBeTaken([constraint, ...path])) return null;
  if (path.some((part) => OF_COMMANDS.has(part))) return null;
  const name = path.at(-1) ?? '';
  const told = typeTold(type, value, name);
  if (!told) return null;
  const frameType = isState(value, name) ? FrameType.yx : FrameType.yc;
  const usual = attributeType({ frame_type: frameType, protocol: {} }, path);
  const isUsual = usual.rest.length === 0 && isAlike(usual.type, servedType(told), type !== null);
  const code = [domain, node, ...path, ...(constraint === 'ST' || constraint === 'MX' ? [] : [constraint])].join('.');
  return {
    type: isUsual ? usual.type : servedType(told),
    place: {
      column: formatReference(reference),
      point: {
        frame_type: frameType,
        // what is too long to be told apart has its number
        code: code.length <= LONGEST_CODE ? code : `${code.slice(0, LONGEST_CODE)}~${ordinal}`,
        slave_id: 1,
        address: ordinal,
        reference: formatReference(reference),
        protocol: isUsual ? {} : { served_type: told },
      },
    },
  };
}

/** As points of a model are: states are two bits, truths, and the numbers of enumerations. */
function isState({ kind }: MmsValue, name: string): boolean {
  return kind === 'boolean' || kind === 'bit-string' || (kind === 'integer' && (name === 'stVal' || name.startsWith('dir')));
}

/** Basic type of a value; of a number whose type was not told, one that holds all of its kind. Null for what no point can serve. */
function typeTold(type: MmsType | null, value: MmsValue, name: string): ServedType | null {
  switch (value.kind) {
    case 'boolean':
      return 'BOOLEAN';
    case 'bit-string':
      return value.size === 2 && name !== 'Check' ? 'Dbpos' : null;
    case 'float':
      return value.width === 64 ? 'FLOAT64' : 'FLOAT32';
    case 'integer':
      return wholeType(type?.kind === 'integer' ? type.size : isWide(value.value, 2 ** 31) ? 64 : 32, '');
    case 'unsigned':
      return wholeType(type?.kind === 'unsigned' ? type.size : isWide(value.value, 2 ** 32) ? 64 : 32, 'U');
    default:
      return null;
  }
}

function isWide(value: number | bigint, bound: number): boolean {
  return value >= bound || value < -bound;
}

function wholeType(size: number, sign: '' | 'U'): ServedType {
  return size <= 8 ? `INT8${sign}` : size <= 16 ? `INT16${sign}` : size <= 32 ? `INT32${sign}` : `INT64${sign}`;
}

/** Whether what the table has for a name is the type that was told; of a number only its kind where the size was not. */
function isAlike(usual: MmsType, told: MmsType, isTold: boolean): boolean {
  if (usual.kind !== told.kind) return false;
  if (usual.kind === 'float') return told.kind === 'float' && usual.width === told.width;
  return !('size' in usual) || !('size' in told) || usual.size === told.size || !isTold;
}
