import type { ProtocolDescriptor } from '#shared/contract/channels.ts';
import type { Notation } from '#shared/domain/notation.ts';

/** How meters of DL/T 645 are written. */
export const METER_NOTATION: Notation = {
  address: { term: 'data_identifier', form: 'hexadecimal', digits: 8, files: 'hexadecimal' },
  slave: { term: 'meter', digits: 12, setting: 'meter_address' },
  functions: 'hexadecimal',
  columns: { address: 90, hex: 92, slave_id: 112 },
};

/** How points of IEC 61850 are written. */
export const REFERENCE_NOTATION: Notation = {
  address: { term: 'reference', form: 'reference', digits: 4, files: 'decimal' },
  slave: null,
  functions: 'decimal',
  columns: { reference: 300 },
};

/** What a service says of IEC 104, as far as the screens use it. */
export const IEC104: ProtocolDescriptor = {
  protocol_type: 3,
  key: 'iec104',
  name: 'IEC 104',
  conn_types: [1, 2],
  default_port: 2404,
  default_baud_rate: 9600,
  default_parity: 'N',
  modes: ['batch', 'single'],
  channel_fields: ['timeout_ms'],
  channel_schema: {
    type: 'object',
    properties: { t1_s: { type: 'integer', minimum: 1, maximum: 255, default: 15, description: 'seconds to an acknowledgement' } },
  },
  point_fields: [
    { frame_type: 0, fields: ['code', 'name', 'slave_id', 'address', 'unit'] },
    { frame_type: 1, fields: ['code', 'name', 'slave_id', 'address', 'bit'] },
    { frame_type: 2, fields: ['code', 'name', 'slave_id', 'address'] },
    { frame_type: 3, fields: ['code', 'name', 'slave_id', 'address'] },
  ],
  point_schema: { type: 'object', properties: {} },
  commands: ['operate', 'select', 'execute', 'cancel'],
  unknown_objects: { client: true, server: false },
  reports_changes: true,
  echoes_commands: true,
  confirms_late: true,
  frame_check: 'none',
  notation: {
    address: { term: 'object_address', form: 'decimal', digits: 4, files: 'decimal' },
    slave: { term: 'common_address', digits: 1, setting: '' },
    functions: 'decimal',
    columns: { address: 84, hex: 76, slave_id: 68 },
  },
  operations: [
    {
      name: 'general_interrogation',
      summary: 'Ask the station for the state of all its objects',
      effect: 'repeatable',
      writes: false,
      conn_types: [2],
      params_schema: {
        type: 'object',
        properties: {
          common_address: { type: 'integer', minimum: 1, maximum: 65_535, description: 'common address' },
          group: { type: 'integer', minimum: 0, maximum: 16, default: 0 },
        },
      },
    },
    {
      name: 'counter_freeze',
      summary: 'Freeze the integrated totals',
      effect: 'command',
      writes: true,
      conn_types: [2],
      params_schema: {
        type: 'object',
        properties: { action: { type: 'string', enum: ['freeze', 'freeze_reset', 'reset'], default: 'freeze' } },
      },
    },
  ],
};
