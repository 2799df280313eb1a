import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import type { FrameEntry } from '#shared/contract/frames.ts';
import type { PlausibleReading, Point, PointReadings } from '#shared/contract/points.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { Providers } from '../../app/providers.tsx';
import { useUiStore } from '../../app/ui-store.ts';
import { setLanguage } from '../../i18n/index.ts';
import { useFramesStore } from '../frames/frames-store.ts';
import { aChannel, aPoint, aServiceInfo, fakeService } from '../testing/fake-service.ts';
import { IEC104 } from '../testing/protocols.ts';
import { Inspector } from './inspector.tsx';
import { SeveralPoints } from './several-points.tsx';

afterEach(() => void vi.useRealTimers());

/** Longer than a poll. */
const POLLED = { timeout: 5000 };
const ITEMS: PointReadings['items'] = [
  { decode: '0x42', raw: '230.5', value: 230.5, value_text: '', is_present: true },
  { decode: '0x40', raw: '1130790912', value: 1_130_790_912, value_text: '', is_present: false },
  { decode: '0x45', raw: 'NaN', value: null, value_text: '', is_present: false },
];
const FOUND: PlausibleReading[] = [
  { value: 12.25, raw_hex: '41440000', changes: { decode: '0x45', mul_coe: 0.1 }, differs: ['decode', 'factor'] },
  { value: 12.249, raw_hex: '41440000', changes: { address: 101 }, differs: ['address'] },
];

const aFrame = (seq: number, kind: 'tx' | 'rx', text: string): FrameEntry => ({
  seq,
  at: '2026-03-01T08:00:01.000Z',
  monotonic_ms: seq,
  kind,
  hex: '00 01',
  length: 2,
  link: null,
  connection: 1,
  peer: '127.0.0.1:502',
  text,
  text_message: null,
});
const FRAMES = [aFrame(8, 'tx', 'Unit 1: read'), aFrame(9, 'rx', 'Unit 1: 2 registers')];

function show(point = aPoint(), plausible: PlausibleReading[] = FOUND) {
  const onTakenOver = vi.fn();
  const now = { point };
  const service = fakeService({
    listProtocols: () => [],
    serviceInfo: () => aServiceInfo(),
    pointReadings: ({ known }) => ({
      point: now.point,
      items: now.point.func_code === 3 && now.point.raw_hex !== '' ? ITEMS : [],
      plausible: known === undefined ? null : plausible,
    }),
    pointTable: () => ({ total: 1, items: [aPoint({ id: 2, code: 'YX9', frame_type: 1, value: 1, unit: '' })] }),
    pointFrames: () => ({ items: FRAMES }),
    editPoint: () => point,
  });
  const props = {
    channel: aChannel({ address_base: 1 }),
    actionsOf: (shown: Point) => <button type="button">{`Read ${shown.code}`}</button>,
    onTakenOver,
  };
  const view = (shown: typeof point | null) => (
    <Providers env="test">
      <Inspector {...props} chosen={shown} />
    </Providers>
  );
  const page = render(view(point));
  return { ...service, onTakenOver, now, again: (next: typeof point | null) => page.rerender(view(next)) };
}

const pane = () => screen.getByRole('complementary', { name: 'Point' });

it('tells value, quality and its cause, times, the address in every notation, octets and the related point', async () => {
  show(aPoint({ quality: 'invalid', flags: ['IV'], error: 'Unit 1 did not answer.', related_code: 'YX9' }));
  await screen.findByText('YX9: On (1)');
  expect(screen.getByTestId('inspector-value').textContent).toBe('230.500 V');
  expect(screen.getByTestId('inspector-quality').textContent).toBe('Invalid');
  const told = pane().textContent ?? '';
  for (const text of ['Unit 1 did not answer.', 'IV: ', '100 · 0x0064 · 40100 · on the wire 99 0x0063', '43 66 80 00'])
    expect(told).toContain(text);
});

it('shows what the octets mean otherwise, and marks how they are read now', async () => {
  show();
  const rows = await screen.findAllByRole('row');
  expect(rows.map((row) => row.textContent)).toEqual(['0x42 float32 ABCD230.5', '0x40 uint32 ABCD1130790912', '0x45 float32 CDABNaN']);
  expect(rows.map((row) => row.getAttribute('aria-current'))).toEqual(['true', null, null]);
});

it('finds the settings that give what the device shows, and takes one over', async () => {
  const user = userEvent.setup();
  const { of, onTakenOver } = show();
  await user.type(await screen.findByLabelText('What the device shows'), '12.25{Enter}');
  const [first] = within(await screen.findByRole('status')).getAllByRole('listitem');
  expect(first?.textContent).toBe('12.25 0x45 float32 CDAB · factor 0.1Take over');
  await user.click(within(first as HTMLElement).getByRole('button'));
  await waitFor(() => expect(onTakenOver).toHaveBeenCalledOnce());
  expect(of('editPoint')).toEqual([{ point_id: 1, frame_type: 0, decode: '0x45', mul_coe: 0.1 }]);
  expect(screen.queryByRole('status')).toBeNull();
});

it.each([
  ['a point that is right', [{ value: 230.5, raw_hex: '43668000', changes: {}, differs: [] }], '230.5', 'The point is right as it is.'],
  ['no answer', [], '999', 'gives 999'],
  ['a zero', [], '0', 'A zero is a zero'],
] satisfies [string, PlausibleReading[], string, string][])('says so of %s', async (_, plausible, known, words) => {
  const user = userEvent.setup();
  show(aPoint(), plausible);
  await user.type(await screen.findByLabelText('What the device shows'), `${known}{Enter}`);
  expect((await screen.findByRole('status')).textContent).toContain(words);
});

it('says why there are no other readings', async () => {
  const { now } = show(aPoint({ func_code: null }));
  await screen.findByText('The protocol says with each value of what type it is.');
  now.point = aPoint({ func_code: null, raw_hex: '' });
  await screen.findByText('The point has not been read yet.', {}, POLLED);
});

it('shows the point as it is now, whatever the table still has of it, and draws what was read', async () => {
  const { now, again } = show();
  await waitFor(() => expect(screen.getByTestId('inspector-value').textContent).toBe('230.500 V'));
  now.point = aPoint({ value: 231.5, updated_at: '2026-03-01T09:00:00.000Z' });
  await waitFor(() => expect(screen.getByTestId('inspector-value').textContent).toBe('231.500 V'), POLLED);
  expect(screen.getByRole('img', { name: '230.500 to 231.500, 2 values' })).toBeTruthy();
  now.point = aPoint({ id: 7, value: 5 });
  again(now.point);
  expect(await screen.findByRole('img', { name: 'The value has not changed yet.' })).toBeTruthy();
});

it('shows what the table has of rows that a held key passes, and asks for the one where it stays', async () => {
  vi.useFakeTimers();
  const { of, answers, again } = show();
  answers.pointReadings = ({ point_id }) => ({
    point: aPoint({ id: Number(point_id), value: Number(point_id) + 100 }),
    items: [],
    plausible: null,
  });
  const shown = () => screen.getByTestId('inspector-value').textContent;
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  const asked = (name: 'pointReadings' | 'pointFrames') => [...new Set(of(name).map(({ point_id }) => Number(point_id)))];
  await pass(0);
  const seen = [];
  for (const id of [2, 3, 4, 5]) {
    again(aPoint({ id, value: id }));
    await pass(20);
    seen.push(shown());
  }
  // the first press is answered at once, the rows behind it are only passed
  expect(seen).toEqual(['102.000 V', '3.000 V', '4.000 V', '5.000 V']);
  await pass(100);
  await pass(20);
  expect(shown()).toBe('105.000 V');
  expect([asked('pointReadings'), asked('pointFrames')]).toEqual([
    [1, 2, 5],
    [1, 2, 5],
  ]);
});

it('shows no value of a point that is gone', async () => {
  const { answers } = show();
  await screen.findByTestId('inspector-value');
  answers.pointReadings = () => {
    throw new AppError('CONFIG_NOT_FOUND', say('service.no_point', { point: 1 }));
  };
  await waitFor(() => expect(screen.queryByTestId('inspector-value')).toBeNull(), POLLED);
});

it('asks again when the same value is searched for again', async () => {
  const user = userEvent.setup();
  const { of, answers, now } = show(aPoint(), []);
  await user.type(await screen.findByLabelText('What the device shows'), '12.25{Enter}');
  await screen.findByRole('status');
  answers.pointReadings = () => ({ point: now.point, items: ITEMS, plausible: FOUND });
  const before = of('pointReadings').filter(({ known }) => known !== undefined).length;
  await user.click(screen.getByRole('button', { name: 'Find' }));
  await waitFor(() => expect(screen.getAllByRole('button', { name: 'Take over' })).toHaveLength(2));
  expect(of('pointReadings').filter(({ known }) => known !== undefined).length).toBe(before + 1);
});

it('leads to the frames behind the value', async () => {
  const user = userEvent.setup();
  show();
  await user.click(await screen.findByRole('button', { name: /Unit 1: 2 registers/ }));
  expect([useUiStore.getState().tab, useFramesStore.getState().wanted?.seq]).toEqual(['frames', 9]);
});

it('asks for a point while none is chosen, in Chinese too', async () => {
  const { again } = show();
  again(null);
  expect(pane().textContent).toContain('Choose a point in the table.');
  await setLanguage('zh-CN');
  expect(await screen.findByText('请在表中选择一个测点。')).toBeTruthy();
  await setLanguage('en');
});

it('tells what several points have in common, and where they differ', async () => {
  fakeService({ listProtocols: () => [IEC104], serviceInfo: () => aServiceInfo() });
  const points = [aPoint({ unit: 'kW' }), aPoint({ id: 2, code: 'YC002', unit: 'kW', address: 101, quality: 'stale' })];
  const show = (list: readonly Point[] | null) => (
    <Providers env="test">
      <SeveralPoints channel={aChannel({ protocol_type: 3 })} count={list?.length ?? 5000} points={list} actions={null} />
    </Providers>
  );
  const page = render(show(points));
  const unit = (await screen.findByText('Unit')).nextElementSibling;
  expect(unit?.textContent).toBe('kW');
  expect(screen.getByText('Code').nextElementSibling?.textContent).toBe('several values');
  expect(screen.getByTestId('inspector-several').textContent).toContain('2 pointsYC 2Good 1 · Stale 1');
  page.rerender(show(null));
  expect(screen.queryByText('Unit')).toBeNull();
  expect(screen.getByText('5000 points')).toBeDefined();
});
