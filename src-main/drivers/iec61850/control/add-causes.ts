/** Why a control was refused, as numbers of LastApplError (IEC 61850-7-2, 20.5.2.9; IEC 61850-8-1, 20). */
import { type Names, names } from '#shared/messages/message.ts';

interface AddCause {
  readonly name: string;
  /** What it means, and what to look at or to do. */
  readonly words: Names;
}

const ADD_CAUSES: readonly AddCause[] = [
  { name: 'unknown', words: names('the device gives no reason', '设备未给出原因') },
  { name: 'not-supported', words: names('the device has no such control service', '设备不支持该控制服务') },
  {
    name: 'blocked-by-switching-hierarchy',
    words: names(
      'another place has control: look at Loc and LocSta, and at the originator category',
      '控制权在别处：请查看 Loc、LocSta 和控制源类别（orCat）',
    ),
  },
  { name: 'select-failed', words: names('the selection failed', '选择失败') },
  {
    name: 'invalid-position',
    words: names('the present position is invalid: look at the position and its contacts', '当前位置无效：请检查位置及其触点'),
  },
  { name: 'position-reached', words: names('the switch is there already', '已在目标位置') },
  { name: 'parameter-change-in-execution', words: names('a parameter is being changed; try again behind it', '正在修改参数，请稍后再试') },
  { name: 'step-limit', words: names('the tap changer is at its last step', '分接头已到极限') },
  {
    name: 'blocked-by-mode',
    words: names(
      'the mode forbids it: look at Mod and Beh, and at the test bit of the command',
      '运行模式不允许：请查看 Mod、Beh 和命令的测试标志',
    ),
  },
  {
    name: 'blocked-by-process',
    words: names('something outside blocks it: look at EEHealth, BlkOpn and BlkCls', '被外部条件闭锁：请查看 EEHealth、BlkOpn、BlkCls'),
  },
  {
    name: 'blocked-by-interlocking',
    words: names(
      'the interlocking forbids it: look at EnaOpn, EnaCls and the switches around',
      '被联锁闭锁：请查看 EnaOpn、EnaCls 及相关开关',
    ),
  },
  { name: 'blocked-by-synchrocheck', words: names('voltages on both sides are not synchronous', '两侧电压不同期') },
  { name: 'command-already-in-execution', words: names('another command of this object has not ended', '该对象的另一条命令尚未结束') },
  {
    name: 'blocked-by-health',
    words: names('the device is not healthy: look at Health and its alarms', '设备状态异常：请查看 Health 及其告警'),
  },
  {
    name: '1-of-n-control',
    words: names('another object is selected or operated; only one may be at a time', '已有其他对象被选择或执行，同时只允许一个'),
  },
  { name: 'abortion-by-cancel', words: names('somebody cancelled it', '被撤销') },
  {
    name: 'time-limit-over',
    words: names('the position was not reached in the time of the device: look at the drive', '在设备规定时间内未到位：请检查操动机构'),
  },
  { name: 'abortion-by-trip', words: names('a protection trip came between', '被保护跳闸中断') },
  { name: 'object-not-selected', words: names('it was not selected, or its selection has run out', '未选择，或选择已超时') },
  { name: 'object-already-selected', words: names('it is selected already; wait until the selection ends', '已被选择，请等待选择结束') },
  { name: 'no-access-authority', words: names('this client has no right to it', '本客户端没有权限') },
  { name: 'ended-with-overshoot', words: names('the end position was passed', '越过了目标位置') },
  { name: 'abortion-due-to-deviation', words: names('value and command drifted apart', '值与命令偏离') },
  { name: 'abortion-by-communication-loss', words: names('the connection to the process was lost', '与过程层的通信中断') },
  { name: 'abortion-by-command', words: names('another command ended it', '被另一条命令终止') },
  { name: 'none', words: names('the device says that there is no reason', '设备表示没有原因') },
  {
    name: 'inconsistent-parameters',
    words: names('select and operate differ in value, originator, number or checks', '选择与执行的值、控制源、序号或校验不一致'),
  },
  { name: 'locked-by-other-client', words: names('another client has selected it', '已被其他客户端选择') },
];

/** Additional causes that our simulated device gives. */
export const ADD_CAUSE = {
  unknown: 0,
  notSupported: 1,
  switchingHierarchy: 2,
  positionReached: 5,
  stepLimit: 7,
  mode: 8,
  process: 9,
  interlocking: 10,
  synchrocheck: 11,
  inExecution: 12,
  cancelled: 15,
  timeLimit: 16,
  notSelected: 18,
  alreadySelected: 19,
  inconsistent: 26,
  lockedByOther: 27,
} as const;

const CONTROL_ERRORS = ['no-error', 'unknown', 'timeout-test-not-ok', 'operator-test-not-ok'] as const;

/** `blocked-by-interlocking (10)`; an unknown number alone. */
export function addCauseName(code: number): string {
  const cause = ADD_CAUSES[code];
  return cause ? `${cause.name} (${code})` : `additional cause ${code}`;
}

/** What an additional cause means in words; null for an unknown number. */
export function addCauseWords(code: number): Names | null {
  return ADD_CAUSES[code]?.words ?? null;
}

/** `timeout-test-not-ok (2)`; null for no error. */
export function controlErrorName(code: number): string | null {
  if (code === 0) return null;
  const name = CONTROL_ERRORS[code];
  return name === undefined ? `control error ${code}` : `${name} (${code})`;
}
