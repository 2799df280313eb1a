import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { useUiStore } from '../app/ui-store.ts';
import { PaneEdge } from './split-pane.tsx';

const SIZE = { name: 'pane', usual: 200, least: 100, most: 300 };
const edge = () => screen.getByRole('separator', { name: 'Width of the pane' });
const width = () => Number(edge().getAttribute('aria-valuenow'));

beforeEach(() => {
  useUiStore.setState({ panes: {} });
  // jsdom captures no pointer
  HTMLElement.prototype.setPointerCapture = () => {};
});

it('is moved by the arrows within its bounds, and goes back to the usual width', async () => {
  const user = userEvent.setup();
  render(<PaneEdge size={SIZE} label="Width of the pane" side="right" />);
  await user.tab();
  expect(document.activeElement).toBe(edge());
  await user.keyboard('{ArrowRight}{ArrowRight}');
  expect(width()).toBe(232);
  await user.keyboard('{End}{ArrowRight}');
  expect(width()).toBe(300);
  await user.keyboard('{Home}{ArrowLeft}');
  expect([width(), edge().getAttribute('aria-valuemin'), edge().getAttribute('aria-valuemax')]).toEqual([100, '100', '300']);
  expect(useUiStore.getState().panes).toEqual({ pane: 100 });
  await user.keyboard('{Enter}');
  expect(width()).toBe(200);
  expect(useUiStore.getState().panes).toEqual({});
});

it('is dragged, the other way round at the left of its pane', () => {
  render(<PaneEdge size={SIZE} label="Width of the pane" side="left" />);
  fireEvent.pointerMove(edge(), { clientX: 10 });
  expect(width()).toBe(200);
  fireEvent.pointerDown(edge(), { button: 0, clientX: 500 });
  fireEvent.pointerMove(edge(), { clientX: 470 });
  expect(width()).toBe(230);
  fireEvent.pointerMove(edge(), { clientX: 100 });
  expect(width()).toBe(300);
  fireEvent.lostPointerCapture(edge());
  fireEvent.pointerMove(edge(), { clientX: 490 });
  expect(width()).toBe(300);
  fireEvent.doubleClick(edge());
  expect(width()).toBe(200);
});
