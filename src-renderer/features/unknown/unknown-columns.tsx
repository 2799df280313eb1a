import { createColumnHelper } from '@tanstack/react-table';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { hexAddress, slaveText } from '#shared/domain/notation.ts';
import { formatDateTime } from '../../ui/time.ts';
import { useNotation, useTerms } from '../channels/protocol-facts.ts';
import type { logFeatures } from '../events/log-table.tsx';
import { FRAME_TYPE_LETTERS, shortNumber } from '../points/point-text.ts';
import { PageTick, RowTick } from './ticks.tsx';
import type { UnknownObject } from './unknown-model.ts';

const helper = createColumnHelper<typeof logFeatures, UnknownObject>();

/** Columns of the list of unknown objects; the words for slave and address are those of the protocol. */
export function useUnknownColumns(protocolType: Channel['protocol_type']) {
  const { t } = useTranslation(['tools', 'fields', 'points']);
  const notation = useNotation(protocolType);
  const terms = useTerms(protocolType);
  return useMemo(
    () =>
      helper.columns([
        helper.display({ id: 'select', size: 34, header: () => <PageTick />, cell: ({ row }) => <RowTick object={row.original} /> }),
        helper.accessor((row) => slaveText(row.slave_id, notation), {
          id: 'slave',
          header: () => (
            <span title={t('fields:place.slave', { context: terms.slave })}>{t('points:column.slave', { context: terms.slave })}</span>
          ),
          size: 68,
        }),
        helper.accessor('address', {
          header: () => (
            <span title={t('fields:place.address', { context: terms.address })}>
              {t('points:column.address', { context: terms.address })}
            </span>
          ),
          size: 84,
        }),
        helper.accessor((row) => hexAddress(row.address, notation), {
          id: 'hex',
          header: t('points:column.hex', { context: terms.address }),
          size: 82,
        }),
        helper.accessor('type', { header: t('tools:unknown.type'), size: 142 }),
        helper.accessor((row) => (row.frame_type === null ? '–' : FRAME_TYPE_LETTERS[row.frame_type]), {
          id: 'point',
          header: t('tools:unknown.point'),
          size: 72,
        }),
        helper.accessor((row) => row.value_text || shortNumber(row.value), { id: 'value', header: t('tools:unknown.value'), size: 104 }),
        helper.accessor((row) => row.flags.join(' '), { id: 'flags', header: t('tools:unknown.flags'), size: 76 }),
        helper.accessor((row) => formatDateTime(row.source_time), { id: 'time', header: t('tools:unknown.deviceTime'), size: 180 }),
        helper.accessor('count', { header: t('tools:unknown.count'), size: 80 }),
        helper.accessor((row) => formatDateTime(row.last_seen), { id: 'seen', header: t('tools:unknown.lastSeen'), size: 0 }),
      ]),
    [t, terms, notation],
  );
}
