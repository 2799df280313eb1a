import type { InputOf } from '#shared/contract/index.ts';

export type StepAction = InputOf<'checkStep'>['action'];
export type GuidedAct = StepAction | 'remark' | 'attach' | 'send' | 'leave';

const LETTERS: Readonly<Record<string, GuidedAct>> = {
  f: 'fail',
  b: 'block',
  s: 'skip',
  r: 'repeat',
  m: 'remark',
  a: 'attach',
  backspace: 'back',
  escape: 'leave',
};

/** What a key means in the guided view; null for nothing. Enter sends where the item is a command, and passes elsewhere. */
export function actOfKey(key: string, isCommand: boolean): GuidedAct | null {
  if (key === ' ') return 'pass';
  if (key === 'Enter') return isCommand ? 'send' : 'pass';
  return LETTERS[key.toLowerCase()] ?? null;
}

/**
 * Time for which a key that decides is not taken after the program itself went on, in milliseconds: it was meant for the item before. Somebody sees
 * that figures changed in a quarter of a second and lets go of a key in another one.
 */
export const GRACE_MS = 600;

/** True for what appends a result or sends something. */
export function isDecision(act: GuidedAct): boolean {
  return act === 'pass' || act === 'fail' || act === 'block' || act === 'skip' || act === 'send';
}
