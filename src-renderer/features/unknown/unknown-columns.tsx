import { createColumnHelper } from '@tanstack/react-table';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProtocolType } from '#shared/domain/enums.ts';
import { formatDateTime } from '../../ui/time.ts';
import { useProtocolKey } from '../channels/protocol-key.ts';
import type { logFeatures } from '../events/log-table.tsx';
import { FRAME_TYPE_LETTERS, hexAddress, shortNumber, slaveText } from '../points/point-text.ts';
import { PageTick, RowTick } from './ticks.tsx';
import type { UnknownObject } from './unknown-model.ts';

const helper = createColumnHelper<typeof logFeatures, UnknownObject>();

/** Columns of the list of unknown objects; the words for slave and address are those of the protocol. */
export function useUnknownColumns(protocolType: ProtocolType) {
  const { t } = useTranslation(['tools', 'fields', 'points']);
  const context = useProtocolKey(protocolType);
  return useMemo(
    () =>
      helper.columns([
        helper.display({ id: 'select', size: 34, header: () => <PageTick />, cell: ({ row }) => <RowTick object={row.original} /> }),
        helper.accessor((row) => slaveText(row.slave_id, protocolType), {
          id: 'slave',
          header: () => <span title={t('fields:place.slave', { context })}>{t('points:column.slave', { context })}</span>,
          size: 68,
        }),
        helper.accessor('address', {
          header: () => <span title={t('fields:place.address', { context })}>{t('points:column.address', { context })}</span>,
          size: 84,
        }),
        helper.accessor((row) => hexAddress(row.address, protocolType), {
          id: 'hex',
          header: t('points:column.hex', { context }),
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
    [t, context, protocolType],
  );
}
