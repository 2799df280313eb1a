import { Alert, Loader } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { DataOf } from '#shared/contract/index.ts';
import { POLL, useOperation } from '../../api/hooks.ts';
import { model as words } from '../../i18n/en/model.ts';
import { useWords } from '../../i18n/words.ts';
import type { GridColumn } from '../../ui/data-grid/column.ts';
import { DataGrid } from '../../ui/data-grid/data-grid.tsx';
import { useLocalRows } from '../../ui/data-grid/rows.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Said } from '../../ui/said.tsx';
import { useStable } from '../../ui/use-stable.ts';
import { Freshness } from './freshness.tsx';
import classes from './model.module.css';
import { indexValues, type MemberState, memberState, nodeOfKey, shownValue, valueText } from './model-values.ts';
import { useDataSetReads } from './use-data-set-reads.ts';

type Detail = DataOf<'iec61850DatasetDetail'>;
type Member = Detail['members'][number];

interface DataSetDetailProps {
  readonly channel: Channel;
  readonly name: string;
}

function Buttons({ channel, name }: DataSetDetailProps) {
  const { t } = useTranslation(['model', 'reading']);
  const reads = useDataSetReads(channel, name);
  const reason = reads.obstacle ? t(`reading:why.${reads.obstacle}`) : null;
  return (
    <>
      <GuardedButton
        variant="default"
        leftSection={<Icon name="read" size={14} />}
        reason={reason}
        hint={t('model:sets.readOnceHint')}
        onClick={reads.readOnce}
        testId="data-set-read"
      >
        {t('model:sets.readOnce')}
      </GuardedButton>
      {reads.isAutomatic ? (
        <GuardedButton
          variant="default"
          leftSection={<Icon name="stop" size={14} />}
          reason={null}
          hint={t('reading:stopHint', { key: '' })}
          onClick={reads.stopAutomatic}
          testId="data-set-stop"
        >
          {t('model:sets.stop')}
        </GuardedButton>
      ) : (
        <GuardedButton
          leftSection={<Icon name="play" size={14} />}
          reason={reason}
          hint={t('model:sets.startHint')}
          onClick={reads.startAutomatic}
          testId="data-set-start"
        >
          {t('model:sets.start')}
        </GuardedButton>
      )}
    </>
  );
}

const isQualityWord = (word: string): word is keyof typeof words.sets.qualityWord => word in words.sets.qualityWord;

/** A member, or a part of one that is open. */
type SetRow =
  | {
      readonly kind: 'member';
      readonly key: string;
      readonly number: number;
      readonly member: Member;
      readonly state: MemberState;
      readonly isOpen: boolean;
    }
  | { readonly kind: 'part'; readonly key: string; readonly name: string; readonly value: unknown };

/** Members in the order of the data set, the parts of an open one below it. A data set may name a member twice: its place is its identity. */
function setRows(detail: Detail, open: ReadonlySet<string>): readonly SetRow[] {
  const index = indexValues(detail.values);
  return detail.members.flatMap((member, place): readonly SetRow[] => {
    const state = memberState(index, member.reference);
    const isOpen = open.has(member.reference);
    const key = `${place} ${member.reference}`;
    const length = nodeOfKey(member.reference).length + 1;
    const parts = isOpen ? state.parts : [];
    return [
      { kind: 'member', key, number: place + 1, member, state, isOpen },
      ...parts.map(
        (part): SetRow => ({ kind: 'part', key: `${key} ${part.reference}`, name: part.reference.slice(length), value: part.value }),
      ),
    ];
  });
}

interface MemberCellProps {
  readonly row: Extract<SetRow, { kind: 'member' }>;
  /** Logical device of the data set; members of it are written without. */
  readonly device: string;
  onToggle(reference: string): void;
}

function MemberCell({ row: { member, state, isOpen }, device, onToggle }: MemberCellProps) {
  const { t } = useTranslation('model');
  const reference = nodeOfKey(member.reference);
  const name = t(isOpen ? 'closeNode' : 'openNode', { name: reference });
  return (
    <span className={classes.member} title={`${reference} [${member.fc}]`}>
      {state.parts.length > 0 ? (
        <button
          type="button"
          tabIndex={-1}
          className={classes.toggle}
          onClick={() => onToggle(member.reference)}
          aria-expanded={isOpen}
          aria-label={name}
          title={name}
        >
          <Icon name={isOpen ? 'down' : 'right'} size={12} />
        </button>
      ) : (
        <span className={classes.toggle} />
      )}
      <span className="lc-mono lc-ellipsis">{reference.startsWith(`${device}/`) ? reference.slice(device.length + 1) : reference}</span>
    </span>
  );
}

function useColumns(device: string, onToggle: (reference: string) => void): readonly GridColumn<SetRow>[] {
  const { t } = useTranslation('model');
  return useMemo(() => {
    const qualityText = (quality: unknown) =>
      valueText(quality)
        .split(' ')
        .map((word) => (isQualityWord(word) ? t(`sets.qualityWord.${word}`) : word))
        .join(' ');
    const column = (
      id: 'number' | 'reference' | 'fc' | 'type' | 'description' | 'value' | 'quality' | 'time',
      width: number,
      textOf: (row: Extract<SetRow, { kind: 'member' }>) => string,
      more: Partial<GridColumn<SetRow>> = {},
    ): GridColumn<SetRow> => {
      const ofRow = (row: SetRow) => (row.kind === 'member' ? textOf(row) : '');
      return { id, name: t(`sets.column.${id}`), width, cell: ofRow, titleOf: ofRow, text: ofRow, ...more };
    };
    const number = { align: 'right' as const };
    const mono = { className: classes.type ?? '' };
    const value = (row: SetRow) => (row.kind === 'member' ? valueText(row.state.value) : shownValue(row.value));
    return [
      column('number', 34, (row) => String(row.number), number),
      column('reference', 220, (row) => nodeOfKey(row.member.reference), {
        grows: 2,
        cell: (row) =>
          row.kind === 'member' ? (
            <MemberCell row={row} device={device} onToggle={onToggle} />
          ) : (
            <span className={classes.partName}>{row.name}</span>
          ),
      }),
      column('fc', 34, (row) => row.member.fc, mono),
      column('type', 74, (row) => row.member.cdc || row.member.type, mono),
      column('description', 130, (row) => row.member.description, { grows: 1 }),
      column('value', 110, () => '', { ...number, cell: value, titleOf: value, text: value, watch: value, testId: 'member-value' }),
      column('quality', 92, (row) => qualityText(row.state.quality)),
      column('time', 190, (row) => shownValue(row.state.time), mono),
    ];
  }, [t, device, onToggle]);
}

const idOf = (row: SetRow) => row.key;
const rowProps = (row: SetRow) => ({ 'data-testid': row.kind === 'member' ? 'member-row' : 'part-row' });

function Members({ detail }: { readonly detail: Detail }) {
  const { t } = useTranslation('model');
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const list = useMemo(() => setRows(detail, open), [detail, open]);
  const rows = useLocalRows(list, idOf);
  const onToggle = useStable((reference: string) => {
    const next = new Set(open);
    if (!next.delete(reference)) next.add(reference);
    setOpen(next);
  });
  const columns = useColumns(detail.dataset.slice(0, detail.dataset.indexOf('/')), onToggle);
  return (
    <div className={classes.members}>
      <DataGrid
        name="members"
        label={t('sets.membersOf', { name: detail.dataset })}
        rows={rows}
        columns={columns}
        rowProps={rowProps}
        onKey={(event, { row }) => {
          if (event.key !== 'Enter' || row?.kind !== 'member') return;
          onToggle(row.member.reference);
          event.preventDefault();
        }}
        tableTestId="members"
      />
    </div>
  );
}

/** Members of one data set in order, with their last values and how fresh they are. */
export function DataSetDetail({ channel, name }: DataSetDetailProps) {
  const { t } = useTranslation('model');
  const words = useWords();
  const query = useOperation('iec61850DatasetDetail', { channel_id: channel.id, dataset: name }, { pollMs: POLL.status });
  const detail = query.data;
  if (!detail) return query.error ? <ErrorNotice error={query.error} compact /> : <Loader size="sm" m="md" />;
  return (
    <div className={classes.detail} data-testid="data-set-detail">
      <div className={classes.detailHead}>
        <h2 className={classes.title} title={detail.dataset}>
          {detail.dataset}
        </h2>
        <Freshness
          updatedAt={detail.last_updated_at}
          isStale={detail.stale}
          error={detail.last_error === null ? null : words(detail.last_error_info, detail.last_error)}
          nowMs={query.dataUpdatedAt}
        />
        <span className={classes.spring} />
        <Buttons channel={channel} name={detail.dataset} />
      </div>
      {detail.last_error === null ? null : (
        <Alert color="amber" icon={<Icon name="warn" size={16} />} className={classes.lastError ?? ''} data-testid="data-set-error">
          {t('fresh.lastError')} <Said message={detail.last_error_info} text={detail.last_error} />
        </Alert>
      )}
      <Members detail={detail} />
    </div>
  );
}
