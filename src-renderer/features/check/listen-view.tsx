import { useTranslation } from 'react-i18next';
import type { CheckResult, CheckRun, CheckSession } from '#shared/contract/check.ts';
import { useAction } from '../../api/hooks.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icons.tsx';
import { notifyError } from '../../ui/notify.ts';
import { toneClass } from '../../ui/status-badge.tsx';
import { useFindingText, VERDICT_LOOK } from './check-text.ts';
import classes from './guided.module.css';
import { LastResults, RunItemView, Status, Suspects } from './guided-item.tsx';
import { RunFoot } from './run-foot.tsx';
import { useStopRun } from './run-queries.ts';
import { RunStage } from './run-stage.tsx';

interface ListenProps {
  readonly session: CheckSession;
  readonly run: CheckRun;
}

/** Verdict and findings of the item that moved last, large. */
function Verdict({ result }: { readonly result: CheckResult }) {
  const { t } = useTranslation('check');
  const finding = useFindingText();
  const { tone, icon } = VERDICT_LOOK[result.verdict];
  return (
    <div data-testid="listen-verdict" data-verdict={result.verdict}>
      <div className={`${classes.verdict} ${toneClass(tone)}`}>
        <Icon name={icon} size={36} /> {t(`verdict.${result.verdict}`)}
      </div>
      {result.findings.map((each) => (
        <p key={`${each.name} ${each.text}`} className={classes.found} data-finding={each.name}>
          {finding(each)}
        </p>
      ))}
    </div>
  );
}

/** What moved last with what it came to; the newest result of another item stands beside it. */
function MovedLast({ run: { latest: item, results, state } }: Pick<ListenProps, 'run'>) {
  const { t } = useTranslation('check');
  const [newest] = results;
  if (!item) return <EmptyState icon="info" title={t(state === 'running' ? 'listen.nothing' : 'guided.ended')} hint={t('listen.hint')} />;
  // while it moves again, the result before is no word about it
  const isJudged = newest?.item === item.item && !item.is_moving;
  return <RunItemView item={item}>{isJudged ? <Verdict result={newest} /> : <Status item={item} isSending={false} />}</RunItemView>;
}

/** Items that nobody has moved yet; one that somebody moves now is said by a click, or by Enter. */
function Still({ run: { not_moved: still, not_ready: unread, item: announced, state } }: Pick<ListenProps, 'run'>) {
  const { t } = useTranslation('check');
  const announce = useAction('announceCheck', ['checkRun']);
  if (!still) return null;
  const more = still.total - still.items.length;
  return (
    <section data-testid="listen-still" data-count={still.total} data-unread={unread ?? 0}>
      <h2 className={classes.heading}>{t('listen.still', { count: still.total })}</h2>
      {unread && state === 'running' ? (
        <p className={`${classes.line} ${toneClass('warn')}`}>{t('listen.notReady', { count: unread })}</p>
      ) : null}
      {still.items.map(({ item, code, name, channel }) => (
        <button
          key={item}
          type="button"
          className={classes.choice}
          data-code={code}
          aria-pressed={announced?.item === item}
          title={t('listen.announce', { code })}
          disabled={state !== 'running'}
          onClick={() => announce.mutate({ item }, { onError: notifyError })}
        >
          <b>{code}</b> {name} <span className={classes.muted}>{channel}</span>
        </button>
      ))}
      {more > 0 ? <p className={`${classes.line} ${classes.muted}`}>{t('listen.more', { count: more })}</p> : null}
    </section>
  );
}

/** What somebody says he is moving. */
function Announced({ run: { item } }: Pick<ListenProps, 'run'>) {
  const { t } = useTranslation('check');
  if (!item) return null;
  return (
    <p className={`${classes.line} ${toneClass('busy')}`} role="status" data-testid="listen-announced">
      <Icon name="busy" size={18} /> {t('listen.announced', { code: item.code })}
    </p>
  );
}

/** Listening over the whole page: people move things in any order, and it shows what each movement was. */
export function ListenView({ session, run }: ListenProps) {
  const { t } = useTranslation('check');
  const stop = useStopRun();
  return (
    <RunStage
      session={session}
      run={run}
      label={t('listen.label')}
      testId="listen"
      at={run.position}
      item={run.latest?.code ?? ''}
      error={null}
      onStop={stop}
    >
      <div className={classes.middle}>
        <MovedLast run={run} />
        <aside className={classes.aside}>
          <Announced run={run} />
          <Suspects item={run.latest} />
          <LastResults results={run.results} />
          <Still run={run} />
        </aside>
      </div>
      <RunFoot run={run} session={session} />
    </RunStage>
  );
}
