/**
 * What a device says of a control before a command, in words, and what that means for it: modes (IEC 61850-7-4, annex A), local and remote
 * (annex B), health and blocking (6.2).
 */
import { say } from '#shared/messages/index.ts';
import { type Message, type Names, names } from '#shared/messages/message.ts';
import type { CommandStateItem } from '../../spi/index.ts';

/** A state as it was read: a number that has no word stays a number. */
export interface ControlReading {
  /** `Beh`, `Loc`; `ctlModel` and `stVal` of the object itself. */
  readonly name: string;
  readonly value: string | number | boolean;
}

/** What a command asks for, as far as it decides what a state means for it. */
export interface Asking {
  readonly isTest: boolean;
  /** orCat, 1 to 8. */
  readonly category: number;
  /** The device holds a selection of this connection. */
  readonly hasSelected: boolean;
  /** Control model that the point is set to; null: it is as the device says. */
  readonly ownModel: number | null;
  /** The command changes the mode itself, which every behaviour lets be done. */
  readonly isOfMode: boolean;
}

const LABELS = {
  ctlModel: 'control.label_model',
  sboClass: 'control.label_selection_class',
  stVal: 'control.label_state',
  stSeld: 'control.label_selected',
  Beh: 'control.label_behaviour',
  Mod: 'control.label_mode',
  Loc: 'control.label_local',
  LocSta: 'control.label_station',
  LocKey: 'control.label_key',
  Health: 'control.label_health',
  EEHealth: 'control.label_equipment',
  BlkOpn: 'control.label_opening',
  BlkCls: 'control.label_closing',
  CmdBlk: 'control.label_commands',
} as const;
type StateName = keyof typeof LABELS;

const isStateName = (name: string): name is StateName => Object.hasOwn(LABELS, name);

/** Words of the standard; the English ones are those that devices and files use. */
const WORDS: Readonly<Record<string, Names>> = {
  'status-only': names('status-only', '仅状态（status-only）'),
  'direct-with-normal-security': names('direct-with-normal-security', '直接控制，常规安全'),
  'sbo-with-normal-security': names('sbo-with-normal-security', '选择后执行，常规安全'),
  'direct-with-enhanced-security': names('direct-with-enhanced-security', '直接控制，增强安全'),
  'sbo-with-enhanced-security': names('sbo-with-enhanced-security', '选择后执行，增强安全'),
  'operate-once': names('operate-once', '选择后执行一次（operate-once）'),
  'operate-many': names('operate-many', '选择后可多次执行（operate-many）'),
  on: names('on', '投入（on）'),
  blocked: names('blocked', '闭锁（blocked）'),
  'on-blocked': names('on-blocked', '闭锁（on-blocked）'),
  test: names('test', '测试（test）'),
  'test/blocked': names('test/blocked', '测试闭锁（test/blocked）'),
  off: names('off', '退出（off）'),
  Ok: names('Ok', '正常（Ok）'),
  Warning: names('Warning', '预警（Warning）'),
  Alarm: names('Alarm', '报警（Alarm）'),
};
/** Stands for a state that the device answers and has never been told. */
export const UNKNOWN_STATE = 'unknown';
const UNKNOWN = names('not known', '未知');
const YES = names('yes', '是');
const NO = names('no', '否');

/** Positions of switches, and on and off of single points. */
const POSITIONS: Readonly<Record<string, Names>> = {
  on: names('on', '合位（on）'),
  off: names('off', '分位（off）'),
  intermediate: names('intermediate', '中间位（intermediate）'),
  bad: names('bad', '坏状态（bad）'),
};

/** The word of a state for a sentence of either language. */
export function stateWord({ name, value }: ControlReading): Message {
  const isPosition = name === 'stVal';
  if (value === UNKNOWN_STATE) return spoken(UNKNOWN, value);
  if (typeof value === 'boolean') return spoken(isPosition ? POSITIONS[value ? 'on' : 'off'] : value ? YES : NO, value);
  const words = isPosition ? POSITIONS : WORDS;
  return spoken(Object.hasOwn(words, value) ? words[value] : undefined, value);
}

function spoken(words: Names | undefined, value: string | number | boolean): Message {
  return say('common.text', { text: words ?? String(value) });
}

/** The rows of a state, each with what it means for a command that asks for this. */
export function stateItems(readings: readonly ControlReading[], asking: Asking): CommandStateItem[] {
  return readings.flatMap((reading) =>
    isStateName(reading.name)
      ? [{ name: reading.name, label: say(LABELS[reading.name]), value: stateWord(reading), remark: remarkOf(reading, asking) }]
      : [],
  );
}

function remarkOf({ name, value }: ControlReading, asking: Asking): Message | null {
  switch (name) {
    case 'ctlModel':
      return modelRemark(value, asking);
    case 'sboClass':
      return value === 'operate-many' ? say('control.remark_operate_many') : null;
    case 'Beh':
      return asking.isOfMode ? null : behaviourRemark(value, asking.isTest);
    case 'stSeld':
      if (value !== true) return null;
      return asking.hasSelected ? say('control.remark_own_selection') : say('control.remark_foreign_selection');
    case 'LocSta':
      return placeRemark(value, asking.category);
    case 'Health':
    case 'EEHealth':
      return value === 'Alarm' ? say('control.remark_health') : null;
    default:
      return value === true ? blockingRemark(name) : null;
  }
}

function modelRemark(value: ControlReading['value'], { ownModel }: Asking): Message | null {
  if (ownModel !== null) return say('control.remark_models_differ', { own: ownModel });
  return value === 'status-only' ? say('control.remark_status_only') : null;
}

function behaviourRemark(value: ControlReading['value'], isTest: boolean): Message | null {
  switch (value) {
    case 'on':
      return isTest ? say('control.remark_no_test') : null;
    case 'blocked':
    case 'on-blocked':
      return isTest ? say('control.remark_no_test') : say('control.remark_blocked');
    case 'test':
      return isTest ? say('control.remark_test_operates') : say('control.remark_test_alone');
    case 'test/blocked':
      return isTest ? say('control.remark_test_blocked') : say('control.remark_test_alone');
    case 'off':
      return say('control.remark_off');
    default:
      return isTest ? say('control.remark_behaviour_unknown') : null;
  }
}

const STATION: readonly number[] = [2, 5];
const CENTRE: readonly number[] = [3, 6];

function placeRemark(isStation: ControlReading['value'], category: number): Message | null {
  if (isStation === UNKNOWN_STATE) return [...STATION, ...CENTRE].includes(category) ? say('control.remark_place_unknown') : null;
  if (isStation === true) return CENTRE.includes(category) ? say('control.remark_station') : null;
  return isStation === false && STATION.includes(category) ? say('control.remark_centre') : null;
}

function blockingRemark(name: string): Message | null {
  switch (name) {
    case 'Loc':
    case 'LocKey':
      return say('control.remark_local');
    case 'BlkOpn':
      return say('control.remark_opening');
    case 'BlkCls':
      return say('control.remark_closing');
    default:
      return name === 'CmdBlk' ? say('control.remark_commands') : null;
  }
}
