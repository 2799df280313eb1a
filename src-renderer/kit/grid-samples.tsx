import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type GridColumn, textColumn } from '../ui/data-grid/column.ts';
import { DataGrid } from '../ui/data-grid/data-grid.tsx';
import { type GridRows, useLocalRows } from '../ui/data-grid/rows.ts';
import { tickColumn } from '../ui/data-grid/tick-column.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';
import classes from './kit.module.css';

/** As many rows as the largest table of points has. */
const MANY = 100_000;
const FEW = 40;
/** Each third row of the sample with holes has not come. */
const HOLE_EVERY = 3;

export interface Sample {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

const idOf = (row: Sample) => row.id;

function sample(index: number): Sample {
  return { id: `${index}`, code: `BMS${index}_U`, name: `Rack ${index} 电压`, value: (index * 37) % 1000, unit: 'V' };
}

/** Sixteen columns, as many as the point table has. */
function useColumns(onSave: (row: Sample, change: Partial<Sample>) => void): readonly GridColumn<Sample>[] {
  const { t } = useTranslation(['points', 'grid']);
  return useMemo(() => {
    const plain = textColumn<Sample>;
    const right = { align: 'right' as const, isSortable: true };
    const registers = Array.from({ length: 9 }, (_, place) =>
      plain(`r${place}`, `R${place}`, 64, (row) => `0x${(row.value + place).toString(16).toUpperCase()}`),
    );
    return [
      tickColumn<Sample>({ column: t('points:column.select'), of: (row) => `${t('points:column.select')} ${row.code}` }),
      { ...plain('address', t('points:column.address'), 74, (row) => row.id), ...right },
      plain('code', t('points:column.code'), 130, (row) => row.code),
      {
        ...plain('name', t('points:column.name'), 140, (row) => row.name),
        grows: 1,
        edit: {
          kind: 'text',
          maxLength: 40,
          valueOf: (row) => row.name,
          async save(row, name) {
            if (name.trim() === '') return t('grid:notEmpty');
            onSave(row, { name });
            return null;
          },
        },
      },
      { ...plain('value', t('points:column.value'), 84, (row) => row.value.toFixed(1)), ...right, watch: (row) => row.value },
      plain('unit', t('points:column.unit'), 44, (row) => row.unit),
      ...registers,
      {
        ...plain('quality', t('points:column.quality'), 110, (row) =>
          t(row.value % 5 === 0 ? 'points:quality.stale' : 'points:quality.good'),
        ),
        cell: (row) => (
          <StatusBadge tone={row.value % 5 === 0 ? 'warn' : 'ok'}>
            {t(row.value % 5 === 0 ? 'points:quality.stale' : 'points:quality.good')}
          </StatusBadge>
        ),
      },
    ];
  }, [t, onSave]);
}

/** 100,000 rows whose values can be changed and whose names are edited in place. */
export function ManyRows({ round }: { readonly round: number }) {
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const all = useMemo(() => Array.from({ length: MANY }, (_, index) => sample(index)), []);
  const list = useMemo(
    () =>
      all.map((row, index) => {
        const name = names.get(row.id);
        if (name === undefined && (round === 0 || index % 2 === 1)) return row;
        return { ...row, ...(name === undefined ? {} : { name }), value: index % 2 === 0 ? row.value + round : row.value };
      }),
    [all, names, round],
  );
  const [save] = useState(() => (row: Sample, { name }: Partial<Sample>) => {
    if (name !== undefined) setNames((before) => new Map(before).set(row.id, name));
  });
  return (
    <div className={classes.grid}>
      <DataGrid
        name="kit"
        label="DataGrid 100000"
        rows={useLocalRows(list, idOf)}
        columns={useColumns(save)}
        sort={{ column: 'address', order: 'asc' }}
        testId="kit-many"
      />
    </div>
  );
}

const keep = () => undefined;

/** Rows of which some are on their way. */
export function Holes() {
  const columns = useColumns(keep);
  const list = useMemo(() => Array.from({ length: FEW }, (_, index) => sample(index)), []);
  const local = useLocalRows(list, idOf);
  const rows = useMemo(
    (): GridRows<Sample> => ({ ...local, isWhole: false, at: (index) => (index % HOLE_EVERY === 2 ? undefined : local.at(index)) }),
    [local],
  );
  return (
    <div className={classes.short}>
      <DataGrid name="kit-holes" label="DataGrid …" rows={rows} columns={columns} />
    </div>
  );
}

/** A list of nothing. */
export function Empty() {
  const { t } = useTranslation('points');
  const columns = useColumns(keep);
  return (
    <div className={classes.short}>
      <DataGrid
        name="kit-empty"
        label="DataGrid 0"
        rows={useLocalRows<Sample>(NOTHING, idOf)}
        columns={columns}
        empty={<EmptyState icon="list" title={t('empty')} />}
      />
    </div>
  );
}

const NOTHING: readonly Sample[] = [];
