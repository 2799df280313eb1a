import { Loader, Tabs } from '@mantine/core';
import { lazy, type RefObject, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { useOperation } from '../../api/hooks.ts';
import { Area, useAreaName, useSetTab } from '../../app/area.tsx';
import { isWorkTab, WORK_TABS, type WorkTab } from '../../app/place.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { useAwaited } from '../../commands/held-keys.ts';
import { useCommand } from '../../commands/registry.ts';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { InspectorPlace, InspectorPlaceProvider, useIsInspectorShared } from '../inspector/inspector-place.tsx';
import { UnknownBadge } from '../unknown/unknown-badge.tsx';
import { ChannelHeader } from './channel-header.tsx';
import classes from './channel-view.module.css';
import { useOfChannels, useSelectedChannel } from './use-channels.ts';

const StartPage = lazy(() => import('../projects/start-page.tsx'));
const CheckView = lazy(() => import('../check/check-view.tsx'));
const PlantView = lazy(() => import('../plant/plant-view.tsx'));
const PointsPanel = lazy(async () => ({ default: (await import('../points/points-panel.tsx')).PointsPanel }));
const FramesPanel = lazy(async () => ({ default: (await import('../frames/frames-panel.tsx')).FramesPanel }));
const ModelPanel = lazy(() => import('../model/model-panel.tsx'));
const LinePanel = lazy(() => import('../line/line-panel.tsx'));
const ToolsPanel = lazy(() => import('../tools/tools-panel.tsx'));
const EventsPanel = lazy(() => import('../events/events-panel.tsx'));
const AuditPanel = lazy(() => import('../events/audit-panel.tsx'));
const TrendPanel = lazy(() => import('../trends/trend-panel.tsx'));

const TAB_ICONS: Record<WorkTab, IconName> = {
  points: 'list',
  model: 'tree',
  frames: 'frames',
  line: 'line',
  tools: 'tools',
  events: 'bell',
  audit: 'record',
  trends: 'trend',
};

function TabContent({ tab, channel }: { readonly tab: WorkTab; readonly channel: Channel }) {
  if (tab === 'points') return <PointsPanel key={channel.id} channelId={channel.id} />;
  if (tab === 'model') return <ModelPanel key={channel.id} channel={channel} />;
  if (tab === 'frames') return <FramesPanel key={channel.id} channelId={channel.id} />;
  if (tab === 'line') return <LinePanel key={channel.id} channel={channel} />;
  if (tab === 'tools') return <ToolsPanel key={channel.id} channel={channel} />;
  if (tab === 'events') return <EventsPanel key={channel.id} channelId={channel.id} />;
  if (tab === 'trends') return <TrendPanel key={channel.id} channel={channel} />;
  return <AuditPanel key={channel.id} channelId={channel.id} />;
}

/** A view whose code is on its way. */
function ComingView() {
  useAwaited(true);
  return <Loader size="sm" m="md" />;
}

/** The views that mean something for the protocol of a channel. */
function useTabs(channel: Channel): readonly WorkTab[] {
  const protocols = useOperation('listProtocols', {}).data;
  const hasModel = protocols?.find((item) => item.protocol_type === channel.protocol_type)?.model !== undefined;
  return WORK_TABS.filter((tab) => tab !== 'model' || hasModel);
}

interface TabCommandProps {
  readonly tab: WorkTab;
  readonly place: number;
  readonly list: RefObject<HTMLDivElement | null>;
}

/** Ctrl+1 and on lead to the views; each is a command of its own. */
function TabCommand({ tab, place, list }: TabCommandProps) {
  const { t } = useTranslation(['app', 'commands']);
  const setTab = useSetTab();
  const words = t('commands:view', { view: t(`app:tab.${tab}`) });
  /** The keyboard goes with it: Tab leads on into the view. */
  function run() {
    setTab(tab);
    list.current?.querySelector<HTMLElement>(`[data-testid="tab-${tab}"]`)?.focus();
  }
  useCommand({ id: `tab ${tab}`, group: 'go', words, key: `mod+${place}`, reason: null, run });
  return null;
}

function Workspace({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('app');
  const tabs = useTabs(channel);
  const area = useAreaName();
  const chosen = useUiStore((state) => (area === 'beside' && state.beside ? state.beside.tab : state.tab));
  const tab = tabs.includes(chosen) ? chosen : 'points';
  const setTab = useSetTab();
  const list = useRef<HTMLDivElement>(null);
  return (
    <Tabs
      value={tab}
      onChange={(next) => isWorkTab(next) && setTab(next)}
      className={classes.tabs ?? ''}
      keepMounted={false}
      variant="default"
    >
      <Tabs.List ref={list} className={classes.tabList ?? ''} aria-label={t('tab.label')}>
        {tabs.map((name, index) => (
          <TabCommand key={`command ${name}`} tab={name} place={index + 1} list={list} />
        ))}
        {tabs.map((name) => (
          <Tabs.Tab
            key={name}
            value={name}
            leftSection={<Icon name={TAB_ICONS[name]} size={14} />}
            rightSection={name === 'tools' ? <UnknownBadge channel={channel} /> : undefined}
            data-testid={`tab-${name}`}
          >
            {t(`tab.${name}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map((name) => (
        <Tabs.Panel key={name} value={name} className={classes.tabPanel ?? ''}>
          <ErrorBoundary key={`${name} ${channel.id}`}>
            <Suspense fallback={<ComingView />}>
              <TabContent tab={name} channel={channel} />
            </Suspense>
          </ErrorBoundary>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

const areHere = () => true;

/** What the main area shows: the start page, the plant, the check, or everything about the selected channel. */
function MainContent() {
  const channels = useOfChannels(areHere);
  const channel = useSelectedChannel();
  const showsPlant = useUiStore((state) => state.showsPlant);
  const showsCheck = useUiStore((state) => state.check !== null);
  const showsStart = useUiStore((state) => state.showsStart);
  if (!channels.data) return channels.error ? <ErrorNotice error={channels.error} /> : <Loader size="sm" m="md" />;
  if (showsCheck && !showsStart) {
    return (
      <ErrorBoundary>
        <Suspense fallback={<ComingView />}>
          <CheckView />
        </Suspense>
      </ErrorBoundary>
    );
  }
  if (!channel || showsStart) {
    return (
      <ErrorBoundary>
        <Suspense fallback={<ComingView />}>
          <StartPage />
        </Suspense>
      </ErrorBoundary>
    );
  }
  if (showsPlant) {
    return (
      <ErrorBoundary>
        <Suspense fallback={<ComingView />}>
          <PlantView />
        </Suspense>
      </ErrorBoundary>
    );
  }
  return (
    <>
      <ChannelHeader channel={channel} />
      <Workspace channel={channel} />
    </>
  );
}

/** The channel of the second area; null without one. One that is gone takes the area with it. */
function useBesideChannel(): Channel | null {
  const id = useUiStore((state) => state.beside?.channelId ?? null);
  const select = useCallback((channels: readonly Channel[]) => channels.find((channel) => channel.id === id) ?? null, [id]);
  const channel = useOfChannels(select).data;
  const isGone = id !== null && channel === null;
  useEffect(() => {
    if (isGone) useUiStore.getState().showBeside(null);
  }, [isGone]);
  return channel ?? null;
}

/** The right side of the page: one work area, or two with a channel each. */
export function ChannelView() {
  const { t } = useTranslation('channels');
  const beside = useBesideChannel();
  const isShared = useIsInspectorShared();
  const [place, setPlace] = useState<HTMLElement | null>(null);
  return (
    <InspectorPlaceProvider value={place}>
      <div className={classes.areas}>
        <Area name="main" label={t('area.main')} className={classes.area}>
          <MainContent />
        </Area>
        {beside ? (
          <Area name="beside" label={t('area.beside')} className={classes.area}>
            <ChannelHeader channel={beside} />
            <Workspace channel={beside} />
          </Area>
        ) : null}
        {beside && isShared ? <InspectorPlace onPlace={setPlace} /> : null}
      </div>
    </InspectorPlaceProvider>
  );
}
