import { fireEvent, render, renderHook, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { ROW_PIXELS } from '../../app/preferences.ts';
import { Providers } from '../../app/providers.tsx';
import { useUiStore } from '../../app/ui-store.ts';
import { setLanguage } from '../../i18n/index.ts';
import { formatDateTime } from '../../ui/time.ts';
import { useDoctorStore } from '../doctor/doctor-store.ts';
import { usePointFormStore } from '../point-form/point-form-store.ts';
import { aChannel, aPoint, aServiceInfo, aTask, fakeService, giveSize } from '../testing/fake-service.ts';
import { PointsPanel } from './points-panel.tsx';
import { usePointsStore } from './points-store.ts';
import { useTableScope } from './table-scope.ts';
import { usePollMs } from './use-point-query.ts';

const POINTS = [
  aPoint(),
  aPoint({
    id: 2,
    code: 'YX001',
    name: 'Breaker',
    frame_type: 1,
    decode: '0x20',
    value: 1,
    quality: 'stale',
    error: 'The device did not answer within 1000 ms.',
  }),
  aPoint({ id: 3, code: 'YC003', name: 'Current', quality: 'never', value: 0, updated_at: null }),
  aPoint({ id: 4, code: 'YC004', name: 'Power', quality: 'invalid', flags: ['IV'], alarm: 'high', max_limit: 100, value: 120 }),
];

const CHANNEL = aChannel();

function show(change = {}) {
  const service = fakeService({
    listChannels: () => [aChannel()],
    serviceInfo: () => aServiceInfo(),
    pointTable: (input) => ({ total: Number(input.page_size) === 1 ? 250 : 450, items: POINTS }),
    ...change,
  });
  const page = render(
    <Providers env="test">
      <PointsPanel channelId={1} />
    </Providers>,
  );
  return { ...service, page };
}

const rowOf = (code: string) => screen.getAllByTestId('point-row').find((row) => row.dataset.code === code) as HTMLElement;
/** Scrolls the table until a row is the first in sight. */
function scrollTo(index: number): void {
  const box = screen.getByTestId('points-scroll');
  box.scrollTop = index * ROW_PIXELS.dense;
  fireEvent.scroll(box);
}
const pageCalls = (service: Pick<ReturnType<typeof fakeService>, 'of'>) =>
  service.of('pointTable').filter((input) => input.page_size !== '1');

beforeEach(() => {
  usePointFormStore.setState({ target: null });
  giveSize();
  localStorage.clear();
  usePointsStore.setState({ views: {} });
  useUiStore.setState({ tables: {} });
});

describe('point table', () => {
  it('shows quality by word and look, and a dash for a point that was never read', async () => {
    show();
    await screen.findByText('YC001');
    expect(within(rowOf('YC001')).getByTestId('value').textContent).toBe('230.500');
    expect(within(rowOf('YX001')).getByTestId('quality').textContent).toBe('Stale');
    expect(within(rowOf('YC003')).getByTestId('value').textContent).toBe('—');
    expect(within(rowOf('YC004')).getByTestId('quality').textContent).toBe('Invalid IVHigh');
    expect(rowOf('YX001').title).toBe('The device did not answer within 1000 ms.');
  });

  it('asks for the rows that come into sight, and anew for another filter or order', async () => {
    const user = userEvent.setup();
    const service = show();
    await screen.findByText('YC001');
    scrollTo(300);
    await waitFor(() => expect(pageCalls(service).at(-1)?.page).toBe('4'));
    await user.click(screen.getByRole('checkbox', { name: 'YC telemetry' }));
    await waitFor(() => expect(pageCalls(service).at(-1)).toMatchObject({ frame_type: '0' }));
    await user.click(screen.getByRole('button', { name: 'Value' }));
    await waitFor(() => expect(pageCalls(service).at(-1)).toMatchObject({ sort: 'value', order: 'asc' }));
    await user.click(screen.getByRole('button', { name: 'Value' }));
    await waitFor(() => expect(pageCalls(service).at(-1)).toMatchObject({ sort: 'value', order: 'desc' }));
    await user.click(screen.getByRole('button', { name: 'Value' }));
    await waitFor(() => expect(pageCalls(service).at(-1)).toMatchObject({ sort: 'id', order: 'asc' }));
  });

  it('keeps the place of rows that have not come yet', async () => {
    let release: () => void = () => undefined;
    const wait = new Promise<void>((resolve) => {
      release = resolve;
    });
    show({
      pointTable: async (input: { page?: unknown; page_size?: unknown }) => {
        if (input.page === '4') await wait;
        const from = (Number(input.page) - 1) * 100;
        return { total: 450, items: Array.from({ length: 100 }, (_, at) => aPoint({ id: from + at + 1, code: `C${from + at + 1}` })) };
      },
    });
    await screen.findByText('C1');
    const height = screen.getByRole('grid').querySelector('tbody')?.style.height;
    scrollTo(310);
    expect((await screen.findAllByTestId('grid-placeholder')).length).toBeGreaterThan(10);
    expect(screen.getByRole('grid').querySelector('tbody')?.style.height).toBe(height);
    release();
    expect(await screen.findByText('C311')).toBeTruthy();
    expect(screen.queryByTestId('grid-placeholder')).toBeNull();
    expect(screen.getByTestId('points-range').textContent).toMatch(/^311–33\d of 450$/);
  });

  it('reads the table as fast as the points are read, five times a second at most', async () => {
    const rate = async (cycle: number | null) => {
      const task = aTask({ state: cycle === null ? 'idle' : 'running' });
      const { page } = show({ autoReadStatus: () => ({ ...task, config: { ...task.config, cycle_interval_ms: cycle ?? 100 } }) });
      await screen.findByText('YC001');
      const { result, unmount } = renderHook(() => usePollMs(CHANNEL), {
        wrapper: ({ children }) => <Providers env="test">{children}</Providers>,
      });
      await waitFor(() => expect(result.current).toBe(cycle === null ? 1000 : Math.min(1000, Math.max(200, cycle))));
      unmount();
      page.unmount();
    };
    for (const cycle of [500, 50, 5000, null]) await rate(cycle);
  });

  it('searches when the typing pauses, from Ctrl+F', async () => {
    const user = userEvent.setup();
    const service = show();
    await screen.findByText('YC001');
    await user.keyboard('{Control>}f{/Control}');
    const box = screen.getByRole('searchbox');
    expect(document.activeElement).toBe(box);
    await user.type(box, 'brea');
    await waitFor(() => expect(pageCalls(service).at(-1)?.search).toBe('brea'));
    expect(pageCalls(service).some((input) => input.search === 'b')).toBe(false);
  });

  it('tells the new number of rows after a deletion', async () => {
    let total = 401;
    const service = show({
      pointTable: (input: { page?: unknown }) => ({ total, items: (Number(input.page) - 1) * 100 >= total ? [] : POINTS }),
      deletePoints: () => {
        total = 400;
        return { deleted: 1 };
      },
    });
    const user = userEvent.setup();
    await user.click(await screen.findByText('YC001'));
    await user.click(screen.getByTestId('point-delete'));
    await user.click(await screen.findByTestId('confirm'));
    await waitFor(() => expect(screen.getByTestId('points-range').textContent).toMatch(/ of 400$/));
    expect(screen.queryByText(/selected$/)).toBeNull();
    expect(service.of('deletePoints')).toEqual([{ channel_id: 1, point_ids: [1] }]);
  });

  it('reads one point fresh and shows the value in its row and below the table', async () => {
    const user = userEvent.setup();
    const service = show({ readSinglePoint: () => aPoint({ value: 231.25 }) });
    await user.click(await screen.findByText('YC001'));
    await user.click(screen.getByTestId('point-read'));
    await waitFor(() => expect(screen.getByTestId('points-feedback').textContent).toContain('YC001 = 231.250 V · Good'));
    expect(service.of('readSinglePoint')).toEqual([{ channel_id: 1, point_id: 1, frame_type: 0 }]);
  });

  it('says why a single read failed', async () => {
    const user = userEvent.setup();
    show({
      readSinglePoint: () => {
        throw new AppError('TIMEOUT_RESPONSE', quoted('Unit 1 did not answer within 1000 ms.'));
      },
    });
    await user.click(await screen.findByText('YC001'));
    await user.click(screen.getByTestId('point-read'));
    expect(await screen.findByText('YC001 could not be read: Unit 1 did not answer within 1000 ms.')).toBeTruthy();
  });

  it('is walked, copied, edited and deleted with the keyboard', async () => {
    const user = userEvent.setup();
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    const service = show({ deletePoints: () => ({ deleted: 2 }) });
    await screen.findByText('YC001');
    screen.getByRole('grid').focus();
    await user.keyboard('{ArrowDown}{Shift>}{ArrowDown}{/Shift}{Control>}c{/Control}');
    await waitFor(() => expect(writeText).toHaveBeenCalledTimes(1));
    const lines = writeText.mock.calls[0]?.[0].split('\r\n') ?? [];
    expect(lines).toHaveLength(3);
    expect(lines[1]).toBe(
      `100\t0x0064\t1\t\t3\tYC\tYC001\tVoltage\t0x42 float32 ABCD\t43 66 80 00\t230.5\tV\tGood\t${formatDateTime('2026-03-01T08:00:01.000Z')}`,
    );
    await user.keyboard('{Delete}');
    await user.click(await screen.findByTestId('confirm'));
    await waitFor(() => expect(service.of('deletePoints')).toEqual([{ channel_id: 1, point_ids: [1, 2] }]));
    screen.getByRole('grid').focus();
    await user.keyboard('{ArrowDown}{F2}');
    expect(usePointFormStore.getState().target?.point?.id).toBe(1);
  });

  it('copies and edits many points as they are now, those out of sight too', async () => {
    const user = userEvent.setup();
    let moved = 0;
    const row = (id: number) => aPoint({ id, code: `C${id}`, address: id + moved });
    show({
      pointTable: ({ page, page_size }: { page?: unknown; page_size?: unknown }) => {
        const [size, from] = [Number(page_size), (Number(page) - 1) * Number(page_size)];
        return { total: 450, items: Array.from({ length: Math.max(0, Math.min(size, 450 - from)) }, (_, at) => row(from + at + 1)) };
      },
    });
    await screen.findByText('C1');
    screen.getByRole('grid').focus();
    await user.keyboard('{ArrowDown}{Control>}a{/Control}');
    await screen.findByText('450 selected');
    moved = 1000;
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await user.keyboard('{Control>}c{/Control}');
    expect(await screen.findByText('450 rows copied.')).toBeTruthy();
    const copied = writeText.mock.calls.at(-1)?.[0].split('\r\n') ?? [];
    expect([copied.length, copied[1]?.split('\t')[0], copied.at(-1)?.split('\t')[0]]).toEqual([451, '1001', '1450']);
    await user.keyboard('{F2}');
    await waitFor(() => expect(usePointFormStore.getState().target?.points).toHaveLength(450));
    const addresses = usePointFormStore.getState().target?.points?.map(({ address }) => address) ?? [];
    expect([addresses.at(0), addresses.at(-1)]).toEqual([1001, 1450]);
  });

  it('may be set up anew while nothing may be written, and says in the inspector why nothing is', async () => {
    const user = userEvent.setup();
    const point = aPoint({ frame_type: 3 });
    show({
      serviceInfo: () => aServiceInfo({ read_only: true }),
      pointTable: () => ({ total: 1, items: [point] }),
      pointReadings: () => ({ point, items: [], plausible: null }),
      pointFrames: () => ({ items: [] }),
    });
    await user.click(await screen.findByText('YC001'));
    await user.keyboard('{F4}');
    const pane = within(await screen.findByRole('complementary', { name: 'Point' }));
    expect((await pane.findByRole('button', { name: 'Write…' })).getAttribute('title')).toContain('read-only');
    await user.click(pane.getByRole('button', { name: 'Edit' }));
    expect(usePointFormStore.getState().target?.point?.id).toBe(1);
    await user.keyboard('{F4}');
  });

  it('offers the commands of the page in the menu of a row', async () => {
    const user = userEvent.setup();
    const service = show({ readSinglePoint: () => aPoint({ value: 231.25 }) });
    fireEvent.contextMenu(await screen.findByText('YX001'));
    const write = await screen.findByTestId('menu-write-point');
    expect(write.title).toBe('Only control (YK) and setpoint (YT) points can be written to a device.');
    await user.click(screen.getByTestId('menu-read-point'));
    await waitFor(() => expect(service.of('readSinglePoint')).toEqual([{ channel_id: 1, point_id: 2, frame_type: 1 }]));
    screen.getByRole('grid').focus();
    await user.keyboard('{Shift>}{F10}{/Shift}');
    await user.click(await screen.findByTestId('menu-edit-points'));
    expect(usePointFormStore.getState().target?.point?.id).toBe(2);
  });

  it('is edited in place, and says at the cell what is refused', async () => {
    const user = userEvent.setup();
    const service = show({
      editPoint: () => {
        throw new AppError('CONFIG_INVALID', quoted('refused'), { data: [{ path: 'unit', message: 'That unit cannot be.' }] });
      },
    });
    await screen.findByText('YC001');
    await user.click(rowOf('YC001').querySelector('[data-column="unit"]') as HTMLElement);
    screen.getByRole('grid').focus();
    await user.keyboard('{F2}');
    await user.keyboard('kV{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('That unit cannot be.');
    expect(service.of('editPoint')).toEqual([{ point_id: 1, frame_type: 0, unit: 'kV' }]);
    expect(usePointFormStore.getState().target).toBeNull();
    await user.keyboard('{Escape}');
    expect(screen.queryByTestId('cell-editor')).toBeNull();
  });

  it('takes no text for a factor', async () => {
    const user = userEvent.setup();
    const service = show({ editPoint: () => aPoint({ mul_coe: 0.5 }) });
    useUiStore.getState().setTable('points', { shown: { mul_coe: true } });
    await user.dblClick((await screen.findByText('YC001')).closest('tr')?.querySelector('[data-column="mul_coe"]') as HTMLElement);
    await user.keyboard('half{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('A number is needed.');
    await user.clear(screen.getByTestId('cell-editor'));
    await user.keyboard('0,5{Enter}');
    await waitFor(() => expect(service.of('editPoint')).toEqual([{ point_id: 1, frame_type: 0, mul_coe: 0.5 }]));
  });

  it('hides a column and remembers it', async () => {
    const user = userEvent.setup();
    show();
    await screen.findByText('YC001');
    await user.click(screen.getByRole('button', { name: 'Columns' }));
    await user.click(await screen.findByRole('checkbox', { name: 'Raw' }));
    expect(screen.queryByRole('columnheader', { name: 'Raw' })).toBeNull();
    expect(localStorage.getItem('loopcheck.ui')).toContain('"raw":false');
  });

  it('keeps the buttons reachable and says why they do nothing', async () => {
    show({ listChannels: () => [aChannel({ status: 'stopped' })] });
    fireEvent.click(await screen.findByText('YC001'));
    const read = screen.getByTestId('point-read');
    expect(read.getAttribute('aria-disabled')).toBe('true');
    fireEvent.focus(read);
    expect(await screen.findByText('The channel is not started.')).toBeTruthy();
  });
});

describe('rows of the point table', () => {
  it('are ticked as a range with Shift, without text being marked, so that Ctrl+C copies them', async () => {
    const user = userEvent.setup();
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    show();
    await user.click(await screen.findByText('YC001'));
    const last = screen.getByText('YC003');
    // What is not prevented marks text, and Ctrl+C belongs to the marked text then.
    expect(fireEvent.mouseDown(last, { shiftKey: true })).toBe(false);
    expect(document.activeElement).toBe(screen.getByRole('grid'));
    fireEvent.click(last, { shiftKey: true });
    await user.keyboard('{Control>}c{/Control}');
    await waitFor(() => expect(writeText.mock.calls[0]?.[0].split('\r\n')).toHaveLength(4));
    expect(fireEvent.mouseDown(last)).toBe(true);
  });

  it('tell the reading bar what is ticked, until the table leaves the screen', async () => {
    const user = userEvent.setup();
    const { page } = show();
    await user.click(await screen.findByText('YC001'));
    await waitFor(() => expect(useTableScope.getState().ticked).toEqual({ 1: [{ frame_type: 0, id: 1 }] }));
    await user.click(screen.getByRole('checkbox', { name: 'Selected YX001' }));
    await waitFor(() =>
      expect(useTableScope.getState().ticked[1]).toEqual([
        { frame_type: 0, id: 1 },
        { frame_type: 1, id: 2 },
      ]),
    );
    screen.getByRole('grid').focus();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(useTableScope.getState().ticked[1]).toEqual([]));
    expect(screen.queryByText(/selected$/)).toBeNull();
    page.unmount();
    expect(useTableScope.getState().ticked).toEqual({});
  });

  it('offer to find the cause of an error, for the slave it is about', async () => {
    const user = userEvent.setup();
    show({
      pointTable: () => ({
        total: 2,
        items: [aPoint(), aPoint({ id: 2, code: 'YC002', slave_id: 13, quality: 'stale', error: 'Unit 13 did not answer.' })],
      }),
    });
    await user.click(await screen.findByText('YC001'));
    expect(screen.queryByTestId('point-cause')).toBeNull();
    await user.click(screen.getByText('YC002'));
    await user.click(await screen.findByTestId('point-cause'));
    expect(useDoctorStore.getState()).toEqual({ channelId: 1, slaveIds: [13] });
  });

  it('offer it after a read that failed, and not on a channel that serves', async () => {
    const user = userEvent.setup();
    const fail = () => {
      throw new AppError('TIMEOUT_RESPONSE', quoted('Unit 1 did not answer within 1000 ms.'));
    };
    const { page } = show({ readSinglePoint: fail });
    await user.click(await screen.findByText('YC001'));
    await user.click(screen.getByTestId('point-read'));
    expect(await screen.findByTestId('point-cause')).toBeTruthy();
    page.unmount();
    show({ readSinglePoint: fail, listChannels: () => [aChannel({ conn_type: 1 })] });
    await user.click(await screen.findByText('YC001'));
    await user.click(screen.getByTestId('point-read'));
    await screen.findByText(/could not be read/);
    expect(screen.queryByTestId('point-cause')).toBeNull();
  });

  it('show a dash and the reason for a point that never gave a value, and the last value of a stale one', async () => {
    show({
      pointTable: () => ({
        total: 2,
        items: [
          aPoint({ quality: 'never', value: 0, error: 'Unit 1 did not answer within 1000 ms.' }),
          aPoint({ id: 2, code: 'YC002', quality: 'stale', value: 12.5, error: 'Unit 1 did not answer within 1000 ms.' }),
        ],
      }),
    });
    await screen.findByText('YC001');
    const never = within(rowOf('YC001')).getByTestId('value');
    expect([never.textContent, never.title]).toEqual(['—', 'Unit 1 did not answer within 1000 ms.']);
    expect(within(rowOf('YC001')).getByTestId('quality').textContent).toBe('Not read');
    expect(within(rowOf('YC002')).getByTestId('value').textContent).toBe('12.500');
  });

  it.each([
    [
      'en',
      ['test: test', 'Cause 3: spontaneous', 'SQ: sequence number 5', 'CY: the counter overflowed'],
      ['Time exact to 10 bits', 'not synchronised'],
    ],
    ['zh-CN', ['test: 测试', '传送原因 3：突发', 'SQ：顺序号 5', 'CY：本周期内'], ['10 位有效', '设备时钟未同步']],
  ] as const)('tell what the device said beside the value and of its time (%s)', async (language, ofValue, ofTime) => {
    await setLanguage(language);
    const told = { cause: { code: 3, name: 'spontaneous' }, sequence: 5, carry: true, time_accuracy: 10 };
    show({ pointTable: () => ({ total: 1, items: [aPoint({ ...told, flags: ['test', 'clock_not_synchronised'] })] }) });
    await screen.findByText('YC001');
    const quality = within(rowOf('YC001')).getByTestId('quality');
    expect(quality.textContent).toMatch(/ test SQ 5 CY$/);
    const titleOf = (column: string) => rowOf('YC001').querySelector<HTMLElement>(`[data-column="${column}"]`)?.title;
    for (const line of ofValue) expect(titleOf('quality')).toContain(line);
    for (const line of ofTime) expect(titleOf('updated_at')).toContain(line);
    await setLanguage('en');
  });
});
