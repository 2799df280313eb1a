import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CheckItem } from '#shared/contract/check.ts';
import { channelPlace } from '#shared/domain/check-place.ts';
import { english } from '#shared/messages/index.ts';
import { useWords } from '../../i18n/words.ts';
import { type GridColumn, textColumn } from '../../ui/data-grid/column.ts';
import { useSettingName } from '../../ui/form/field-text.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { formatDateTime } from '../../ui/time.ts';
import { FRAME_TYPE_LETTERS } from '../points/point-text.ts';
import { STATE_LOOK, useExpectationText, useFindingText } from './check-text.ts';
import { sortOf } from './use-item-rows.ts';

/** Columns of the items of a session. */
export function useItemColumns(): readonly GridColumn<CheckItem>[] {
  const { t } = useTranslation('check');
  const expectation = useExpectationText();
  const finding = useFindingText();
  const settingName = useSettingName();
  const said = useWords();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names of settings change with the language, as `t` does
  return useMemo(() => {
    const state = (item: CheckItem) => t(`state.${item.state}`);
    const why = ({ changed, is_there, trouble }: CheckItem) => {
      if (trouble) return said(trouble, english(trouble));
      if (!is_there) return t('gone');
      return changed.length > 0 ? t('changed', { settings: changed.map((setting) => settingName(setting)).join(', ') }) : undefined;
    };
    const last = ({ last: result, ...item }: CheckItem) => {
      const reason = why({ ...item, last: result });
      const parts = result ? [t(`verdict.${result.verdict}`), ...result.findings.map(finding), result.remark] : [];
      return [reason ?? '', ...parts].filter((part) => part !== '').join(' · ');
    };
    const plain = textColumn<CheckItem>;
    const columns: GridColumn<CheckItem>[] = [
      {
        id: 'state',
        name: t('column.state'),
        width: 118,
        cell: (item) => (
          <StatusBadge {...STATE_LOOK[item.state]} title={why(item) ?? ''}>
            {state(item)}
          </StatusBadge>
        ),
        titleOf: why,
        text: state,
      },
      { ...plain('code', t('column.code'), 130, ({ code }) => code), isRowHeader: true, className: 'lc-mono' },
      { ...plain('name', t('column.name'), 130, ({ name }) => name), grows: 2 },
      plain('type', t('column.type'), 48, ({ frame_type }) => FRAME_TYPE_LETTERS[frame_type]),
      plain('channel', t('column.channel'), 94, channelPlace),
      plain('group', t('column.group'), 90, ({ group }) => group),
      { ...plain('expectation', t('column.expectation'), 140, (item) => expectation(item.expectation)), grows: 1 },
      { ...plain('last', t('column.last'), 150, last), grows: 2 },
      plain('operator', t('column.operator'), 76, (item) => item.last?.operator ?? ''),
      plain('at', t('column.at'), 152, (item) => (item.last ? formatDateTime(item.last.at).slice(0, 19) : '')),
    ];
    return columns.map((column) => (column.id !== 'last' && sortOf(column.id) !== null ? { ...column, isSortable: true } : column));
  }, [t, expectation, finding]);
}
