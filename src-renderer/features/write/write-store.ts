import { create } from 'zustand';
import type { Channel } from '#shared/contract/channels.ts';
import type { CommandResult, Point } from '#shared/contract/points.ts';
import { isServing } from '#shared/domain/enums.ts';
import { type AppError, toAppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';

export interface WriteTarget {
  readonly channel: Channel;
  readonly point: Point;
}

/** What became of a write. `lost`: the service did not answer, so nobody knows; `refused`: nothing was sent. */
export type WriteEnd =
  | { readonly kind: 'command'; readonly result: CommandResult; readonly readBack: Point | null }
  | { readonly kind: 'served'; readonly point: Point }
  | { readonly kind: 'refused'; readonly error: AppError }
  | { readonly kind: 'lost'; readonly error: AppError };

export type WriteStep = 'enter' | 'confirm' | 'sending' | 'done';

interface WriteState {
  readonly target: WriteTarget | null;
  readonly step: WriteStep;
  readonly value: number | null;
  readonly end: WriteEnd | null;
  /** Values under way by point id; the table shows them amber until the device has answered. */
  readonly pending: Readonly<Record<number, number>>;
  open(target: WriteTarget): void;
  close(): void;
  goTo(step: 'enter' | 'confirm'): void;
  setValue(value: number | null): void;
  /** Sends the value once. Goes on when the dialog is closed; resolves with the end, which only the dialog that sent it shows. */
  send(): Promise<WriteEnd | null>;
}

/** The point as the table has it after the command: with `read_back` the service has just read it. Null when it has not. */
async function fetchReadBack(target: WriteTarget, result: CommandResult): Promise<Point | null> {
  const { channel, point } = target;
  const sentAt = result.stages[0]?.at ?? '';
  try {
    const { data } = await api.call('pointTable', {
      channel_id: channel.id,
      frame_type: point.frame_type,
      search: point.code,
      page: 1,
      page_size: 1000,
    });
    const row = data.items.find((item) => item.id === point.id);
    return row?.updated_at && row.updated_at >= sentAt && row.quality === 'good' ? row : null;
  } catch {
    return null;
  }
}

async function perform(target: WriteTarget, value: number): Promise<WriteEnd> {
  const { channel, point } = target;
  const key = { point_id: point.id, frame_type: point.frame_type };
  try {
    if (isServing(channel.conn_type)) return { kind: 'served', point: (await api.call('updatePoint', { ...key, value })).data };
    const command = { channel_id: channel.id, ...key, step: 'operate' as const, value, options: { read_back: true } };
    const { data } = await api.call('command', command);
    return { kind: 'command', result: data, readBack: data.outcome === 'rejected' ? null : await fetchReadBack(target, data) };
  } catch (thrown) {
    const error = toAppError(thrown);
    // An error with a cause was raised on this side of the door: the service may have sent the command all the same.
    return { kind: error.cause !== undefined || error.code === 'INTERNAL' ? 'lost' : 'refused', error };
  }
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
  open: (target) => set({ target, step: 'enter', value: null, end: null }),
  close: () => set({ target: null, step: 'enter', value: null, end: null }),
  goTo: (step) => set({ step, end: null }),
  setValue: (value) => set({ value }),
  async send() {
    const { target, value, step } = get();
    if (!target || value === null || step !== 'confirm') return null;
    set((state) => ({ step: 'sending', pending: { ...state.pending, [target.point.id]: value } }));
    const end = await perform(target, value);
    set((state) => ({
      pending: without(state.pending, target.point.id),
      ...(state.target === target ? { step: 'done' as const, end } : {}),
    }));
    return end;
  },
}));
