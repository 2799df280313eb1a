/** Values, types and names of MMS as one line of text. */
import { say } from '#shared/messages/index.ts';
import { type Names, names } from '#shared/messages/message.ts';
import { hexText } from '../../../protocol-kit/bytes.ts';
import { joined, numbered, numberText } from '../../kit/explain/nodes.ts';
import type { FrameText } from '../../spi/index.ts';
import type { AccessSelection, AccessSpec, VariableSpec } from '../mms/pdu.ts';
import type { MmsResult, MmsType, MmsValue, ObjectName } from '../mms/types.ts';
import { accessErrorText } from '../mms/words.ts';
import { hasBit, qualityNames } from '../model/quality.ts';
import { checkText, jsonScalar, pairText } from '../model/values.ts';

const MOST_ITEMS = 4;
const MOST_TEXT = 200;

/** Kinds of data as ISO 9506 writes them. */
export const KIND_NAMES: Readonly<Record<Exclude<MmsValue['kind'], 'other'>, Names>> = {
  array: names('array', '数组'),
  structure: names('structure', '结构'),
  boolean: names('boolean', '布尔'),
  'bit-string': names('bit-string', '位串'),
  integer: names('integer', '整数'),
  unsigned: names('unsigned', '无符号整数'),
  float: names('float', '浮点数'),
  'octet-string': names('octet-string', '字节串'),
  'visible-string': names('visible-string', '可视字符串'),
  'binary-time': names('binary-time', '二进制时间'),
  'mms-string': names('mms-string', 'MMS 字符串'),
  'utc-time': names('utc-time', 'UTC 时间'),
};

const TRUE = say('mmsframe.true');
const FALSE = say('mmsframe.false');

/** `true` or `false`. */
export function boolText(value: boolean): FrameText {
  return value ? TRUE : FALSE;
}

/** A value: `1234.5`, `{1234.5, good, 2024-03-01T12:34:56.789Z}`; a failure in the words of its error. */
export function valueText(value: MmsResult): FrameText {
  switch (value.kind) {
    case 'failure':
      return accessErrorText(value.code);
    case 'array':
    case 'structure': {
      const control = controlText(value.items);
      if (control !== null) return enclosed('{', control, '}');
      const items = listText(value.items.slice(0, MOST_ITEMS).map(valueText), value.items.length);
      return value.kind === 'structure' ? enclosed('{', items, '}') : enclosed('[', items, ']');
    }
    case 'boolean':
      return boolText(value.value);
    case 'float':
      return numberText(value.value);
    case 'bit-string':
      return bitText(value);
    case 'octet-string':
      return hexText(value.octets) || say('frame.empty');
    case 'visible-string':
    case 'mms-string':
      return `"${value.text.slice(0, MOST_TEXT)}"`;
    case 'utc-time':
      return timeText(jsonScalar(value), value.octets[7] ?? 0);
    case 'binary-time':
      return String(jsonScalar(value) ?? hexText(value.octets));
    case 'other':
      return hexText(value.octets.subarray(0, MOST_TEXT));
    default:
      return String(jsonScalar(value));
  }
}

function enclosed(open: string, items: FrameText, close: string): FrameText {
  return typeof items === 'string' ? `${open}${items}${close}` : say('mmsframe.enclosed', { open, items, close });
}

/** Members of Oper, SBOw and Cancel (IEC 61850-8-1, table 41): those behind the value, from the last on. Cancel has no Check, `operTm` is optional. */
const CONTROL_MEMBERS: readonly (readonly [name: FrameText, kinds: readonly MmsValue['kind'][]])[] = [
  [say('mmsframe.member_test'), ['boolean']],
  ['T', ['utc-time', 'binary-time']],
  ['ctlNum', ['unsigned', 'integer']],
  [say('mmsframe.member_origin'), ['structure']],
];
/** Chinese for the words of a step command and of Check. */
const CONTROL_WORDS: Readonly<Record<string, string>> = {
  stop: '停止',
  lower: '降',
  higher: '升',
  reserved: '保留',
  synchrocheck: '同期检查',
  'interlock-check': '闭锁检查',
  none: '无',
};

/** The members of a control by name, told by their kinds; null for other structures. */
function controlText(items: readonly MmsValue[]): FrameText | null {
  const last = items.at(-1);
  const check = last?.kind === 'bit-string' && last.size === 2 ? last : null;
  const fields = check ? items.slice(0, -1) : items;
  const [value, ...behind] = fields;
  const named = [...behind].reverse();
  const isControl = CONTROL_MEMBERS.every(([, kinds], place) => kinds.includes(named[place]?.kind ?? 'other'));
  if (!value || !isControl || named.length > CONTROL_MEMBERS.length + 1) return null;
  const texts = named.map((item, place) => member(CONTROL_MEMBERS[place]?.[0] ?? 'operTm', valueText(item))).reverse();
  const isStep = value.kind === 'bit-string' && value.size === 2;
  const said = isStep ? say('mmsframe.kind', { kind: controlWords(pairText(value.octets, 'ctlVal')) }) : valueText(value);
  const checked = check ? [say('mmsframe.member_check', { checks: controlWords(checkText(check.octets)) })] : [];
  return joined([member('ctlVal', said), ...texts, ...checked]);
}

function member(name: FrameText, value: FrameText): FrameText {
  return say('mmsframe.member_said', { member: name, value });
}

/** Words with a space between, in both languages. */
function controlWords(words: string): Names {
  const chinese = words.split(' ').map((word) => CONTROL_WORDS[word] ?? word);
  return names(words, chinese.join('、'));
}

/** Bits, and what they mean where their number tells: 13 are a quality. Two bits mean different things. */
function bitText({ size, octets }: { readonly size: number; readonly octets: Uint8Array }): FrameText {
  let bits = '';
  for (let bit = 0; bit < Math.min(size, MOST_TEXT); bit++) bits += hasBit(octets, bit) ? '1' : '0';
  return size === 13 ? numbered(bits, qualityNames(octets)) : bits || say('mmsframe.no_bits');
}

/** With what is wrong with the clock by the quality of the time (IEC 61850-8-1, 8.1.3.7). */
function timeText(value: ReturnType<typeof jsonScalar>, quality: number): FrameText {
  const time = value === null ? say('mmsframe.never_set') : String(value);
  const marks = joined([
    (quality & 0x40) === 0 ? '' : say('mmsframe.clock_failure'),
    (quality & 0x20) === 0 ? '' : say('mmsframe.clock_not_synchronized'),
  ]);
  return marks === '' ? time : say('frame.numbered', { value: time, word: marks });
}

/** The first items of a list, of which there are `count` in all. */
export function listText(items: readonly FrameText[], count: number): FrameText {
  const shown = joined(items.slice(0, MOST_ITEMS));
  return count > MOST_ITEMS ? say('mmsframe.shown_of', { items: shown, count }) : shown;
}

/** `EMS1LD0/LLN0$ST$Beh`; of the VMD as it is, of the association with @. */
export function nameText(name: ObjectName): string {
  if (name.scope === 'domain') return `${name.domain}/${name.item}`;
  if (name.scope === 'association') return `@${name.item}`;
  return name.item;
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
      return '(*)';
  }
}

/** What a Read, Write or report is about. */
export function specText(spec: AccessSpec): FrameText {
  if (spec.kind === 'list') return say('mmsframe.list_of', { name: nameText(spec.name) });
  return listText(spec.items.slice(0, MOST_ITEMS).map(variableText), spec.items.length);
}

/** `bit-string 13`, `structure of 3`; at most as many for negative sizes. */
export function typeText(type: MmsType): FrameText {
  switch (type.kind) {
    case 'structure':
      return say('mmsframe.structure_of', { count: type.components.length });
    case 'array':
      return say('mmsframe.array_of', { count: type.count, type: typeText(type.element) });
    case 'boolean':
    case 'utc-time':
      return say('mmsframe.kind', { kind: KIND_NAMES[type.kind] });
    case 'float':
      return say('mmsframe.sized', { type: KIND_NAMES.float, size: type.width });
    case 'binary-time':
      return say(type.hasDate ? 'mmsframe.time_with_date' : 'mmsframe.time_of_day', { type: KIND_NAMES[type.kind] });
    case 'other':
      return say('mmsframe.another_type');
    default: {
      const size = Math.abs(type.size);
      return say(type.size < 0 ? 'mmsframe.sized_up_to' : 'mmsframe.sized', { type: KIND_NAMES[type.kind], size });
    }
  }
}
