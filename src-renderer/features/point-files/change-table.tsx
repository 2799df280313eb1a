import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { TableChange } from '#shared/contract/point-files.ts';
import { ProtocolType } from '#shared/domain/enums.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { useProtocolKey } from '../channels/protocol-key.ts';
import { FRAME_TYPE_LETTERS, hexAddress } from '../points/point-text.ts';
import { changeText } from './change-text.ts';
import classes from './import-dialog.module.css';
import { Nothing } from './nothing.tsx';
import { useFiltered } from './use-filtered.ts';
import { type Column, VirtualRows } from './virtual-rows.tsx';

const KIND_ICONS: Record<TableChange['kind'], IconName> = { added: 'plus', changed: 'edit', removed: 'trash' };

interface ChangeTableProps {
  readonly changes: readonly TableChange[];
  readonly label: string;
  readonly filter: string;
  readonly protocolType: ProtocolType;
}

/** The address as the protocol writes it: a data identifier in hexadecimal, everything else decimal. */
function addressText({ address }: TableChange, protocolType: ProtocolType): string {
  return protocolType === ProtocolType.dlt645 ? hexAddress(address, protocolType) : String(address);
}

/** What would change, point by point; decode codes with their letters. */
export function ChangeTable({ changes, label, filter, protocolType }: ChangeTableProps) {
  const { t } = useTranslation(['files', 'fields']);
  const context = useProtocolKey(protocolType);
  const textOf = useMemo(
    () => (change: TableChange) =>
      [t(`files:${change.kind}`), change.code, change.name, change.reference, change.decode, changeText(change, t, context)].join(' '),
    [t, context],
  );
  const rows = useFiltered(changes, textOf, filter);
  const decode: Column<TableChange> = {
    key: 'decode',
    title: t('files:column.decode'),
    width: 170,
    cell: (change) => <span className="lc-mono">{change.decode}</span>,
  };
  const isNamed = changes.some((change) => change.reference !== '');
  const place: Column<TableChange> = isNamed
    ? { key: 'address', title: t('fields:reference'), width: 250, cell: (change) => <span className="lc-mono">{change.reference}</span> }
    : {
        key: 'address',
        title: t('files:column.address', { context }),
        width: protocolType === ProtocolType.dlt645 ? 104 : 84,
        isNumber: true,
        cell: (change) => addressText(change, protocolType),
      };
  const columns: readonly Column<TableChange>[] = [
    {
      key: 'kind',
      title: t('files:column.kind'),
      width: 96,
      cell: (change) => (
        <span className={change.kind === 'removed' ? classes.removed : classes.kind}>
          <Icon name={KIND_ICONS[change.kind]} size={14} /> {t(`files:${change.kind}`)}
        </span>
      ),
    },
    { key: 'type', title: t('files:column.type'), width: 52, cell: (change) => FRAME_TYPE_LETTERS[change.frame_type] },
    { key: 'code', title: t('files:column.code'), width: 150, cell: (change) => <span className="lc-mono">{change.code}</span> },
    { key: 'name', title: t('files:column.name'), width: 170, cell: (change) => change.name },
    place,
    ...(isNamed ? [] : [decode]),
    { key: 'fields', title: t('files:column.fields'), width: 0, cell: (change) => changeText(change, t, context) },
  ];
  const empty = <Nothing text={changes.length > 0 ? t('files:noneFound') : t('files:noChanges')} isGood={false} />;
  return <VirtualRows label={label} rows={rows} columns={columns} empty={empty} />;
}
