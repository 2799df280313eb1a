/** Why a control was refused, as numbers of LastApplError (IEC 61850-7-2, 20.5.2.9; IEC 61850-8-1, 20). */

interface AddCause {
  readonly name: string;
  /** What it means, and what to look at or to do. */
  readonly words: string;
}

const ADD_CAUSES: readonly AddCause[] = [
  { name: 'unknown', words: 'the device gives no reason' },
  { name: 'not-supported', words: 'the device has no such control service' },
  { name: 'blocked-by-switching-hierarchy', words: 'another place has control: look at Loc and LocSta, and at the originator category' },
  { name: 'select-failed', words: 'the selection failed' },
  { name: 'invalid-position', words: 'the present position is invalid: look at the position and its contacts' },
  { name: 'position-reached', words: 'the switch is there already' },
  { name: 'parameter-change-in-execution', words: 'a parameter is being changed; try again behind it' },
  { name: 'step-limit', words: 'the tap changer is at its last step' },
  { name: 'blocked-by-mode', words: 'the mode forbids it: look at Mod and Beh, and at the test bit of the command' },
  { name: 'blocked-by-process', words: 'something outside blocks it: look at EEHealth, BlkOpn and BlkCls' },
  { name: 'blocked-by-interlocking', words: 'the interlocking forbids it: look at EnaOpn, EnaCls and the switches around' },
  { name: 'blocked-by-synchrocheck', words: 'voltages on both sides are not synchronous' },
  { name: 'command-already-in-execution', words: 'another command of this object has not ended' },
  { name: 'blocked-by-health', words: 'the device is not healthy: look at Health and its alarms' },
  { name: '1-of-n-control', words: 'another object is selected or operated; only one may be at a time' },
  { name: 'abortion-by-cancel', words: 'somebody cancelled it' },
  { name: 'time-limit-over', words: 'the position was not reached in the time of the device: look at the drive' },
  { name: 'abortion-by-trip', words: 'a protection trip came between' },
  { name: 'object-not-selected', words: 'it was not selected, or its selection has run out' },
  { name: 'object-already-selected', words: 'it is selected already; wait until the selection ends' },
  { name: 'no-access-authority', words: 'this client has no right to it' },
  { name: 'ended-with-overshoot', words: 'the end position was passed' },
  { name: 'abortion-due-to-deviation', words: 'value and command drifted apart' },
  { name: 'abortion-by-communication-loss', words: 'the connection to the process was lost' },
  { name: 'abortion-by-command', words: 'another command ended it' },
  { name: 'none', words: 'the device says that there is no reason' },
  { name: 'inconsistent-parameters', words: 'select and operate differ in value, originator, number or checks' },
  { name: 'locked-by-other-client', words: 'another client has selected it' },
];

const CONTROL_ERRORS = ['no-error', 'unknown', 'timeout-test-not-ok', 'operator-test-not-ok'] as const;

/** `blocked-by-interlocking (10)`; an unknown number alone. */
export function addCauseName(code: number): string {
  const cause = ADD_CAUSES[code];
  return cause ? `${cause.name} (${code})` : `additional cause ${code}`;
}

/** What an additional cause means in words; null for an unknown number. */
export function addCauseWords(code: number): string | null {
  return ADD_CAUSES[code]?.words ?? null;
}

/** `timeout-test-not-ok (2)`; null for no error. */
export function controlErrorName(code: number): string | null {
  if (code === 0) return null;
  const name = CONTROL_ERRORS[code];
  return name === undefined ? `control error ${code}` : `${name} (${code})`;
}
