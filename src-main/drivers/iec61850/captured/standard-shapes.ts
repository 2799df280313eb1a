/** Names of the members of a structure whose type nobody told, where IEC 61850-7-3 leaves no doubt. */
import type { MmsValue } from '../mms/types.ts';
import { splitIndex } from '../model/references.ts';

type Members = readonly string[] | null;

const QUALITY_BITS = 13;
const STATE: Members = ['stVal', 'q', 't'];
const MAGNITUDE: Members = ['mag', 'q', 't'];
const VECTOR: Members = ['cVal', 'q', 't'];
const FLOAT: Members = ['f'];
const WHOLE: Members = ['i'];
const POLAR: Members = ['mag', 'ang'];
const LENGTH: Members = ['mag'];
/** Analogue values. */
const ANALOGUE: ReadonlySet<string> = new Set(['mag', 'instMag', 'ang', 'mxVal', 'setMag']);
const COMPLEX: ReadonlySet<string> = new Set(['cVal', 'instCVal']);

/** Objects of protection whose state may be `general` (ACT), of logical nodes P and R, and by their names. */
const PROTECTION_NODE = /(?:^|[A-Za-z0-9_])[PR][A-Z]{3}\d*$/;
const PROTECTION_OBJECT = /^(?:Op|Tr|Str)(?![a-z])|^(?:Op|Tr|Str)(?:Ex|In|Cls|Opn|Bkr)/;
/** Counters (BCR), whose number is `actVal` or `frVal`. */
const COUNTING_NODE = /MMT[RN]\d*$/;
const COUNTING_OBJECT = /^Cnt|(?:Wh|VArh|VAh)\d*$/;
/** Sensors, whose value is `instMag` (SAV), and set points, whose value may be `mxVal` (APC, BAC). */
const SENSING_NODE = /T[A-Z]{3}\d*$/;
const SET_OBJECT = /AnOut|Spt|Val$/;

/** Names of the members of a value at `FC$DO…` of a logical node; null where its shape may have several. */
export function standardMembers(node: string, [constraint = '', ...path]: readonly string[], items: readonly MmsValue[]): Members {
  const name = splitIndex(path.at(-1) ?? '').name;
  const [first, second] = items;
  if (ANALOGUE.has(name)) return items.length === 1 ? numberMember(first) : null;
  if (COMPLEX.has(name)) {
    if (items.length > 2 || !isMagnitude(first)) return null;
    return items.length === 1 ? LENGTH : isMagnitude(second) ? POLAR : null;
  }
  if (items.length !== 3 || !isQuality(second) || items[2]?.kind !== 'utc-time') return null;
  if (constraint === 'ST' && path.length === 1) return stateMembers(node, name, first);
  if (constraint !== 'MX' || first?.kind !== 'structure') return null;
  if (!isMagnitude(first)) return first.items.every(isMagnitude) ? VECTOR : null;
  return SENSING_NODE.test(node) || SET_OBJECT.test(name) ? null : MAGNITUDE;
}

function stateMembers(node: string, object: string, value: MmsValue | undefined): Members {
  switch (value?.kind) {
    case 'boolean':
      return PROTECTION_NODE.test(node) || PROTECTION_OBJECT.test(object) ? null : STATE;
    case 'bit-string':
      return value.size === 2 ? STATE : null;
    case 'integer':
      return COUNTING_NODE.test(node) || COUNTING_OBJECT.test(object) ? null : STATE;
    default:
      return null;
  }
}

function numberMember(value: MmsValue | undefined): Members {
  return value?.kind === 'float' ? FLOAT : value?.kind === 'integer' ? WHOLE : null;
}

/** A structure of one number. */
function isMagnitude(value: MmsValue | undefined): boolean {
  return value?.kind === 'structure' && value.items.length === 1 && numberMember(value.items[0]) !== null;
}

function isQuality(value: MmsValue | undefined): boolean {
  return value?.kind === 'bit-string' && value.size === QUALITY_BITS;
}
