import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { DEFAULT_LAYOUT, type TableLayout } from '../ui/data-grid/layout.ts';
import { type CheckPlace, isWorkTab, type Place, parsePlace, type WorkTab } from './place.ts';

/** `main`: the chosen channel or the plant; `beside`: a second channel on its right. */
export type AreaName = 'main' | 'beside';

/** What the second work area shows. */
export interface Beside {
  readonly channelId: number;
  readonly tab: WorkTab;
}

interface UiState {
  /** Channel shown on the right; null before a choice and after its removal. */
  readonly selectedChannelId: number | null;
  /** The overview of all channels is shown in place of one. */
  readonly showsPlant: boolean;
  /** The point-to-point check is shown in place of a channel; null: it is not. */
  readonly check: CheckPlace | null;
  /** The channel that was worked in when the check was opened, with null for the first of the list; null: none was in sight. */
  readonly checkFrom: { readonly channelId: number | null } | null;
  /** The start page is shown in place of a channel. */
  readonly showsStart: boolean;
  readonly tab: WorkTab;
  /** The second work area; null: there is none. Remembered by this browser. */
  readonly beside: Beside | null;
  /** The area that was worked in last: keys and commands are for it. */
  readonly activeArea: AreaName;
  readonly sidebarOpen: boolean;
  /** First row in sight of the point tables by channel; as long as the page lives. */
  readonly rows: Readonly<Record<number, number>>;
  /** Columns of the tables by the name of the table; remembered by this browser. */
  readonly tables: Readonly<Record<string, TableLayout>>;
  /** Widths of panes by their name, in pixels; remembered by this browser. */
  readonly panes: Readonly<Record<string, number>>;
  /** Shows a channel; one that the second area has is worked in there. */
  selectChannel(id: number | null): void;
  /** Forgets the choice of a channel that is gone; the plant stays in sight. */
  forgetChannel(): void;
  showPlant(): void;
  /** Shows the sessions of the check, one of them, or the check of it that is under way. */
  showCheck(sessionId: number | null, showsRun?: boolean): void;
  showStart(): void;
  setTab(tab: WorkTab, area?: AreaName): void;
  /** Opens a channel in the second work area, or closes that with null. */
  showBeside(channelId: number | null): void;
  workIn(area: AreaName): void;
  /** Goes where a link leads; a second area that the place does not speak of stays. */
  goTo(place: Place): void;
  /** The point table of a channel was scrolled. */
  setRow(channelId: number, row: number): void;
  toggleSidebar(): void;
  /** Changes how the columns of a table are set up; null forgets it. */
  setTable(name: string, change: Partial<TableLayout> | null): void;
  /** Makes a pane so wide; null takes the usual width back. */
  setPane(name: string, width: number | null): void;
}

const SELECTED_KEY = 'loopcheck.channel';
const PLANT_KEY = 'loopcheck.plant';

function rememberedChannel(): number | null {
  const id = Number(sessionStorage.getItem(SELECTED_KEY));
  return Number.isInteger(id) && id > 0 ? id : null;
}

/** Where the page begins: where its address leads, else where this tab of the browser was before. */
function firstPlace(): Place & { readonly check: CheckPlace | null } {
  const selectedChannelId = rememberedChannel();
  const linked = parsePlace(window.location.hash);
  if (linked !== null) {
    const { check = null } = linked;
    return { ...linked, check, ...(linked.showsPlant || check ? { selectedChannelId } : {}) };
  }
  return { selectedChannelId, showsPlant: sessionStorage.getItem(PLANT_KEY) !== null, tab: 'points', check: null };
}

/** Rows of a place by channel. */
function rowsOf({ selectedChannelId, row = 0, beside }: Place): Readonly<Record<number, number>> {
  return {
    ...(selectedChannelId === null ? {} : { [selectedChannelId]: row }),
    ...(beside ? { [beside.channelId]: beside.row ?? 0 } : {}),
  };
}

function remember(id: number | null, showsPlant: boolean): void {
  if (id === null) sessionStorage.removeItem(SELECTED_KEY);
  else sessionStorage.setItem(SELECTED_KEY, String(id));
  if (showsPlant) sessionStorage.setItem(PLANT_KEY, 'yes');
  else sessionStorage.removeItem(PLANT_KEY);
}

/** What of a stored second area can be shown; null for anything else. */
function storedBeside(stored: unknown): Beside | null {
  const { channelId, tab } = (stored ?? {}) as { readonly channelId?: unknown; readonly tab?: unknown };
  return typeof channelId === 'number' && isWorkTab(tab) ? { channelId, tab } : null;
}

/** Where somebody comes from who opens the check; who is there already comes from where they came. */
function checkFrom({ check, checkFrom, activeArea, beside, showsPlant, showsStart, selectedChannelId }: UiState): UiState['checkFrom'] {
  if (activeArea === 'beside' && beside) return { channelId: beside.channelId };
  if (check !== null && !showsStart) return checkFrom;
  return showsPlant || showsStart ? null : { channelId: selectedChannelId };
}

const first = firstPlace();

/** State of the screens only; everything the service knows is in the query cache. Only columns, panes and the second area outlive the page. */
export const useUiStore = create<UiState>()(
  persist(
    (set, get) => ({
      selectedChannelId: first.selectedChannelId,
      showsPlant: first.showsPlant,
      tab: first.tab,
      check: first.check ?? null,
      checkFrom: null,
      rows: rowsOf(first),
      showsStart: false,
      beside: null,
      activeArea: 'main',
      sidebarOpen: true,
      tables: {},
      panes: {},
      selectChannel(id) {
        // one channel stands in one area: its ticked rows and dialogs are there once
        if (id !== null && get().beside?.channelId === id) {
          set({ activeArea: 'beside' });
          return;
        }
        remember(id, false);
        set({ selectedChannelId: id, showsPlant: false, check: null, showsStart: false, activeArea: 'main' });
      },
      forgetChannel() {
        sessionStorage.removeItem(SELECTED_KEY);
        set({ selectedChannelId: null });
      },
      showPlant() {
        sessionStorage.setItem(PLANT_KEY, 'yes');
        set({ showsPlant: true, check: null, showsStart: false, activeArea: 'main' });
      },
      showCheck(sessionId, showsRun = false) {
        sessionStorage.removeItem(PLANT_KEY);
        set((state) => ({
          check: { sessionId, showsRun },
          checkFrom: checkFrom(state),
          showsPlant: false,
          showsStart: false,
          activeArea: 'main',
        }));
      },
      showStart: () => set({ showsStart: true, activeArea: 'main' }),
      setTab: (tab, area = 'main') => set(({ beside }) => (area === 'beside' && beside ? { beside: { ...beside, tab } } : { tab })),
      showBeside: (channelId) =>
        set(({ beside }) =>
          channelId === null
            ? { beside: null, activeArea: 'main' }
            : { beside: { channelId, tab: beside?.tab ?? 'points' }, activeArea: 'beside' },
        ),
      workIn: (area) => set(({ activeArea }) => (activeArea === area ? {} : { activeArea: area })),
      goTo(place) {
        const { selectedChannelId, showsPlant, tab } = place;
        remember(selectedChannelId, showsPlant);
        set((state) => {
          const beside = place.beside === undefined ? state.beside : storedBeside(place.beside);
          return {
            selectedChannelId,
            showsPlant,
            check: place.check ?? null,
            showsStart: false,
            tab,
            activeArea: 'main',
            rows: { ...state.rows, ...rowsOf(place) },
            beside: beside?.channelId === selectedChannelId ? null : beside,
          };
        });
      },
      setRow: (channelId, row) => set(({ rows }) => (rows[channelId] === row ? {} : { rows: { ...rows, [channelId]: row } })),
      toggleSidebar: () => set((state) => ({ sidebarOpen: !state.sidebarOpen })),
      setTable: (name, change) =>
        set(({ tables }) => {
          const { [name]: present, ...others } = tables;
          return { tables: change === null ? others : { ...others, [name]: { ...DEFAULT_LAYOUT, ...present, ...change } } };
        }),
      setPane: (name, width) =>
        set(({ panes: { [name]: _present, ...others } }) => ({ panes: width === null ? others : { ...others, [name]: width } })),
    }),
    {
      name: 'loopcheck.ui',
      version: 1,
      partialize: ({ tables, panes, beside }) => ({ tables, panes, beside }),
      merge: (stored, present) => {
        const { tables = {}, panes = {}, beside = null } = (stored ?? {}) as Partial<UiState>;
        return { ...present, tables, panes, beside: storedBeside(first.beside ?? beside) };
      },
    },
  ),
);
