import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DataOf, InputOf, NameOf } from '#shared/contract/index.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { Providers } from '../app/providers.tsx';
import { aServiceInfo, fakeService } from '../features/testing/fake-service.ts';
import { useAction, useOperation } from './hooks.ts';

/** Longer than any pause between tries, in milliseconds. */
const LONG = 600_000;
const SINGLE = { channel_id: 1, point_id: 9, frame_type: 0 } as const;

function Press<Name extends NameOf<'repeatable'>>({ name, input }: { readonly name: Name; readonly input: InputOf<Name> }) {
  const action = useAction(name);
  return (
    <button type="button" onClick={() => action.mutate(input)}>
      {action.status}
    </button>
  );
}

function Info({ pollMs }: { readonly pollMs: number }) {
  const info = useOperation('serviceInfo', {}, { pollMs });
  return <p>{info.error ? info.error.code : (info.data?.name ?? 'waiting')}</p>;
}

const drawn = vi.fn();
const isReadOnly = (info: DataOf<'serviceInfo'>) => info.read_only;

function Lock() {
  const { data } = useOperation('serviceInfo', {}, { pollMs: 1000, select: isReadOnly });
  drawn(data);
  return null;
}

function setVisible(isVisible: boolean): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(isVisible ? 'visible' : 'hidden');
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(!isVisible);
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  setVisible(true);
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('actions', () => {
  it.each([
    [
      'a lost answer',
      () => {
        throw new TypeError('network');
      },
    ],
    [
      'silence of the device',
      () => {
        throw new AppError('TIMEOUT_RESPONSE', quoted('The device did not answer.'));
      },
    ],
    [
      'a lost connection',
      () => {
        throw new AppError('TRANSPORT_NOT_CONNECTED', quoted('There is no connection.'));
      },
    ],
  ])('are sent once, whatever becomes of them: %s', async (_name, fail) => {
    const service = fakeService({ readSinglePoint: fail });
    render(
      <Providers env="test">
        <Press name="readSinglePoint" input={SINGLE} />
      </Providers>,
    );
    fireEvent.click(screen.getByRole('button'));
    await pass(LONG);
    expect(screen.getByRole('button').textContent).toBe('error');
    expect(service.of('readSinglePoint')).toHaveLength(1);
    setVisible(false);
    setVisible(true);
    window.dispatchEvent(new Event('offline'));
    window.dispatchEvent(new Event('online'));
    await pass(LONG);
    expect(service.of('readSinglePoint')).toHaveLength(1);
  });

  it('are sent at once on a computer without network, and not when the network comes', async () => {
    const service = fakeService({
      stopDevice: () => Promise.reject(new AppError('TIMEOUT_RESPONSE', quoted('The device did not answer.'))),
    });
    render(
      <Providers env="test">
        <Press name="stopDevice" input={{ channel_id: 1 }} />
      </Providers>,
    );
    act(() => {
      window.dispatchEvent(new Event('offline'));
    });
    fireEvent.click(screen.getByRole('button'));
    await pass(1);
    expect(service.of('stopDevice')).toHaveLength(1);
    act(() => {
      window.dispatchEvent(new Event('online'));
    });
    await pass(LONG);
    expect(service.of('stopDevice')).toHaveLength(1);
  });
});

describe('polls', () => {
  it('stop while the page is hidden, and read again at once when it is back', async () => {
    const service = fakeService({ serviceInfo: () => aServiceInfo() });
    render(
      <Providers env="test">
        <Info pollMs={1000} />
      </Providers>,
    );
    await pass(3500);
    expect(service.of('serviceInfo')).toHaveLength(4);
    act(() => setVisible(false));
    await pass(LONG);
    expect(service.of('serviceInfo')).toHaveLength(4);
    act(() => setVisible(true));
    await pass(1);
    expect(service.of('serviceInfo')).toHaveLength(5);
    await pass(2000);
    expect(service.of('serviceInfo')).toHaveLength(7);
  });

  it('draw who needs a part of the answer anew only when that part changes', async () => {
    let polls = 0;
    fakeService({ serviceInfo: () => aServiceInfo({ load: ++polls / 100, read_only: polls > 5 }) });
    render(
      <Providers env="test">
        <Lock />
      </Providers>,
    );
    await pass(1);
    drawn.mockClear();
    await pass(3000);
    expect([polls, drawn.mock.calls]).toEqual([4, []]);
    await pass(3000);
    expect([polls, drawn.mock.calls]).toEqual([7, [[true]]]);
  });

  it('tell a failure at once and ask again by their period alone', async () => {
    const service = fakeService({
      serviceInfo: () => {
        throw new AppError('TRANSPORT_NOT_CONNECTED', quoted('The service does not answer.'));
      },
    });
    render(
      <Providers env="test">
        <Info pollMs={10_000} />
      </Providers>,
    );
    await pass(9000);
    expect(screen.getByText('TRANSPORT_NOT_CONNECTED')).toBeTruthy();
    expect(service.of('serviceInfo')).toHaveLength(1);
  });
});
