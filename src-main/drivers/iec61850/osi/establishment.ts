/** What establishes and ends an association, as TSDUs: ACSE in presentation in session, made and read in one place. Pure. */
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import {
  type ApplicationEntity,
  type AssociateRequest,
  type AssociateResponse,
  decodeApdu,
  diagnosticText,
  encodeApdu,
  MMS_APPLICATION_CONTEXT,
} from './acse.ts';
import {
  ACSE_SYNTAX,
  BER_SYNTAX,
  CONTEXTS,
  decodeAbortPpdu,
  decodeAcceptPpdu,
  decodeConnectPpdu,
  decodeRefusePpdu,
  encodePpdu,
  encodeUserData,
  MMS_SYNTAX,
  type Pdv,
} from './presentation.ts';
import { presentationRefusal, refusedBy, sessionRefusal } from './refusals.ts';
import { encodeSpdu, type Spdu } from './session.ts';

/** Addresses and names of one end. Selectors are octet strings, so `00 01` and `01` are two; what is null is left out. */
export interface OsiEndPoint extends ApplicationEntity {
  readonly transportSelector: Uint8Array | null;
  readonly sessionSelector: Uint8Array | null;
  readonly presentationSelector: Uint8Array | null;
}

/** What a client asks for, as the responder sees it. Octets are views. */
export interface AssociationIndication {
  /** MMS initiate request. */
  readonly initiate: Uint8Array;
  readonly called: ApplicationEntity;
  readonly calling: ApplicationEntity;
  /** Octets of the password; null where none was sent. */
  readonly password: Uint8Array | null;
}

/** How a responder answers: with the MMS initiate response, with an AARE that refuses (diagnostic of the user), or by closing. */
export type AssociationAnswer =
  | { readonly kind: 'accept'; readonly initiate: Uint8Array }
  | { readonly kind: 'refuse'; readonly diagnostic: number }
  | { readonly kind: 'close' };

/** Identifiers of the presentation contexts of an association. */
export interface ContextIds {
  readonly acse: number;
  readonly mms: number;
}

/** The identifiers that everybody proposes. */
export const USUAL_CONTEXTS: ContextIds = { acse: 1, mms: 3 };

/** What a CONNECT holds that its answer needs. */
export interface ConnectRequest {
  readonly indication: AssociationIndication;
  readonly contexts: ContextIds;
  /** Result of each context that was proposed, in its order. */
  readonly results: readonly { readonly result: number; readonly transferSyntax: string | null }[];
  readonly applicationContext: string;
  readonly calledSession: Uint8Array | null;
  readonly calledPresentation: Uint8Array | null;
}

const REJECTED = 1;
const NORMAL_RELEASE = 0;
const ACCEPTED = { result: 0, transferSyntax: BER_SYNTAX };
const NOT_ACCEPTED = { result: 2, transferSyntax: null };
const NO_ENTITY: ApplicationEntity = { apTitle: null, aeQualifier: null };

/** A CONNECT that asks for an association with the MMS initiate request inside. */
export function connectTsdu(local: OsiEndPoint, remote: OsiEndPoint, password: Uint8Array | null, initiate: Uint8Array): Uint8Array {
  const aarq = encodeApdu({
    kind: 'aarq',
    applicationContext: MMS_APPLICATION_CONTEXT,
    called: remote,
    calling: local,
    password,
    information: { contextId: USUAL_CONTEXTS.mms, hasSyntax: false, octets: initiate },
  });
  const userData = encodePpdu({
    kind: 'connect',
    callingSelector: local.presentationSelector,
    calledSelector: remote.presentationSelector,
    contexts: CONTEXTS,
    data: [{ contextId: USUAL_CONTEXTS.acse, octets: aarq }],
  });
  return encodeSpdu({ kind: 'connect', callingSelector: local.sessionSelector, calledSelector: remote.sessionSelector, userData });
}

/** Reads a CONNECT. Throws `PROTOCOL_*` when it is not about MMS. */
export function readConnect({ userData, calledSelector }: Extract<Spdu, { kind: 'connect' | 'accept' }>): ConnectRequest {
  const connect = decodeConnectPpdu(userData);
  const find = (syntax: string) =>
    connect.contexts.find((item) => item.abstractSyntax === syntax && item.transferSyntaxes.includes(BER_SYNTAX));
  const acse = find(ACSE_SYNTAX);
  const mms = find(MMS_SYNTAX);
  if (!acse || !mms) throw new AppError('PROTOCOL_MISMATCH', say('osi.no_contexts'));
  const aarq = decodeApdu(acseIn(connect.data, acse.id));
  if (!isRequest(aarq) || !aarq.information) {
    throw new AppError('PROTOCOL_MISMATCH', say('osi.no_aarq'));
  }
  const { called, calling, password, applicationContext } = aarq;
  return {
    indication: { initiate: aarq.information.octets, called, calling, password },
    contexts: { acse: acse.id, mms: mms.id },
    results: connect.contexts.map((item) => (item === acse || item === mms ? ACCEPTED : NOT_ACCEPTED)),
    applicationContext,
    calledSession: calledSelector,
    calledPresentation: connect.calledSelector,
  };
}

function isRequest(apdu: ReturnType<typeof decodeApdu>): apdu is AssociateRequest {
  return apdu.kind === 'aarq';
}

/** An ACCEPT whose AARE accepts or refuses. Selectors come back as they were called. */
export function acceptTsdu(request: ConnectRequest, answer: Exclude<AssociationAnswer, { kind: 'close' }>): Uint8Array {
  const isAccepted = answer.kind === 'accept';
  const aare = encodeApdu({
    kind: 'aare',
    applicationContext: request.applicationContext,
    result: isAccepted ? 0 : REJECTED,
    diagnosticSource: 'user',
    diagnostic: isAccepted ? 0 : answer.diagnostic,
    responding: NO_ENTITY,
    information: isAccepted ? { contextId: request.contexts.mms, hasSyntax: false, octets: answer.initiate } : null,
  });
  const userData = encodePpdu({
    kind: 'accept',
    respondingSelector: request.calledPresentation,
    results: request.results,
    data: [{ contextId: request.contexts.acse, octets: aare }],
  });
  return encodeSpdu({ kind: 'accept', callingSelector: null, calledSelector: request.calledSession, userData });
}

/** Reads the user data of an ACCEPT; answers the MMS initiate response, a view. Throws `PROTOCOL_REFUSED`, other `PROTOCOL_*`. */
export function readAccept(userData: Uint8Array): Uint8Array {
  const accept = decodeAcceptPpdu(userData);
  const refused = accept.results.findIndex((item) => item.result !== 0);
  if (refused >= 0) throw refusedBy('presentation', say('osi.context_refused', { context: CONTEXTS[refused]?.id ?? refused }));
  const aare = decodeApdu(acseIn(accept.data, USUAL_CONTEXTS.acse));
  if (aare.kind !== 'aare') throw new AppError('PROTOCOL_MISMATCH', say('osi.no_aare'));
  if (aare.result !== 0) throw aareRefusal(aare);
  if (!aare.information) throw new AppError('PROTOCOL_MALFORMED', say('osi.no_initiate'));
  return aare.information.octets;
}

/** Why a REFUSE of the session refuses. Throws `PROTOCOL_MALFORMED`. */
export function readRefuse({ reason, userData }: Extract<Spdu, { kind: 'refuse' }>): AppError {
  if (userData[0] !== 0x30) return sessionRefusal(reason);
  const refuse = decodeRefusePpdu(userData);
  const [value] = refuse.data;
  const aare = value ? decodeApdu(value.octets) : null;
  if (aare?.kind === 'aare') return aareRefusal(aare);
  return refuse.reason === null ? sessionRefusal(reason) : presentationRefusal(refuse.reason);
}

function aareRefusal({ diagnosticSource, diagnostic }: AssociateResponse): AppError {
  const text = diagnosticText(diagnosticSource, diagnostic);
  return diagnosticSource === 'user' ? refusedBy('acse', text, diagnostic) : refusedBy('acse', text);
}

/** What an ABORT of the session means. Throws `PROTOCOL_MALFORMED`. */
export function readAbort(userData: Uint8Array): AppError {
  const reason = userData[0] === 0x30 ? decodeAbortPpdu(userData).reason : null;
  return new AppError('TRANSPORT_LOST', reason === null ? say('osi.aborted') : say('osi.aborted_reason', { reason }));
}

/** A FINISH with RLRQ, or the DISCONNECT with RLRE that answers it. */
export function releaseTsdu(kind: 'finish' | 'disconnect', contexts: ContextIds): Uint8Array {
  const apdu = encodeApdu(kind === 'finish' ? { kind: 'rlrq', reason: NORMAL_RELEASE } : { kind: 'rlre', reason: null });
  return encodeSpdu({ kind, userData: encodeUserData(contexts.acse, apdu) });
}

/** An ABORT by the user. */
export function abortTsdu(contexts: ContextIds): Uint8Array {
  const octets = encodeApdu({ kind: 'abrt', source: 0 });
  const userData = encodePpdu({ kind: 'abort', reason: null, data: [{ contextId: contexts.acse, octets }] });
  return encodeSpdu({ kind: 'abort', userData });
}

function acseIn(data: readonly Pdv[], contextId: number): Uint8Array {
  const value = data.find((item) => item.contextId === contextId);
  if (!value) throw new AppError('PROTOCOL_MALFORMED', say('osi.no_acse', { context: contextId }));
  return value.octets;
}
