import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { DEFAULT_LAYOUT, type TableLayout } from '../ui/data-grid/layout.ts';

export const WORK_TABS = ['points', 'model', 'frames', 'line', 'tools', 'events', 'audit'] as const;
export type WorkTab = (typeof WORK_TABS)[number];

interface UiState {
  /** Channel shown on the right; null before a choice and after its removal. */
  readonly selectedChannelId: number | null;
  /** The overview of all channels is shown in place of one. */
  readonly showsPlant: boolean;
  /** The start page is shown in place of a channel. */
  readonly showsStart: boolean;
  readonly tab: WorkTab;
  readonly sidebarOpen: boolean;
  /** Columns of the tables by the name of the table; remembered by this browser. */
  readonly tables: Readonly<Record<string, TableLayout>>;
  selectChannel(id: number | null): void;
  /** Forgets the choice of a channel that is gone; the plant stays in sight. */
  forgetChannel(): void;
  showPlant(): void;
  showStart(): void;
  setTab(tab: WorkTab): void;
  toggleSidebar(): void;
  /** Changes how the columns of a table are set up; null forgets it. */
  setTable(name: string, change: Partial<TableLayout> | null): void;
}

const SELECTED_KEY = 'loopcheck.channel';
const PLANT_KEY = 'loopcheck.plant';

function rememberedChannel(): number | null {
  const id = Number(sessionStorage.getItem(SELECTED_KEY));
  return Number.isInteger(id) && id > 0 ? id : null;
}

/** State of the screens only; everything the service knows is in the query cache. Only the columns outlive the page. */
export const useUiStore = create<UiState>()(
  persist(
    (set) => ({
      selectedChannelId: rememberedChannel(),
      showsPlant: sessionStorage.getItem(PLANT_KEY) !== null,
      showsStart: false,
      tab: 'points',
      sidebarOpen: true,
      tables: {},
      selectChannel(id) {
        if (id === null) sessionStorage.removeItem(SELECTED_KEY);
        else sessionStorage.setItem(SELECTED_KEY, String(id));
        sessionStorage.removeItem(PLANT_KEY);
        set({ selectedChannelId: id, showsPlant: false, showsStart: false });
      },
      forgetChannel() {
        sessionStorage.removeItem(SELECTED_KEY);
        set({ selectedChannelId: null });
      },
      showPlant() {
        sessionStorage.setItem(PLANT_KEY, 'yes');
        set({ showsPlant: true, showsStart: false });
      },
      showStart: () => set({ showsStart: true }),
      setTab: (tab) => set({ tab }),
      toggleSidebar: () => set((state) => ({ sidebarOpen: !state.sidebarOpen })),
      setTable: (name, change) =>
        set(({ tables }) => {
          const { [name]: present, ...others } = tables;
          return { tables: change === null ? others : { ...others, [name]: { ...DEFAULT_LAYOUT, ...present, ...change } } };
        }),
    }),
    { name: 'loopcheck.ui', version: 1, partialize: ({ tables }) => ({ tables }) },
  ),
);
