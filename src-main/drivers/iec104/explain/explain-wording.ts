/** Values, qualifiers and time tags in words, for the explanation of frames. */
import { say } from '#shared/messages/index.ts';
import { type MessagePart, type Names, names } from '#shared/messages/message.ts';
import { joined, numbered, numberText } from '../../kit/explain/nodes.ts';
import type { FrameText } from '../../spi/index.ts';
import type { TimeTag } from '../codec/time-tags.ts';
import { Quality, qualityFlags } from '../quality.ts';

const NOT_PERMITTED = names('not permitted', '不允许');
const NOT_USED = names('not used', '未用');
const RESERVED = names('reserved', '保留');
const OFF = names('OFF', '分');
const ON = names('ON', '合');

const SINGLE = [OFF, ON] as const;
const DOUBLE = [names('intermediate', '中间状态'), OFF, ON, names('indeterminate', '不确定状态')] as const;
const STEP_COMMAND = [NOT_PERMITTED, names('lower', '降一步'), names('higher', '升一步'), NOT_PERMITTED] as const;
const DOUBLE_COMMAND = [NOT_PERMITTED, OFF, ON, NOT_PERMITTED] as const;
const QU = [
  names('no further definition', '无附加定义'),
  names('short pulse', '短脉冲'),
  names('long pulse', '长脉冲'),
  names('persistent output', '持续输出'),
] as const;
const COI = [
  names('local power switch on', '当地电源合上'),
  names('local manual reset', '当地手动复位'),
  names('remote reset', '远方复位'),
] as const;
const FREEZE = [
  names('read', '读'),
  names('freeze', '冻结不复位'),
  names('freeze with reset', '冻结并复位'),
  names('reset', '复位'),
] as const;
const KPA = [
  NOT_USED,
  names('threshold', '门限值'),
  names('smoothing factor', '平滑系数'),
  names('low limit', '下限'),
  names('high limit', '上限'),
] as const;
const QPA = [
  NOT_USED,
  names('parameters before', '此前装载的参数'),
  names('parameter addressed', '所寻址的参数'),
  names('cyclic transmission', '循环传送'),
] as const;
const QRP = [
  NOT_USED,
  names('general reset of the process', '进程的总复位'),
  names('reset of pending information with time tag', '复位待处理的带时标信息'),
] as const;
const SPE = ['GS', 'SL1', 'SL2', 'SL3', 'SIE', 'SRD'] as const;
const OCI = ['GC', 'CL1', 'CL2', 'CL3'] as const;
const DAYS: readonly (Names | null)[] = [
  null,
  names('Monday', '星期一'),
  names('Tuesday', '星期二'),
  names('Wednesday', '星期三'),
  names('Thursday', '星期四'),
  names('Friday', '星期五'),
  names('Saturday', '星期六'),
  names('Sunday', '星期日'),
];

/** `2 (ON)`; a number without a word as `9 (reserved)`. */
function numberedIn(list: readonly Names[], value: number): FrameText {
  return numbered(value, list[value] ?? RESERVED);
}

/** Letters of the bits that are set, or `none`. */
function letters(list: readonly string[], octet: number): FrameText {
  return list.filter((_, bit) => (octet & (1 << bit)) !== 0).join(' ') || say('iec104frame.none');
}

export const words = {
  single: (value: number) => numberedIn(SINGLE, value),
  double: (value: number) => numberedIn(DOUBLE, value),
  doubleCommand: (value: number) => numberedIn(DOUBLE_COMMAND, value),
  stepCommand: (value: number) => numberedIn(STEP_COMMAND, value),
  select: (isSelect: boolean): FrameText => say(isSelect ? 'iec104frame.select' : 'iec104frame.execute'),
  /** QU of commands. */
  commandQualifier: (value: number) => numbered(`QU ${value}`, QU[value] ?? RESERVED),
  /** QL of set points. */
  setPointQualifier: (value: number) => numbered(`QL ${value}`, value === 0 ? say('iec104frame.default') : RESERVED),
  endOfInit: (value: number, hasChangedParameters: boolean) =>
    joined([numberedIn(COI, value), say(hasChangedParameters ? 'iec104frame.parameters_changed' : 'iec104frame.parameters_unchanged')]),
  counterRequest: (request: number, freeze: number) => joined([counterGroup(request), FREEZE[freeze] ?? '']),
  interrogation(value: number): FrameText {
    if (value === 20) return numbered(value, say('iec104frame.station'));
    return numbered(value, value > 20 && value <= 36 ? say('iec104frame.group', { group: value - 20 }) : RESERVED);
  },
  reset: (value: number) => numberedIn(QRP, value),
  activation: (value: number) => numberedIn(QPA, value),
  parameter(octet: number): FrameText {
    const change = (octet & 0x40) === 0 ? '' : say('iec104frame.local_change');
    const operation = say((octet & 0x80) === 0 ? 'iec104frame.in_operation' : 'iec104frame.not_in_operation');
    return joined([numberedIn(KPA, octet & 0x3f), change, operation]);
  },
  start: (octet: number) => letters(SPE, octet),
  output: (octet: number) => letters(OCI, octet),
  /** `good`, or the letters of the flags. */
  quality(octet: number): FrameText {
    const flags = [...qualityFlags(octet), ...((octet & Quality.elapsedInvalid) === 0 ? [] : ['EI'])];
    return flags.length === 0 ? say('iec104frame.good') : flags.join(' ');
  },
  /** A number as it was sent: singles with as many digits as tell them apart. */
  number(value: number): FrameText {
    if (Object.is(value, -0)) return '-0';
    return Number.isFinite(value) ? String(Number(shortest(value))) : numberText(value);
  },
  time: timeText,
} as const;

function counterGroup(request: number): FrameText {
  if (request === 5) return say('iec104frame.request_general');
  if (request >= 1 && request <= 4) return say('iec104frame.request_group', { group: request });
  return say('iec104frame.request_reserved', { value: request });
}

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
function timeText(tag: TimeTag): FrameText {
  const seconds = `${two(Math.floor(tag.milliseconds / 1000))}.${String(tag.milliseconds % 1000).padStart(3, '0')}`;
  const marks: MessagePart[] = [tag.isInvalid ? 'IV' : '', tag.isSubstituted ? say('iec104frame.substituted') : ''];
  if (tag.kind === 'cp24') return joined([say('iec104frame.minute_time', { minute: two(tag.minute), seconds }), ...marks]);
  const time = `20${two(tag.year)}-${two(tag.month)}-${two(tag.day)} ${two(tag.hour)}:${two(tag.minute)}:${seconds}`;
  const day = DAYS[tag.dayOfWeek];
  return joined([day ? say('iec104frame.date_time', { time, day }) : time, tag.isSummerTime ? 'SU' : '', ...marks]);
}

/** What keeps a time tag from being a time; null when nothing does. */
export function timeProblem(tag: TimeTag): FrameText | null {
  const parts = [
    tag.milliseconds > 59_999 ? say('iec104frame.part_millisecond') : '',
    tag.minute > 59 ? say('iec104frame.minute') : '',
    tag.kind === 'cp56' && tag.hour > 23 ? say('iec104frame.hour') : '',
    tag.kind === 'cp56' && tag.day === 0 ? say('iec104frame.day') : '',
    tag.kind === 'cp56' && (tag.month === 0 || tag.month > 12) ? say('iec104frame.month') : '',
    tag.kind === 'cp56' && tag.year > 99 ? say('iec104frame.year') : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? null : say('iec104frame.no_time', { parts });
}
