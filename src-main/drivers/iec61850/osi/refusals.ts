/** Why there is no association: which layer refused, and in what words (ITU-T X.224, 13.5; X.225, 8.3.5; X.226, 8.2; X.227, 7.2). */

import type { ForeignProtocol } from '#shared/domain/doctor.ts';
import { FOREIGN_PROTOCOLS } from '#shared/domain/doctor.ts';
import { AppError } from '#shared/domain/errors.ts';
import { english, say } from '#shared/messages/index.ts';
import { type Message, type Names, names } from '#shared/messages/message.ts';

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
  /** What `detail` says, as data. */
  readonly detail_message: Message;
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
  transport: names('the transport connection (COTP)', '传输连接（COTP）'),
  session: names('the session', '会话层连接'),
  presentation: names('the presentation', '表示层连接'),
  acse: names('the association (ACSE)', '关联（ACSE）'),
  mms: names('the initiate request of MMS', 'MMS 初始化请求'),
} as const;

const SESSION_REASONS: Readonly<Record<number, Names>> = {
  0: names('rejected by the called user', '被叫用户拒绝'),
  1: names('temporary congestion of the called user', '被叫用户暂时拥塞'),
  2: names('rejected by the called user', '被叫用户拒绝'),
  129: names('session selector unknown', '会话选择符未知'),
  130: names('no user attached to the session selector', '会话选择符未连接用户'),
  131: names('congestion at the connection', '连接处拥塞'),
  132: names('protocol versions not supported', '不支持所提议的协议版本'),
  133: names('rejected by the session', '会话层拒绝'),
  134: names('rejected by the session', '会话层拒绝'),
};

const PRESENTATION_REASONS: Readonly<Record<number, Names>> = {
  0: names('reason not specified', '未说明原因'),
  1: names('temporary congestion', '暂时拥塞'),
  2: names('local limit exceeded', '超过本地限制'),
  3: names('called presentation address unknown', '被叫表示地址未知'),
  4: names('protocol version not supported', '不支持该协议版本'),
  5: names('default context name not supported', '不支持默认上下文名'),
  6: names('user data not readable', '用户数据不可读'),
  7: names('no presentation selector available', '没有可用的表示选择符'),
};

function told(said: Message): Pick<AssociationRefusal, 'detail' | 'detail_message'> {
  return { detail: english(said), detail_message: said };
}

/** A layer has refused, in words and by the number it gave. `PROTOCOL_REFUSED`. */
export function refusedBy(kind: keyof typeof LAYERS, detail: Names | Message, reason?: number): AppError {
  const said = 'code' in detail ? detail : say('common.list', { parts: detail });
  const data: AssociationRefusal = { kind, ...told(said), ...(reason === undefined ? {} : { reason }) };
  return new AppError('PROTOCOL_REFUSED', say('osi.refused', { layer: LAYERS[kind], detail }), { data });
}

/** The session refused; the reason code of its REFUSE, null where it gave none. */
export function sessionRefusal(reason: number | null): AppError {
  if (reason === null) return refusedBy('session', say('osi.no_reason'));
  const words = SESSION_REASONS[reason];
  return refusedBy('session', words ? say('osi.session_reason_words', { words, reason }) : say('osi.session_reason', { reason }), reason);
}

/** The provider of the presentation refused. */
export function presentationRefusal(reason: number): AppError {
  const words = PRESENTATION_REASONS[reason];
  const detail = words ? say('osi.presentation_reason_words', { words, reason }) : say('osi.presentation_reason', { reason });
  return refusedBy('presentation', detail, reason);
}

/** The peer ended the connection although it was asked for an association; `how` it did. `PROTOCOL_REFUSED`. */
export function closedBeforeAssociation(hasTransport: boolean, how: Message): AppError {
  const said = hasTransport ? say('osi.association_unanswered', { how }) : say('osi.transport_unanswered', { how });
  const data: AssociationRefusal = { kind: hasTransport ? 'closed-at-association' : 'closed-at-transport', ...told(how) };
  return new AppError('PROTOCOL_REFUSED', said, { data });
}

/** Nothing came for so long. `TIMEOUT_CONNECT`. */
export function silentBeforeAssociation(hasTransport: boolean, timeoutMs: number): AppError {
  const what = hasTransport ? say('iec61850.layer_association_silent') : say('iec61850.layer_transport_silent');
  const data: AssociationRefusal = { kind: hasTransport ? 'silent-at-association' : 'silent-at-transport', ...told(what) };
  return new AppError('TIMEOUT_CONNECT', say('iec61850.associate_silent', { seconds: timeoutMs / 1000, what }), { data });
}

/** The first octets of the peer are of another protocol. `FRAME_NOISE`. */
export function foreignPeer(protocol: ForeignProtocol): AppError {
  const detail = FOREIGN_PROTOCOLS[protocol];
  const data: AssociationRefusal = { kind: 'foreign', ...told(say('common.list', { parts: detail })) };
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
