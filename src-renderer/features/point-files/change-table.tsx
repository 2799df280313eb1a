import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { TableChange } from '#shared/contract/point-files.ts';
import { hexAddress, type Notation } from '#shared/domain/notation.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { useNotation, useTerms } from '../channels/protocol-facts.ts';
import { FRAME_TYPE_LETTERS } from '../points/point-text.ts';
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
  readonly protocolType: Channel['protocol_type'];
}

/** The address as the protocol writes it: a data identifier in hexadecimal, everything else decimal. */
function addressText({ address }: TableChange, notation: Notation): string {
  return notation.address.form === 'hexadecimal' ? hexAddress(address, notation) : String(address);
}

/** What would change, point by point; decode codes with their letters. */
export function ChangeTable({ changes, label, filter, protocolType }: ChangeTableProps) {
  const { t } = useTranslation(['files', 'fields']);
  const notation = useNotation(protocolType);
  const terms = useTerms(protocolType);
  const textOf = useMemo(
    () => (change: TableChange) =>
      [t(`files:${change.kind}`), change.code, change.name, change.reference, change.decode, changeText(change, t, terms)].join(' '),
    [t, terms],
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
        title: t('files:column.address', { context: terms.address }),
        width: notation.address.form === 'hexadecimal' ? 104 : 84,
        isNumber: true,
        cell: (change) => addressText(change, notation),
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
    { key: 'fields', title: t('files:column.fields'), width: 0, cell: (change) => changeText(change, t, terms) },
  ];
  const empty = <Nothing text={changes.length > 0 ? t('files:noneFound') : t('files:noChanges')} isGood={false} />;
  return <VirtualRows label={label} rows={rows} columns={columns} empty={empty} />;
}
