export const WORK_TABS = ['points', 'model', 'frames', 'line', 'tools', 'events', 'audit'] as const;
export type WorkTab = (typeof WORK_TABS)[number];

export function isWorkTab(value: unknown): value is WorkTab {
  return WORK_TABS.some((tab) => tab === value);
}

/** What the address of the page says: the channel and its view, or the plant. */
export interface Place {
  readonly selectedChannelId: number | null;
  readonly showsPlant: boolean;
  readonly tab: WorkTab;
}

/** `#/plant`, `#/channel/3/frames`: what is behind the address of the page. Empty where no channel is chosen. */
export function placeHash({ selectedChannelId, showsPlant, tab }: Place): string {
  if (showsPlant) return '#/plant';
  return selectedChannelId === null ? '' : `#/channel/${selectedChannelId}/${tab}`;
}

/** The place that such a text means; null for any other text. The view may be left out. */
export function parsePlace(hash: string): Place | null {
  if (hash === '#/plant') return { selectedChannelId: null, showsPlant: true, tab: 'points' };
  const [, id, tab = 'points'] = /^#\/channel\/([1-9]\d{0,14})(?:\/(\w+))?$/.exec(hash) ?? [];
  return id !== undefined && isWorkTab(tab) ? { selectedChannelId: Number(id), showsPlant: false, tab } : null;
}
