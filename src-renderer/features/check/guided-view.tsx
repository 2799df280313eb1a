import { Button, TextInput } from '@mantine/core';
import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CheckSession } from '#shared/contract/check.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Said } from '../../ui/said.tsx';
import { toneClass } from '../../ui/status-badge.tsx';
import { type PendingRemark, useCheckMemory } from './check-store.ts';
import classes from './guided.module.css';
import { GuidedAside, RunItemView, Status } from './guided-item.tsx';
import { actOfKey, type GuidedAct, isDecision } from './guided-keys.ts';
import { leaveRun, RunStage } from './run-stage.tsx';
import { SendDialog } from './send-dialog.tsx';
import { ATTACHED, useAttach, useChooseFile } from './use-attach.ts';
import { type Guided, type GuidedItem, useGuided } from './use-guided.ts';

const ACTS = ['pass', 'fail', 'block', 'skip', 'repeat', 'back', 'remark', 'attach'] as const;

/** What another service has, only that one sends. */
function isSentHere(item: GuidedItem | null): boolean {
  return item?.service === undefined;
}

function isCommand(item: GuidedItem | null): boolean {
  return item?.expectation.kind === 'command' || item?.expectation.kind === 'setpoint';
}

/** A click leaves the keyboard where it is: the next Space must not press the button again. */
const keepFocus = (event: MouseEvent) => event.preventDefault();

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
      data-autofocus
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
  const acts = [...(sends && isSentHere(guided.item) ? (['send'] as const) : []), ...ACTS];
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
      {trouble === 'justChanged' ? <span className={toneClass('warn')}>{t('guided.justChanged')}</span> : null}
      {trouble && trouble !== 'justChanged' ? (
        <span className={toneClass('bad')}>
          <Said message={trouble.said} text={trouble.message} />
        </span>
      ) : null}
      {run?.error ? (
        <span className={toneClass('bad')}>
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

/** Attaches files to the item that was on the screen when the file was asked for, with the remark that waits for its result: it explains both. */
function useGuidedFiles(session: CheckSession, { item, run, remark }: Guided) {
  const { attach } = useAttach(session.id);
  const asked = useRef<GuidedItem | null>(null);
  function take(file: File, to: GuidedItem | null) {
    if (!to || !run) return;
    attach(file, { ...to, operator: run.operator, remark: remark?.item === to.item ? remark.text : '' });
  }
  const open = useChooseFile(ATTACHED, (file) => take(file, asked.current));
  return {
    choose() {
      asked.current = item;
      open();
    },
    drop: (file: File) => take(file, item),
  };
}

/** The guided check over the whole page: one item at a time, by keyboard alone. */
export function GuidedView({ session }: { readonly session: CheckSession }) {
  const { t } = useTranslation('check');
  const guided = useGuided(session);
  const [open, setOpen] = useState<Open | null>(null);
  const [isSending, setSending] = useState(false);
  const files = useGuidedFiles(session, guided);
  const { item, run } = guided;
  const at = run === null ? 0 : item ? run.position + 1 : run.position;

  function act(what: GuidedAct) {
    if (what === 'leave') return leaveRun(session);
    if (!item || isSending || guided.isBusy) return;
    if (what === 'attach') return files.choose();
    if (what === 'send' && !isSentHere(item)) return;
    if (isDecision(what) && !guided.mayDecide()) return;
    if (what === 'remark' || what === 'send') setOpen({ kind: what, item });
    else void guided.step(what);
  }

  function onKey(event: KeyboardEvent) {
    const what = actOfKey(event.key, isCommand(item));
    if (what === null) return;
    event.preventDefault();
    act(what);
  }

  return (
    <RunStage
      session={session}
      run={run}
      label={t('guided.label')}
      testId="guided"
      at={at}
      item={item?.code ?? ''}
      covered={open === null ? null : open.kind === 'remark' ? 'field' : 'dialog'}
      error={guided.error}
      onStop={guided.stop}
      onKey={onKey}
      onFile={files.drop}
    >
      <div className={classes.middle}>
        {item ? (
          <RunItemView item={item}>
            <Status item={item} isSending={isSending} />
          </RunItemView>
        ) : (
          <NoItem session={session} guided={guided} />
        )}
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
      {open?.kind === 'send' ? <SendDialog item={open.item} guided={guided} onSending={setSending} onClose={() => setOpen(null)} /> : null}
    </RunStage>
  );
}
