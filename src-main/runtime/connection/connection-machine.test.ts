import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { cancelled } from '../../platform/clock.ts';
import { type ConnectionEvent, type ConnectionState, type ConnectionStep, STOPPED, stepConnection } from './connection-machine.ts';

const LOST = new AppError('TRANSPORT_LOST', quoted('The line is gone.'));
const FAULT = new AppError('INTERNAL', quoted('A fault of the driver.'));
const AT = 100_000;

/** Every event with each of its meanings. */
const EVENTS: readonly ConnectionEvent[] = [
  { kind: 'start' },
  { kind: 'opened', at: AT },
  ...[LOST, FAULT].flatMap((reason) => [
    { kind: 'lost', reason, at: AT + 10, isAutoReconnect: true } as const,
    { kind: 'lost', reason, at: AT + 10_000, isAutoReconnect: false } as const,
    { kind: 'suspected', reason, at: AT, pauseMs: 0 } as const,
    { kind: 'suspected', reason, at: AT, pauseMs: 15_000 } as const,
  ]),
  ...[LOST, FAULT, cancelled()].flatMap((error) =>
    [true, false].map((isAutoReconnect) => ({ kind: 'failed', error, isAutoReconnect }) as const),
  ),
  { kind: 'closed' },
  { kind: 'pause_over' },
  { kind: 'hurry' },
  { kind: 'halt' },
  { kind: 'close', reason: LOST },
  { kind: 'stopped' },
];

/** What cannot happen by construction: nothing closes that was not let go, a stop is told behind the end of everything. */
function canHappen(state: ConnectionState, event: ConnectionEvent): boolean {
  if (event.kind === 'closed') return state.isClosing;
  if (event.kind === 'stopped') return state.status === 'stopping' && state.line === 'none' && !state.isClosing;
  if (event.kind === 'close') return state.status === 'stopping' && state.line !== 'opening';
  return true;
}

interface Seen {
  readonly before: ConnectionState;
  readonly event: ConnectionEvent;
  readonly step: ConnectionStep;
}

/** Every step that can be made from any state that can be reached. */
function explore(): readonly Seen[] {
  const seen: Seen[] = [];
  const known = new Set<string>();
  const open: ConnectionState[] = [STOPPED];
  for (let before = open.pop(); before; before = open.pop()) {
    const key = JSON.stringify(before);
    if (known.has(key)) continue;
    known.add(key);
    for (const event of EVENTS) {
      if (!canHappen(before, event)) continue;
      const step = stepConnection(before, event);
      seen.push({ before, event, step });
      open.push(step.state);
    }
  }
  return seen;
}

const ALL = explore();
const kinds = ({ effects }: ConnectionStep) => effects.map(({ kind }) => kind);

describe('the life of a connection, in every state that can be reached', () => {
  it('goes the ways of the diagram, and all of them', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/maintainers/connection-states.md'), 'utf8');
    const drawn = [...page.matchAll(/^ *(\w+) --> (\w+)/gm)].map(([, from, to]) => `${from} ${to}`);
    const gone = ALL.filter(({ before, step }) => before.status !== step.state.status).map(
      ({ before, step }) => `${before.status} ${step.state.status}`,
    );
    expect([...new Set(gone)].sort()).toEqual([...new Set(drawn)].sort());
  });

  it('opens a line only where none stands, opens or closes', () => {
    for (const { before, event, step } of ALL) {
      if (!kinds(step).includes('open')) continue;
      const isFree = before.line === 'none' || before.line === 'waiting' || event.kind === 'failed';
      expect([isFree, step.state.isClosing]).toEqual([true, false]);
      expect(step.state.line).toBe('opening');
    }
  });

  it('closes every line that it lets go, tells first that it is down, and each only once', () => {
    for (const { before, event, step } of ALL) {
      const told = kinds(step);
      const letGo = before.line === 'open' && step.state.line !== 'open';
      expect(told.filter((kind) => kind === 'close_line')).toHaveLength(letGo ? 1 : 0);
      if (letGo) expect(told.indexOf('down')).toBeLessThan(told.indexOf('close_line'));
      else if (event.kind !== 'close') expect(told).not.toContain('down');
    }
  });

  it('tells a change of status once, and only what is new', () => {
    for (const { before, step } of ALL) {
      const isNews = before.status !== step.state.status || before.lastError !== step.state.lastError;
      expect(kinds(step).filter((kind) => kind === 'tell_status')).toHaveLength(isNews ? 1 : 0);
    }
  });

  it('holds no line and no port in error, and gives the tasks up', () => {
    for (const { before, step } of ALL) {
      if (step.state.status !== 'error') continue;
      expect(step.state.line).toBe('none');
      if (before.status === 'error') continue;
      expect(kinds(step)).toContain('release_port');
      expect(kinds(step).includes('fatal')).toBe(before.status !== 'starting');
    }
  });

  it('begins nothing any more once it is going to be closed', () => {
    for (const { before, event, step } of ALL) {
      if (before.status !== 'stopping' || event.kind === 'start') continue;
      expect(kinds(step).filter((kind) => kind === 'open' || kind === 'pause' || kind === 'up')).toEqual([]);
    }
  });

  it('pauses or tries whenever it is reconnecting and no line is closing', () => {
    for (const { before, step } of ALL) {
      const { status, line, isClosing } = step.state;
      if (status !== 'reconnecting' || isClosing) continue;
      expect(['waiting', 'opening']).toContain(line);
      if (line === 'waiting' && (before.line !== 'waiting' || before.isClosing)) expect(kinds(step)).toContain('pause');
    }
  });

  it.each([
    ['a line that stood for less than 5 s goes on with longer pauses', 4999, false],
    ['a line that stood for 5 s begins with the shortest pause again', 5000, true],
  ])('%s', (_, stood, isReset) => {
    const up: ConnectionState = { ...STOPPED, status: 'running', line: 'open', upAt: AT };
    const step = stepConnection(up, { kind: 'lost', reason: LOST, at: AT + stood, isAutoReconnect: true });
    expect(kinds(step).includes('reset_pauses')).toBe(isReset);
  });

  it('comes back behind the pause that was asked for, then behind the usual one', () => {
    const up: ConnectionState = { ...STOPPED, status: 'running', line: 'open', upAt: AT };
    const lost = stepConnection(up, { kind: 'suspected', reason: LOST, at: AT, pauseMs: 15_000 });
    const paused = stepConnection(lost.state, { kind: 'closed' });
    expect(paused.effects).toEqual([{ kind: 'pause', ms: 15_000 }]);
    const tried = stepConnection(paused.state, { kind: 'pause_over' });
    const failed = stepConnection(tried.state, { kind: 'failed', error: LOST, isAutoReconnect: true });
    expect(failed.effects).toEqual([{ kind: 'pause', ms: null }]);
  });
});
