import { ActionIcon, Chip, Group, NumberInput, Select } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { memo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Point } from '#shared/contract/points.ts';
import { type FrameType, QUALITIES, type Quality } from '#shared/domain/enums.ts';
import { useCommand, useKeyHint } from '../../commands/registry.ts';
import type { GridColumn } from '../../ui/data-grid/column.ts';
import { ColumnChooser } from '../../ui/data-grid/column-chooser.tsx';
import { Icon } from '../../ui/icons.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { useTerms } from '../channels/protocol-facts.ts';
import { PointCheckMenu } from '../check/point-check-menu.tsx';
import { POINT_TABLE } from './columns.tsx';
import { FRAME_TYPE_LETTERS } from './point-text.ts';
import classes from './points.module.css';
import { isFiltered, usePointsStore } from './points-store.ts';
import { useProtocolColumns } from './protocol-columns.ts';
import { useChannel, usePointsView, useTypeCounts } from './use-point-query.ts';

const TYPE_KEYS = { 0: 'yc', 1: 'yx', 2: 'yk', 3: 'yt' } as const;
const TYPES: readonly FrameType[] = [0, 1, 2, 3];

/** Chips of the point types with the number of points of each. */
function TypeChips({ channelId }: { readonly channelId: number }) {
  const { t } = useTranslation('points');
  const view = usePointsView(channelId);
  const counts = useTypeCounts(channelId);
  const setFilter = usePointsStore((state) => state.setFilter);
  return (
    <Group gap={4} role="group" aria-label={t('types.label')} wrap="nowrap">
      <Chip size="xs" checked={view.frameType === null} onChange={() => setFilter(channelId, { frameType: null })}>
        {t('types.all')}
      </Chip>
      {TYPES.map((type) => (
        <Chip
          key={type}
          size="xs"
          checked={view.frameType === type}
          onChange={() => setFilter(channelId, { frameType: view.frameType === type ? null : type })}
          aria-label={t(`types.${TYPE_KEYS[type]}`)}
          title={t(`types.${TYPE_KEYS[type]}`)}
        >
          {FRAME_TYPE_LETTERS[type]} {counts[type] ?? ''}
        </Chip>
      ))}
    </Group>
  );
}

/** Search in name and code; asks the service when the typing pauses. */
function SearchBox({ channelId }: { readonly channelId: number }) {
  const { t } = useTranslation(['points', 'commands']);
  const view = usePointsView(channelId);
  const setFilter = usePointsStore((state) => state.setFilter);
  const [text, setText] = useState(view.search);
  const [applied, setApplied] = useState(view.search);
  const box = useRef<HTMLInputElement>(null);
  const apply = useDebouncedCallback((search: string) => {
    setApplied(search);
    setFilter(channelId, { search });
  }, 250);
  // The filters were cleared elsewhere.
  if (applied !== view.search) {
    setApplied(view.search);
    if (text.trim() !== view.search) setText(view.search);
  }
  const key = useKeyHint('find');
  useCommand({ id: 'find', group: 'points', words: t('commands:find'), key: 'mod+F', reason: null, run: () => box.current?.focus() });
  return (
    <SearchField
      ref={box}
      miw={112}
      maw={180}
      flex="1 1 112px"
      words={t('points:filter.search')}
      title={`${t('points:filter.search')}${key}`}
      maxLength={200}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        apply(event.currentTarget.value.trim());
      }}
    />
  );
}

function FilterFields({ channelId }: { readonly channelId: number }) {
  const { t } = useTranslation('points');
  const channel = useChannel(channelId);
  const terms = useTerms(channel?.protocol_type);
  const view = usePointsView(channelId);
  const setFilter = usePointsStore((state) => state.setFilter);
  const { hidden, sizes } = useProtocolColumns(channel);
  return (
    <>
      {hidden.slave_id === false ? null : (
        <NumberInput
          w={Math.max(72, sizes.slave_id ?? 0)}
          min={0}
          max={999_999_999_999}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          aria-label={t('filter.slave', { context: terms.slave })}
          placeholder={t('filter.slave', { context: terms.slave })}
          value={view.slaveId ?? ''}
          onChange={(value) => setFilter(channelId, { slaveId: typeof value === 'number' ? value : null })}
        />
      )}
      <Select
        w={108}
        aria-label={t('filter.quality')}
        placeholder={t('filter.qualityAll')}
        clearable
        clearButtonProps={{ 'aria-label': t('filter.qualityAll') }}
        data={QUALITIES.map((quality) => ({ value: quality, label: t(`quality.${quality}`) }))}
        value={view.quality}
        onChange={(value) => setFilter(channelId, { quality: QUALITIES.find((item): item is Quality => item === value) ?? null })}
      />
      <PointCheckMenu filter={view.check} onFilter={(check) => setFilter(channelId, { check })} />
      {isFiltered(view) ? (
        <ActionIcon
          aria-label={t('filter.clear')}
          title={t('filter.clear')}
          onClick={() => setFilter(channelId, { search: '', frameType: null, slaveId: null, quality: null, check: null })}
        >
          <Icon name="close" />
        </ActionIcon>
      ) : null}
    </>
  );
}

interface PointsToolbarProps {
  readonly channelId: number;
  readonly columns: readonly GridColumn<Point>[];
  /** Buttons that act on the selected rows. */
  readonly children: React.ReactNode;
}

/** The fields are not drawn anew for each row that the keyboard goes to. */
const Filters = memo(function Filters({ channelId, columns }: Omit<PointsToolbarProps, 'children'>) {
  return (
    <>
      <TypeChips channelId={channelId} />
      <SearchBox channelId={channelId} />
      <FilterFields channelId={channelId} />
      <ColumnChooser name={POINT_TABLE} columns={columns} />
    </>
  );
});

/** Filters of the table, then what can be done with its rows. */
export function PointsToolbar({ channelId, columns, children }: PointsToolbarProps) {
  return (
    <div className={classes.toolbar}>
      <Filters channelId={channelId} columns={columns} />
      <div className={classes.spacer} />
      {children}
    </div>
  );
}
