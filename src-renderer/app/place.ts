export const WORK_TABS = ['points', 'model', 'frames', 'line', 'tools', 'events', 'audit'] as const;
export type WorkTab = (typeof WORK_TABS)[number];

export function isWorkTab(value: unknown): value is WorkTab {
  return WORK_TABS.some((tab) => tab === value);
}

/** The point-to-point check: its sessions, one of them, or the guided way of one. */
export interface CheckPlace {
  readonly sessionId: number | null;
  readonly isGuided: boolean;
}

/** What the address of the page says: the channel and its view, the plant, or the check. */
export interface Place {
  readonly selectedChannelId: number | null;
  readonly showsPlant: boolean;
  readonly tab: WorkTab;
  /** The check in place of a channel; left out: it is not shown. */
  readonly check?: CheckPlace | null;
}

/** `#/plant`, `#/channel/3/frames`, `#/check/2`: what is behind the address of the page. Empty where no channel is chosen. */
export function placeHash({ selectedChannelId, showsPlant, tab, check }: Place): string {
  if (check) return ['#/check', check.sessionId, check.isGuided && 'guided'].filter(Boolean).join('/');
  if (showsPlant) return '#/plant';
  return selectedChannelId === null ? '' : `#/channel/${selectedChannelId}/${tab}`;
}

/** The place that such a text means; null for any other text. The view may be left out. */
export function parsePlace(hash: string): Place | null {
  if (hash === '#/plant') return { selectedChannelId: null, showsPlant: true, tab: 'points' };
  const [isCheck, session, guided] = /^#\/check(?:\/([1-9]\d{0,14})(\/guided)?)?$/.exec(hash) ?? [];
  if (isCheck !== undefined) {
    const check = { sessionId: session === undefined ? null : Number(session), isGuided: guided !== undefined };
    return { selectedChannelId: null, showsPlant: false, tab: 'points', check };
  }
  const [, id, tab = 'points'] = /^#\/channel\/([1-9]\d{0,14})(?:\/(\w+))?$/.exec(hash) ?? [];
  return id !== undefined && isWorkTab(tab) ? { selectedChannelId: Number(id), showsPlant: false, tab } : null;
}
