import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FrameEntry } from '#shared/contract/frames.ts';
import type { AppError } from '#shared/domain/errors.ts';
import { useAction } from '../../api/hooks.ts';
import { useWords } from '../../i18n/words.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { FilterLine } from './filter-line.tsx';
import { FrameExplanation } from './frame-explanation.tsx';
import { FrameList } from './frame-list.tsx';
import classes from './frames.module.css';
import { useFramesStore } from './frames-store.ts';
import { FramesToolbar } from './frames-toolbar.tsx';
import { StatisticsDialog } from './statistics-dialog.tsx';
import { filterRows } from './tail.ts';
import { useFrameTail } from './use-frame-tail.ts';

function FramesView({ channelId }: { readonly channelId: number }) {
  const { t } = useTranslation('frames');
  const [isPaused, setIsPaused] = useState(false);
  const [open, setOpen] = useState<FrameEntry | null>(() => useFramesStore.getState().wanted);
  useEffect(() => useFramesStore.getState().want(null), []);
  const filter = useFramesStore((state) => state.filters[channelId] ?? '');
  const onFilter = useCallback((next: string) => useFramesStore.getState().setFilter(channelId, next), [channelId]);
  const [isCounting, setIsCounting] = useState(false);
  const { tail, error, isLoaded, reset, older, forgetOlder } = useFrameTail(channelId, isPaused, filter);
  const back = useMutation<number, AppError>({ mutationFn: () => older?.() ?? Promise.resolve(0) });
  const kinds = useFramesStore((state) => state.kinds);
  const text = useFramesStore((state) => state.text);
  const words = useWords();
  const rows = useMemo(() => filterRows(tail.rows, kinds, text, words), [tail.rows, kinds, text, words]);
  const clear = useAction('clearFrames');

  useEffect(() => {
    if (!open) return;
    const onEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setOpen(null);
    };
    window.addEventListener('keydown', onEscape);
    return () => window.removeEventListener('keydown', onEscape);
  }, [open]);

  function forget() {
    clear.mutate({ channel_id: channelId }, { onSuccess: reset });
    setOpen(null);
  }

  return (
    <section className={classes.root} aria-label={t('title')}>
      <FramesToolbar
        channelId={channelId}
        isPaused={isPaused}
        shown={rows.length}
        kept={tail.rows.length}
        forgotten={tail.forgotten}
        onPause={() => setIsPaused(!isPaused)}
        onClear={forget}
        isClearing={clear.isPending}
        filter={filter}
      />
      <FilterLine filter={filter} onFilter={onFilter} onStatistics={() => setIsCounting(true)} />
      {(clear.error ?? back.error ?? error) ? <ErrorNotice error={clear.error ?? back.error ?? error} compact /> : null}
      <div className={classes.body}>
        {isLoaded && rows.length === 0 ? (
          <EmptyState icon="list" title={tail.rows.length === 0 && filter === '' ? t('empty') : t('emptyFiltered')} />
        ) : (
          <FrameList
            rows={rows}
            openSeq={open?.seq ?? null}
            hasOlder={tail.hasOlder}
            onOlder={older && (() => back.mutateAsync().catch(() => null))}
            onOpen={setOpen}
            onFollow={forgetOlder}
          />
        )}
        {open ? <FrameExplanation key={open.seq} channelId={channelId} entry={open} onClose={() => setOpen(null)} /> : null}
      </div>
      {isCounting ? (
        <StatisticsDialog channelId={channelId} filter={filter} onFilter={onFilter} onClose={() => setIsCounting(false)} />
      ) : null}
    </section>
  );
}

/** The frame log of a channel as it grows: true octets with time and direction, and what they mean. */
export function FramesPanel({ channelId }: { readonly channelId: number }) {
  return <FramesView key={channelId} channelId={channelId} />;
}
