/**
 * The life of a channel's connection as one pure function: (state, event) → (state, effects). Who runs it performs the effects in their order and
 * hands back what comes of them as events. Diagram and table: docs/maintainers/connection-states.md.
 */

import type { ChannelStatus } from '#shared/domain/enums.ts';
import { type AppError, isCancelled } from '#shared/domain/errors.ts';
import { english } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';

/** A connection that stood for so long was a good one; a shorter one goes on doubling the pauses. */
const GOOD_CONNECTION_MS = 5_000;

/** `waiting`: an attempt is wanted, behind a pause or the closing of the old line; `opening`: one is under way. */
export type LineState = 'none' | 'waiting' | 'opening' | 'open';

export interface ConnectionState {
  readonly status: ChannelStatus;
  readonly lastError: Message | null;
  readonly line: LineState;
  /** A line that was let go is still closing: no other is opened before it has. */
  readonly isClosing: boolean;
  /** The next attempt is made without a pause. */
  readonly isDue: boolean;
  /** Milliseconds before the next attempt, where the pause is not the usual one. */
  readonly pauseMs: number | null;
  /** When the line came up, in monotonic milliseconds. */
  readonly upAt: number;
}

export type ConnectionEvent =
  /** The channel is started; nothing stands. */
  | { readonly kind: 'start' }
  | { readonly kind: 'opened'; readonly at: number }
  /** An attempt failed, or was ended. */
  | { readonly kind: 'failed'; readonly error: AppError; readonly isAutoReconnect: boolean }
  /** The line that stood is lost. */
  | { readonly kind: 'lost'; readonly reason: AppError; readonly at: number; readonly isAutoReconnect: boolean }
  /** The line that stands may be dead: it is dropped, and opened anew after `pauseMs`. */
  | { readonly kind: 'suspected'; readonly reason: AppError; readonly at: number; readonly pauseMs: number }
  /** The line that was let go is closed. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'pause_over' }
  /** Nobody wants to wait for the pause. */
  | { readonly kind: 'hurry' }
  /** The channel is going to be closed: nothing begins any more. */
  | { readonly kind: 'halt' }
  /** The line goes now. */
  | { readonly kind: 'close'; readonly reason: AppError }
  /** All has ended. */
  | { readonly kind: 'stopped' };

export type ConnectionEffect =
  | { readonly kind: 'tell_status'; readonly status: ChannelStatus; readonly error: Message | null }
  /** `isFirst`: of a start; the port is claimed, and pauses begin with the shortest. */
  | { readonly kind: 'open'; readonly isFirst: boolean }
  | { readonly kind: 'end_attempt' }
  /** `ms` null: the usual pause, which doubles each time. */
  | { readonly kind: 'pause'; readonly ms: number | null }
  | { readonly kind: 'end_pause' }
  /** The next pause is the shortest again. */
  | { readonly kind: 'reset_pauses' }
  | { readonly kind: 'up'; readonly isReconnect: boolean }
  | { readonly kind: 'down'; readonly reason: AppError }
  | { readonly kind: 'close_line'; readonly reason: AppError }
  | { readonly kind: 'release_port' }
  /** The channel went to `error` while it was started. */
  | { readonly kind: 'fatal'; readonly reason: AppError };

export interface ConnectionStep {
  readonly state: ConnectionState;
  readonly effects: readonly ConnectionEffect[];
}

export const STOPPED: ConnectionState = {
  status: 'stopped',
  lastError: null,
  line: 'none',
  isClosing: false,
  isDue: false,
  pauseMs: null,
  upAt: 0,
};

/** What becomes of a connection, and what is to be done about it. An event that means nothing in this state changes nothing. */
export function stepConnection(state: ConnectionState, event: ConnectionEvent): ConnectionStep {
  switch (event.kind) {
    case 'start':
      return start(state);
    case 'opened':
      return opened(state, event.at);
    case 'failed':
      return failed(state, event.error, event.isAutoReconnect);
    case 'lost':
      return lost(state, event.reason, event.at, event.isAutoReconnect && event.reason.code !== 'INTERNAL', null);
    case 'suspected':
      if (state.line === 'open') return lost(state, event.reason, event.at, event.reason.code !== 'INTERNAL', event.pauseMs);
      return event.pauseMs === 0 ? hurry(state) : stay(state);
    case 'closed':
      return goOn({ ...state, isClosing: false });
    case 'pause_over':
      return state.line === 'waiting' && !state.isClosing ? attempt(state) : stay(state);
    case 'hurry':
      return hurry(state);
    case 'halt':
      return halt(state);
    case 'close':
      return close(state, event.reason);
    case 'stopped':
      return withStatus({ ...state, line: 'none' }, 'stopped', null);
  }
}

function stay(state: ConnectionState): ConnectionStep {
  return { state, effects: [] };
}

/** The same status with the same error is not told again. */
function withStatus(
  state: ConnectionState,
  status: ChannelStatus,
  error: Message | null,
  before: readonly ConnectionEffect[] = [],
  behind: readonly ConnectionEffect[] = [],
): ConnectionStep {
  const isNews = status !== state.status || textOf(error) !== textOf(state.lastError);
  const told: readonly ConnectionEffect[] = isNews ? [{ kind: 'tell_status', status, error }] : [];
  return { state: { ...state, status, lastError: error }, effects: [...before, ...told, ...behind] };
}

function start(state: ConnectionState): ConnectionStep {
  if (state.line !== 'none') return stay(state);
  const told = withStatus({ ...state, line: 'waiting', isDue: true, pauseMs: null }, 'starting', null, [{ kind: 'reset_pauses' }]);
  const next = goOn(told.state);
  return { state: next.state, effects: [...told.effects, ...next.effects] };
}

/** Where an attempt is wanted and the old line is closed: now, or behind the pause. */
function goOn(state: ConnectionState): ConnectionStep {
  if (state.line !== 'waiting' || state.isClosing) return stay(state);
  if (state.isDue) return attempt(state);
  return { state: { ...state, pauseMs: null }, effects: [{ kind: 'pause', ms: state.pauseMs }] };
}

function attempt(state: ConnectionState): ConnectionStep {
  const isFirst = state.status === 'starting';
  return { state: { ...state, line: 'opening', isDue: false, pauseMs: null }, effects: [{ kind: 'open', isFirst }] };
}

function opened(state: ConnectionState, at: number): ConnectionStep {
  if (state.line !== 'opening') return stay(state);
  // being stopped: the line that came up all the same is closed with the rest
  if (state.status === 'stopping') return stay({ ...state, line: 'open', upAt: at });
  const isReconnect = state.status === 'reconnecting';
  return withStatus({ ...state, line: 'open', isDue: false, upAt: at }, 'running', null, [], [{ kind: 'up', isReconnect }]);
}

function failed(state: ConnectionState, error: AppError, isAutoReconnect: boolean): ConnectionStep {
  if (state.line !== 'opening') return stay(state);
  const ended: ConnectionState = { ...state, line: 'none' };
  // being stopped: who does that goes on from here
  if (state.status === 'stopping') return stay(ended);
  if (state.status === 'starting') {
    const release: readonly ConnectionEffect[] = [{ kind: 'release_port' }];
    return isCancelled(error) ? { state: ended, effects: release } : withStatus(ended, 'error', error.said, release);
  }
  if (!isAutoReconnect || error.code === 'INTERNAL') return fail(ended, error, []);
  const told = withStatus({ ...ended, line: 'waiting' }, 'reconnecting', error.said);
  const next = goOn(told.state);
  return { state: next.state, effects: [...told.effects, ...next.effects] };
}

/** `pauseMs`: before the first attempt on a line that was only suspected; null for one that was lost. */
function lost(state: ConnectionState, reason: AppError, at: number, comesBack: boolean, pauseMs: number | null): ConnectionStep {
  if (state.line !== 'open') return stay(state);
  const gone: ConnectionState = { ...state, line: 'none', isClosing: true };
  const letGo: readonly ConnectionEffect[] = [
    { kind: 'down', reason },
    { kind: 'close_line', reason },
  ];
  // being stopped or rebuilt: who does that goes on from here
  if (state.status !== 'running') return { state: gone, effects: letGo };
  if (!comesBack) return fail(gone, reason, letGo);
  const reset: readonly ConnectionEffect[] = at - state.upAt >= GOOD_CONNECTION_MS ? [{ kind: 'reset_pauses' }] : [];
  return withStatus({ ...gone, line: 'waiting', isDue: pauseMs === 0, pauseMs }, 'reconnecting', reason.said, [...letGo, ...reset]);
}

function fail(state: ConnectionState, reason: AppError, before: readonly ConnectionEffect[]): ConnectionStep {
  return withStatus(state, 'error', reason.said, before, [{ kind: 'release_port' }, { kind: 'fatal', reason }]);
}

/** Ends the present pause, or the next one when an attempt is under way. */
function hurry(state: ConnectionState): ConnectionStep {
  if (state.status !== 'reconnecting') return stay(state);
  const due: ConnectionState = { ...state, isDue: true };
  if (state.line !== 'waiting' || state.isClosing) return stay(due);
  const next = attempt(due);
  return { state: next.state, effects: [{ kind: 'end_pause' }, ...next.effects] };
}

function halt(state: ConnectionState): ConnectionStep {
  const isWaiting = state.line === 'waiting';
  const end: readonly ConnectionEffect[] = isWaiting ? [{ kind: 'end_pause' }] : state.line === 'opening' ? [{ kind: 'end_attempt' }] : [];
  return withStatus({ ...state, line: isWaiting ? 'none' : state.line, isDue: false }, 'stopping', null, [], end);
}

function close(state: ConnectionState, reason: AppError): ConnectionStep {
  const down: ConnectionEffect = { kind: 'down', reason };
  if (state.line !== 'open') return { state, effects: [down] };
  return { state: { ...state, line: 'none', isClosing: true }, effects: [down, { kind: 'close_line', reason }] };
}

function textOf(said: Message | null): string | null {
  return said && english(said);
}
