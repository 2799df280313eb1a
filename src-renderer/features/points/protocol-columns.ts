import { useMemo } from 'react';
import type { Channel, ProtocolDescriptor } from '#shared/contract/channels.ts';
import { ProtocolType } from '#shared/domain/enums.ts';
import { useOperation } from '../../api/hooks.ts';

/** Columns that stand for one field of a point: of no use where the protocol has no such field. */
const FIELD_OF_COLUMN = {
  address: 'address',
  hex: 'address',
  reference: 'reference',
  slave_id: 'slave_id',
  function: 'func_code',
  decode: 'decode',
  bit: 'bit',
} as const;

/** Widths in pixels where addresses or slaves have more digits than a register and a unit id. */
const WIDER: Partial<Record<ProtocolType, Readonly<Record<string, number>>>> = {
  [ProtocolType.iec104]: { address: 84, hex: 76, slave_id: 68 },
  [ProtocolType.iec61850]: { reference: 300 },
  [ProtocolType.dlt645]: { address: 90, hex: 92, slave_id: 112 },
};

/** Columns that a protocol has no use for, as `false`; while the protocol is not known, those that few have. */
export function hiddenColumns(protocol: Pick<ProtocolDescriptor, 'point_fields'> | undefined): Readonly<Record<string, boolean>> {
  if (!protocol) return { reference: false };
  const fields = new Set(protocol.point_fields.flatMap((entry) => entry.fields));
  return Object.fromEntries(
    Object.entries(FIELD_OF_COLUMN)
      .filter(([, field]) => !fields.has(field))
      .map(([column]) => [column, false]),
  );
}

/** How the point table fits the protocol of its channel: columns left out, and columns made wider. */
export function useProtocolColumns(channel: Channel | null): {
  readonly hidden: Readonly<Record<string, boolean>>;
  readonly sizes: Readonly<Record<string, number>>;
} {
  const protocols = useOperation('listProtocols', {}).data;
  const type = channel?.protocol_type;
  return useMemo(() => {
    const protocol = protocols?.find((entry) => entry.protocol_type === type);
    return { hidden: hiddenColumns(protocol), sizes: (type === undefined ? undefined : WIDER[type]) ?? {} };
  }, [protocols, type]);
}
