import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_LAYOUT } from '../ui/data-grid/layout.ts';
import { useUiStore } from './ui-store.ts';

const ui = () => useUiStore.getState();
/** What a reload of this tab begins with. */
const tabMemory = () => ({ channel: sessionStorage.getItem('loopcheck.channel'), plant: sessionStorage.getItem('loopcheck.plant') });
const browserMemory = () => JSON.parse(localStorage.getItem('loopcheck.ui') ?? 'null') as unknown;
const CHECK = { sessionId: 2, showsRun: true };

beforeEach(() => {
  sessionStorage.clear();
  useUiStore.setState({ ...useUiStore.getInitialState(), selectedChannelId: 1, showsPlant: false, tab: 'points', beside: null });
});

it('begins with the first channel that comes, in one work area', () => {
  expect(useUiStore.getInitialState()).toMatchObject({
    selectedChannelId: null,
    showsPlant: false,
    check: null,
    showsStart: false,
    tab: 'points',
    beside: null,
    activeArea: 'main',
    sidebarOpen: true,
    rows: {},
    tables: {},
    panes: {},
  });
});

it('a channel stands in one work area: chosen again it is worked in where it is', () => {
  ui().showBeside(2);
  ui().selectChannel(1);
  expect(ui()).toMatchObject({ selectedChannelId: 1, activeArea: 'main', beside: { channelId: 2 } });
  ui().selectChannel(2);
  expect(ui()).toMatchObject({ selectedChannelId: 1, activeArea: 'beside', beside: { channelId: 2 } });
  ui().goTo({ selectedChannelId: 2, showsPlant: false, tab: 'frames' });
  expect(ui()).toMatchObject({ selectedChannelId: 2, activeArea: 'main', beside: null, tab: 'frames' });
});

describe('one thing is in sight', () => {
  it.each([
    ['a channel', () => ui().selectChannel(3), { selectedChannelId: 3, showsPlant: false, check: null, showsStart: false }],
    ['the plant', () => ui().showPlant(), { selectedChannelId: 1, showsPlant: true, check: null, showsStart: false }],
    ['a check', () => ui().showCheck(5), { showsPlant: false, check: { sessionId: 5, showsRun: false }, showsStart: false }],
    [
      'the run of a check',
      () => ui().showCheck(5, true),
      { showsPlant: false, check: { sessionId: 5, showsRun: true }, showsStart: false },
    ],
    [
      'a linked place',
      () => ui().goTo({ selectedChannelId: 4, showsPlant: false, tab: 'line' }),
      { check: null, showsStart: false, tab: 'line' },
    ],
    ['a linked check', () => ui().goTo({ selectedChannelId: null, showsPlant: false, tab: 'line', check: CHECK }), { check: CHECK }],
  ] as const)('%s, in the first work area', (_name, go, expected) => {
    useUiStore.setState({ showsPlant: true, check: CHECK, showsStart: true, activeArea: 'beside' });
    go();
    expect(ui()).toMatchObject({ ...expected, activeArea: 'main' });
  });

  it('the start page stands before what was in sight', () => {
    useUiStore.setState({ showsPlant: true, activeArea: 'beside' });
    ui().showStart();
    expect(ui()).toMatchObject({ showsStart: true, showsPlant: true, activeArea: 'main' });
  });

  it('a check knows the channel it was opened from, however long one walks about in it', () => {
    ui().selectChannel(3);
    ui().showCheck(null);
    ui().showCheck(5);
    ui().showCheck(5, true);
    expect(ui().checkFrom).toEqual({ channelId: 3 });
    ui().showPlant();
    ui().showCheck(null);
    expect(ui().checkFrom).toBeNull();
    ui().showBeside(2);
    ui().showCheck(null);
    expect(ui().checkFrom).toEqual({ channelId: 2 });
    ui().showStart();
    ui().showCheck(null);
    expect(ui().checkFrom).toBeNull();
  });

  it('a reload of the tab shows the channel or the plant again', () => {
    ui().selectChannel(3);
    expect(tabMemory()).toEqual({ channel: '3', plant: null });
    ui().showPlant();
    expect(tabMemory()).toEqual({ channel: '3', plant: 'yes' });
    ui().showCheck(null);
    expect(tabMemory()).toEqual({ channel: '3', plant: null });
    ui().goTo({ selectedChannelId: 4, showsPlant: true, tab: 'points' });
    expect(tabMemory()).toEqual({ channel: '4', plant: 'yes' });
    ui().selectChannel(5);
    expect(tabMemory()).toEqual({ channel: '5', plant: null });
    ui().showPlant();
    ui().forgetChannel();
    expect(ui()).toMatchObject({ selectedChannelId: null, showsPlant: true });
    expect(tabMemory()).toEqual({ channel: null, plant: 'yes' });
    ui().selectChannel(6);
    ui().selectChannel(null);
    expect(ui()).toMatchObject({ selectedChannelId: null, showsPlant: false });
    expect(tabMemory()).toEqual({ channel: null, plant: null });
  });
});

describe('a page begins', () => {
  /** The store as a page that is loaded now makes it. */
  async function loadedAt(hash: string) {
    vi.resetModules();
    window.location.hash = hash;
    try {
      return (await import('./ui-store.ts')).useUiStore.getInitialState();
    } finally {
      window.location.hash = '';
      vi.resetModules();
    }
  }

  it.each([
    ['#/channel/3/frames', { selectedChannelId: 3, showsPlant: false, tab: 'frames', check: null }],
    ['#/plant', { selectedChannelId: 7, showsPlant: true, check: null }],
    ['#/check/2', { selectedChannelId: 7, showsPlant: false, check: { sessionId: 2, showsRun: false } }],
    ['', { selectedChannelId: 7, showsPlant: false, tab: 'points', check: null }],
    ['#/nowhere', { selectedChannelId: 7, showsPlant: false, tab: 'points', check: null }],
  ])('where its address %j leads, else where this tab was', async (hash, expected) => {
    sessionStorage.setItem('loopcheck.channel', '7');
    expect(await loadedAt(hash)).toMatchObject(expected);
  });

  it.each(['', '0', '-3', '1.5', 'seven'])('with no channel where this tab remembers %j', async (remembered) => {
    sessionStorage.setItem('loopcheck.channel', remembered);
    sessionStorage.setItem('loopcheck.plant', 'yes');
    expect(await loadedAt('')).toMatchObject({ selectedChannelId: null, showsPlant: true });
  });
});

describe('the second work area', () => {
  it('opens with the points, keeps its view for another channel, and closes', () => {
    ui().showBeside(2);
    expect(ui()).toMatchObject({ beside: { channelId: 2, tab: 'points' }, activeArea: 'beside' });
    ui().setTab('frames', 'beside');
    expect(ui()).toMatchObject({ tab: 'points', beside: { channelId: 2, tab: 'frames' } });
    ui().showBeside(3);
    expect(ui().beside).toEqual({ channelId: 3, tab: 'frames' });
    ui().setTab('line');
    expect(ui()).toMatchObject({ tab: 'line', beside: { tab: 'frames' } });
    ui().workIn('main');
    expect(ui().activeArea).toBe('main');
    ui().workIn('beside');
    ui().workIn('beside');
    expect(ui().activeArea).toBe('beside');
    ui().showBeside(null);
    expect(ui()).toMatchObject({ beside: null, activeArea: 'main' });
    ui().setTab('events', 'beside');
    expect(ui()).toMatchObject({ tab: 'events', beside: null });
  });

  it('stays where a link does not speak of it, and otherwise is what the link says', () => {
    ui().showBeside(2);
    ui().goTo({ selectedChannelId: 5, showsPlant: false, tab: 'points' });
    expect(ui().beside).toEqual({ channelId: 2, tab: 'points' });
    ui().goTo({ selectedChannelId: 5, showsPlant: false, tab: 'points', beside: { channelId: 6, tab: 'line', row: 7 } });
    expect(ui().beside).toEqual({ channelId: 6, tab: 'line' });
    ui().goTo({ selectedChannelId: 6, showsPlant: false, tab: 'points' });
    expect(ui().beside).toBeNull();
    ui().showBeside(2);
    ui().goTo({ selectedChannelId: 5, showsPlant: false, tab: 'points', beside: null });
    expect(ui().beside).toBeNull();
  });
});

it('rows in sight are kept by channel', () => {
  ui().setRow(1, 40);
  const { rows } = ui();
  ui().setRow(1, 40);
  expect(ui().rows).toBe(rows);
  ui().setRow(2, 8);
  ui().goTo({ selectedChannelId: 3, showsPlant: false, tab: 'points', row: 120, beside: { channelId: 4, tab: 'points', row: 5 } });
  expect(ui().rows).toEqual({ 1: 40, 2: 8, 3: 120, 4: 5 });
  ui().goTo({ selectedChannelId: 3, showsPlant: false, tab: 'points', beside: { channelId: 4, tab: 'points' } });
  expect(ui().rows).toEqual({ 1: 40, 2: 8, 3: 0, 4: 0 });
  ui().goTo({ selectedChannelId: null, showsPlant: true, tab: 'points' });
  expect(ui().rows).toEqual({ 1: 40, 2: 8, 3: 0, 4: 0 });
});

it('the list of channels is folded and opened', () => {
  ui().toggleSidebar();
  expect(ui().sidebarOpen).toBe(false);
  ui().toggleSidebar();
  expect(ui().sidebarOpen).toBe(true);
});

describe('what this browser remembers', () => {
  const reload = async (state: unknown) => {
    localStorage.setItem('loopcheck.ui', JSON.stringify({ state, version: 1 }));
    await useUiStore.persist.rehydrate();
    return ui();
  };

  it('are columns, panes and the second area, and nothing else', () => {
    ui().setTable('points', { hidden: ['unit'] } as never);
    ui().setTable('frames', { order: ['at'] } as never);
    ui().setTable('points', { order: ['code'] } as never);
    ui().setPane('inspector', 300);
    ui().setPane('side', 200);
    ui().setPane('inspector', 320);
    ui().showBeside(2);
    const tables = { points: { ...DEFAULT_LAYOUT, hidden: ['unit'], order: ['code'] }, frames: { ...DEFAULT_LAYOUT, order: ['at'] } };
    const panes = { side: 200, inspector: 320 };
    expect(browserMemory()).toEqual({ state: { tables, panes, beside: { channelId: 2, tab: 'points' } }, version: 1 });
    ui().setTable('points', null);
    ui().setPane('inspector', null);
    expect(ui()).toMatchObject({ tables: { frames: tables.frames }, panes: { side: 200 } });
    expect(Object.keys(ui().tables)).toEqual(['frames']);
    expect(Object.keys(ui().panes)).toEqual(['side']);
  });

  it('comes back beside what is in sight', async () => {
    const tables = { points: DEFAULT_LAYOUT };
    expect(await reload({ tables, panes: { side: 9 }, beside: { channelId: 7, tab: 'line' }, tab: 'audit' })).toMatchObject({
      selectedChannelId: 1,
      tab: 'points',
      tables,
      panes: { side: 9 },
      beside: { channelId: 7, tab: 'line' },
    });
  });

  it.each([
    [null],
    [{}],
    [{ beside: null }],
    [{ beside: { channelId: '7', tab: 'line' } }],
    [{ beside: { channelId: 7, tab: 'nowhere' } }],
  ])('shows no second area of %o', async (state) => {
    ui().showBeside(2);
    ui().setPane('side', 9);
    expect(await reload(state)).toMatchObject({ beside: null, tables: {}, panes: {} });
    expect(ui().panes).toEqual({});
  });
});
