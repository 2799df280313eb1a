import { Button, Loader, Tabs } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { ListMapping } from '#shared/contract/list-mapping.ts';
import type { ListAnalysis } from '#shared/contract/list-operations.ts';
import type { AppError } from '#shared/domain/errors.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { ColumnsTab } from './columns-tab.tsx';
import { IssuesTab, PointsTab } from './findings-tabs.tsx';
import classes from './list-mapping.module.css';
import { MappingOptions } from './mapping-options.tsx';
import type { MappingView } from './mapping-view.ts';
import { ProfileBar } from './profile-bar.tsx';
import { QuestionsTab } from './questions-tab.tsx';
import { SheetTab } from './sheet-tab.tsx';
import { useAnalysis } from './use-analysis.ts';

const TABS = ['columns', 'questions', 'points', 'left', 'told', 'sheet'] as const;
type Tab = (typeof TABS)[number];

interface MappingStepProps {
  readonly channel: Channel;
  readonly file: File;
  readonly mapping: ListMapping;
  onMapping(mapping: ListMapping): void;
  /** Goes on to what the list would change. */
  onNext(): void;
  onClose(): void;
}

function countsOf({ questions, counts, told }: ListAnalysis): Record<Tab, number | null> {
  const open = questions.filter(({ answer }) => answer === null).length;
  return { columns: null, questions: open, points: counts.points, left: counts.left_out, told: told.length, sheet: null };
}

/** Where a person has to look first. */
function firstOf({ tables, questions }: ListAnalysis): Tab {
  if (!tables.some(({ taken }) => taken)) return 'sheet';
  return questions.some(({ answer }) => answer === null) ? 'questions' : 'columns';
}

function Facts({ analysis: { counts } }: Pick<MappingView, 'analysis'>) {
  const { t } = useTranslation(['lists', 'points']);
  return (
    <div className={classes.facts} data-testid="mapping-facts">
      <span>
        {t('lists:facts.points')} <b>{counts.points}</b>
      </span>
      {(['yc', 'yx', 'yk', 'yt'] as const).map((type) => (
        <span key={type}>
          {t(`points:types.${type}`)} {counts[type]}
        </span>
      ))}
      <span>
        {t('lists:facts.open')} <b>{counts.open}</b>
      </span>
      <span>
        {t('lists:facts.leftOut')} <b>{counts.left_out}</b>
      </span>
    </div>
  );
}

function Panel({ tab, view }: { readonly tab: Tab; readonly view: MappingView }) {
  if (tab === 'columns') return <ColumnsTab {...view} />;
  if (tab === 'questions') return <QuestionsTab {...view} />;
  if (tab === 'points') return <PointsTab {...view} />;
  if (tab === 'sheet') return <SheetTab {...view} />;
  return <IssuesTab {...view} kind={tab} />;
}

/** The step between a foreign list and the preview of its import: what each column means, what is asked, what is left out. */
export function MappingStep({ file, ...props }: MappingStepProps) {
  const { t } = useTranslation('lists');
  const { data: analysis, error, isPlaceholderData } = useAnalysis(props.channel.id, file, props.mapping);
  if (analysis) return <MappingBody {...props} analysis={analysis} error={error} isReading={isPlaceholderData} />;
  if (error) return <ErrorNotice error={error} />;
  return (
    <output className={classes.wait}>
      <Loader size="sm" /> {t('reading')}
    </output>
  );
}

interface BodyProps extends Omit<MappingStepProps, 'file'>, MappingView {
  readonly error: AppError | null;
  /** What is shown is of the mapping before. */
  readonly isReading: boolean;
}

function MappingBody({ onNext, onClose, error, isReading, ...view }: BodyProps) {
  const { t } = useTranslation(['lists', 'app']);
  const { analysis } = view;
  const [tab, setTab] = useState<Tab>(() => firstOf(analysis));
  const blocked = analysis.errors.length > 0 ? t('lists:blocked') : analysis.counts.points === 0 ? t('lists:nothing') : null;
  return (
    <div className={classes.step} data-testid="mapping-step" aria-busy={isReading}>
      <p className={classes.muted}>{t('lists:foreign')}</p>
      <ProfileBar {...view} />
      <MappingOptions {...view} />
      <Facts analysis={analysis} />
      <MappingTabs view={view} tab={tab} onTab={setTab} />
      <ErrorNotice error={error} compact />
      <div className={classes.footer}>
        {blocked === null ? null : (
          <span className={classes.blocked} role="status">
            {blocked}
          </span>
        )}
        <Button variant="default" onClick={onClose}>
          {t('app:action.cancel')}
        </Button>
        <GuardedButton reason={blocked} hint="" onClick={onNext} loading={isReading} testId="mapping-next">
          {t('lists:next')}
        </GuardedButton>
      </div>
    </div>
  );
}

function MappingTabs({ view, tab, onTab }: { readonly view: MappingView; readonly tab: Tab; onTab(tab: Tab): void }) {
  const { t } = useTranslation('lists');
  const counts = countsOf(view.analysis);
  return (
    <Tabs
      className={classes.tabs ?? ''}
      value={tab}
      onChange={(value) => onTab(TABS.find((item) => item === value) ?? tab)}
      keepMounted={false}
    >
      <Tabs.List>
        {TABS.map((name) => (
          <Tabs.Tab
            key={name}
            value={name}
            data-testid={`mapping-tab-${name}`}
            {...(name === 'questions' && counts.questions !== 0 ? { c: 'red' } : {})}
          >
            {t(`tabs.${name}`)} {counts[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {TABS.map((name) => (
        <Tabs.Panel key={name} value={name} className={classes.panel ?? ''}>
          <Panel tab={name} view={view} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
