import type { CommandStateItem } from '#shared/contract/points.ts';
import { useWords } from '../../i18n/words.ts';
import { type SmallColumn, SmallTable } from '../../ui/data-grid/small-table.tsx';
import { Icon } from '../../ui/icons.tsx';
import classes from './write.module.css';

interface StateTableProps {
  readonly items: readonly CommandStateItem[];
  readonly label: string;
}

/** What a device says of itself around a command, each with what it means for it. */
export function StateTable({ items, label }: StateTableProps) {
  const words = useWords();
  const columns: readonly SmallColumn<CommandStateItem>[] = [
    {
      id: 'name',
      name: null,
      isRowHeader: true,
      cell: (item) => (
        <>
          {words(item.label_message, item.label)} <span className={`lc-mono ${classes.stateName}`}>{item.name}</span>
        </>
      ),
    },
    { id: 'value', name: null, cell: (item) => words(item.value_message, item.value) },
    {
      id: 'remark',
      name: null,
      cell: (item) =>
        item.remark === null ? null : (
          <span className={classes.remark}>
            <Icon name="warn" size={13} /> {words(item.remark_message, item.remark)}
          </span>
        ),
    },
  ];
  return (
    <SmallTable
      isPlain
      label={label}
      columns={columns}
      rows={items}
      keyOf={(item) => item.name}
      rowData={(item) => ({ 'data-state': item.name })}
    />
  );
}
