import { expect, it } from 'vitest';
import { HostState } from './host-state.ts';

const said = (state: HostState, ...messages: readonly unknown[]) =>
  messages.map((message) => {
    state.take(new TextEncoder().encode(typeof message === 'string' ? message : JSON.stringify(message)));
    return state.isOnline;
  });

it('a host is online by its last word, and what is older than that counts for nothing', () => {
  const state = new HostState();
  expect(state.isOnline).toBe(false);
  expect(
    said(
      state,
      { online: true, timestamp: 100 },
      // the will of a connection before
      { online: false, timestamp: 99 },
      { online: false, timestamp: 100 },
      { online: true, timestamp: 100 },
      { online: false, timestamp: 200 },
      // an online that was late
      { online: true, timestamp: 150 },
      { online: true, timestamp: 200 },
    ),
  ).toEqual([true, true, false, true, false, false, true]);
});

it('without an earlier word offline is believed, and so is the time behind another connection', () => {
  const state = new HostState();
  expect(said(state, { online: false, timestamp: 5 }, { online: true, timestamp: 4 }, { online: true, timestamp: 5 })).toEqual([
    false,
    false,
    true,
  ]);
  state.forget();
  expect([state.isOnline, ...said(state, { online: true, timestamp: 4 }, { online: true, timestamp: 6 })]).toEqual([false, false, true]);
});

it('what is no message of the standard changes nothing', () => {
  const state = new HostState();
  said(state, { online: true, timestamp: 1 });
  expect(said(state, 'OFFLINE', '', '{', 'null', '[]', { online: 'false', timestamp: 9 }, { online: false })).toEqual(Array(7).fill(true));
});
