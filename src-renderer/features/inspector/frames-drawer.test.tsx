import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { FrameEntry } from '#shared/contract/frames.ts';
import type { Point } from '#shared/contract/points.ts';
import { Providers } from '../../app/providers.tsx';
import { useUiStore } from '../../app/ui-store.ts';
import { useFramesStore } from '../frames/frames-store.ts';
import { aPoint, fakeService } from '../testing/fake-service.ts';
import { FramesDrawer } from './frames-drawer.tsx';
import { useInspectorStore } from './inspector-store.ts';

const aFrame = (seq: number, kind: 'tx' | 'rx', text: string): FrameEntry => ({
  seq,
  at: `2026-03-01T08:00:0${seq}.000Z`,
  monotonic_ms: seq,
  kind,
  hex: `00 0${seq}`,
  length: 2,
  link: null,
  connection: 1,
  peer: '127.0.0.1:502',
  text,
  text_message: null,
});

const OF_POINT: Readonly<Record<number, FrameEntry[]>> = {
  1: [aFrame(1, 'tx', 'asked for U'), aFrame(2, 'rx', 'brought U')],
  2: [],
};

function show(first: Point | null) {
  const service = fakeService({ listChannels: () => [], pointFrames: ({ point_id }) => ({ items: OF_POINT[Number(point_id)] ?? [] }) });
  const view = (chosen: Point | null) => (
    <Providers env="test">
      <FramesDrawer chosen={chosen} />
    </Providers>
  );
  const page = render(view(first));
  return { ...service, user: userEvent.setup(), again: (next: Point | null) => page.rerender(view(next)) };
}

const rows = () => screen.queryAllByTestId('drawer-frame').map((row) => row.textContent);

beforeEach(() => useInspectorStore.setState({ isOpen: false, hasFrames: false }));
afterEach(() => void vi.useRealTimers());

it('F12 shows the frames of the row below the table, the newest first, goes with the row, and hides them again', async () => {
  const { user, again, of } = show(aPoint({ id: 1, code: 'U' }));
  expect(of('pointFrames')).toEqual([]);
  await user.keyboard('{F12}');
  await waitFor(() => expect(rows()).toHaveLength(2));
  expect(screen.getByRole('heading').textContent).toBe('Frames behind the value · YC U');
  expect(rows()[0]).toMatch(/RX00 02brought U$/);
  expect(rows()[1]).toMatch(/TX00 01asked for U$/);
  again(aPoint({ id: 2, code: 'I' }));
  // never those of the row before under the name of this one
  expect(rows()).toEqual([]);
  expect(await screen.findByText('No frame in the log names this point.')).toBeTruthy();
  expect(screen.getByRole('heading').textContent).toBe('Frames behind the value · YC I');
  again(null);
  expect(screen.getByText('Choose a point in the table.')).toBeTruthy();
  await user.keyboard('{F12}');
  expect(screen.queryByTestId('frames-drawer')).toBeNull();
});

it('asks for no frames of rows that a held key passes', async () => {
  vi.useFakeTimers();
  useInspectorStore.setState({ hasFrames: true });
  const { again, of } = show(aPoint({ id: 3 }));
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  for (const id of [4, 5, 6, 1]) {
    again(aPoint({ id, code: `P${id}` }));
    await pass(20);
    expect(screen.getByRole('heading').textContent).toContain(`P${id}`);
  }
  await pass(100);
  await pass(20);
  expect(of('pointFrames').map(({ point_id }) => Number(point_id))).toEqual([3, 4, 1]);
  expect(rows()).toHaveLength(2);
});

it('leads to the explanation of a frame', async () => {
  const { user } = show(aPoint({ id: 1, code: 'U' }));
  await user.keyboard('{F12}');
  await waitFor(() => expect(rows()).toHaveLength(2));
  await user.click(screen.getAllByTestId('drawer-frame')[0] as HTMLElement);
  expect(useFramesStore.getState().wanted?.seq).toBe(2);
  expect(useUiStore.getState().tab).toBe('frames');
});
