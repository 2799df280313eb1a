/** Values, types and names of MMS as one line of text. */
import { hexText } from '../../../protocol-kit/bytes.ts';
import type { AccessSelection, AccessSpec, VariableSpec } from '../mms/pdu.ts';
import type { MmsResult, MmsType, MmsValue, ObjectName } from '../mms/types.ts';
import { accessErrorWords } from '../mms/words.ts';
import { hasBit, qualityWords } from '../model/quality.ts';
import { checkText, jsonScalar, pairText } from '../model/values.ts';

const MOST_ITEMS = 4;
const MOST_TEXT = 200;

/** A value: `1234.5`, `{1234.5, good, 2024-03-01T12:34:56.789Z}`; a failure in the words of its error. */
export function valueText(value: MmsResult): string {
  switch (value.kind) {
    case 'failure':
      return accessErrorWords(value.code);
    case 'array':
    case 'structure': {
      const control = controlText(value.items);
      if (control !== null) return `{${control}}`;
      const text = listText(value.items.map(valueText), value.items.length);
      return value.kind === 'structure' ? `{${text}}` : `[${text}]`;
    }
    case 'bit-string':
      return bitText(value);
    case 'octet-string':
      return hexText(value.octets) || 'empty';
    case 'visible-string':
    case 'mms-string':
      return `"${value.text.slice(0, MOST_TEXT)}"`;
    case 'utc-time':
      return timeText(String(jsonScalar(value) ?? 'never set'), value.octets[7] ?? 0);
    case 'binary-time':
      return String(jsonScalar(value) ?? hexText(value.octets));
    case 'other':
      return hexText(value.octets.subarray(0, MOST_TEXT));
    default:
      return String(jsonScalar(value));
  }
}

/** Members of Oper, SBOw and Cancel (IEC 61850-8-1, table 41): those behind the value, from the last on. Cancel has no Check, `operTm` is optional. */
const CONTROL_MEMBERS: readonly (readonly [name: string, kinds: readonly MmsValue['kind'][]])[] = [
  ['Test', ['boolean']],
  ['T', ['utc-time', 'binary-time']],
  ['ctlNum', ['unsigned', 'integer']],
  ['origin', ['structure']],
];

/** The members of a control by name, told by their kinds; null for other structures. */
function controlText(items: readonly MmsValue[]): string | null {
  const last = items.at(-1);
  const check = last?.kind === 'bit-string' && last.size === 2 ? last : null;
  const fields = check ? items.slice(0, -1) : items;
  const [value, ...behind] = fields;
  const named = [...behind].reverse();
  const isControl = CONTROL_MEMBERS.every(([, kinds], place) => kinds.includes(named[place]?.kind ?? 'other'));
  if (!value || !isControl || named.length > CONTROL_MEMBERS.length + 1) return null;
  const texts = named.map((item, place) => `${CONTROL_MEMBERS[place]?.[0] ?? 'operTm'} ${valueText(item)}`).reverse();
  const bits = value.kind === 'bit-string' && value.size === 2 ? pairText(value.octets, 'ctlVal') : valueText(value);
  return [`ctlVal ${bits}`, ...texts, ...(check ? [`Check ${checkText(check.octets)}`] : [])].join(', ');
}

/** Bits, and what they mean where their number tells: 13 are a quality. Two bits mean different things. */
function bitText({ size, octets }: { readonly size: number; readonly octets: Uint8Array }): string {
  let bits = '';
  for (let bit = 0; bit < Math.min(size, MOST_TEXT); bit++) bits += hasBit(octets, bit) ? '1' : '0';
  return size === 13 ? `${bits} (${qualityWords(octets)})` : bits || 'no bits';
}

/** With what is wrong with the clock by the quality of the time (IEC 61850-8-1, 8.1.3.7). */
function timeText(time: string, quality: number): string {
  const marks = [(quality & 0x40) === 0 ? '' : 'clock failure', (quality & 0x20) === 0 ? '' : 'clock not synchronized'].filter(Boolean);
  return marks.length === 0 ? time : `${time} (${marks.join(', ')})`;
}

/** The first items of a list, and how many there are in all. */
export function listText(items: readonly string[], count: number): string {
  const shown = items.slice(0, MOST_ITEMS).join(', ');
  return count > MOST_ITEMS ? `${shown}, … ${count} in all` : shown;
}

/** `EMS1LD0/LLN0$ST$Beh`; of the VMD as it is, of the association with @. */
export function nameText(name: ObjectName): string {
  if (name.scope === 'domain') return `${name.domain}/${name.item}`;
  return name.scope === 'vmd' ? name.item : `@${name.item}`;
}

/** A variable with what of it is selected: `LD/LN$MX$HA(2).cVal`. */
export function variableText({ name, access }: VariableSpec): string {
  return `${nameText(name)}${access ? selectionsText(access) : ''}`;
}

function selectionsText(selections: readonly AccessSelection[]): string {
  const [first] = selections;
  if (!first) return '';
  const more = selections.length > 1 ? ', …' : '';
  return `${stepText(first.step)}${first.inner ? selectionsText(first.inner) : ''}${more}`;
}

function stepText(step: AccessSelection['step']): string {
  switch (step.kind) {
    case 'component':
      return `.${step.name}`;
    case 'index':
      return `(${step.index})`;
    case 'range':
      return `(${step.low}..${step.low + step.count - 1})`;
    default:
      return '(all)';
  }
}

/** What a Read, Write or report is about. */
export function specText(spec: AccessSpec): string {
  if (spec.kind === 'list') return `list ${nameText(spec.name)}`;
  return listText(spec.items.slice(0, MOST_ITEMS).map(variableText), spec.items.length);
}

/** `bit-string 13`, `structure of 3`; at most as many for negative sizes. */
export function typeText(type: MmsType): string {
  switch (type.kind) {
    case 'structure':
      return `structure of ${type.components.length}`;
    case 'array':
      return `array of ${type.count}: ${typeText(type.element)}`;
    case 'boolean':
    case 'utc-time':
      return type.kind;
    case 'float':
      return `float ${type.width}`;
    case 'binary-time':
      return `binary-time ${type.hasDate ? 'with date' : 'of the day'}`;
    case 'other':
      return 'another type';
    default:
      return `${type.kind} ${type.size < 0 ? `up to ${-type.size}` : type.size}`;
  }
}
