import { useTranslation } from 'react-i18next';
import type { CheckRun, CheckSession } from '#shared/contract/check.ts';
import { Said } from '../../ui/said.tsx';
import { toneClass } from '../../ui/status-badge.tsx';
import classes from './guided.module.css';
import { StateCounts } from './progress-bar.tsx';

/** Below a way in which nobody decides: why a result could not be appended, that it has ended, and the counts of the session. */
export function RunFoot({ run, session }: { readonly run: CheckRun; readonly session: CheckSession }) {
  const { t } = useTranslation('check');
  const { error, state, done } = run;
  return (
    <>
      <div className={classes.trouble} role="alert" data-testid="run-trouble">
        {error ? (
          <span className={toneClass('bad')}>
            <Said message={error.said} text={error.text} />
          </span>
        ) : null}
        {state === 'ended' ? t('guided.endedWith', { count: done }) : null}
      </div>
      <footer className={classes.keys}>
        <StateCounts counts={session.counts} />
      </footer>
    </>
  );
}
