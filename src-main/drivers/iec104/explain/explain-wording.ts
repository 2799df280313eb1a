/** Values, qualifiers and time tags in words, for the explanation of frames. */

import type { TimeTag } from '../codec/time-tags.ts';
import { Quality, qualityFlags } from '../quality.ts';

const DOUBLE = ['intermediate', 'OFF', 'ON', 'indeterminate'] as const;
const STEP_COMMAND = ['not permitted', 'lower', 'higher', 'not permitted'] as const;
const DOUBLE_COMMAND = ['not permitted', 'OFF', 'ON', 'not permitted'] as const;
const QU = ['no further definition', 'short pulse', 'long pulse', 'persistent output'] as const;
const COI = ['local power switch on', 'local manual reset', 'remote reset'] as const;
const FREEZE = ['read', 'freeze', 'freeze with reset', 'reset'] as const;
const KPA = ['not used', 'threshold', 'smoothing factor', 'low limit', 'high limit'] as const;
const QPA = ['not used', 'parameters before', 'parameter addressed', 'cyclic transmission'] as const;
const QRP = ['not used', 'general reset of the process', 'reset of pending information with time tag'] as const;
const SPE = ['GS', 'SL1', 'SL2', 'SL3', 'SIE', 'SRD'] as const;
const OCI = ['GC', 'CL1', 'CL2', 'CL3'] as const;
const DAYS = ['', ' Monday', ' Tuesday', ' Wednesday', ' Thursday', ' Friday', ' Saturday', ' Sunday'] as const;

/** `2 (ON)`; a number without a word as `9 (reserved)`. */
function numbered(words: readonly string[], value: number): string {
  return `${value} (${words[value] ?? 'reserved'})`;
}

/** Letters of the bits that are set, or `none`. */
function letters(names: readonly string[], octet: number): string {
  return names.filter((_, bit) => (octet & (1 << bit)) !== 0).join(' ') || 'none';
}

export const words = {
  single: (value: number) => (value === 0 ? '0 (OFF)' : '1 (ON)'),
  double: (value: number) => numbered(DOUBLE, value),
  doubleCommand: (value: number) => numbered(DOUBLE_COMMAND, value),
  stepCommand: (value: number) => numbered(STEP_COMMAND, value),
  select: (isSelect: boolean) => (isSelect ? 'select' : 'execute'),
  /** QU of commands. */
  commandQualifier: (value: number) => `QU ${numbered(QU, value)}`,
  /** QL of set points. */
  setPointQualifier: (value: number) => (value === 0 ? 'QL 0 (default)' : `QL ${numbered([], value)}`),
  endOfInit: (value: number, hasChangedParameters: boolean) =>
    `${numbered(COI, value)}, parameters ${hasChangedParameters ? 'changed' : 'unchanged'}`,
  counterRequest(request: number, freeze: number): string {
    const asked = request === 5 ? '5 (general)' : request >= 1 && request <= 4 ? `${request} (group ${request})` : numbered([], request);
    return `request ${asked}, ${FREEZE[freeze] ?? ''}`;
  },
  interrogation(value: number): string {
    if (value === 20) return '20 (station)';
    return value > 20 && value <= 36 ? `${value} (group ${value - 20})` : numbered([], value);
  },
  reset: (value: number) => numbered(QRP, value),
  activation: (value: number) => numbered(QPA, value),
  parameter(octet: number): string {
    const change = (octet & 0x40) === 0 ? '' : ', local change';
    return `${numbered(KPA, octet & 0x3f)}${change}${(octet & 0x80) === 0 ? ', in operation' : ', not in operation'}`;
  },
  start: (octet: number) => letters(SPE, octet),
  output: (octet: number) => letters(OCI, octet),
  /** `good`, or the letters of the flags. */
  quality(octet: number): string {
    const flags = [...qualityFlags(octet), ...((octet & Quality.elapsedInvalid) === 0 ? [] : ['EI'])];
    return flags.length === 0 ? 'good' : flags.join(' ');
  },
  /** A number as it was sent: singles with as many digits as tell them apart. */
  number(value: number): string {
    return Object.is(value, -0) ? '-0' : String(Number.isFinite(value) ? Number(shortest(value)) : value);
  },
  time: timeText,
} as const;

/** The fewest digits that still give the same single. */
function shortest(value: number): string {
  for (let digits = 6; digits < 9; digits++) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return text;
  }
  return String(value);
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** `2024-02-29 13:14:15.678 Thursday, SU`; a CP24 as `minute 14, 15.678 s`. */
function timeText(tag: TimeTag): string {
  const seconds = `${two(Math.floor(tag.milliseconds / 1000))}.${String(tag.milliseconds % 1000).padStart(3, '0')}`;
  const marks = [tag.isInvalid ? ', IV' : '', tag.isSubstituted ? ', substituted' : ''].join('');
  if (tag.kind === 'cp24') return `minute ${two(tag.minute)}, ${seconds} s${marks}`;
  const date = `20${two(tag.year)}-${two(tag.month)}-${two(tag.day)}`;
  const summer = tag.isSummerTime ? ', SU' : '';
  return `${date} ${two(tag.hour)}:${two(tag.minute)}:${seconds}${DAYS[tag.dayOfWeek] ?? ''}${summer}${marks}`;
}

/** What keeps a time tag from being a time; null when nothing does. */
export function timeProblem(tag: TimeTag): string | null {
  const wrong = [
    tag.milliseconds > 59_999 ? 'millisecond' : '',
    tag.minute > 59 ? 'minute' : '',
    tag.kind === 'cp56' && tag.hour > 23 ? 'hour' : '',
    tag.kind === 'cp56' && tag.day === 0 ? 'day' : '',
    tag.kind === 'cp56' && (tag.month === 0 || tag.month > 12) ? 'month' : '',
    tag.kind === 'cp56' && tag.year > 99 ? 'year' : '',
  ].filter(Boolean);
  return wrong.length === 0 ? null : `no time: ${wrong.join(', ')} out of range`;
}
