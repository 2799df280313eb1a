import { TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type GridColumn, textColumn } from '../../ui/data-grid/column.ts';
import { DataGrid } from '../../ui/data-grid/data-grid.tsx';
import { useLocalRows } from '../../ui/data-grid/rows.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icons.tsx';
import classes from './device-file.module.css';
import { type DeviceRow, filterRows } from './device-rows.ts';

interface DeviceTableProps {
  readonly rows: readonly DeviceRow[];
  readonly chosen: DeviceRow | null;
  onChoose(row: DeviceRow): void;
}

/** Rows from which a filter is worth its place. */
const MANY = 8;
/** Pixels: the list is as tall as its rows, and scrolls from there on. */
const [TALLEST, HEAD, ROW] = [280, 56, 28];

const idOf = ({ id }: DeviceRow) => id;
const rowProps = ({ choice }: DeviceRow) => ({ 'data-testid': 'device-row', 'data-device': choice.value });

function useColumns({ chosen, onChoose }: DeviceTableProps): readonly GridColumn<DeviceRow>[] {
  const { t } = useTranslation('model');
  return useMemo(() => {
    const column = (id: 'device' | 'accessPoint' | 'place' | 'selectors' | 'maker', width: number, textOf: (row: DeviceRow) => string) =>
      textColumn(id, t(`devices.column.${id}`), width, textOf);
    return [
      {
        id: 'choose',
        name: t('devices.choose'),
        header: '',
        width: 32,
        isFixed: true,
        cell: (row) => (
          <input
            type="radio"
            name="device-of-file"
            checked={row.id === chosen?.id}
            onChange={() => onChoose(row)}
            aria-label={t('devices.chooseOne', { device: row.choice.value, place: row.place || row.accessPoint })}
          />
        ),
      },
      { ...column('device', 130, (row) => row.device), isRowHeader: true },
      column('accessPoint', 130, (row) => row.accessPoint),
      column('place', 150, (row) => row.place || t(row.address ? 'devices.noIp' : 'devices.noAddress')),
      { ...column('selectors', 190, (row) => row.selectors || '–'), hint: t('devices.selectorsHint'), className: 'lc-mono' },
      { ...column('maker', 150, (row) => row.maker || '–'), grows: 1 },
    ];
  }, [t, chosen?.id, onChoose]);
}

/** The devices of a file, of which one is chosen. */
export function DeviceTable(props: DeviceTableProps) {
  const { t } = useTranslation('model');
  const [filter, setFilter] = useState('');
  const shown = useMemo(() => filterRows(props.rows, filter), [props.rows, filter]);
  const rows = useLocalRows(shown, idOf);
  const columns = useColumns(props);
  return (
    <>
      {props.rows.length > MANY ? (
        <TextInput
          aria-label={t('difference.filter')}
          placeholder={t('devices.filter')}
          leftSection={<Icon name="search" size={14} />}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
          data-testid="device-filter"
        />
      ) : null}
      <div className={classes.table} style={{ height: Math.min(TALLEST, HEAD + props.rows.length * ROW) }}>
        <DataGrid
          name="device-file"
          label={t('devices.list', { count: props.rows.length })}
          rows={rows}
          columns={columns}
          rowProps={rowProps}
          onPick={props.onChoose}
          empty={<EmptyState icon="search" title={t('noneFound')} />}
          tableTestId="device-table"
        />
      </div>
    </>
  );
}
