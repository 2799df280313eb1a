import { useMemo } from 'react';
import type { Channel, ProtocolDescriptor } from '#shared/contract/channels.ts';
import { useProtocol } from '../channels/protocol-facts.ts';

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
  const protocol = useProtocol(channel?.protocol_type);
  return useMemo(() => ({ hidden: hiddenColumns(protocol), sizes: protocol?.notation?.columns ?? {} }), [protocol]);
}
