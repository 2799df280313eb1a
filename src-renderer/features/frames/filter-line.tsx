import { Autocomplete, Button, Text } from '@mantine/core';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { completeFilter } from '#shared/domain/frame-filter/complete.ts';
import { LONGEST_FILTER, parseFrameFilter } from '#shared/domain/frame-filter/parse.ts';
import { useWords } from '../../i18n/words.ts';
import { Icon } from '../../ui/icons.tsx';
import classes from './frames.module.css';

interface FilterLineProps {
  /** The expression that holds. */
  readonly filter: string;
  onFilter(filter: string): void;
  onStatistics(): void;
}

/** The expression that chooses frames: written with completion, it holds with Enter or when it is left; what is wrong stands beside it. */
export function FilterLine({ filter, onFilter, onStatistics }: FilterLineProps) {
  const { t } = useTranslation('frames');
  const words = useWords();
  const [draft, setDraft] = useState(filter);
  const [held, setHeld] = useState(filter);
  const [caret, setCaret] = useState(filter.length);
  // the table of statistics sets it too
  if (held !== filter) {
    setHeld(filter);
    setDraft(filter);
  }
  const parsed = useMemo(() => parseFrameFilter(draft), [draft]);
  const fault = 'fault' in parsed ? parsed.fault : null;
  const at = Math.min(caret, draft.length);
  const { from, to, items } = useMemo(() => completeFilter(draft, at), [draft, at]);
  /** Each completion stands for the whole line with it. */
  const lines = useMemo(
    () => new Map(items.map((item) => [`${draft.slice(0, from)}${item} ${draft.slice(to)}`, item])),
    [items, draft, from, to],
  );
  function apply(text: string) {
    const trimmed = text.trim();
    if (!('fault' in parseFrameFilter(trimmed)) && trimmed !== filter) onFilter(trimmed);
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === 'Enter') apply(draft);
    if (event.key === 'Escape' && draft !== '') event.stopPropagation();
  }
  const state = fault ? 'wrong' : draft.trim() === filter ? (filter === '' ? 'none' : 'held') : 'written';
  return (
    <div className={classes.filterLine}>
      <Autocomplete
        className={classes.filterInput ?? ''}
        classNames={{ input: `${classes.mono} ${classes[`filter-${state}`] ?? ''}` }}
        aria-label={t('expression.label')}
        placeholder={t('expression.hint')}
        leftSection={<Icon name="filter" size={14} />}
        value={draft}
        maxLength={LONGEST_FILTER}
        data={[...lines.keys()]}
        filter={({ options }) => options}
        renderOption={({ option }) => <span className={classes.mono}>{lines.get(option.value) ?? option.value}</span>}
        onChange={(text) => {
          setDraft(text);
          setCaret(text.length);
          if (text === '') onFilter('');
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart ?? draft.length)}
        onKeyDown={onKeyDown}
        onBlur={() => apply(draft)}
        error={fault !== null}
        aria-describedby="frame-filter-state"
        clearable
        comboboxProps={{ width: 260, position: 'bottom-start' }}
        data-testid="frame-filter"
      />
      <Text
        id="frame-filter-state"
        size="xs"
        role="status"
        className={`${classes.filterState} lc-ellipsis`}
        c={fault ? 'var(--lc-bad)' : 'dimmed'}
        {...(fault ? { title: words(fault.said, '') } : {})}
        data-testid="frame-filter-state"
      >
        {fault
          ? t('expression.fault', { place: fault.at + 1, text: words(fault.said, '') })
          : t(`expression.state.${state === 'wrong' ? 'none' : state}`)}
      </Text>
      <Button variant="default" leftSection={<Icon name="sum" size={14} />} onClick={onStatistics} data-testid="frames-statistics">
        {t('statistics.open')}
      </Button>
    </div>
  );
}
