import { ActionIcon, Button, Checkbox, Menu, Popover, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useUiStore } from '../../app/ui-store.ts';
import { Icon } from '../icons.tsx';
import type { GridColumn } from './column.ts';
import { DEFAULT_LAYOUT, isInSight, shownOf } from './layout.ts';

interface ChooserProps<Row> {
  readonly name: string;
  readonly columns: readonly GridColumn<Row>[];
}

function useShown<Row>({ name, columns }: ChooserProps<Row>) {
  const { t } = useTranslation('grid');
  const layout = useUiStore((state) => state.tables[name] ?? DEFAULT_LAYOUT);
  const { setTable } = useUiStore.getState();
  const choices = columns.filter((column) => !column.isFixed);
  const shown = shownOf(columns, layout.shown);
  const isShown = (column: GridColumn<Row>) => isInSight(column, shown);
  const isOne = choices.filter(isShown).length === 1;
  /** Why a column cannot be ticked on or off; undefined when it can. */
  const why = (column: GridColumn<Row>) => (isOne && isShown(column) ? t('why.last') : undefined);
  const set = (id: string, to: boolean) => setTable(name, { shown: { ...shown, [id]: to } });
  return { choices, isShown, why, set, reset: () => setTable(name, null) };
}

/** Which columns a table shows, as a button of its toolbar. */
export function ColumnChooser<Row>(props: ChooserProps<Row>) {
  const { t } = useTranslation('grid');
  const { choices, isShown, why, set, reset } = useShown(props);
  return (
    <Popover position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <ActionIcon size={30} variant="default" aria-label={t('columns')} title={t('columns')}>
          <Icon name="columns" />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown mah="80vh" style={{ overflowY: 'auto' }}>
        <Stack gap={6}>
          {choices.map((column) => (
            <Checkbox
              key={column.id}
              label={column.name}
              checked={isShown(column)}
              disabled={why(column) !== undefined}
              title={why(column)}
              onChange={(event) => set(column.id, event.currentTarget.checked)}
            />
          ))}
          <Button variant="default" onClick={reset}>
            {t('reset')}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Which columns a table shows, in the menu of its header. */
export function ColumnItems<Row>(props: ChooserProps<Row>) {
  const { t } = useTranslation('grid');
  const { choices, isShown, why, set, reset } = useShown(props);
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{t('columns')}</Menu.Label>
      {choices.map((column) => (
        <Menu.CheckboxItem
          key={column.id}
          checked={isShown(column)}
          disabled={why(column) !== undefined}
          title={why(column)}
          closeMenuOnClick={false}
          onChange={(isOn) => set(column.id, isOn)}
        >
          {column.name}
        </Menu.CheckboxItem>
      ))}
      <Menu.Divider />
      <Menu.Item leftSection={<Icon name="restore" size={14} />} onClick={reset}>
        {t('reset')}
      </Menu.Item>
    </>
  );
}
