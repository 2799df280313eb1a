import { useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { pickChannel, useChannels } from '../features/channels/use-channels.ts';
import { notifyProblem } from '../ui/notify.ts';
import { parsePlace, placeHash, withoutRows } from './place.ts';
import { useUiStore } from './ui-store.ts';

/** Writes a place into the address of the page: a new step of the history, unless the page only now found out where it is. */
function writeAddress(hash: string, isNewStep: boolean): void {
  if (hash === '' || hash === window.location.hash) return;
  // who scrolls is still at the same place
  if (isNewStep && withoutRows(hash) !== withoutRows(window.location.hash)) window.history.pushState(null, '', hash);
  else window.history.replaceState(null, '', hash);
}

function rowIn(rows: Readonly<Record<number, number>>, channelId: number | null): { readonly row?: number } {
  const row = channelId === null ? undefined : rows[channelId];
  return row === undefined ? {} : { row };
}

/**
 * Keeps the address of the page and what is shown together, so that loading it anew, a link, and back and forward lead to the same. Draws nothing.
 * A channel that a link names and the project does not have is told.
 */
export function PlaceKeeper() {
  const { t } = useTranslation('channels');
  const channels = useChannels().data;
  const selectedId = useUiStore((state) => state.selectedChannelId);
  const showsPlant = useUiStore((state) => state.showsPlant);
  const tab = useUiStore((state) => state.tab);
  const beside = useUiStore((state) => state.beside);
  const rows = useUiStore((state) => state.rows);
  const check = useUiStore((state) => state.check);
  const linked = useRef(parsePlace(window.location.hash)?.selectedChannelId ?? null);
  const hasPlace = useRef(false);
  const shownId = channels === undefined ? null : (pickChannel(channels, selectedId)?.id ?? null);
  useEffect(() => {
    if (channels === undefined || linked.current === null) return;
    const id = linked.current;
    linked.current = null;
    if (channels.some((channel) => channel.id === id)) return;
    notifyProblem(t('linkGone', { id }));
    if (useUiStore.getState().selectedChannelId === id) useUiStore.getState().forgetChannel();
  }, [channels, t]);
  const hash =
    channels === undefined
      ? ''
      : placeHash({
          selectedChannelId: shownId,
          showsPlant,
          tab,
          check,
          ...rowIn(rows, shownId),
          beside: beside && { ...beside, ...rowIn(rows, beside.channelId) },
        });
  const write = useEffectEvent(() => {
    const known = parsePlace(window.location.hash);
    // a link to a channel that is gone is mended, not kept as a step
    const isThere =
      known !== null && (known.showsPlant || known.check != null || (channels?.some(({ id }) => id === known.selectedChannelId) ?? false));
    writeAddress(hash, hasPlace.current && isThere);
    hasPlace.current ||= channels !== undefined;
  });
  // only when the place changes: an address that somebody enters is not taken away by the next poll
  // biome-ignore lint/correctness/useExhaustiveDependencies: it writes when the hash is another one
  useEffect(() => write(), [hash]);
  useEffect(() => {
    const onMove = () => {
      const place = parsePlace(window.location.hash);
      if (place === null) return;
      linked.current = place.selectedChannelId;
      const { selectedChannelId, goTo } = useUiStore.getState();
      goTo({ ...place, beside: place.beside ?? null, ...(place.showsPlant || place.check ? { selectedChannelId } : {}) });
    };
    window.addEventListener('popstate', onMove);
    return () => window.removeEventListener('popstate', onMove);
  }, []);
  return null;
}
