import type { ProtocolDescriptor } from '#shared/contract/channels.ts';
import type { DeviceModel, ModelNode } from '#shared/contract/iec61850.ts';
import { REFERENCE_NOTATION } from '../../testing/protocols.ts';

/** IEC 61850 as the service describes it, with a model. */
export const IEC61850: ProtocolDescriptor = {
  protocol_type: 5,
  key: 'iec61850',
  notation: REFERENCE_NOTATION,
  name: 'IEC 61850',
  conn_types: [1, 2],
  default_port: 102,
  default_baud_rate: 9600,
  default_parity: 'N',
  modes: ['batch', 'single', 'dataset'],
  channel_fields: [],
  channel_schema: {},
  point_fields: [],
  point_schema: {},
  commands: [],
  model: { extensions: ['.scd', '.cid'], max_octets: 1000, setting: 'ied_name' },
};

/** A model that was read from its device. */
export function aModel(change: Partial<DeviceModel> = {}): DeviceModel {
  return {
    state: 'known',
    source: 'device',
    done: 4,
    total: 4,
    error: null,
    learned_at: '2026-03-01T08:00:00.000Z',
    identity: { vendor: 'Example', model: 'BCU', revision: '1.2' },
    configuration_revision: '3',
    counts: { logical_devices: 1, logical_nodes: 1000, data_objects: 10_000, attributes: 50_000, data_sets: 1 },
    revision: 1,
    data_sets: [
      {
        name: 'LD0/LLN0$dsMeas',
        member_count: 1,
        is_deletable: false,
        last_updated_at: '2026-03-01T08:00:00.000Z',
        stale: false,
        last_error: null,
      },
    ],
    document: null,
    ...change,
  };
}

/** Children of a node of a device with 1000 logical nodes of 50 data objects each. */
export function childrenOf(parent: string): ModelNode[] {
  if (parent === '') return [{ name: 'LD0', kind: 'logical-device', reference: 'LD0', child_count: 1000 }];
  if (parent === 'LD0') {
    return Array.from({ length: 1000 }, (_, index) => {
      const name = `GGIO${index + 1}`;
      return { name, kind: 'logical-node', reference: `LD0/${name}`, child_count: 50 };
    });
  }
  return Array.from({ length: 50 }, (_, index) => {
    const name = `Ind${index + 1}`;
    return { name, kind: 'data-object', reference: `${parent}.${name}`, cdc: 'SPS', frame_type: 1, description: `遥信 ${name}` };
  });
}
