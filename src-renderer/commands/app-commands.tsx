import { useMantineColorScheme } from '@mantine/core';
import { spotlight } from '@mantine/spotlight';
import { useTranslation } from 'react-i18next';
import { openDialog } from '../app/dialog-store.ts';
import { useUiStore } from '../app/ui-store.ts';
import { openChannelDialog } from '../features/channels/channel-dialog-store.ts';
import { groupsOf } from '../features/channels/channel-text.ts';
import { pickChannel, useChannels } from '../features/channels/use-channels.ts';
import { showCheckDialog, useCheckMemory } from '../features/check/check-store.ts';
import { isInTrouble, useDoctor } from '../features/doctor/use-doctor.ts';
import { openGuideHere } from '../features/guide/guide.ts';
import { setLanguage } from '../i18n/index.ts';
import { toTableOf } from '../ui/to-table.ts';
import { isCovered, useCommand } from './registry.ts';

/** Opens the palette, unless a dialog is being worked in. */
export function openPalette(): void {
  if (!isCovered()) spotlight.open();
}

/** Stands for the plant among the ids of channels. */
const PLANT = 0;

/** True while a text is written: the arrows belong to it. */
function isTyping(): boolean {
  const { activeElement: element } = document;
  return element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && element.type !== 'checkbox');
}

/** F6: the keyboard goes to the area that is not worked in. */
function toOtherArea(): void {
  const { activeArea } = useUiStore.getState();
  toTableOf(document.querySelector(`[data-area="${activeArea === 'main' ? 'beside' : 'main'}"]`));
}

/** The commands that are there whatever is on the screen; draws nothing. */
export function AppCommands() {
  const { t, i18n } = useTranslation('commands');
  const { setColorScheme } = useMantineColorScheme();
  const { showPlant, showCheck, selectChannel, showBeside, toggleSidebar } = useUiStore.getState();
  const selectedId = useUiStore((state) => state.selectedChannelId);
  const showsPlant = useUiStore((state) => state.showsPlant);
  const showsCheck = useUiStore((state) => state.check !== null);
  const lastCheckId = useCheckMemory((state) => state.sessionId);
  const showsStart = useUiStore((state) => state.showsStart);
  const isMainActive = useUiStore(({ activeArea, beside }) => beside === null || activeArea === 'main');
  const channels = useChannels().data ?? [];
  const places = [PLANT, ...groupsOf(channels).flatMap(([, group]) => group.map((channel) => channel.id))];
  const at = showsPlant ? 0 : places.indexOf(pickChannel(channels, selectedId)?.id ?? PLANT);
  const goTo = (index: number) => {
    const place = places[index];
    if (place === undefined || isTyping()) return;
    if (place === PLANT) showPlant();
    else selectChannel(place);
  };
  const always = { reason: null };
  useCommand({ ...always, id: 'palette', group: 'service', words: t('search'), key: 'mod+K', run: openPalette });
  // without a channel on the screen nobody else takes these keys, and a browser would load the page anew
  const hasNoChannel = isMainActive && (showsPlant || showsCheck || showsStart || channels.length === 0);
  const nobody = hasNoChannel ? { group: 'channel' as const, reason: t('why.noChannelShown'), run: () => undefined } : null;
  useCommand(nobody && { ...nobody, id: 'read-none', keyId: 'read-once', words: t('readOnce'), key: 'F5' });
  useCommand(nobody && { ...nobody, id: 'automatic-none', keyId: 'automatic', words: t('startAuto'), key: 'mod+R' });
  useCommand({ ...always, id: 'plant', group: 'go', words: t('plant'), key: 'mod+0', run: showPlant });
  useCommand({ ...always, id: 'check', group: 'go', words: t('check'), key: 'mod+9', run: () => showCheck(null) });
  const checkId = useUiStore((state) => state.check?.sessionId) ?? lastCheckId;
  useCommand({
    id: 'check-start',
    group: 'go',
    words: t('checkStart'),
    key: 'F9',
    reason: checkId === null ? t('why.noCheck') : null,
    run: () => {
      showCheck(checkId);
      if (checkId !== null) showCheckDialog({ kind: 'start', sessionId: checkId });
    },
  });
  const openDoctor = useDoctor();
  // the shown one first, as long as something is wrong with it
  const troubled = channels.filter(isInTrouble);
  const shown = hasNoChannel ? undefined : pickChannel(channels, selectedId);
  const asked = troubled.find((channel) => channel.id === shown?.id) ?? troubled[0];
  useCommand({
    id: 'find-cause',
    group: 'go',
    words: t('cause'),
    key: 'F8',
    reason: asked ? null : t('why.noTrouble'),
    run: () => (asked ? openDoctor(asked) : undefined),
  });
  useCommand({
    id: 'channel-before',
    group: 'go',
    words: t('channelBefore'),
    key: 'mod+ArrowUp',
    reason: at > 0 ? null : t('why.noChannel'),
    run: () => goTo(at - 1),
  });
  useCommand({
    id: 'channel-after',
    group: 'go',
    words: t('channelAfter'),
    key: 'mod+ArrowDown',
    reason: at < places.length - 1 ? null : t('why.noChannel'),
    run: () => goTo(at + 1),
  });
  const hasBeside = useUiStore((state) => state.beside !== null);
  const noBeside = hasBeside ? null : t('why.noBeside');
  // one key for where to go: the other area, or out of everything to the table
  const f6 = hasBeside
    ? { id: 'other-area', words: t('otherArea'), run: toOtherArea }
    : { id: 'to-table', keyId: 'other-area', words: t('toTable'), run: () => toTableOf(document.querySelector('main')) };
  useCommand({ ...f6, group: 'go', key: 'F6', reason: null });
  useCommand({ id: 'close-beside', group: 'go', words: t('closeBeside'), reason: noBeside, run: () => showBeside(null) });
  // a browser has these keys itself
  const alone = (key: string) => (window.loopcheck ? { key } : {});
  useCommand({ ...always, ...alone('alt+ArrowLeft'), id: 'back', group: 'go', words: t('back'), run: () => window.history.back() });
  useCommand({
    ...always,
    ...alone('alt+ArrowRight'),
    id: 'forward',
    group: 'go',
    words: t('forward'),
    run: () => window.history.forward(),
  });
  useCommand({ ...always, id: 'sidebar', group: 'go', words: t('sidebar'), key: 'mod+B', run: toggleSidebar });
  useCommand({
    ...always,
    id: 'add-channel',
    group: 'service',
    words: t('addChannel'),
    key: 'alt+N',
    run: () => openChannelDialog({ kind: 'add' }),
  });
  useCommand({
    ...always,
    id: 'guide',
    group: 'service',
    words: t('guide'),
    key: 'F1',
    worksCovered: true,
    run: () => openGuideHere(channels, shown ?? null),
  });
  useCommand({ ...always, id: 'keys', group: 'service', words: t('keys'), key: 'shift+F1', run: () => openDialog('keys') });
  useCommand({ ...always, id: 'settings', group: 'service', words: t('settings'), key: 'mod+,', run: () => openDialog('settings') });
  useCommand({ ...always, id: 'project', group: 'service', words: t('project'), run: () => openDialog('project') });
  useCommand({ ...always, id: 'requests', group: 'service', words: t('requests'), run: () => openDialog('requests') });
  useCommand({ ...always, id: 'audit', group: 'service', words: t('audit'), run: () => openDialog('audit') });
  useCommand({
    ...always,
    id: 'language',
    group: 'service',
    words: t('language'),
    run: () => void setLanguage(i18n.language === 'en' ? 'zh-CN' : 'en'),
  });
  useCommand({ ...always, id: 'light', group: 'service', words: t('light'), run: () => setColorScheme('light') });
  useCommand({ ...always, id: 'dark', group: 'service', words: t('dark'), run: () => setColorScheme('dark') });
  return null;
}
