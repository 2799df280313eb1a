import { describe, expect, it } from 'vitest';
import { pointOperations } from '#shared/contract/point-operations.ts';
import { NewPoint, Point } from '#shared/contract/points.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { POINT_FIELD_KEYS, type PointFieldKey, pointField, pointFieldsWhere } from '#shared/domain/point-fields.ts';
import { modbusTcpDriver } from '../drivers/modbus/driver.ts';
import type { NormalPoint, PointConfig } from '../drivers/spi/index.ts';
import { inFolder, openTestProject, testChannel } from '../persistence/test-project.ts';
import { ColumnPointStore } from '../runtime/values/point-store.ts';
import { isReadAlike } from '../runtime/values/reading-settings.ts';
import { changedFields } from '../services/point-diff.ts';
import { draftOf } from '../services/point-drafts.ts';
import { COMMON_COLUMNS } from '../services/point-files/columns.ts';
import { tableSheets } from '../services/point-files/export-table.ts';
import { writeTable } from '../services/point-files/table-formats.ts';
import { importBytes } from '../services/point-files/testing/tables.ts';
import { RowTexts } from '../services/row-text.ts';
import { pointRow } from '../services/rows.ts';

/** A value of each field that no other point has by default; `other` gives a second one. */
function entryOf(key: PointFieldKey, other: boolean): unknown {
  const { kind } = pointField(key);
  switch (kind.is) {
    case 'type':
      return other ? FrameType.yc : FrameType.yt;
    case 'decode':
      return other ? '0x44' : '0x42';
    case 'whole':
      return key === 'func_code' ? (other ? 16 : 6) : other ? 9 : 7;
    case 'number':
      return key === 'max_limit' ? (other ? 91 : 90) : other ? 2.25 : 1.25;
    case 'yesNo':
      return !other;
    case 'settings':
      return { enum_texts: { 1: other ? 'on' : 'closed' }, of: key };
    case 'text':
      return `${key}${other ? ' 2' : ''}`;
  }
}

const made = (other: boolean) => Object.fromEntries(POINT_FIELD_KEYS.map((key) => [key, entryOf(key, other)])) as unknown as NormalPoint;
const first = made(false);
const second = made(true);
const stored: PointConfig = { ...first, id: 4, channel_id: 1 };

describe('every place that holds points holds every field of the table', () => {
  it('the two points of this test differ in every field', () => {
    for (const key of POINT_FIELD_KEYS) expect(first[key], key).not.toEqual(second[key]);
  });

  it('contract: rows, new points and changes', () => {
    const edit = Object.keys(pointOperations.editPoint.body.shape);
    expect(Object.keys(NewPoint.shape)).toEqual([...POINT_FIELD_KEYS]);
    for (const key of POINT_FIELD_KEYS) {
      expect(Object.keys(Point.shape), key).toContain(key);
      expect(edit, key).toContain(key);
    }
    expect(NewPoint.parse(first)).toEqual(first);
  });

  it('a new point that says nothing has what the table says, and leaves the rest to its protocol', () => {
    const draft = draftOf(NewPoint.parse({ frame_type: 0, code: 'A' }));
    const left = pointFieldsWhere(({ start }) => start === 'protocol');
    expect([...Object.keys(draft), ...left].toSorted()).toEqual([...POINT_FIELD_KEYS].toSorted());
    for (const key of left) expect(draft[key], key).toBeUndefined();
    for (const key of pointFieldsWhere(({ start }) => typeof start === 'object')) {
      expect({ value: draft[key] }, key).toEqual(pointField(key).start);
    }
  });

  it('project file', () =>
    inFolder((folder) => {
      const path = `${folder}/p.loopcheck`;
      const before = openTestProject(path);
      const { id } = before.channels.add(testChannel('a'));
      const [added] = before.points.add(id, [first]);
      before.points.update({ ...second, id: added?.id ?? 0, channel_id: id });
      before.points.add(id, [first]);
      before.close();
      const after = openTestProject(path);
      const points = [...after.points.iterate(id)];
      after.close();
      expect(points).toEqual([
        { ...second, id: 1, channel_id: id },
        { ...first, id: 2, channel_id: id },
      ]);
    }));

  it('table in memory, in the order of the contract', () => {
    const table = new ColumnPointStore();
    table.add([stored]);
    expect(table.config(4)).toEqual(stored);
    expect(Object.keys(table.config(4) ?? {})).toEqual(['id', 'channel_id', ...POINT_FIELD_KEYS]);
    table.update({ ...second, id: 4, channel_id: 1 });
    expect(table.config(4)).toEqual({ ...second, id: 4, channel_id: 1 });
  });

  it('rows of the API', () => {
    const table = new ColumnPointStore();
    table.add([stored]);
    expect(pointRow(stored)).toMatchObject({ ...stored });
    expect(JSON.parse(new RowTexts().list(table, [4]))).toEqual([pointRow(stored)]);
  });

  it.each(POINT_FIELD_KEYS.filter((key) => pointField(key).diff !== 'none'))('comparison: %s alone is one change', (key) => {
    // settings of the protocol are told by their names
    const told = key === 'protocol' ? 'protocol.enum_texts' : key;
    expect(changedFields(first, { ...first, [key]: second[key] }).map(({ field }) => field)).toEqual([told]);
  });

  it.each(POINT_FIELD_KEYS)('a value is read anew when %s changes, if the table says so', (key) => {
    expect(isReadAlike(stored, { ...stored, [key]: key === 'protocol' ? { type_id: 3 } : second[key] })).toBe(!pointField(key).isRead);
  });

  it('columns of a table file, each with a place of its own', () => {
    const keys = COMMON_COLUMNS.map((column) => column.key);
    for (const key of POINT_FIELD_KEYS) expect(keys, key).toContain(key);
    const places = POINT_FIELD_KEYS.map((key) => pointField(key).column.place);
    expect(new Set(places).size).toBe(places.length);
  });

  it('export and import: a table comes back as it was', async () => {
    const { descriptor } = modbusTcpDriver;
    const whole: PointConfig = { ...stored, bit: null, reverse: false, func_code: 16, protocol: {} };
    const bytes = await writeTable('csv', tableSheets([whole], descriptor, 'csv'));
    const { errors, points } = await importBytes(bytes);
    expect(errors).toEqual([]);
    expect(points).toMatchObject([Object.fromEntries(POINT_FIELD_KEYS.map((key) => [key, whole[key]]))]);
  });
});
