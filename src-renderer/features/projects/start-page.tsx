import { Loader } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { openFind } from '../find/find-store.ts';
import { showLibrary } from '../library/library-store.ts';
import { MissingSection } from './missing-section.tsx';
import classes from './projects.module.css';
import { showNewChannel } from './projects-store.ts';
import { RecentList } from './recent-list.tsx';
import { useProjectSteps } from './use-projects.ts';

interface WayProps {
  readonly icon: IconName;
  readonly title: string;
  readonly hint: string;
  readonly testId: string;
  readonly isBusy?: boolean;
  onChoose(): void;
}

function Way({ icon, title, hint, testId, isBusy = false, onChoose }: WayProps) {
  return (
    <button type="button" className={classes.way} onClick={onChoose} disabled={isBusy} data-testid={testId}>
      {isBusy ? <Loader size={22} /> : <Icon name={icon} size={22} />}
      <span>
        <span className={classes.wayTitle}>{title}</span>
        <span className={classes.wayHint}>{hint}</span>
      </span>
    </button>
  );
}

/** How work begins: a new channel, a table, a project, a search, the demo, what was open before. */
export default function StartPage() {
  const { t } = useTranslation('projects');
  const steps = useProjectSteps();
  return (
    <section className={classes.start} aria-label={t('start')} data-testid="start-page">
      <MissingSection />
      <div className={classes.columns}>
        <div>
          <h1 className={classes.heading}>{t('begin')}</h1>
          <div className={classes.ways}>
            <Way
              icon="plus"
              title={t('way.channel')}
              hint={t('way.channelHint')}
              testId="begin-channel"
              onChoose={() => showNewChannel('doctor')}
            />
            <Way
              icon="upload"
              title={t('way.table')}
              hint={t('way.tableHint')}
              testId="begin-table"
              onChoose={() => showNewChannel('table')}
            />
            <Way icon="upload" title={t('way.file')} hint={t('way.fileHint')} testId="begin-file" onChoose={() => showNewChannel('file')} />
            <Way
              icon="list"
              title={t('way.library')}
              hint={t('way.libraryHint')}
              testId="begin-library"
              onChoose={() => showLibrary(true)}
            />
            <Way icon="file" title={t('way.open')} hint={t('way.openHint')} testId="begin-open" onChoose={() => steps.begin('open')} />
            <Way icon="search" title={t('way.find')} hint={t('way.findHint')} testId="begin-find" onChoose={() => openFind()} />
            <Way
              icon="play"
              title={t('way.demo')}
              hint={t('way.demoHint')}
              testId="begin-demo"
              isBusy={steps.isStartingDemo}
              onChoose={() => steps.openDemo()}
            />
            <Way icon="file" title={t('way.new')} hint={t('way.newHint')} testId="begin-new" onChoose={() => steps.begin('new')} />
          </div>
        </div>
        <div>
          <h2 className={classes.heading}>{t('recent')}</h2>
          <RecentList onOpen={steps.go} onForget={steps.forget} />
        </div>
      </div>
    </section>
  );
}
