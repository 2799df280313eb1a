import {
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  rowPaginationFeature,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/react-table';
import type { TFunction } from 'i18next';
import type { Point } from '#shared/contract/points.ts';
import type { Terms } from '../channels/protocol-facts.ts';
import {
  ActionsCell,
  AddressCell,
  AgeCell,
  HeaderText,
  NameCell,
  NumberCell,
  QualityCell,
  RawCell,
  ReferenceCell,
  SelectCell,
  TextCell,
  TypeCell,
  ValueCell,
} from './cells.tsx';

/** Features of the point table; paging, order and filters are the service's work, the table only holds their state. */
export const pointFeatures = tableFeatures({ rowSortingFeature, rowPaginationFeature, columnVisibilityFeature, columnSizingFeature });

const helper = createColumnHelper<typeof pointFeatures, Point>();

/** Columns in order. The id of a sortable column is the `sort` word of the contract. */
export const pointColumns = helper.columns([
  helper.display({
    id: 'select',
    size: 28,
    enableHiding: false,
    header: () => <HeaderText id="select" />,
    cell: ({ row }) => <SelectCell point={row.original} />,
  }),
  helper.accessor('address', {
    size: 66,
    sortDescFirst: false,
    header: () => <HeaderText id="address" />,
    cell: ({ row }) => <NumberCell value={row.original.address} />,
  }),
  helper.display({
    id: 'hex',
    size: 58,
    header: () => <HeaderText id="hex" />,
    cell: ({ row }) => <AddressCell point={row.original} />,
  }),
  helper.display({
    id: 'reference',
    size: 230,
    header: () => <HeaderText id="reference" />,
    cell: ({ row }) => <ReferenceCell point={row.original} />,
  }),
  helper.accessor('slave_id', {
    size: 46,
    sortDescFirst: false,
    header: () => <HeaderText id="slave" />,
    cell: ({ row }) => <NumberCell slaveOf={row.original} value={row.original.slave_id} />,
  }),
  helper.display({
    id: 'bit',
    size: 32,
    header: () => <HeaderText id="bit" />,
    cell: ({ row }) => <NumberCell value={row.original.bit} />,
  }),
  helper.display({
    id: 'function',
    size: 30,
    header: () => <HeaderText id="function" />,
    cell: ({ row }) => <NumberCell value={row.original.func_code} />,
  }),
  helper.accessor('frame_type', {
    size: 44,
    sortDescFirst: false,
    header: () => <HeaderText id="type" />,
    cell: ({ row }) => <TypeCell type={row.original.frame_type} />,
  }),
  helper.accessor('code', {
    size: 112,
    sortDescFirst: false,
    header: () => <HeaderText id="code" />,
    cell: ({ row }) => <TextCell text={row.original.code} />,
  }),
  helper.accessor('name', {
    size: 110,
    sortDescFirst: false,
    header: () => <HeaderText id="name" />,
    cell: ({ row }) => <NameCell point={row.original} />,
  }),
  helper.display({
    id: 'decode',
    size: 150,
    header: () => <HeaderText id="decode" />,
    cell: ({ row }) => <RawCell point={row.original} part="decode" />,
  }),
  helper.display({
    id: 'raw',
    size: 88,
    header: () => <HeaderText id="raw" />,
    cell: ({ row }) => <RawCell point={row.original} part="raw" />,
  }),
  helper.accessor('value', {
    size: 90,
    sortDescFirst: false,
    header: () => <HeaderText id="value" />,
    cell: ({ row }) => <ValueCell point={row.original} />,
  }),
  helper.display({
    id: 'unit',
    size: 44,
    header: () => <HeaderText id="unit" />,
    cell: ({ row }) => <TextCell text={row.original.unit} />,
  }),
  helper.accessor('quality', {
    size: 100,
    sortDescFirst: false,
    header: () => <HeaderText id="quality" />,
    cell: ({ row }) => <QualityCell point={row.original} />,
  }),
  helper.accessor('updated_at', {
    size: 46,
    sortDescFirst: false,
    header: () => <HeaderText id="age" />,
    cell: ({ row }) => <AgeCell point={row.original} />,
  }),
  helper.display({
    id: 'actions',
    size: 58,
    enableHiding: false,
    header: () => <HeaderText id="actions" />,
    cell: ({ row }) => <ActionsCell point={row.original} />,
  }),
]);

/** Text key of a column, under `column` of the points texts. */
export const COLUMN_TEXT = {
  select: 'select',
  address: 'address',
  hex: 'hex',
  reference: 'reference',
  slave_id: 'slave',
  bit: 'bit',
  function: 'function',
  frame_type: 'type',
  code: 'code',
  name: 'name',
  decode: 'decode',
  raw: 'raw',
  value: 'value',
  unit: 'unit',
  quality: 'quality',
  updated_at: 'age',
  actions: 'actions',
} as const;
export type ColumnId = keyof typeof COLUMN_TEXT;

/** True for the id of a column that can be hidden and copied. */
export function isDataColumn(id: string): id is Exclude<ColumnId, 'select' | 'actions'> {
  return id in COLUMN_TEXT && id !== 'select' && id !== 'actions';
}

/** Name of a column in words; the protocol has terms of its own for slaves and addresses. */
export function columnName(id: Exclude<ColumnId, 'select' | 'actions'>, t: TFunction<'points'>, terms: Terms): string {
  if (id === 'slave_id') return t('column.slave', { context: terms.slave });
  if (id === 'address') return t('column.address', { context: terms.address });
  if (id === 'hex') return t('column.hex', { context: terms.address });
  return id === 'function' ? t('column.functionLong') : t(`column.${COLUMN_TEXT[id]}`);
}

/** Columns of numbers stand on the right, so that their digits line up. */
const NUMBERS: ReadonlySet<string> = new Set(['address', 'hex', 'slave_id', 'bit', 'function', 'value', 'updated_at']);

/** Alignment of a column's header and cells. */
export function alignOf(columnId: string): 'left' | 'right' {
  return NUMBERS.has(columnId) ? 'right' : 'left';
}
