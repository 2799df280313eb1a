import { create } from 'zustand';
import type { Channel } from '#shared/contract/channels.ts';
import type { Point } from '#shared/contract/points.ts';
import { type CommandStep, isServing } from '#shared/domain/enums.ts';
import { toAppError } from '#shared/domain/errors.ts';
import { useProjectSession } from '../../app/project-session.ts';
import { needsArming } from './arming.ts';
import type { CommandOptions } from './command-options.ts';
import { expectationOf } from './expectation.ts';
import { forgetEnded, forgetSelection, rememberSelection, useSelectionStore } from './selections.ts';
import { sendCommand } from './send-command.ts';
import { endWord, type WriteEnd } from './write-end.ts';

export interface WriteTarget {
  readonly channel: Channel;
  readonly point: Point;
}

export type WriteStep = 'enter' | 'confirm' | 'sending' | 'done';

interface WriteState {
  readonly target: WriteTarget | null;
  /** Session of the project that was open when the dialog was. */
  readonly session: string | null;
  readonly step: WriteStep;
  readonly value: number | null;
  /** Options of the command, without those that are the default. */
  readonly options: CommandOptions;
  /** Options that the device has no place for, as far as it was asked. */
  readonly missingOptions: readonly string[];
  /** The step that is under way, or has ended. */
  readonly asked: CommandStep;
  readonly end: WriteEnd | null;
  /** The cancel of the command under way; `end` is null while it is under way itself. */
  readonly cancel: { readonly end: WriteEnd | null } | null;
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
  setOptions(options: CommandOptions): void;
  setMissingOptions(missing: readonly string[]): void;
  setHasLooked(hasLooked: boolean): void;
  /**
   * Sends the value once, or selects it, from the step `confirm` of an armed channel only, and an unresolved point only after a look. Goes on when
   * the dialog is closed; resolves with the end, which only the dialog that sent it shows.
   */
  send(step?: 'operate' | 'select'): Promise<WriteEnd | null>;
  /** Executes or cancels what is selected at the point, with the value and the options of the selection. Otherwise as `send`. */
  sendSelected(step: 'execute' | 'cancel'): Promise<WriteEnd | null>;
  /** Cancels the command of the point beside it, once. */
  cancelCommand(): Promise<void>;
}

/** What goes to a device in one step. */
interface Sending {
  readonly step: CommandStep;
  readonly value: number;
  readonly options: CommandOptions;
}

/** True for the steps that operate something. */
function acts(step: CommandStep): boolean {
  return step === 'operate' || step === 'execute';
}

/** Null when the channel is not armed any more; nothing was sent then. */
async function perform(target: WriteTarget, session: string | null, { step, value, options }: Sending): Promise<WriteEnd | null> {
  const { channel, point } = target;
  const key = { point_id: point.id, frame_type: point.frame_type, expect: expectationOf(point, session) };
  try {
    if (isServing(channel.conn_type)) {
      const served = await sendCommand('updatePoint', channel, { ...key, value });
      return served && { kind: 'served', point: served.data };
    }
    const carried = step === 'cancel' ? {} : { value, options: { ...(acts(step) ? { read_back: true } : {}), ...options } };
    const sent = await sendCommand('command', channel, { channel_id: channel.id, ...key, step, ...carried });
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

/** What stands selected at a point after a step: what the result says, however the step ended; a select that was taken without a word of it as well. */
function keepSelection({ channel, point }: WriteTarget, { step, value, options }: Sending, end: WriteEnd | null): void {
  if (end === null) return;
  const isTaken = end.kind === 'command' && end.result.outcome === 'accepted';
  const hasNone = end.kind === 'refused' && end.error.code === 'STATE_CONFLICT';
  const left = end.kind === 'command' ? end.result.selection : undefined;
  if (left || (isTaken && step === 'select')) {
    const { remaining_ms: remaining = null, is_endless: isEndless = false } = left ?? {};
    rememberSelection(point.id, { channelId: channel.id, code: point.code, value, options, isEndless }, remaining);
  } else if (hasNone || (step === 'cancel' ? isTaken : end.kind !== 'refused')) forgetSelection(point.id);
}

/** True while the point of the dialog is unresolved and nobody has looked. */
export function mustLook({ target, unresolved, hasLooked }: Pick<WriteState, 'target' | 'unresolved' | 'hasLooked'>): boolean {
  return target !== null && target.point.id in unresolved && !hasLooked;
}

function without(pending: Readonly<Record<number, number>>, id: number): Readonly<Record<number, number>> {
  const { [id]: _gone, ...rest } = pending;
  return rest;
}

/** A dialog as it opens. */
const CLEAR = {
  step: 'enter',
  value: null,
  options: {},
  missingOptions: [],
  asked: 'operate',
  end: null,
  cancel: null,
  hasLooked: false,
} as const;

/** State of the one write dialog, outside of it: a command that was sent is followed to its end even when the dialog is closed. */
export const useWriteStore = create<WriteState>((set, get) => ({
  ...CLEAR,
  target: null,
  session: null,
  pending: {},
  unresolved: {},
  open: (target) => set({ ...CLEAR, target, session: useProjectSession.getState().session }),
  close() {
    const { target } = get();
    if (target) forgetEnded(target.point.id);
    set({ ...CLEAR, target: null });
  },
  goTo(step) {
    const before = get();
    if (before.target && before.step === 'done') forgetEnded(before.target.point.id);
    set({ step, end: null, cancel: null, ...(before.step === 'done' ? { hasLooked: false } : {}) });
  },
  setValue: (value) => set({ value }),
  setOptions: (options) => set({ options }),
  setMissingOptions: (missingOptions) => set({ missingOptions }),
  setHasLooked: (hasLooked) => set({ hasLooked }),
  async send(step = 'operate') {
    const { target, value, options, step: place } = get();
    if (!target || value === null || place !== 'confirm') return null;
    if (mustLook(get())) {
      set({ step: 'enter' });
      return null;
    }
    return follow(target, { step, value, options });
  },
  async sendSelected(step) {
    const { target, step: place } = get();
    const selection = target && useSelectionStore.getState().selections[target.point.id];
    if (!target || !selection || selection.ended || place === 'sending') return null;
    return follow(target, { step, value: selection.value, options: selection.options });
  },
  async cancelCommand() {
    const { target, session, cancel } = get();
    if (!target || (cancel && cancel.end === null)) return;
    set({ cancel: { end: null } });
    const end = await perform(target, session, { step: 'cancel', value: 0, options: {} });
    if (get().target === target) set({ cancel: end && { end } });
  },
}));

/** Sends one step and follows it to its end. */
async function follow(target: WriteTarget, sending: Sending): Promise<WriteEnd | null> {
  const { setState: set, getState: get } = useWriteStore;
  const { session } = get();
  const { id } = target.point;
  const { step, value } = sending;
  if (needsArming(target.channel)) {
    set({ step: 'enter' });
    return null;
  }
  set((state) => ({
    step: 'sending',
    asked: step,
    value,
    options: sending.options,
    cancel: null,
    pending: acts(step) ? { ...state.pending, [id]: value } : state.pending,
  }));
  const end = await perform(target, session, sending);
  // what is kept by the ids of another project would be told of its points
  if (session !== null && useProjectSession.getState().session !== session) return end;
  keepSelection(target, sending, end);
  set((state) => ({
    pending: acts(step) ? without(state.pending, id) : state.pending,
    unresolved: end && acts(step) ? unresolvedAfter(state.unresolved, target, value, end) : state.unresolved,
    ...(state.target === target ? { step: end ? ('done' as const) : ('enter' as const), end } : {}),
  }));
  return end;
}
