import { Button, Modal, Switch, TextInput } from '@mantine/core';
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CheckSession } from '#shared/contract/check.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Said } from '../../ui/said.tsx';
import { type PendingRemark, useCheckMemory } from './check-store.ts';
import classes from './guided.module.css';
import { GuidedAside, GuidedItemView } from './guided-item.tsx';
import { actOfKey, type GuidedAct, isDecision } from './guided-keys.ts';
import { SendDialog } from './send-dialog.tsx';
import { type Guided, type GuidedItem, useGuided } from './use-guided.ts';
import { canSpeak, useSpeech } from './use-speech.ts';

const ACTS = ['pass', 'fail', 'block', 'skip', 'repeat', 'back', 'remark'] as const;

function isCommand(item: GuidedItem | null): boolean {
  return item?.expectation.kind === 'command' || item?.expectation.kind === 'setpoint';
}

/** A click leaves the keyboard where it is: the next Space must not press the button again. */
const keepFocus = (event: MouseEvent) => event.preventDefault();

interface HeadProps {
  readonly session: CheckSession;
  readonly guided: Guided;
  onLeave(): void;
}

function Head({ session, guided, onLeave }: HeadProps) {
  const { t } = useTranslation('check');
  const isSpoken = useCheckMemory((state) => state.isSpoken);
  const { run, item } = guided;
  const at = run === null ? 0 : item ? run.position + 1 : run.position;
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
      <Button variant="default" color="red" disabled={run?.state !== 'running'} onClick={guided.stop} data-testid="guided-stop">
        {t('guided.stop')}
      </Button>
      <Button variant="default" onClick={onLeave} title={t('guided.leaveHint')} data-testid="guided-leave">
        {t('guided.leave')} ({t('guided.keyName.leave')})
      </Button>
    </header>
  );
}

interface RemarkProps {
  readonly session: CheckSession;
  /** The item that was on the screen when the remark was begun. */
  readonly item: GuidedItem;
  readonly begun: string;
  onClose(): void;
}

/** Takes the remark for the item it was begun for, whatever is checked when it is ended. */
function RemarkField({ session, item, begun, onClose }: RemarkProps) {
  const { t } = useTranslation('check');
  const [text, setText] = useState(begun);
  const keep = () => {
    const remark: PendingRemark = { sessionId: session.id, item: item.item, code: item.code, text: text.trim() };
    useCheckMemory.setState({ remark: remark.text === '' ? null : remark });
    onClose();
  };
  return (
    <TextInput
      className={classes.remark ?? ''}
      label={`${t('guided.key.remark')}: ${item.code}`}
      description={t('guided.remarkHint')}
      value={text}
      maxLength={2000}
      autoFocus
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
        event.preventDefault();
        if (event.key === 'Enter') keep();
        else onClose();
      }}
      data-testid="guided-remark"
    />
  );
}

interface KeysProps {
  readonly guided: Guided;
  onAct(act: GuidedAct): void;
}

function Keys({ guided, onAct }: KeysProps) {
  const { t } = useTranslation('check');
  const sends = isCommand(guided.item);
  const acts = [...(sends ? (['send'] as const) : []), ...ACTS];
  return (
    <footer className={classes.keys}>
      {acts.map((act) => (
        <Button
          key={act}
          variant={act === 'pass' || act === 'send' ? 'filled' : 'default'}
          size="md"
          disabled={!guided.item}
          onMouseDown={keepFocus}
          onClick={() => onAct(act)}
          rightSection={<kbd className={classes.key}>{t(`guided.keyName.${act === 'pass' && !sends ? 'passEnter' : act}`)}</kbd>}
          data-testid={`guided-${act}`}
        >
          {t(`guided.key.${act}`)}
        </Button>
      ))}
    </footer>
  );
}

/** What a person has to know about their last step. */
function Trouble({ guided }: { readonly guided: Guided }) {
  const { t } = useTranslation('check');
  const { trouble, run, remark } = guided;
  const kept = remark ? t('guided.remarkKept', { text: remark.text }) : '';
  return (
    <div className={classes.trouble} role="alert" data-testid="guided-trouble">
      {trouble === 'justChanged' ? <span className={classes.warn}>{t('guided.justChanged')}</span> : null}
      {trouble && trouble !== 'justChanged' ? (
        <span className={classes.bad}>
          <Said message={trouble.said} text={trouble.message} />
        </span>
      ) : null}
      {run?.error ? (
        <span className={classes.bad}>
          <Said message={run.error.said} text={run.error.text} />
        </span>
      ) : null}
      <span>{kept}</span>
    </div>
  );
}

/** In place of an item: the check has ended, or is another one. */
function NoItem({ session, guided }: { readonly session: CheckSession; readonly guided: Guided }) {
  const { t } = useTranslation('check');
  const { run, isKnown } = guided;
  if (!isKnown) return null;
  if (run === null) return <EmptyState icon="info" title={t('guided.noRun')} />;
  if (run.session_id !== session.id) return <EmptyState icon="info" title={t('guided.otherSession')} hint={run.operator} />;
  return <EmptyState icon="ok" title={t('guided.ended')} hint={t('guided.endedHint', { count: run.done })} />;
}

/** What is open over the item, which is the one it was opened for. */
type Open = { readonly kind: 'remark' | 'send'; readonly item: GuidedItem };

/** The guided check over the whole page: one item at a time, by keyboard alone. Leaving it stops nothing. */
export function GuidedView({ session }: { readonly session: CheckSession }) {
  const { t } = useTranslation('check');
  const guided = useGuided(session);
  const [open, setOpen] = useState<Open | null>(null);
  const [isSending, setSending] = useState(false);
  const stage = useRef<HTMLDivElement>(null);
  const { item, run } = guided;
  useSpeech(run?.session_id === session.id ? run : null);
  const leave = () => useUiStore.getState().showCheck(session.id);
  const present = item?.item;
  // biome-ignore lint/correctness/useExhaustiveDependencies: keys are for the item that has come
  useEffect(() => {
    if (open === null) stage.current?.focus({ preventScroll: true });
  }, [present, open]);

  function act(what: GuidedAct) {
    if (what === 'leave') return leave();
    if (!item || isSending || guided.isBusy) return;
    if (isDecision(what) && !guided.mayDecide()) return;
    if (what === 'remark' || what === 'send') setOpen({ kind: what, item });
    else void guided.step(what);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || open !== null) return;
    const isButton = event.target instanceof Element && event.target.closest('button, input') !== null;
    if (isButton && (event.key === ' ' || event.key === 'Enter')) return;
    const what = actOfKey(event.key, isCommand(item));
    if (what === null) return;
    event.preventDefault();
    act(what);
  }

  return (
    <Modal
      opened
      fullScreen
      onClose={leave}
      closeOnEscape={false}
      withCloseButton={false}
      transitionProps={{ duration: 0 }}
      attributes={{ content: { 'aria-label': t('guided.label') } }}
      classNames={{ body: classes.body ?? '', content: classes.content ?? '' }}
      padding={0}
    >
      <section
        ref={stage}
        tabIndex={-1}
        data-autofocus
        className={classes.stage}
        aria-label={t('guided.label')}
        onKeyDown={onKeyDown}
        data-testid="guided"
        data-item={item?.code ?? ''}
        data-run={run?.state ?? ''}
      >
        <Head session={session} guided={guided} onLeave={leave} />
        <ErrorNotice error={guided.error} compact />
        <div className={classes.middle}>
          {item ? <GuidedItemView item={item} isSending={isSending} /> : <NoItem session={session} guided={guided} />}
          <GuidedAside guided={guided} />
        </div>
        {open?.kind === 'remark' ? (
          <RemarkField
            session={session}
            item={open.item}
            begun={guided.remark?.item === open.item.item ? guided.remark.text : ''}
            onClose={() => setOpen(null)}
          />
        ) : (
          <Trouble guided={guided} />
        )}
        <Keys guided={guided} onAct={act} />
      </section>
      {open?.kind === 'send' ? <SendDialog item={open.item} guided={guided} onSending={setSending} onClose={() => setOpen(null)} /> : null}
    </Modal>
  );
}
