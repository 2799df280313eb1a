import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { TableChange } from '#shared/contract/point-files.ts';
import { hexAddress, type Notation } from '#shared/domain/notation.ts';
import type { GridColumn } from '../../ui/data-grid/column.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { useNotation, useTerms } from '../channels/protocol-facts.ts';
import { FRAME_TYPE_LETTERS } from '../points/point-text.ts';
import { useFieldWords } from './field-changes.ts';
import { FileTable } from './file-table.tsx';
import classes from './import-dialog.module.css';
import { Nothing } from './nothing.tsx';
import { useFiltered } from './use-filtered.ts';

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
  const { lineOf } = useFieldWords(protocolType);
  const textOf = useMemo(
    () => (change: TableChange) =>
      [t(`files:${change.kind}`), change.code, change.name, change.reference, change.decode, lineOf(change.fields)].join(' '),
    [t, lineOf],
  );
  const rows = useFiltered(changes, textOf, filter);
  const isNamed = changes.some((change) => change.reference !== '');
  const columns = useMemo((): readonly GridColumn<TableChange>[] => {
    const column = (
      id: string,
      name: string,
      width: number,
      textOf: (change: TableChange) => string,
      more: Partial<GridColumn<TableChange>> = {},
    ): GridColumn<TableChange> => ({ id, name, width, cell: textOf, text: textOf, ...more });
    const mono = { className: 'lc-mono' };
    const isHex = notation.address.form === 'hexadecimal';
    const address = t('files:column.address', { context: terms.address });
    return [
      column('kind', t('files:column.kind'), 96, (change) => t(`files:${change.kind}`), {
        cell: (change) => (
          <span className={change.kind === 'removed' ? classes.removed : classes.kind}>
            <Icon name={KIND_ICONS[change.kind]} size={14} /> {t(`files:${change.kind}`)}
          </span>
        ),
      }),
      column('type', t('files:column.type'), 52, (change) => FRAME_TYPE_LETTERS[change.frame_type]),
      column('code', t('files:column.code'), 150, (change) => change.code, mono),
      column('name', t('files:column.name'), 170, (change) => change.name),
      ...(isNamed
        ? [column('address', t('fields:reference'), 250, (change) => change.reference, mono)]
        : [
            column('address', address, isHex ? 104 : 84, (change) => addressText(change, notation), { align: 'right' }),
            column('decode', t('files:column.decode'), 170, (change) => change.decode, mono),
          ]),
      column('fields', t('files:column.fields'), 180, (change) => lineOf(change.fields), { grows: 1 }),
    ];
  }, [t, terms, notation, isNamed, lineOf]);
  const empty = <Nothing text={changes.length > 0 ? t('files:noneFound') : t('files:noChanges')} isGood={false} />;
  return <FileTable name="import-changes" label={label} rows={rows} all={changes} columns={columns} empty={empty} />;
}
