import { create } from 'zustand';

export const MODEL_VIEWS = ['tree', 'dataSets', 'differences'] as const;
export type ModelView = (typeof MODEL_VIEWS)[number];

/** What somebody has opened and ticked in the model of one channel. */
export interface ModelUi {
  readonly view: ModelView;
  readonly open: ReadonlySet<string>;
  readonly ticked: ReadonlySet<string>;
  /** Row the keyboard is on. */
  readonly active: string | null;
  /** The data set that is shown. */
  readonly dataSet: string | null;
}

const FRESH: ModelUi = { view: 'tree', open: new Set(), ticked: new Set(), active: null, dataSet: null };

interface ModelState {
  readonly channels: Readonly<Record<number, ModelUi>>;
  change(channelId: number, change: (ui: ModelUi) => Partial<ModelUi>): void;
}

/** Views of the models by channel; they live as long as the page, so that a look at the points does not close the tree. */
const useModelStore = create<ModelState>((set) => ({
  channels: {},
  change: (channelId, change) =>
    set(({ channels }) => {
      const ui = channels[channelId] ?? FRESH;
      return { channels: { ...channels, [channelId]: { ...ui, ...change(ui) } } };
    }),
}));

/** State of the model view of a channel, and what changes it. */
export function useModelUi(channelId: number) {
  const ui = useModelStore((state) => state.channels[channelId] ?? FRESH);
  const change = useModelStore((state) => state.change);
  return {
    ...ui,
    setView: (view: ModelView) => change(channelId, () => ({ view })),
    setActive: (active: string | null) => change(channelId, () => ({ active })),
    setDataSet: (dataSet: string | null) => change(channelId, () => ({ dataSet })),
    /** Opens or closes nodes. */
    setOpen: (references: readonly string[], isOpen: boolean) =>
      change(channelId, ({ open }) => ({ open: toggled(open, references, isOpen) })),
    setTicked: (references: readonly string[], isTicked: boolean) =>
      change(channelId, ({ ticked }) => ({ ticked: toggled(ticked, references, isTicked) })),
    clearTicked: () => change(channelId, () => ({ ticked: new Set<string>() })),
  };
}

export type ModelUiState = ReturnType<typeof useModelUi>;

function toggled(set: ReadonlySet<string>, references: readonly string[], isIn: boolean): ReadonlySet<string> {
  const next = new Set(set);
  for (const reference of references) {
    if (isIn) next.add(reference);
    else next.delete(reference);
  }
  return next;
}
