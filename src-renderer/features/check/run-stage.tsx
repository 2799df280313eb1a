import { Button, Modal, Switch } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { CheckRun, CheckSession } from '#shared/contract/check.ts';
import type { AppError } from '#shared/domain/errors.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { useFileDrop } from '../../ui/use-file-drop.ts';
import { guideTo } from '../guide/guide.ts';
import { useCheckMemory } from './check-store.ts';
import classes from './guided.module.css';
import { canSpeak, useSpeech } from './use-speech.ts';

interface RunStageProps {
  readonly session: CheckSession;
  /** The check that is shown; null: it is not known, or none was begun. */
  readonly run: CheckRun | null;
  readonly label: string;
  readonly testId: string;
  /** Items that were come to. */
  readonly at: number;
  /** Code of the item on the screen; the keyboard comes back to the stage with each. */
  readonly item: string;
  /** What keys are for in place of the stage: a field within it, or a dialog over it. Null: nothing. */
  readonly covered?: 'field' | 'dialog' | null;
  readonly error: AppError | null;
  readonly children: ReactNode;
  onStop(): void;
  /** Keys of a way in which a person decides. Left out: E ends the check, Esc leaves it. */
  onKey?(event: KeyboardEvent): void;
  /** Takes a file that is dropped on the stage. */
  onFile?(file: File): void;
}

/** Leaves what is under way in sight of the session; it goes on. */
export function leaveRun(session: CheckSession): void {
  useUiStore.getState().showCheck(session.id);
}

function Head({ session, run, at, onStop, onKey }: Pick<RunStageProps, 'session' | 'run' | 'at' | 'onStop' | 'onKey'>) {
  const { t } = useTranslation('check');
  const isSpoken = useCheckMemory((state) => state.isSpoken);
  return (
    <header className={classes.head}>
      <h1 className={classes.session} title={session.name}>
        {session.name}
      </h1>
      {run ? (
        <>
          <span className={classes.position} data-testid="guided-position">
            {t('guided.position', { at, total: run.total })}
          </span>
          <progress className={classes.progress} value={run.position} max={Math.max(1, run.total)} aria-label={t('column.progress')} />
          <span className={classes.muted}>
            {run.operator} · {t('guided.done', { count: run.done })}
          </span>
        </>
      ) : null}
      <span className={classes.spacer} />
      <Switch
        label={t('guided.speak')}
        title={canSpeak() ? '' : t('guided.noSpeech')}
        checked={isSpoken}
        disabled={!canSpeak()}
        onChange={(event) => useCheckMemory.setState({ isSpoken: event.currentTarget.checked })}
        data-testid="guided-speak"
      />
      <Button variant="default" color="red" disabled={run?.state !== 'running'} onClick={onStop} data-testid="guided-stop">
        {t('guided.stop')}
        {onKey ? '' : ` (${t('guided.keyName.end')})`}
      </Button>
      <Button variant="default" onClick={() => leaveRun(session)} title={t('guided.leaveHint')} data-testid="guided-leave">
        {t('guided.leave')} ({t('guided.keyName.leave')})
      </Button>
    </header>
  );
}

/** What all ways of a check have in common on the screen: the whole page, a head with progress, and the keyboard on the stage. Leaving it stops nothing. */
export function RunStage({ covered = null, ...props }: RunStageProps) {
  const isCovered = covered !== null;
  const { session, run, label, testId, item, error, children, onKey = keyOfRun, onStop, onFile } = props;
  const stage = useRef<HTMLElement>(null);
  // it comes later than this component, and keys may come at once
  const attach = useCallback((element: HTMLElement | null) => {
    stage.current = element;
    element?.focus({ preventScroll: true });
  }, []);
  const drop = useFileDrop((file) => (isCovered ? undefined : onFile?.(file)));
  useSpeech(run);
  // biome-ignore lint/correctness/useExhaustiveDependencies: keys are for the item that has come
  useEffect(() => {
    if (!isCovered) stage.current?.focus({ preventScroll: true });
  }, [item, isCovered]);

  function keyOfRun(event: KeyboardEvent) {
    if (event.key === 'Escape') leaveRun(session);
    else if (event.key.toLowerCase() === 'e' && run?.state === 'running') onStop();
    else return;
    event.preventDefault();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || isCovered) return;
    const isButton = event.target instanceof Element && event.target.closest('button, input') !== null;
    if (isButton && (event.key === ' ' || event.key === 'Enter')) return;
    onKey(event);
  }

  return (
    <Modal
      {...guideTo('check')}
      opened
      fullScreen
      onClose={() => leaveRun(session)}
      closeOnEscape={false}
      withCloseButton={false}
      transitionProps={{ duration: 0 }}
      attributes={{ content: { 'aria-label': label } }}
      classNames={{ body: classes.body ?? '', content: classes.content ?? '' }}
      padding={0}
    >
      <section
        ref={attach}
        tabIndex={-1}
        // the page leads the keyboard here once more, a moment after it opened: a field that was opened by then keeps it
        data-autofocus={covered === 'field' ? undefined : true}
        className={`${classes.stage} ${onFile && drop.isOver ? classes.over : ''}`}
        aria-label={label}
        onKeyDown={onKeyDown}
        {...drop.handlers}
        data-testid={testId}
        data-item={item}
        data-run={run?.state ?? ''}
      >
        <Head {...props} />
        <ErrorNotice error={error} compact />
        {children}
      </section>
    </Modal>
  );
}
