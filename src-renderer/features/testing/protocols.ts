import type { ProtocolDescriptor } from '#shared/contract/channels.ts';

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
  unknown_objects: true,
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
