import { describe, expect, it } from 'vitest';
import type { ProtocolDescriptor } from '#shared/contract/channels.ts';
import { NewPoint } from '#shared/contract/points.ts';
import { aPoint } from '../testing/fake-service.ts';
import {
  changeDecode,
  changedPoint,
  changeFrameType,
  followingValues,
  newPointValues,
  pointSections,
  pointValues,
  toPointInput,
} from './point-form-model.ts';

const identity = ['code', 'name', 'slave_id', 'address', 'func_code', 'decode'];
const modbus: ProtocolDescriptor = {
  protocol_type: 1,
  key: 'modbus-tcp',
  name: 'Modbus TCP',
  conn_types: [2],
  default_port: 502,
  default_baud_rate: 9600,
  default_parity: 'N',
  modes: ['batch'],
  channel_fields: [],
  channel_schema: {},
  point_fields: [
    { frame_type: 0, fields: [...identity, 'mul_coe', 'add_coe', 'unit', 'min_limit', 'max_limit', 'note'] },
    { frame_type: 1, fields: [...identity, 'bit', 'reverse'] },
    { frame_type: 2, fields: [...identity, 'bit', 'related_code'] },
    { frame_type: 3, fields: [...identity, 'mul_coe', 'related_code'] },
  ],
  point_schema: { type: 'object', properties: {} },
  commands: ['operate'],
};
const keys = (specs: readonly { key: string }[]) => specs.map((spec) => spec.key);

describe('point form', () => {
  it('shows the fields the protocol names for the type', () => {
    const yc = pointSections(modbus, 0);
    expect(keys(yc.access)).toEqual(['slave_id', 'address', 'func_code', 'decode']);
    expect(keys(yc.scaling)).toEqual(['mul_coe', 'add_coe', 'unit', 'min_limit', 'max_limit']);
    expect(keys(yc.filing)).toEqual(['note']);
    expect(keys(pointSections(modbus, 1).access)).toContain('bit');
    expect(keys(pointSections(modbus, 2).scaling)).toEqual(['related_code']);
    expect(pointSections(modbus, 3).access.find((spec) => spec.key === 'func_code')?.choices).toEqual([6, 16]);
  });

  it('leaves settings of the other side out, unless the point has them', () => {
    const properties = { a: { type: 'string' }, b: { type: 'number', side: 'server', description: 'a change of less is not sent' } };
    const served = { ...modbus, point_schema: { type: 'object', properties } };
    expect(keys(pointSections(served, 0, { of: 'client', stored: {} }).protocol)).toEqual(['a']);
    expect(keys(pointSections(served, 0, { of: 'client', stored: { b: 1 } }).protocol)).toEqual(['a', 'b']);
    expect(keys(pointSections(served, 0, { of: 'server', stored: {} }).protocol)).toEqual(['a', 'b']);
  });

  it('leaves settings of other point types out, behind a side or without', () => {
    const properties = {
      relay: { type: 'string', frame_types: [2], description: 'what 1 and 0 are' },
      format: { type: 'string', frame_types: [0, 1, 3], description: 'format of the item' },
      dead_band: { type: 'number', side: 'server', frame_types: [0], description: 'a change of less is not sent' },
      prose: { type: 'string', description: 'client: YK: words decide nothing' },
    };
    const typed = { ...modbus, point_schema: { type: 'object', properties } };
    const server = { of: 'server' as const, stored: {} };
    const shown = ([0, 1, 2, 3] as const).map((frameType) => keys(pointSections(typed, frameType, server).protocol));
    expect(shown).toEqual([
      ['format', 'dead_band', 'prose'],
      ['format', 'prose'],
      ['relay', 'prose'],
      ['format', 'prose'],
    ]);
    expect(pointSections(typed, 0, server).protocol.map((spec) => spec.description)).toEqual([
      'format of the item',
      'a change of less is not sent',
      'client: YK: words decide nothing',
    ]);
  });

  it('starts with the defaults of the type', () => {
    expect(newPointValues(modbus, 0)).toMatchObject({ decode: '0x41', func_code: 3, slave_id: 1, mul_coe: 1, add_coe: 0, min_limit: null });
    expect(newPointValues(modbus, 1)).toMatchObject({ decode: '0x20', func_code: 1 });
    expect(newPointValues(modbus, 3)).toMatchObject({ decode: '0x41', func_code: 16 });
  });

  it('changes function and decode with the type, and keeps a decode that was chosen', () => {
    const yc = newPointValues(modbus, 0);
    expect(changeFrameType(yc, 2)).toMatchObject({ frame_type: 2, decode: '0x20', func_code: 5 });
    expect(changeFrameType({ ...yc, decode: '0x42' }, 3)).toMatchObject({ decode: '0x42', func_code: 16 });
  });

  it('writes a setpoint of one register with 6 and of more with 16', () => {
    const yt = newPointValues(modbus, 3);
    expect(changeDecode(yt, '0x20').func_code).toBe(6);
    expect(changeDecode(yt, '0x62').func_code).toBe(16);
    expect(changeDecode(newPointValues(modbus, 0), '0x20').func_code).toBe(3);
  });

  it('makes a point of the contract: zero stays zero, empty limits are null, an empty name is left out', () => {
    const values = { ...newPointValues(modbus, 0), code: 'YC1', address: 0, min_limit: 0, max_limit: undefined };
    const input = toPointInput(values, pointSections(modbus, 0));
    expect(input).toMatchObject({ frame_type: 0, code: 'YC1', address: 0, min_limit: 0, max_limit: null });
    expect(input).not.toHaveProperty('name');
    expect(NewPoint.safeParse(input).success).toBe(true);
  });

  it('sends only what changed of a stored point', () => {
    const point = aPoint({ decode: '0xd3' });
    const sections = pointSections(modbus, 0);
    expect(pointValues(point).decode).toBe('0xD3');
    const input = toPointInput({ ...pointValues(aPoint()), unit: 'kV' }, sections);
    expect(changedPoint(aPoint(), input)).toEqual({ unit: 'kV' });
  });

  it('goes on behind the last point', () => {
    const next = followingValues({ code: 'YC009', name: 'U', address: 100, decode: '0x42', func_code: 3 });
    expect(next).toMatchObject({ code: 'YC010', name: '', address: 102 });
    expect(followingValues({ code: 'coil', address: 7, decode: '0x41', func_code: 1 })).toMatchObject({ code: '', address: 8 });
  });
});
