import type { ProtocolType } from '#shared/domain/enums.ts';
import { useOperation } from '../../api/hooks.ts';

/**
 * Key of a protocol, for the `context` of texts: a slave is a common address in IEC 104 and a meter in DL/T 645. Empty while the
 * protocols are not known; the general word stands then.
 */
export function useProtocolKey(protocolType: ProtocolType | undefined): string {
  const protocols = useOperation('listProtocols', {}, { enabled: protocolType !== undefined });
  return protocols.data?.find((item) => item.protocol_type === protocolType)?.key ?? '';
}
