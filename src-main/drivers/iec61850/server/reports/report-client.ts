/** A client's association as the report blocks see it. */
import type { InformationReport } from '../../mms/pdu.ts';
import type { AssociationDataSets } from '../data-sets.ts';

export interface ReportClient {
  /** Where it comes from, without port: `127.0.0.1`. By it a client is known again that lost its association. */
  readonly address: string;
  /** Largest PDU it takes, in octets. */
  readonly maxPduOctets: number;
  readonly dataSets: AssociationDataSets;
  /** Octets that were sent and that the line has not taken yet. */
  waitingOctets(): number;
  /** Sends a report; one behind the end of the association is dropped. */
  report(report: InformationReport): void;
  /** Ends the association. */
  end(): void;
}

/** Longest Owner (IEC 61850-8-1, 17.2.2: Octet64). */
const MOST_OWNER_OCTETS = 64;

/** Owner of a block: the four octets of an IPv4 address, else the text of the address. */
export function ownerOctets(address: string): Uint8Array {
  const parts = /^(?:\[?::ffff:)?(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\]?$/.exec(address)?.slice(1).map(Number);
  if (parts?.every((part) => part <= 255)) return Uint8Array.from(parts);
  return new TextEncoder().encode(address).slice(0, MOST_OWNER_OCTETS);
}

/** Address of a peer by its label, `127.0.0.1:50112 → 127.0.0.1:102`. */
export function addressOf(label: string): string {
  const [remote = ''] = label.split(' ');
  return remote.replace(/:\d+$/, '');
}
