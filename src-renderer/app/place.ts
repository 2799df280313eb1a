export const WORK_TABS = ['points', 'model', 'frames', 'line', 'tools', 'events', 'audit', 'trends'] as const;
export type WorkTab = (typeof WORK_TABS)[number];

export function isWorkTab(value: unknown): value is WorkTab {
  return WORK_TABS.some((tab) => tab === value);
}

/** The second work area of a place. */
export interface BesidePlace {
  readonly channelId: number;
  readonly tab: WorkTab;
  /** As of a place. */
  readonly row?: number;
}

/** The point-to-point check: its sessions, one of them, or the check of one that is under way. */
export interface CheckPlace {
  readonly sessionId: number | null;
  readonly showsRun: boolean;
}

/** What the address of the page says: the channel and its view, the plant, or the check. */
export interface Place {
  readonly selectedChannelId: number | null;
  readonly showsPlant: boolean;
  readonly tab: WorkTab;
  /** The first row of the point table that is in sight, from 0; left out where it is the first of all, or no table is shown. */
  readonly row?: number;
  readonly beside?: BesidePlace | null;
  /** The check in place of a channel; left out: it is not shown. */
  readonly check?: CheckPlace | null;
}

const ROW = /^[1-9]\d{0,8}$/;
const BESIDE = /^([1-9]\d{0,14})\.(\w+)$/;

function rowOf(value: string | null): { readonly row?: number } {
  return value !== null && ROW.test(value) ? { row: Number(value) } : {};
}

function besideOf(query: URLSearchParams): { readonly beside?: BesidePlace } {
  const [, id, tab] = BESIDE.exec(query.get('beside') ?? '') ?? [];
  return id !== undefined && isWorkTab(tab) ? { beside: { channelId: Number(id), tab, ...rowOf(query.get('besideRow')) } } : {};
}

function queryText(place: Place): string {
  const { row = 0, beside } = place;
  const parts = [
    ...(row > 0 && !place.showsPlant && !place.check && place.tab === 'points' ? [`row=${row}`] : []),
    ...(beside ? [`beside=${beside.channelId}.${beside.tab}`] : []),
    ...(beside?.row && beside.tab === 'points' ? [`besideRow=${beside.row}`] : []),
  ];
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

/**
 * `#/plant`, `#/check/2`, `#/channel/3/frames`, `#/channel/3/points?row=120&beside=5.frames`: what is behind the address of the page. Empty where no channel is
 * chosen.
 */
export function placeHash(place: Place): string {
  const { selectedChannelId, showsPlant, tab, check } = place;
  if (check) return `${['#/check', check.sessionId, check.showsRun && 'run'].filter(Boolean).join('/')}${queryText(place)}`;
  if (showsPlant) return `#/plant${queryText(place)}`;
  return selectedChannelId === null ? '' : `#/channel/${selectedChannelId}/${tab}${queryText(place)}`;
}

/** The address without the rows: while it is the same, somebody has only scrolled. */
export function withoutRows(hash: string): string {
  const place = parsePlace(hash);
  if (place === null) return hash;
  const { row: _row, beside, ...rest } = place;
  return placeHash({ ...rest, beside: beside ? { channelId: beside.channelId, tab: beside.tab } : null });
}

/** The place that such a text means; null for any other text. The view may be left out; of what stands behind the `?` only what is known counts. */
export function parsePlace(hash: string): Place | null {
  const [path = '', query = ''] = hash.split('?', 2);
  const params = new URLSearchParams(query);
  if (path === '#/plant') return { selectedChannelId: null, showsPlant: true, tab: 'points', ...besideOf(params) };
  const [isCheck, session, run] = /^#\/check(?:\/([1-9]\d{0,14})(\/run)?)?$/.exec(path) ?? [];
  if (isCheck !== undefined) {
    const check = { sessionId: session === undefined ? null : Number(session), showsRun: run !== undefined };
    return { selectedChannelId: null, showsPlant: false, tab: 'points', check, ...besideOf(params) };
  }
  const [, id, tab = 'points'] = /^#\/channel\/([1-9]\d{0,14})(?:\/(\w+))?$/.exec(path) ?? [];
  if (id === undefined || !isWorkTab(tab)) return null;
  return { selectedChannelId: Number(id), showsPlant: false, tab, ...rowOf(params.get('row')), ...besideOf(params) };
}
