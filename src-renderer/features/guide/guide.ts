import type { Channel } from '#shared/contract/channels.ts';
import { isServing } from '#shared/domain/enums.ts';
import { GUIDE_PAGES, type GuidePage, guideOfProtocol, guidePath } from '#shared/domain/guide-pages.ts';
import type { WorkTab } from '../../app/place.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { i18n } from '../../i18n/index.ts';

const TABS: Readonly<Record<Exclude<WorkTab, 'tools'>, GuidePage>> = {
  points: 'point-tables',
  model: 'walk-ied',
  frames: 'frames',
  line: 'line',
  events: 'window',
  audit: 'security',
  trends: 'trends',
};

/** Names the page of the guide that tells of a dialog: `<Modal {...guideTo('doctor')} …>`. */
export function guideTo(page: GuidePage): { readonly 'data-guide': GuidePage } {
  return { 'data-guide': page };
}

/** The dialog of a channel: its settings are told by the walk of its protocol; without a channel one is about to be added. */
export function guideToChannel(channel: Pick<Channel, 'protocol_type'> | null): ReturnType<typeof guideTo> {
  return guideTo(channel === null ? 'walk-modbus-rtu' : guideOfProtocol(channel.protocol_type).walk);
}

/** What the guide has about a place: the check, the plant, the start page, or a view of a channel; null: no channel is shown. */
export function guideAbout(
  place: { readonly tab: WorkTab; readonly showsPlant: boolean; readonly showsStart: boolean; readonly isCheck: boolean },
  channel: Pick<Channel, 'protocol_type' | 'conn_type'> | null,
): GuidePage {
  if (place.showsStart || (!place.isCheck && !place.showsPlant && channel === null)) return 'first-steps';
  if (place.isCheck) return 'check';
  if (place.showsPlant || channel === null) return 'window';
  if (place.tab !== 'tools') return TABS[place.tab];
  return isServing(channel.conn_type) ? 'simulation' : guideOfProtocol(channel.protocol_type).tools;
}

/** Opens a page of the guide beside the window: a tab of the browser, or from the desktop window the browser of the system. Null: its contents. */
export function openGuide(page: GuidePage | null): void {
  window.open(guidePath(i18n.language === 'en' ? 'en' : 'zh', page), '_blank', 'noopener');
}

/** Opens what the guide has about the dialog that is open, else about the place that is worked in. `channels`: all of the project; `shown`: that of the main area. */
export function openGuideHere(channels: readonly Channel[], shown: Channel | null): void {
  const dialog = [...document.querySelectorAll('[aria-modal="true"]')].at(-1)?.closest<HTMLElement>('[data-guide]');
  const named = GUIDE_PAGES.find((page) => page === dialog?.dataset.guide);
  if (named) {
    openGuide(named);
    return;
  }
  const { tab, beside, activeArea, showsPlant, showsStart, check } = useUiStore.getState();
  if (activeArea === 'beside' && beside) {
    const channel = channels.find(({ id }) => id === beside.channelId) ?? null;
    openGuide(guideAbout({ tab: beside.tab, showsPlant: false, showsStart: false, isCheck: false }, channel));
    return;
  }
  openGuide(guideAbout({ tab, showsPlant, showsStart, isCheck: check !== null }, shown));
}
