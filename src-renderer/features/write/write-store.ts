import { create } from 'zustand';
import type { Channel } from '#shared/contract/channels.ts';
import type { Point } from '#shared/contract/points.ts';
import { isServing } from '#shared/domain/enums.ts';
import { toAppError } from '#shared/domain/errors.ts';
import { needsArming } from './arming.ts';
import { sendCommand } from './send-command.ts';
import { endWord, type WriteEnd } from './write-end.ts';

export interface WriteTarget {
  readonly channel: Channel;
  readonly point: Point;
}

export type WriteStep = 'enter' | 'confirm' | 'sending' | 'done';

interface WriteState {
  readonly target: WriteTarget | null;
  readonly step: WriteStep;
  readonly value: number | null;
  readonly end: WriteEnd | null;
  /** Values under way by point id; the table shows them amber until the device has answered. */
  readonly pending: Readonly<Record<number, number>>;
  /** Values by point id that were sent last without a word of what became of them. */
  readonly unresolved: Readonly<Record<number, number>>;
  /** A person has said that they looked at the device since the point became unresolved. */
  readonly hasLooked: boolean;
  open(target: WriteTarget): void;
  close(): void;
  goTo(step: 'enter' | 'confirm'): void;
  setValue(value: number | null): void;
  setHasLooked(hasLooked: boolean): void;
  /**
   * Sends the value once, from the step `confirm` of an armed channel only, and an unresolved point only after a look. Goes on when the dialog is closed; resolves with the end, which only the dialog that sent it shows.
   */
  send(): Promise<WriteEnd | null>;
}

/** Null when the channel is not armed any more; nothing was sent then. */
async function perform(target: WriteTarget, value: number): Promise<WriteEnd | null> {
  const { channel, point } = target;
  const key = { point_id: point.id, frame_type: point.frame_type };
  try {
    if (isServing(channel.conn_type)) {
      const served = await sendCommand('updatePoint', channel, { ...key, value });
      return served && { kind: 'served', point: served.data };
    }
    const command = { channel_id: channel.id, ...key, step: 'operate' as const, value, options: { read_back: true } };
    const sent = await sendCommand('command', channel, command);
    return sent && { kind: 'command', result: sent.data };
  } catch (thrown) {
    const error = toAppError(thrown);
    // An error with a cause was raised on this side of the door: the service may have sent the command all the same.
    return { kind: error.cause !== undefined || error.code === 'INTERNAL' ? 'lost' : 'refused', error };
  }
}

/** A write that was never sent says nothing about the one before it. What we serve reaches no device. */
function unresolvedAfter(before: WriteState['unresolved'], { channel, point }: WriteTarget, value: number, end: WriteEnd) {
  const word = endWord(end);
  if (word === 'failed' || isServing(channel.conn_type)) return before;
  return word === 'unknown' ? { ...before, [point.id]: value } : without(before, point.id);
}

/** True while the point of the dialog is unresolved and nobody has looked. */
export function mustLook({ target, unresolved, hasLooked }: Pick<WriteState, 'target' | 'unresolved' | 'hasLooked'>): boolean {
  return target !== null && target.point.id in unresolved && !hasLooked;
}

function without(pending: Readonly<Record<number, number>>, id: number): Readonly<Record<number, number>> {
  const { [id]: _gone, ...rest } = pending;
  return rest;
}

/** State of the one write dialog, outside of it: a command that was sent is followed to its end even when the dialog is closed. */
export const useWriteStore = create<WriteState>((set, get) => ({
  target: null,
  step: 'enter',
  value: null,
  end: null,
  pending: {},
  unresolved: {},
  hasLooked: false,
  open: (target) => set({ target, step: 'enter', value: null, end: null, hasLooked: false }),
  close: () => set({ target: null, step: 'enter', value: null, end: null }),
  goTo: (step) => set({ step, end: null, ...(get().step === 'done' ? { hasLooked: false } : {}) }),
  setValue: (value) => set({ value }),
  setHasLooked: (hasLooked) => set({ hasLooked }),
  async send() {
    const { target, value, step } = get();
    if (!target || value === null || step !== 'confirm') return null;
    if (needsArming(target.channel) || mustLook(get())) {
      set({ step: 'enter' });
      return null;
    }
    set((state) => ({ step: 'sending', pending: { ...state.pending, [target.point.id]: value } }));
    const end = await perform(target, value);
    set((state) => ({
      pending: without(state.pending, target.point.id),
      unresolved: end ? unresolvedAfter(state.unresolved, target, value, end) : state.unresolved,
      ...(state.target === target ? { step: end ? ('done' as const) : ('enter' as const), end } : {}),
    }));
    return end;
  },
}));
