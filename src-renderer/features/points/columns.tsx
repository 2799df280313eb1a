import { VisuallyHidden } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { POINT_SORTS, type Point } from '#shared/contract/points.ts';
import { hexAddress, type Notation, PLAIN_NOTATION, slaveText } from '#shared/domain/notation.ts';
import { type AddressNotation, usePreferences } from '../../app/preferences.ts';
import { useUiStore } from '../../app/ui-store.ts';
import type { GridColumn } from '../../ui/data-grid/column.ts';
import { tickColumn } from '../../ui/data-grid/tick-column.tsx';
import { termsOf, useProtocol } from '../channels/protocol-facts.ts';
import { useTableSession } from '../check/point-check.ts';
import { PointCheckCell } from '../check/point-check-cell.tsx';
import { useInspectorStore } from '../inspector/inspector-store.ts';
import { type CellWords, useCellWords } from './cell-words.ts';
import { AgeCell, actionsCell, ageTitle, qualityCell, qualityTitle, ValueCell } from './cells.tsx';
import { ageText, qualityText, valueCopy } from './copied-cells.ts';
import { type EditableField, useCellEdit } from './edit-cell.ts';
import { copiedAddress, shownAddress } from './point-address.ts';
import { DASH, decodeText, exactNumber, FRAME_TYPE_LETTERS, rawText, valueText } from './point-text.ts';
import classes from './points.module.css';
import type { PointSort } from './points-store.ts';
import { useProtocolColumns } from './protocol-columns.ts';
import type { RowFacts } from './row-facts.ts';

/** Name under which the columns of the point tables are remembered. */
export const POINT_TABLE = 'points';

interface RowActions {
  onRead(point: Point): void;
  onWrite(point: Point): void;
}

/** Columns that give their room to the inspector, which shows the same. */
const INSPECTED: ReadonlySet<string> = new Set(['hex', 'decode', 'raw']);

/** Columns that give their room to a second work area: what names a point and what it is worth stay in sight. */
const FOR_TWO: ReadonlySet<string> = new Set([...INSPECTED, 'slave_id', 'bit', 'function', 'frame_type', 'check']);
/** Columns that give their room to the check. */
const FOR_CHECK: ReadonlySet<string> = new Set(['decode']);
const NONE: ReadonlySet<string> = new Set();

type Column = GridColumn<Point>;

/** True for a column that the service sorts by; the id of a column is the `sort` word of the contract. */
export function isSort(id: string): id is PointSort {
  return POINT_SORTS.some((sort) => sort === id);
}

const MONO = classes.mono ?? '';
const SMALL = classes.small ?? '';

/** Where the point is: its address, in the ways the protocol writes it. */
function placeColumns(
  t: TFunction<'points'>,
  words: CellWords,
  tf: TFunction<'fields'>,
  notation: Notation,
  addresses: AddressNotation,
  addressBase: number,
): readonly Column[] {
  const terms = termsOf(notation);
  const shown = (point: Point) => shownAddress(point, notation, addresses, addressBase);
  // the protocol has a word of its own for addresses in hexadecimal, and an import knows them by it
  const isHexAlone = notation.address.form === 'hexadecimal' && addresses === 'hexadecimal';
  const number = (id: string, name: string, width: number, of: (point: Point) => string, hint?: string): Column => ({
    id,
    name,
    width,
    align: 'right',
    isSortable: isSort(id),
    cell: (point) => of(point) || <span className={classes.muted}>{DASH}</span>,
    text: of,
    ...(hint === undefined ? {} : { hint }),
  });
  const text = (value: number | null) => (value === null ? '' : String(value));
  return [
    {
      ...number(
        'address',
        t(isHexAlone ? 'column.hex' : 'column.address', { context: terms.address }),
        76,
        shown,
        tf('place.address', { context: terms.address }),
      ),
      text: (point) => copiedAddress(point, notation, addresses),
    },
    {
      ...number('hex', t('column.hex', { context: terms.address }), 60, (point) => hexAddress(point.address, notation)),
      cell: (point) => hexAddress(point.address, notation),
      className: MONO,
    },
    {
      id: 'reference',
      name: t('column.reference'),
      width: 230,
      cell: (point) => point.reference,
      className: MONO,
      titleOf: (point) => point.reference,
      text: (point) => point.reference,
    },
    number(
      'slave_id',
      t('column.slave', { context: terms.slave }),
      52,
      (point) => slaveText(point.slave_id, notation),
      tf('place.slave', { context: terms.slave }),
    ),
    number('bit', t('column.bit'), 32, (point) => text(point.bit)),
    {
      ...number('function', t('column.functionLong'), 30, (point) => text(point.func_code), t('column.functionLong')),
      header: t('column.function'),
    },
    {
      id: 'frame_type',
      name: t('column.type'),
      width: 48,
      isSortable: true,
      cell: (point) => FRAME_TYPE_LETTERS[point.frame_type],
      titleOf: (point) => words.type(point.frame_type),
      text: (point) => FRAME_TYPE_LETTERS[point.frame_type],
    },
  ];
}

/** What people call the point and how its value is made; edited in place where nothing else hangs on it. */
function settingColumns(
  t: TFunction<'points'>,
  words: CellWords,
  tf: TFunction<'fields'>,
  edit: (field: EditableField) => Column['edit'],
): readonly Column[] {
  const text = (id: 'code' | 'name' | 'unit' | 'note', name: string, width: number): Column => ({
    id,
    name,
    width,
    isSortable: isSort(id),
    cell: (point) => point[id],
    titleOf: (point) => (id === 'name' && point.note ? `${point.name}\n${point.note}` : point[id]),
    text: (point) => point[id],
  });
  const edited = (column: Column, field: EditableField): Column => {
    const how = edit(field);
    return how === undefined ? column : { ...column, edit: how };
  };
  const number = (id: 'mul_coe' | 'add_coe' | 'min_limit' | 'max_limit'): Column => {
    const of = (point: Point) => (point[id] === null ? '' : exactNumber(point[id]));
    return edited({ id, name: tf(id), width: 74, align: 'right', isExtra: true, cell: of, text: of }, id);
  };
  return [
    { ...text('code', t('column.code'), 112), grows: 0.3 },
    edited({ ...text('name', t('column.name'), 110), grows: 1 }, 'name'),
    {
      id: 'decode',
      name: t('column.decode'),
      width: 128,
      cell: decodeText,
      className: SMALL,
      titleOf: decodeText,
      text: decodeText,
    },
    {
      id: 'raw',
      name: t('column.raw'),
      width: 88,
      grows: 0.2,
      cell: (point) => rawText(point.raw_hex),
      className: SMALL,
      titleOf: (point) => rawText(point.raw_hex),
      text: (point) => rawText(point.raw_hex),
    },
    {
      id: 'value',
      name: t('column.value'),
      width: 90,
      align: 'right',
      isSortable: true,
      cell: (point) => <ValueCell point={point} words={words} />,
      text: valueCopy,
      watch: valueText,
    },
    edited(text('unit', t('column.unit'), 50), 'unit'),
    number('mul_coe'),
    number('add_coe'),
    number('min_limit'),
    number('max_limit'),
    edited({ ...text('note', tf('note'), 140), isExtra: true }, 'note'),
  ];
}

function stateColumns(
  t: TFunction<'points'>,
  words: CellWords,
  facts: RowFacts | null,
  hasCheck: boolean,
  actions: RowActions,
): readonly Column[] {
  return [
    {
      id: 'quality',
      name: t('column.quality'),
      width: 78,
      isSortable: true,
      cell: (point) => qualityCell(point, words),
      titleOf: (point) => qualityTitle(point, words),
      text: (point) => qualityText(point, t),
    },
    {
      id: 'updated_at',
      name: t('column.age'),
      width: 58,
      align: 'right',
      isSortable: true,
      cell: (point) =>
        point.updated_at === null ? <span className={classes.muted}>{DASH}</span> : <AgeCell at={point.updated_at} words={words} />,
      titleOf: (point) => ageTitle(point, words),
      text: ageText,
    },
    ...(hasCheck ? [{ id: 'check', name: t('column.check'), width: 120, cell: (point: Point) => <PointCheckCell point={point} /> }] : []),
    {
      id: 'actions',
      name: t('column.actions'),
      header: <VisuallyHidden>{t('column.actions')}</VisuallyHidden>,
      width: 58,
      isFixed: true,
      cell: (point) => (facts ? actionsCell(point, words, facts, actions) : null),
    },
  ];
}

/** What of a channel the columns hang on; the same object as long as nothing of it changes. */
function useFacts(channel: Channel | null, isServiceReadOnly: boolean): RowFacts | null {
  const { conn_type, read_only, status } = channel ?? {};
  return useMemo(
    () =>
      conn_type === undefined || read_only === undefined || status === undefined
        ? null
        : { conn_type, read_only, status, isServiceReadOnly },
    [conn_type, read_only, status, isServiceReadOnly],
  );
}

/** The columns of the point table for the protocol of a channel. The same array while neither the channel's state nor the language changes. */
export function usePointColumns(channel: Channel | null, isServiceReadOnly: boolean, { onRead, onWrite }: RowActions): readonly Column[] {
  const { t } = useTranslation('points');
  const words = useCellWords();
  const { t: tf } = useTranslation('fields');
  const protocol = useProtocol(channel?.protocol_type);
  const { hidden, sizes } = useProtocolColumns(channel);
  const facts = useFacts(channel, isServiceReadOnly);
  const hasCheck = useTableSession() !== null;
  const edit = useCellEdit(channel, protocol);
  const addresses = usePreferences((state) => state.addresses);
  const addressBase = channel?.address_base ?? 0;
  const isInspected = useInspectorStore((state) => state.isOpen);
  const isBeside = useUiStore((state) => state.beside !== null);
  const givenUp = isBeside ? FOR_TWO : isInspected ? INSPECTED : hasCheck ? FOR_CHECK : NONE;
  return useMemo(() => {
    const notation = protocol?.notation ?? PLAIN_NOTATION;
    // nobody reads these addresses in decimal
    const unread = notation.address.form === 'hexadecimal' && addresses !== 'hexadecimal' ? 'address' : null;
    const all = [
      tickColumn<Point>({ column: t('column.select'), of: (point) => `${words.select} ${point.code}` }),
      ...placeColumns(t, words, tf, notation, addresses, addressBase),
      ...settingColumns(t, words, tf, edit),
      ...stateColumns(t, words, facts, hasCheck, { onRead, onWrite }),
    ];
    // one column of hexadecimal addresses is enough
    const shown = all.filter(({ id }) => hidden[id] !== false && !(id === 'hex' && addresses === 'hexadecimal'));
    return shown.map((column) => ({
      ...column,
      width: sizes[column.id] ?? column.width,
      ...(givenUp.has(column.id) || column.id === unread ? { isExtra: true } : {}),
    }));
  }, [t, words, tf, protocol, hidden, sizes, facts, hasCheck, edit, givenUp, addresses, addressBase, onRead, onWrite]);
}
