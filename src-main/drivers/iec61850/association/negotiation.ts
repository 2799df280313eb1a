/** What a client proposes to a server of MMS, and what both agree on (ISO 9506-2, initiate; IEC 61850-8-1, 8.1.2). */

import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { decodeMms, encodeMms } from '../mms/codec.ts';
import { errorText } from '../mms/words.ts';
import type { OsiOptions } from '../osi/connection.ts';
import type { OsiEndPoint } from '../osi/establishment.ts';
import { refusedBy } from '../osi/refusals.ts';

/** How to associate. Timers in milliseconds. */
export interface AssociationSettings
  extends Pick<OsiOptions, 'tpduSize' | 'associateTimeoutMs' | 'releaseTimeoutMs' | 'fragmentTimeoutMs'> {
  readonly local: OsiEndPoint;
  readonly remote: OsiEndPoint;
  /** Password of ACSE; empty without authentication. */
  readonly password: string;
  /** PDU size that is proposed, in octets; 65000 is usual. */
  readonly maxPduOctets: number;
  /** Outstanding requests that are proposed, 1 or more; 5 is usual. */
  readonly maxOutstanding: number;
  /** Time limit of a request that names none. */
  readonly requestTimeoutMs: number;
  /** Longest time without a request, then the server is asked something cheap; 0: never. */
  readonly keepAliveMs: number;
}

/** What both sides agreed on. */
export interface Negotiated {
  /** Most octets of a PDU in either direction. */
  readonly maxPduOctets: number;
  /** Most requests outstanding, 1 or more. */
  readonly window: number;
  /** Levels of nested data; null where the server states none. */
  readonly nesting: number | null;
  readonly tpduSize: number;
  /** Whether the server says that it knows a service, by its bit (0 status, 2 identify, 12 getNamedVariableListAttributes, …). A hint only. */
  supports(service: number): boolean;
}

const LEAST_PDU = 64;
const NESTING = 10;
/** str1, str2, vnam, valt, vlis. */
const PARAMETERS = { size: 11, octets: Uint8Array.from([0xf1, 0x00]) };
/** What a client of IEC 61850 uses and takes (IEC 61850-8-1, 8.1.2). */
const SERVICES = { size: 85, octets: Uint8Array.from([0xee, 0x1c, 0, 0, 0x04, 0x08, 0, 0, 0x79, 0xef, 0x18]) };

/** The initiate request, as octets. */
export function proposal(settings: Pick<AssociationSettings, 'maxPduOctets' | 'maxOutstanding'>): Uint8Array {
  const initiate = {
    localDetail: settings.maxPduOctets,
    maxCalling: settings.maxOutstanding,
    maxCalled: settings.maxOutstanding,
    nesting: NESTING,
    version: 1,
    parameters: PARAMETERS,
    services: SERVICES,
  };
  return encodeMms({ kind: 'initiate-request', initiate });
}

/** Reads the answer to the proposal. Throws `PROTOCOL_REFUSED`, other `PROTOCOL_*`. */
export function negotiate(octets: Uint8Array, settings: AssociationSettings, tpduSize: number): Negotiated {
  const pdu = decodeMms(octets);
  if (pdu.kind === 'initiate-error' || pdu.kind === 'conclude-error') {
    throw refusedBy('mms', errorText(pdu.error));
  }
  if (pdu.kind !== 'initiate-response') {
    throw new AppError('PROTOCOL_MISMATCH', say('iec61850.no_initiate'));
  }
  const { localDetail, maxCalling, maxCalled, nesting, services } = pdu.initiate;
  const maxPduOctets = Math.min(localDetail ?? settings.maxPduOctets, settings.maxPduOctets);
  if (maxPduOctets < LEAST_PDU) {
    throw new AppError('PROTOCOL_MISMATCH', say('iec61850.pdu_small', { count: maxPduOctets, least: LEAST_PDU }));
  }
  const bits = new Uint8Array(services.octets);
  return {
    maxPduOctets,
    window: Math.max(1, Math.min(maxCalling, maxCalled, settings.maxOutstanding)),
    nesting,
    tpduSize,
    supports: (service) => service < services.size && ((bits[service >> 3] ?? 0) & (0x80 >> (service & 7))) !== 0,
  };
}
