import { Checkbox, NativeSelect, NumberInput, Table } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LIST_ROLES } from '#shared/domain/list-mapping.ts';
import { type ListTable, roleOf, type TablePlace, withHeaderRow, withPlace, withRole } from './change-mapping.ts';
import classes from './list-mapping.module.css';
import type { MappingView } from './mapping-view.ts';

const PLACES = ['header_rows', 'first_row', 'last_row'] as const;
const LAST_ROW = 101_000;

interface TableView extends MappingView {
  readonly table: ListTable;
}

/** A number that is taken when it is left, so that no half typed row is looked for. */
function PlaceInput({
  name,
  value,
  max,
  onValue,
}: {
  readonly name: keyof TablePlace | 'header_row';
  readonly value: number;
  readonly max: number;
  onValue(value: number): void;
}) {
  const { t } = useTranslation('lists');
  const label = t(`place.${name as 'header_row'}`);
  return (
    <NumberInput
      key={value}
      label={label}
      size="xs"
      w={110}
      min={name === 'header_row' ? 0 : 1}
      max={max}
      allowDecimal={false}
      defaultValue={value}
      onBlur={(event) => {
        const next = Number(event.currentTarget.value);
        if (event.currentTarget.value !== '' && Number.isInteger(next) && next !== value) onValue(next);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
      }}
      data-testid={`mapping-${name}`}
    />
  );
}

function Place({ table, mapping, onMapping }: TableView) {
  const { t } = useTranslation('lists');
  return (
    <div className={classes.bar}>
      <Checkbox
        label={t('taken')}
        checked={table.taken}
        onChange={(event) => onMapping(withPlace(mapping, table, { taken: event.currentTarget.checked }))}
        data-testid="mapping-taken"
      />
      <PlaceInput
        name="header_row"
        value={table.header_row}
        max={LAST_ROW}
        onValue={(row) => onMapping(withHeaderRow(mapping, table.sheet, row))}
      />
      {PLACES.map((name) => (
        <PlaceInput
          key={name}
          name={name}
          value={table[name]}
          max={name === 'header_rows' ? 3 : LAST_ROW}
          onValue={(value) => onMapping(withPlace(mapping, table, { [name]: value }))}
        />
      ))}
    </div>
  );
}

function Columns({ table, mapping, onMapping }: TableView) {
  const { t } = useTranslation('lists');
  return (
    <div className={classes.scroll}>
      <Table stickyHeader withRowBorders>
        <Table.Thead>
          <Table.Tr>
            {(['letter', 'header', 'role', 'source', 'readable', 'samples'] as const).map((name) => (
              <Table.Th key={name}>{t(`column.${name}`)}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {table.columns.map((column) => (
            <Table.Tr key={column.index} data-testid="mapping-column" data-header={column.header}>
              <Table.Td className="lc-mono">{column.letter}</Table.Td>
              <Table.Td>{column.header === '' ? <span className={classes.muted}>{t('noHeader')}</span> : column.header}</Table.Td>
              <Table.Td>
                <NativeSelect
                  size="xs"
                  w={170}
                  aria-label={`${t('column.role')}: ${column.header || column.letter}`}
                  data={LIST_ROLES.map((role) => ({ value: role, label: t(`role.${role}`) }))}
                  value={roleOf(mapping, table, column)}
                  onChange={(event) => {
                    const role = LIST_ROLES.find((item) => item === event.currentTarget.value);
                    if (role) onMapping(withRole(mapping, table, column.index, role));
                  }}
                />
              </Table.Td>
              <Table.Td>{t(`source.${column.source}`)}</Table.Td>
              <Table.Td className={column.readable < column.filled && column.role !== 'ignore' ? (classes.doubt ?? '') : ''}>
                {column.role === 'ignore' ? '' : `${column.readable}/${column.filled}`}
              </Table.Td>
              <Table.Td className={classes.samples ?? ''}>{column.samples.join(' · ')}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

/** The tables of the list: where each stands, whether it is read, and what its columns mean. */
export function ColumnsTab(view: MappingView) {
  const { t } = useTranslation('lists');
  const { tables } = view.analysis;
  const first = tables.findIndex(({ taken }) => taken);
  const [chosen, setChosen] = useState<number | null>(null);
  const at = chosen !== null && chosen < tables.length ? chosen : Math.max(0, first);
  const table = tables[at];
  if (!table) return <p className={classes.empty}>{t('noTable')}</p>;
  return (
    <div className={classes.fill}>
      {tables.length > 1 ? (
        <NativeSelect
          label={t('table')}
          size="xs"
          data={tables.map(({ sheet, header_row, points, rows, taken }, index) => ({
            value: String(index),
            label: `${taken ? '☑' : '☐'} ${t('tableName', { sheet: sheet || t('noSheet'), row: header_row, points, rows })}`,
          }))}
          value={String(at)}
          onChange={(event) => setChosen(Number(event.currentTarget.value))}
          data-testid="mapping-table"
        />
      ) : null}
      <Place {...view} table={table} />
      <Columns {...view} table={table} />
    </div>
  );
}
