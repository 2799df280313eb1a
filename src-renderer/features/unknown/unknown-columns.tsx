import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { hexAddress, slaveText } from '#shared/domain/notation.ts';
import { usePreferences } from '../../app/preferences.ts';
import type { GridColumn } from '../../ui/data-grid/column.ts';
import { tickColumn } from '../../ui/data-grid/tick-column.tsx';
import { shownNumber } from '../../ui/number.ts';
import { formatDateTime } from '../../ui/time.ts';
import { useNotation, useTerms } from '../channels/protocol-facts.ts';
import { shownAddress } from '../points/point-address.ts';
import { FRAME_TYPE_LETTERS, shortNumber } from '../points/point-text.ts';
import type { UnknownObject } from './unknown-model.ts';

/** Columns of the list of unknown objects; the words for slave and address are those of the protocol. */
export function useUnknownColumns(protocolType: Channel['protocol_type']): readonly GridColumn<UnknownObject>[] {
  const { t } = useTranslation(['tools', 'fields', 'points']);
  const notation = useNotation(protocolType);
  const terms = useTerms(protocolType);
  const addresses = usePreferences((state) => state.addresses);
  return useMemo(() => {
    const column = (
      id: string,
      name: string,
      width: number,
      textOf: (object: UnknownObject) => string,
      more: Partial<GridColumn<UnknownObject>> = {},
    ): GridColumn<UnknownObject> => ({ id, name, width, cell: textOf, titleOf: textOf, text: textOf, ...more });
    const right = { align: 'right' as const };
    return [
      tickColumn<UnknownObject>({
        column: t('tools:unknown.tick'),
        of: (object) => t('tools:unknown.select', { address: object.address }),
        why: (object) => (object.frame_type === null ? t('tools:unknown.noPoint') : null),
      }),
      column('slave', t('points:column.slave', { context: terms.slave }), 68, (object) => slaveText(object.slave_id, notation), {
        ...right,
        hint: t('fields:place.slave', { context: terms.slave }),
      }),
      column(
        'address',
        t('points:column.address', { context: terms.address }),
        84,
        (object) => shownAddress({ ...object, func_code: null }, notation, addresses, 0),
        {
          ...right,
          hint: t('fields:place.address', { context: terms.address }),
        },
      ),
      column('hex', t('points:column.hex', { context: terms.address }), 82, (object) => hexAddress(object.address, notation), right),
      column('type', t('tools:unknown.type'), 142, (object) => object.type),
      column('point', t('tools:unknown.point'), 72, (object) => (object.frame_type === null ? '–' : FRAME_TYPE_LETTERS[object.frame_type])),
      column('value', t('tools:unknown.value'), 104, (object) => object.value_text || shownNumber(shortNumber(object.value)), {
        ...right,
        text: (object) => object.value_text || shortNumber(object.value),
        watch: (object) => object.value_text || object.value,
      }),
      column('flags', t('tools:unknown.flags'), 76, (object) => object.flags.join(' ')),
      column('time', t('tools:unknown.deviceTime'), 180, (object) => formatDateTime(object.source_time)),
      column('count', t('tools:unknown.count'), 80, (object) => String(object.count), right),
      column('seen', t('tools:unknown.lastSeen'), 180, (object) => formatDateTime(object.last_seen), { grows: 1 }),
    ];
  }, [t, terms, notation, addresses]);
}
