import { create } from 'zustand';
import type { Channel } from '#shared/contract/channels.ts';
import type { DataOf } from '#shared/contract/index.ts';
import { type AppError, toAppError } from '#shared/domain/errors.ts';
import type { FormRecord } from '../../ui/form/record-form.ts';
import { sendCommand } from '../write/send-command.ts';
import type { Operation } from './operation-model.ts';

export type OperationReport = DataOf<'deviceOperation'>;

/** What became of an operation. `lost`: the service did not answer, so nobody knows; `refused`: nothing was sent. */
export type OperationEnd =
  | { readonly kind: 'report'; readonly report: OperationReport }
  | { readonly kind: 'refused'; readonly error: AppError }
  | { readonly kind: 'lost'; readonly error: AppError };

export interface OperationRun {
  /** When it was asked for. */
  readonly at: string;
  /** Null while it is under way. */
  readonly end: OperationEnd | null;
}

interface OperationsState {
  /** The last run of each operation by `operationKey`: it goes on, and stays readable, when its panel is left. */
  readonly runs: Readonly<Record<string, OperationRun>>;
  /** Chosen operation by channel. */
  readonly chosen: Readonly<Record<number, string>>;
  /** What was given last by channel, by what it names: it stays from one operation to the next. */
  readonly given: Readonly<Record<number, FormRecord>>;
  choose(channelId: number, operation: string): void;
  remember(channelId: number, params: FormRecord): void;
  /** Runs an operation once; resolves with its end. Null when it is under way already, and when the channel is not armed for it. */
  run(channel: Channel, operation: Operation, params: FormRecord): Promise<OperationEnd | null>;
}

/** Key of an operation of a channel. */
export function operationKey(channelId: number, operation: string): string {
  return `${channelId} ${operation}`;
}

async function perform(channel: Channel, { name, effect }: Operation, params: FormRecord): Promise<OperationEnd | null> {
  try {
    const sent = await sendCommand('deviceOperation', channel, { channel_id: channel.id, operation: name, params }, effect);
    return sent && { kind: 'report', report: sent.data };
  } catch (thrown) {
    const error = toAppError(thrown);
    // An error with a cause was raised on this side of the door: the service may have sent it all the same.
    return { kind: error.cause !== undefined || error.code === 'INTERNAL' ? 'lost' : 'refused', error };
  }
}

/** State of the operation panel, outside of it: what was sent is followed to its end. */
export const useOperationsStore = create<OperationsState>((set, get) => ({
  runs: {},
  chosen: {},
  given: {},
  choose: (channelId, operation) => set((state) => ({ chosen: { ...state.chosen, [channelId]: operation } })),
  remember: (channelId, params) => set(({ given }) => ({ given: { ...given, [channelId]: { ...given[channelId], ...params } } })),
  async run(channel, operation, params) {
    const key = operationKey(channel.id, operation.name);
    const before = get().runs[key];
    if (before?.end === null) return null;
    const at = new Date().toISOString();
    set((state) => ({ runs: { ...state.runs, [key]: { at, end: null } } }));
    const end = await perform(channel, operation, params);
    set(({ runs: { [key]: _mine, ...others } }) => ({
      runs: end ? { ...others, [key]: { at, end } } : before ? { ...others, [key]: before } : others,
    }));
    return end;
  },
}));

/** Word of an end, under `outcome` of the operations texts. */
export function endWord(end: OperationEnd): 'accepted' | 'rejected' | 'unknown' | 'failed' {
  if (end.kind === 'report') return end.report.outcome;
  return end.kind === 'lost' ? 'unknown' : 'failed';
}

/** How an end looks. */
export function endTone(end: OperationEnd): 'ok' | 'warn' | 'bad' {
  const word = endWord(end);
  if (word === 'accepted') return 'ok';
  return word === 'unknown' ? 'warn' : 'bad';
}
