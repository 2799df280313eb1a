import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CheckSession } from '#shared/contract/check.ts';
import { type AppError, toAppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { useAction } from '../../api/hooks.ts';
import { notifyDone, notifyError } from '../../ui/notify.ts';
import { useCheckMemory } from './check-store.ts';
import { GRACE_MS, type StepAction } from './guided-keys.ts';
import { useRun, useTakeRun } from './run-queries.ts';

/** Appends a remark that waited for a result to the item it was written for, when the check has gone on without it. */
function useRemarks(session: CheckSession, present: string | null, operator: string | null) {
  const { t } = useTranslation('check');
  const remark = useCheckMemory((state) => state.remark);
  const sending = useRef<string | null>(null);
  const flush = useEffectEvent(async () => {
    if (!remark || remark.sessionId !== session.id || operator === null || sending.current === remark.item) return;
    sending.current = remark.item;
    try {
      const { item, text, code } = remark;
      await api.call('enterCheckResult', { session_id: session.id, item, verdict: 'remark', operator, remark: text });
      if (useCheckMemory.getState().remark === remark) useCheckMemory.setState({ remark: null });
      notifyDone(t('guided.remarkMoved', { code }));
    } catch (thrown) {
      // it stays, and is tried again with the next item
      notifyError(toAppError(thrown));
    } finally {
      sending.current = null;
    }
  });
  const isLeft = remark !== null && remark.sessionId === session.id && remark.item !== present;
  return { remark: isLeft ? null : remark, flush: () => void flush(), isLeft };
}

/** True from the moment the program itself went on to another item, for as long as a key may be meant for the one before. */
function useJustChanged(item: string | null) {
  const shown = useRef<{ item: string | null; at: number }>({ item, at: Number.NEGATIVE_INFINITY });
  /** The person's own step: the next item may be decided at once. */
  const ownStep = (next: string | null) => {
    shown.current = { item: next, at: Number.NEGATIVE_INFINITY };
  };
  useEffect(() => {
    const before = shown.current.item;
    // the first item that is shown follows none that a key could have been meant for
    if (before !== item) shown.current = { item, at: before === null ? Number.NEGATIVE_INFINITY : performance.now() };
  }, [item]);
  return { isTooSoon: () => performance.now() - shown.current.at < GRACE_MS, ownStep };
}

/** The guided check of a session as the screen has it: what is shown, and what a person can say of it. */
export function useGuided(session: CheckSession) {
  const found = useRun(true);
  const take = useTakeRun();
  const run = found.data?.run ?? null;
  const item = run?.session_id === session.id ? run.item : null;
  const present = item?.item ?? null;
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<AppError | 'justChanged' | null>(null);
  const { isTooSoon, ownStep } = useJustChanged(present);
  const { remark, flush, isLeft } = useRemarks(session, present, run?.operator ?? null);
  const stopping = useAction('stopCheck');
  const isKnown = found.isSuccess;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each item that the remark is not of
  useEffect(() => {
    if (isKnown && isLeft && !isBusy) flush();
  }, [isKnown, isLeft, isBusy, present]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what went wrong with an item is no word about the next
  useEffect(() => setTrouble((before) => (before === 'justChanged' ? before : null)), [present]);

  async function step(action: StepAction) {
    if (!item || isBusy) return;
    setBusy(true);
    setTrouble(null);
    try {
      const said = action === 'repeat' || action === 'back' ? '' : (remark?.text ?? '');
      const { data } = await api.call('checkStep', { item: item.item, action, remark: said });
      if (said !== '') useCheckMemory.setState({ remark: null });
      ownStep(data.item?.item ?? null);
      await take(data);
    } catch (thrown) {
      setTrouble(toAppError(thrown));
      void found.refetch();
    } finally {
      setBusy(false);
    }
  }

  return {
    run,
    item,
    remark,
    error: found.error,
    isKnown,
    isBusy,
    trouble,
    step,
    take,
    ownStep,
    /** False, and said, when a key may have been meant for the item before. */
    mayDecide() {
      if (!isTooSoon()) return true;
      setTrouble('justChanged');
      return false;
    },
    stop: () => stopping.mutate({}, { onSuccess: ({ data }) => void take(data.run), onError: (error) => setTrouble(error) }),
  };
}

export type Guided = ReturnType<typeof useGuided>;
export type GuidedItem = NonNullable<Guided['item']>;
