import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { PointSuggestion } from '#shared/contract/iec61850.ts';
import { useWords } from '../../i18n/words.ts';
import type { GridColumn } from '../../ui/data-grid/column.ts';
import { DataGrid } from '../../ui/data-grid/data-grid.tsx';
import { useLocalRows } from '../../ui/data-grid/rows.ts';
import { Icon } from '../../ui/icons.tsx';
import { useStable } from '../../ui/use-stable.ts';
import { FRAME_TYPE_LETTERS } from '../points/point-text.ts';
import classes from './model.module.css';
import { FRAME_TYPES, type PointDraft, repeated } from './point-drafts.ts';

interface DraftTableProps {
  readonly suggestions: readonly PointSuggestion[];
  readonly drafts: readonly (PointDraft | null)[];
  /** What is wrong with a row; null: nothing. */
  textOf(index: number): string | null;
  onChange(index: number, part: Partial<PointDraft>): void;
  onChooseAll(isChosen: boolean): void;
}

/** One row: what was suggested, what was made of it, and what is wrong with it. */
interface DraftRow {
  readonly index: number;
  readonly suggestion: PointSuggestion;
  readonly draft: PointDraft | null;
  readonly problem: string | null;
  /** An earlier row makes the same point. */
  readonly isAgain: boolean;
}

const idOf = (row: DraftRow) => String(row.index);
const rowProps = ({ draft }: DraftRow) => ({ 'data-testid': 'draft-row', className: draft?.isChosen ? '' : (classes.unchosen ?? '') });
const referenceOf = ({ suggestion }: DraftRow) => suggestion.point?.reference ?? suggestion.reference;

function ChooseAll({ drafts, onChooseAll }: Pick<DraftTableProps, 'drafts' | 'onChooseAll'>) {
  const { t } = useTranslation('model');
  const possible = drafts.filter((draft) => draft !== null);
  const chosen = possible.filter((draft) => draft.isChosen).length;
  return (
    <input
      type="checkbox"
      className={classes.check}
      checked={chosen > 0 && chosen === possible.length}
      disabled={possible.length === 0}
      ref={(box) => {
        if (box) box.indeterminate = chosen > 0 && chosen < possible.length;
      }}
      onChange={(event) => onChooseAll(event.currentTarget.checked)}
      aria-label={t('points.chooseAll')}
    />
  );
}

function TypeCell({ row, onChange }: { readonly row: DraftRow } & Pick<DraftTableProps, 'onChange'>) {
  const { t } = useTranslation('model');
  if (!row.draft) return null;
  return (
    <select
      className={classes.input}
      value={row.draft.frameType}
      onChange={(event) => {
        const frameType = FRAME_TYPES.find((type) => String(type) === event.currentTarget.value);
        if (frameType !== undefined) onChange(row.index, { frameType });
      }}
      aria-label={t('points.column.type')}
    >
      {FRAME_TYPES.map((type) => (
        <option key={type} value={type}>
          {FRAME_TYPE_LETTERS[type]}
        </option>
      ))}
    </select>
  );
}

function Remark({ row }: { readonly row: DraftRow }) {
  const { t } = useTranslation('model');
  const words = useWords();
  const { reason, reason_message, present_code } = row.suggestion;
  const present = present_code === null ? (row.isAgain ? t('points.twice') : '') : t('points.present', { code: present_code });
  const remark = row.problem ?? (words(reason_message, reason) || present);
  if (remark === '') return null;
  return (
    <span className={`${classes.remark} ${row.problem === null ? classes.muted : classes.bad}`} title={remark}>
      <Icon name={row.problem === null ? 'info' : 'bad'} size={13} />
      <span className="lc-ellipsis">{remark}</span>
    </span>
  );
}

function useColumns({ drafts, onChange, onChooseAll }: DraftTableProps): readonly GridColumn<DraftRow>[] {
  const { t } = useTranslation('model');
  const change = useStable(onChange);
  return useMemo(
    () => [
      {
        id: 'choose',
        name: t('points.chooseAll'),
        header: <ChooseAll drafts={drafts} onChooseAll={onChooseAll} />,
        width: 32,
        isFixed: true,
        cell: (row) => (
          <input
            type="checkbox"
            className={classes.check}
            checked={row.draft?.isChosen ?? false}
            disabled={row.draft === null}
            onChange={(event) => change(row.index, { isChosen: event.currentTarget.checked })}
            aria-label={t('points.choose', { reference: referenceOf(row) })}
          />
        ),
      },
      { id: 'type', name: t('points.column.type'), width: 68, cell: (row) => <TypeCell row={row} onChange={change} /> },
      ...(['code', 'name'] as const).map(
        (part): GridColumn<DraftRow> => ({
          id: part,
          name: t(`points.column.${part}`),
          width: 150,
          grows: 1,
          cell: ({ draft, index, problem }) =>
            draft === null ? null : (
              <TextCell
                value={draft[part]}
                max={part === 'code' ? 100 : 200}
                label={t(`points.column.${part}`)}
                isBad={part === 'code' && problem !== null}
                onChange={(text) => change(index, { [part]: text })}
              />
            ),
          text: ({ draft }) => draft?.[part] ?? '',
        }),
      ),
      {
        id: 'reference',
        name: t('points.column.reference'),
        width: 220,
        grows: 1,
        className: 'lc-mono',
        cell: referenceOf,
        titleOf: referenceOf,
        text: referenceOf,
      },
      { id: 'remark', name: t('points.column.remark'), width: 170, grows: 1, cell: (row) => <Remark row={row} /> },
    ],
    [t, drafts, onChooseAll, change],
  );
}

/** Suggested points, one a row: each is changed where it stands. */
export function DraftTable(props: DraftTableProps) {
  const { t } = useTranslation('model');
  const { suggestions, drafts, textOf } = props;
  const again = useMemo(() => repeated(suggestions), [suggestions]);
  const list = suggestions.map(
    (suggestion, index): DraftRow => ({
      index,
      suggestion,
      draft: drafts[index] ?? null,
      problem: textOf(index),
      isAgain: again.has(index),
    }),
  );
  const rows = useLocalRows(list, idOf);
  const columns = useColumns(props);
  return (
    <div className={classes.drafts}>
      <DataGrid name="drafts" label={t('points.title')} rows={rows} columns={columns} rowProps={rowProps} rowHeight={32} />
    </div>
  );
}

interface TextCellProps {
  readonly value: string;
  readonly max: number;
  readonly label: string;
  readonly isBad: boolean;
  onChange(value: string): void;
}

function TextCell({ value, max, label, isBad, onChange }: TextCellProps) {
  return (
    <input
      type="text"
      className={classes.input}
      value={value}
      maxLength={max}
      aria-label={label}
      aria-invalid={isBad}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
