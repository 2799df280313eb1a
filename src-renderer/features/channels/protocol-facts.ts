import { useMemo } from 'react';
import type { Channel, ProtocolDescriptor } from '#shared/contract/channels.ts';
import { type Notation, PLAIN_NOTATION } from '#shared/domain/notation.ts';
import { useOperation } from '../../api/hooks.ts';

/** What a protocol says about itself; undefined while that is not known. */
export function useProtocol(protocolType: Channel['protocol_type'] | undefined): ProtocolDescriptor | undefined {
  const protocols = useOperation('listProtocols', {}, { enabled: protocolType !== undefined });
  return useMemo(() => protocols.data?.find((item) => item.protocol_type === protocolType), [protocols.data, protocolType]);
}

/** How a protocol writes its addresses and slaves; plain numbers while it is not known. */
export function useNotation(protocolType: Channel['protocol_type'] | undefined): Notation {
  return useProtocol(protocolType)?.notation ?? PLAIN_NOTATION;
}

/** Contexts for translations: texts may have words of their own for a kind of slave (`slave_meter`) and a kind of address. */
export interface Terms {
  readonly slave: string;
  readonly address: string;
}

/** The terms of a notation. */
export function termsOf({ slave, address }: Notation): Terms {
  return { slave: slave?.term ?? '', address: address.term };
}

/** What the slaves and addresses of a protocol are, for texts about them. */
export function useTerms(protocolType: Channel['protocol_type'] | undefined): Terms {
  const notation = useNotation(protocolType);
  return useMemo(() => termsOf(notation), [notation]);
}
