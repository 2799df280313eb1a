import { lazy, memo, Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { DataOf } from '#shared/contract/index.ts';
import { POLL, useOperation } from '../api/hooks.ts';
import { AppCommands } from '../commands/app-commands.tsx';
import { WindowMenu } from '../commands/window-menu.tsx';
import { ChannelDialogs } from '../features/channels/channel-dialogs.tsx';
import { ChannelList } from '../features/channels/channel-list.tsx';
import { ChannelView } from '../features/channels/channel-view.tsx';
import { GivenFile } from '../features/channels/given-file.tsx';
import { JobDialogs } from '../features/jobs/job-dialogs.tsx';
import { LibraryDialogs } from '../features/library/library-dialogs.tsx';
import { PointFormHost } from '../features/point-form/point-form-host.tsx';
import { MissingBar } from '../features/projects/missing-section.tsx';
import { ProjectDialogs } from '../features/projects/project-dialogs.tsx';
import { ProjectKeeper } from '../features/projects/project-keeper.tsx';
import { HeldBar } from '../features/requests/held-bar.tsx';
import { ServiceBanner } from '../features/service/service-banner.tsx';
import { ServiceWarnings } from '../features/service/service-warnings.tsx';
import { StatusBar } from '../features/service/status-bar.tsx';
import { TokenPrompt } from '../features/service/token-prompt.tsx';
import { ArmingKeeper } from '../features/write/arm-switch.tsx';
import { PaneEdge, type PaneSize, usePaneWidth } from '../ui/split-pane.tsx';
import classes from './app.module.css';
import { useDialogStore } from './dialog-store.ts';
import { PlaceKeeper } from './place-keeper.tsx';
import { usePreferences, writingOf } from './preferences.ts';
import { useProjectSession } from './project-session.ts';
import { TopBar } from './top-bar.tsx';
import { useUiStore } from './ui-store.ts';

const CHANNELS: PaneSize = { name: 'channels', usual: 240, least: 160, most: 480 };

const CommandPalette = lazy(() => import('../commands/palette.tsx'));
const ServiceDialogs = lazy(() => import('../features/service/service-dialogs.tsx'));

// The state of the service changes each second; what does not show it is not drawn anew for it.
const Bar = memo(TopBar);
const Channels = memo(ChannelList);
const Work = memo(ChannelView);
const Status = memo(StatusBar);

const warningsOf = ({ warnings }: DataOf<'serviceInfo'>) => warnings;

/** Rows have the height that somebody has chosen, in tables and where a style sheet asks for it. */
function useDensity(): void {
  const density = usePreferences((state) => state.density);
  useEffect(() => {
    document.documentElement.dataset.density = density;
  }, [density]);
}

/** The whole page: top bar, channels on the left, the plant or the selected channel on the right, the state of the service below. */
export function App() {
  const { t } = useTranslation('channels');
  const sidebarOpen = useUiStore((state) => state.sidebarOpen);
  const channelsWidth = usePaneWidth(CHANNELS);
  const dialog = useDialogStore((state) => state.open);
  const writing = usePreferences(writingOf);
  const openings = useProjectSession((state) => state.openings);
  useDensity();
  const { data: warnings = [], error } = useOperation('serviceInfo', {}, { pollMs: POLL.status, select: warningsOf });
  return (
    <div className={classes.shell}>
      <Bar />
      <ProjectKeeper />
      <ArmingKeeper />
      <AppCommands />
      <PlaceKeeper />
      <WindowMenu />
      <GivenFile />
      <Suspense fallback={null}>
        <CommandPalette />
      </Suspense>
      <div>
        <ServiceBanner error={error} />
        <ServiceWarnings warnings={warnings} />
        <MissingBar />
      </div>
      {/* texts of times and numbers are made while drawing: other ones are drawn anew; and nothing stays open over another project */}
      <div
        key={`${openings} ${writing}`}
        className={classes.body}
        style={{ gridTemplateColumns: sidebarOpen ? `${channelsWidth}px minmax(0, 1fr)` : 'minmax(0, 1fr)' }}
      >
        {sidebarOpen ? (
          <nav className={classes.sidebar} aria-label={t('title')}>
            <Channels />
            <PaneEdge size={CHANNELS} label={t('edge')} side="right" />
          </nav>
        ) : null}
        <main className={classes.main}>
          <Work />
        </main>
      </div>
      <Status />
      <ChannelDialogs />
      <JobDialogs />
      <ProjectDialogs />
      <LibraryDialogs />
      <PointFormHost />
      <HeldBar />
      <TokenPrompt isNeeded={error?.code === 'ACCESS_TOKEN'} />
      {dialog ? (
        <Suspense fallback={null}>
          <ServiceDialogs dialog={dialog} />
        </Suspense>
      ) : null}
    </div>
  );
}
