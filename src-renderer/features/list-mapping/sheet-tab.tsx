import { Button, NativeSelect, Table } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { withHeaderRow, withoutTables } from './change-mapping.ts';
import classes from './list-mapping.module.css';
import type { MappingView } from './mapping-view.ts';

/** The first rows of a sheet as they stand in the file; one of them can be chosen to be the headers. */
export function SheetTab({ analysis, mapping, onMapping }: MappingView) {
  const { t } = useTranslation('lists');
  const { sheets, tables } = analysis;
  const used = sheets.findIndex(({ name }) => tables.some((table) => table.taken && table.sheet === name));
  const [chosen, setChosen] = useState<number | null>(null);
  const at = chosen ?? Math.max(0, used);
  const sheet = sheets[at];
  if (!sheet) return <p className={classes.empty}>{t('noTable')}</p>;
  const headers = new Set(tables.filter((table) => table.taken && table.sheet === sheet.name).map(({ header_row }) => header_row));
  const isChanged = (mapping.tables ?? []).some((table) => table.sheet === sheet.name);
  return (
    <div className={classes.fill}>
      <div className={classes.bar}>
        {sheets.length > 1 ? (
          <NativeSelect
            label={t('sheet')}
            size="xs"
            data={sheets.map(({ name, hidden }, index) => ({ value: String(index), label: hidden ? t('sheetHidden', { name }) : name }))}
            value={String(at)}
            onChange={(event) => setChosen(Number(event.currentTarget.value))}
            data-testid="mapping-sheet"
          />
        ) : null}
        <span className={classes.muted}>{t('sheetHint')}</span>
        {isChanged ? (
          <Button size="xs" variant="default" onClick={() => onMapping(withoutTables(mapping, sheet.name))}>
            {t('asFound')}
          </Button>
        ) : null}
      </div>
      <div className={classes.scroll}>
        <Table withColumnBorders withRowBorders className={classes.lines ?? ''}>
          <Table.Tbody>
            {sheet.lines.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row of a sheet is its number
              <Table.Tr key={index} data-chosen={headers.has(index + 1)}>
                <Table.Th scope="row">
                  <Button
                    size="compact-xs"
                    variant={headers.has(index + 1) ? 'filled' : 'default'}
                    aria-label={t('headersHere', { row: index + 1 })}
                    title={t('headersHere', { row: index + 1 })}
                    onClick={() => onMapping(withHeaderRow(mapping, sheet.name, index + 1))}
                  >
                    {index + 1}
                  </Button>
                </Table.Th>
                {line.map((cell, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a cell of a sheet is its place
                  <Table.Td key={place}>{cell}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </div>
  );
}
