/** Why there is no association: which layer refused, and in what words (ITU-T X.224, 13.5; X.225, 8.3.5; X.226, 8.2; X.227, 7.2). */

import type { ForeignProtocol } from '#shared/domain/doctor.ts';
import { FOREIGN_PROTOCOLS } from '#shared/domain/doctor.ts';
import { AppError } from '#shared/domain/errors.ts';
import { english, say } from '#shared/messages/index.ts';

/**
 * Who refused. `closed-at-transport`, `closed-at-association`: nobody said, the peer ended the connection upon the connection request of the
 * transport or upon the association request. `silent-…`: it left that request without an answer. `foreign`: it speaks another protocol.
 */
export type RefusalKind =
  | 'transport'
  | 'session'
  | 'presentation'
  | 'acse'
  | 'mms'
  | 'closed-at-transport'
  | 'closed-at-association'
  | 'silent-at-transport'
  | 'silent-at-association'
  | 'foreign';

/** `AppError.data` of an association that was not established. */
export interface AssociationRefusal {
  readonly kind: RefusalKind;
  readonly detail: string;
  /** Reason or diagnostic of the layer as a number; left out where it gave none. */
  readonly reason?: number;
}

const KINDS: ReadonlySet<string> = new Set<RefusalKind>([
  'transport',
  'session',
  'presentation',
  'acse',
  'mms',
  'closed-at-transport',
  'closed-at-association',
  'silent-at-transport',
  'silent-at-association',
  'foreign',
]);

/** Why an association was not established; null for an error that is no refusal of one. */
export function associationRefusal({ data }: AppError): AssociationRefusal | null {
  const isRefusal = typeof data === 'object' && data !== null && 'kind' in data && typeof data.kind === 'string' && KINDS.has(data.kind);
  return isRefusal ? (data as AssociationRefusal) : null;
}

const LAYERS = {
  transport: 'the transport connection (COTP)',
  session: 'the session',
  presentation: 'the presentation',
  acse: 'the association (ACSE)',
  mms: 'the initiate request of MMS',
} as const;

const SESSION_REASONS: Readonly<Record<number, string>> = {
  0: 'rejected by the called user',
  1: 'temporary congestion of the called user',
  2: 'rejected by the called user',
  129: 'session selector unknown',
  130: 'no user attached to the session selector',
  131: 'congestion at the connection',
  132: 'protocol versions not supported',
  133: 'rejected by the session',
  134: 'rejected by the session',
};

const PRESENTATION_REASONS: Readonly<Record<number, string>> = {
  0: 'reason not specified',
  1: 'temporary congestion',
  2: 'local limit exceeded',
  3: 'called presentation address unknown',
  4: 'protocol version not supported',
  5: 'default context name not supported',
  6: 'user data not readable',
  7: 'no presentation selector available',
};

/** A layer has refused. `PROTOCOL_REFUSED`. */
export function refusedBy(kind: keyof typeof LAYERS, detail: string, reason?: number): AppError {
  const data: AssociationRefusal = { kind, detail, ...(reason === undefined ? {} : { reason }) };
  return new AppError('PROTOCOL_REFUSED', `The peer refused ${LAYERS[kind]}: ${detail}.`, { data });
}

/** The session refused; the reason code of its REFUSE, null where it gave none. */
export function sessionRefusal(reason: number | null): AppError {
  if (reason === null) return refusedBy('session', 'no reason given');
  const words = SESSION_REASONS[reason];
  return refusedBy('session', `${words === undefined ? '' : `${words}, `}reason ${reason} of the session`, reason);
}

/** The provider of the presentation refused. */
export function presentationRefusal(reason: number): AppError {
  const words = PRESENTATION_REASONS[reason];
  return refusedBy('presentation', `${words === undefined ? '' : `${words}, `}reason ${reason} of the presentation`, reason);
}

/** The peer ended the connection although it was asked for an association; `how` it did. `PROTOCOL_REFUSED`. */
export function closedBeforeAssociation(hasTransport: boolean, how: string): AppError {
  const at = hasTransport ? 'the association request (session, presentation, ACSE)' : 'the connection request of the transport (COTP)';
  const data: AssociationRefusal = { kind: hasTransport ? 'closed-at-association' : 'closed-at-transport', detail: how };
  return new AppError('PROTOCOL_REFUSED', `The association was refused: ${at} was not answered. ${how}`, { data });
}

/** Nothing came for so long. `TIMEOUT_CONNECT`. */
export function silentBeforeAssociation(hasTransport: boolean, timeoutMs: number): AppError {
  const what = hasTransport ? say('iec61850.layer_association_silent') : say('iec61850.layer_transport_silent');
  const data: AssociationRefusal = { kind: hasTransport ? 'silent-at-association' : 'silent-at-transport', detail: english(what) };
  return new AppError('TIMEOUT_CONNECT', say('iec61850.associate_silent', { seconds: timeoutMs / 1000, what }), { data });
}

/** The first octets of the peer are of another protocol. `FRAME_NOISE`. */
export function foreignPeer(protocol: ForeignProtocol): AppError {
  const detail = FOREIGN_PROTOCOLS[protocol];
  const data: AssociationRefusal = { kind: 'foreign', detail };
  return new AppError('FRAME_NOISE', say('iec61850.foreign', { protocol: detail }), { data });
}

const TEXT_STARTS: readonly (readonly [start: string, protocol: ForeignProtocol])[] = [
  ['http/', 'http'],
  ['<!doctype', 'http'],
  ['<html', 'http'],
  ['ssh-', 'ssh'],
];
/** Octets that are looked at. */
const LOOKED_AT = 64;

/** What octets that are no TPKT are instead; null where nothing is recognised. */
export function recogniseForeign(octets: Uint8Array): ForeignProtocol | null {
  const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0] = octets;
  const text = String.fromCharCode(...octets.subarray(0, LOOKED_AT)).toLowerCase();
  for (const [start, protocol] of TEXT_STARTS) if (text.startsWith(start)) return protocol;
  if (octets.length >= 5 && first >= 0x14 && first <= 0x17 && second === 3 && third <= 4) return 'tls';
  if (first === 0x68 && second >= 4 && second + 2 <= octets.length) return 'iec104';
  if (octets.length >= 8 && third === 0 && fourth === 0 && fifth === 0 && sixth >= 2) return 'modbus-tcp';
  return octets.length >= 4 && /^[\t\r\n\x20-\x7e]+$/.test(text) ? 'text' : null;
}
