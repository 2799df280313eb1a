import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { PointSuggestion } from '#shared/contract/iec61850.ts';
import { useWords } from '../../i18n/words.ts';
import { Icon } from '../../ui/icons.tsx';
import { FRAME_TYPE_LETTERS } from '../points/point-text.ts';
import classes from './model.module.css';
import { FRAME_TYPES, type PointDraft, repeated } from './point-drafts.ts';

const ROW_HEIGHT = 32;

interface DraftTableProps {
  readonly suggestions: readonly PointSuggestion[];
  readonly drafts: readonly (PointDraft | null)[];
  /** What is wrong with a row; null: nothing. */
  textOf(index: number): string | null;
  onChange(index: number, part: Partial<PointDraft>): void;
  onChooseAll(isChosen: boolean): void;
}

/** Suggested points, one a row, drawn only where they are seen. */
export function DraftTable(props: DraftTableProps) {
  const { t } = useTranslation('model');
  const { suggestions, drafts } = props;
  const scroll = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: suggestions.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = Math.max(0, virtual.getTotalSize() - (items.at(-1)?.end ?? 0));
  const possible = drafts.filter((draft) => draft !== null);
  const chosen = possible.filter((draft) => draft.isChosen).length;
  const again = useMemo(() => repeated(suggestions), [suggestions]);
  return (
    <section ref={scroll} className={classes.drafts} aria-label={t('points.title')}>
      <table className={classes.table} aria-rowcount={suggestions.length + 1}>
        <colgroup>
          <col style={{ width: 32 }} />
          <col style={{ width: 68 }} />
          <col style={{ width: '24%' }} />
          <col style={{ width: '24%' }} />
          <col />
          <col style={{ width: '21%' }} />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">
              <input
                type="checkbox"
                className={classes.check}
                checked={chosen > 0 && chosen === possible.length}
                disabled={possible.length === 0}
                ref={(box) => {
                  if (box) box.indeterminate = chosen > 0 && chosen < possible.length;
                }}
                onChange={(event) => props.onChooseAll(event.currentTarget.checked)}
                aria-label={t('points.chooseAll')}
              />
            </th>
            {(['type', 'code', 'name', 'reference', 'remark'] as const).map((column) => (
              <th key={column} scope="col">
                {t(`points.column.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr aria-hidden>
            <td colSpan={6} className={classes.gap} style={{ height: before }} />
          </tr>
          {items.map((item) => {
            const suggestion = suggestions[item.index];
            return suggestion ? (
              <DraftRow
                key={item.key}
                {...props}
                index={item.index}
                isAgain={again.has(item.index)}
                suggestion={suggestion}
                draft={drafts[item.index] ?? null}
              />
            ) : null;
          })}
          <tr aria-hidden>
            <td colSpan={6} className={classes.gap} style={{ height: after }} />
          </tr>
        </tbody>
      </table>
    </section>
  );
}

interface DraftRowProps extends DraftTableProps {
  readonly index: number;
  /** An earlier row makes the same point. */
  readonly isAgain: boolean;
  readonly suggestion: PointSuggestion;
  readonly draft: PointDraft | null;
}

function DraftRow({ index, isAgain, suggestion, draft, textOf, onChange }: DraftRowProps) {
  const { t } = useTranslation('model');
  const words = useWords();
  const { reference, point, present_code } = suggestion;
  const reason = words(suggestion.reason_message, suggestion.reason);
  const problem = textOf(index);
  const present = present_code === null ? (isAgain ? t('points.twice') : '') : t('points.present', { code: present_code });
  const remark = problem ?? (reason || present);
  const shown = point?.reference ?? reference;
  return (
    <tr aria-rowindex={index + 2} data-testid="draft-row" className={draft?.isChosen ? '' : classes.unchosen}>
      <td>
        <input
          type="checkbox"
          className={classes.check}
          checked={draft?.isChosen ?? false}
          disabled={draft === null}
          onChange={(event) => onChange(index, { isChosen: event.currentTarget.checked })}
          aria-label={t('points.choose', { reference: shown })}
        />
      </td>
      {draft === null ? (
        <td colSpan={3} />
      ) : (
        <>
          <td>
            <select
              className={classes.input}
              value={draft.frameType}
              onChange={(event) => {
                const frameType = FRAME_TYPES.find((type) => String(type) === event.currentTarget.value);
                if (frameType !== undefined) onChange(index, { frameType });
              }}
              aria-label={t('points.column.type')}
            >
              {FRAME_TYPES.map((type) => (
                <option key={type} value={type}>
                  {FRAME_TYPE_LETTERS[type]}
                </option>
              ))}
            </select>
          </td>
          <TextCell
            value={draft.code}
            max={100}
            label={t('points.column.code')}
            isBad={problem !== null}
            onChange={(code) => onChange(index, { code })}
          />
          <TextCell
            value={draft.name}
            max={200}
            label={t('points.column.name')}
            isBad={false}
            onChange={(name) => onChange(index, { name })}
          />
        </>
      )}
      <td className="lc-mono" title={shown}>
        {shown}
      </td>
      <td title={remark} className={problem === null ? classes.muted : classes.bad}>
        {remark === '' ? null : (
          <span className={classes.remark}>
            <Icon name={problem === null ? 'info' : 'bad'} size={13} />
            <span className="lc-ellipsis">{remark}</span>
          </span>
        )}
      </td>
    </tr>
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
    <td>
      <input
        type="text"
        className={classes.input}
        value={value}
        maxLength={max}
        aria-label={label}
        aria-invalid={isBad}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </td>
  );
}
