import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Channel } from '#shared/contract/channels.ts';
import { Providers } from '../../app/providers.tsx';
import { setLanguage } from '../../i18n/index.ts';
import { aChannel, aServiceInfo, fakeService } from '../testing/fake-service.ts';
import { ArmingKeeper, ArmSwitch } from './arm-switch.tsx';
import { ARMING_MS, arm, armedForMs, countdownText, disarm, needsArming, useArmingStore } from './arming.ts';

const FIRST = aChannel({ id: 1, name: 'PCS 1' });
const SECOND = aChannel({ id: 2, name: 'PCS 2', port: 503 });

beforeEach(async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: Date.UTC(2026, 2, 1, 8) });
  useArmingStore.setState({ armings: {} });
  await setLanguage('en');
});
afterEach(() => {
  vi.useRealTimers();
});

async function show(channels: readonly Channel[] = [FIRST, SECOND]) {
  const state = { channels, isReadOnly: false };
  const service = fakeService({
    listChannels: () => [...state.channels],
    serviceInfo: () => aServiceInfo({ read_only: state.isReadOnly }),
  });
  render(
    <Providers env="test">
      <ArmingKeeper />
      <ArmSwitch channel={FIRST} />
    </Providers>,
  );
  await waitFor(() => expect(screen.getByRole('switch', { name: 'Arm writes of PCS 1' })).toHaveProperty('disabled', false));
  return { state, service };
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

describe('arming', () => {
  it('is for one channel alone', () => {
    arm(FIRST);
    expect([needsArming(FIRST), needsArming(SECOND)]).toEqual([false, true]);
    disarm(2);
    expect(needsArming(FIRST)).toBe(false);
    disarm(1);
    expect(needsArming(FIRST)).toBe(true);
  });

  it('is not needed to set what a channel serves', () => {
    expect(needsArming(aChannel({ conn_type: 1 }))).toBe(false);
  });

  it('lasts ten minutes to the millisecond', () => {
    expect(ARMING_MS).toBe(600_000);
    arm(FIRST);
    vi.advanceTimersByTime(ARMING_MS - 1);
    expect(needsArming(FIRST)).toBe(false);
    vi.advanceTimersByTime(1);
    expect(needsArming(FIRST)).toBe(true);
  });

  it('begins anew when it is armed again', () => {
    arm(FIRST);
    vi.advanceTimersByTime(500_000);
    arm(FIRST);
    vi.advanceTimersByTime(500_000);
    expect(armedForMs(1)).toBe(100_000);
  });

  it('is not made longer by a clock set back, and ends over a sleep of the computer', () => {
    arm(FIRST);
    vi.setSystemTime(Date.UTC(2026, 2, 1, 7));
    vi.advanceTimersByTime(ARMING_MS);
    expect(armedForMs(1)).toBe(0);
    vi.setSystemTime(Date.UTC(2026, 2, 1, 8));
    arm(FIRST);
    vi.setSystemTime(Date.UTC(2026, 2, 1, 8, 10));
    expect(armedForMs(1)).toBe(0);
  });

  it.each([
    [600_000, '10:00'],
    [599_001, '10:00'],
    [599_000, '9:59'],
    [61_000, '1:01'],
    [1, '0:01'],
    [0, '0:00'],
  ])('reads %i ms as %s', (ms, text) => {
    expect(countdownText(ms)).toBe(text);
  });
});

describe('arm switch', () => {
  it('counts down, and is off by itself at the end', async () => {
    await show();
    fireEvent.click(screen.getByRole('switch'));
    expect(screen.getByTestId('arm').textContent).toContain('Armed 10:00');
    await pass(61_000);
    expect(screen.getByTestId('arm').textContent).toMatch(/Armed 8:5[89]/);
    await pass(ARMING_MS);
    expect(screen.getByTestId('arm').textContent).toContain('Safe');
    expect(useArmingStore.getState().armings).toEqual({});
  });

  it('says it in Chinese', async () => {
    await setLanguage('zh-CN');
    arm(FIRST);
    fakeService({ listChannels: () => [FIRST], serviceInfo: () => aServiceInfo() });
    render(
      <Providers env="test">
        <ArmSwitch channel={FIRST} />
      </Providers>,
    );
    expect(screen.getByTestId('arm').textContent).toContain('已解锁 10:00');
  });

  it('is switched off again by hand', async () => {
    await show();
    fireEvent.click(screen.getByRole('switch'));
    fireEvent.click(screen.getByRole('switch'));
    expect(needsArming(FIRST)).toBe(true);
  });

  it('is switched by its word as well', async () => {
    await show();
    fireEvent.click(screen.getByText('Safe'));
    expect(needsArming(FIRST)).toBe(false);
    fireEvent.click(screen.getByText(/Armed/));
    expect(needsArming(FIRST)).toBe(true);
  });

  it.each([
    ['stops', { status: 'stopped' }],
    ['fails', { status: 'error' }],
    ['is set to read-only', { read_only: true }],
    ['leads to another device', { ip: '127.0.0.2' }],
  ] as const)('ends when the channel %s, and leaves other channels alone', async (_name, change) => {
    const { state } = await show();
    arm(FIRST);
    arm(SECOND);
    await pass(3000);
    expect([needsArming(FIRST), needsArming(SECOND)]).toEqual([false, false]);
    state.channels = [{ ...FIRST, ...change }, SECOND];
    await pass(3000);
    expect([needsArming(FIRST), needsArming(SECOND)]).toEqual([true, false]);
  });

  it('ends when the channel is deleted, and for all when the service becomes read-only', async () => {
    const { state } = await show();
    arm(FIRST);
    arm(SECOND);
    state.channels = [SECOND];
    await pass(3000);
    expect([needsArming(FIRST), needsArming(SECOND)]).toEqual([true, false]);
    state.isReadOnly = true;
    await pass(3000);
    expect(needsArming(SECOND)).toBe(true);
  });

  it('outlasts a line that comes back', async () => {
    const { state } = await show();
    arm(FIRST);
    state.channels = [{ ...FIRST, status: 'reconnecting' }, SECOND];
    await pass(3000);
    expect(needsArming(FIRST)).toBe(false);
  });
});
