/** COTP: TPDUs of transport class 0 (ITU-T X.224, 13), and the joining of segments. */

import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { type Names, names } from '#shared/messages/message.ts';
import { concatBytes, putU16, u16 } from '../../../protocol-kit/bytes.ts';
import { malformed } from '../../../protocol-kit/malformed.ts';

/** Sizes of TPDUs that can be negotiated, in octets: powers of two from 128 to 65536. Beyond 2048 is outside class 0 and common. */
export const TPDU_SIZES = [128, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536] as const;
/** Most octets of a TPDU where no size was negotiated (RFC 1006, 5). */
export const DEFAULT_TPDU_SIZE = 65_531;
/** Octets of a DT before its data. */
export const DT_HEADER = 3;

const CODE = { cr: 0xe0, cc: 0xd0, dr: 0x80, dt: 0xf0, er: 0x70 } as const;
const PARAMETER = { tpduSize: 0xc0, callingSelector: 0xc1, calledSelector: 0xc2 } as const;

/** Connection request or confirm. A parameter that is null is left out. */
export interface ConnectTpdu {
  readonly kind: 'cr' | 'cc';
  readonly destination: number;
  readonly source: number;
  /** Class, 0 to 4; only 0 is used here. */
  readonly class: number;
  /** One of {@link TPDU_SIZES}. */
  readonly tpduSize: number | null;
  readonly callingSelector: Uint8Array | null;
  readonly calledSelector: Uint8Array | null;
}

/** What is inside a TPKT. Octets are views. */
export type Tpdu =
  | ConnectTpdu
  | { readonly kind: 'dr'; readonly destination: number; readonly source: number; readonly reason: number }
  | { readonly kind: 'dt'; readonly isLast: boolean; readonly data: Uint8Array }
  | { readonly kind: 'er'; readonly destination: number; readonly cause: number };

/** Reasons of a DR in words (X.224, 13.5.3 and 13.5.4). */
const DR_REASONS: Readonly<Record<number, Names>> = {
  0: names('reason not specified', '未说明原因'),
  1: names('congestion at the selector', '选择符处拥塞'),
  2: names('session entity not attached to the selector', '选择符没有会话实体'),
  3: names('address unknown', '地址未知'),
  128: names('normal disconnect', '正常断开'),
  129: names('remote congestion', '对端拥塞'),
  130: names('connection negotiation failed', '连接协商失败'),
  131: names('duplicate source reference', '源参考号重复'),
  132: names('mismatched references', '参考号不匹配'),
  133: names('protocol error', '协议错误'),
  135: names('reference overflow', '参考号溢出'),
  136: names('connection request refused', '连接请求被拒绝'),
  138: names('header or parameter length invalid', '报头或参数长度无效'),
};

/** What the reason of a DR says; null for one that is not in the standard. */
export function disconnectNames(reason: number): Names | null {
  return DR_REASONS[reason] ?? null;
}

/** `address unknown`. */
export function disconnectReason(reason: number): Names | Message {
  return DR_REASONS[reason] ?? say('osi.reason', { reason });
}

/** Reads the payload of a TPKT. Throws `PROTOCOL_MALFORMED`. Unknown parameters are passed over. */
export function decodeTpdu(bytes: Uint8Array): Tpdu {
  const indicator = bytes[0] ?? 0;
  if (indicator + 1 > bytes.length || indicator === 255) {
    throw malformed(say('osi.length_indicator', { indicator, count: bytes.length - 1 }));
  }
  const code = bytes[1] ?? 0;
  if (code === CODE.dt) {
    if (indicator < 2) throw malformed(say('osi.length_of_dt', { indicator }));
    return { kind: 'dt', isLast: ((bytes[2] ?? 0) & 0x80) !== 0, data: bytes.subarray(indicator + 1) };
  }
  const kind = code & 0xf0;
  if (kind === CODE.cr || kind === CODE.cc) return decodeConnect(bytes, indicator, kind === CODE.cr ? 'cr' : 'cc');
  if (code === CODE.dr && indicator >= 6) {
    return { kind: 'dr', destination: u16(bytes, 2), source: u16(bytes, 4), reason: bytes[6] ?? 0 };
  }
  if (code === CODE.er && indicator >= 4) return { kind: 'er', destination: u16(bytes, 2), cause: bytes[4] ?? 0 };
  throw malformed(say('osi.no_tpdu', { code: code.toString(16).padStart(2, '0'), indicator }));
}

function decodeConnect(bytes: Uint8Array, indicator: number, kind: 'cr' | 'cc'): ConnectTpdu {
  if (indicator < 6) throw malformed(say('osi.length_of_connect', { tpdu: kind.toUpperCase(), indicator }));
  const found = new Map<number, Uint8Array>();
  for (let at = 7; at <= indicator; ) {
    const end = at + 2 + (bytes[at + 1] ?? 0);
    if (at + 1 > indicator || end > indicator + 1) {
      throw malformed(say('osi.parameter_beyond', { parameter: (bytes[at] ?? 0).toString(16), tpdu: kind.toUpperCase() }));
    }
    found.set(bytes[at] ?? 0, bytes.subarray(at + 2, end));
    at = end;
  }
  const size = found.get(PARAMETER.tpduSize)?.[0];
  const tpduSize = size === undefined ? null : TPDU_SIZES[size - 7];
  if (tpduSize === undefined) throw malformed(say('osi.tpdu_size', { size: size ?? 0 }));
  return {
    kind,
    destination: u16(bytes, 2),
    source: u16(bytes, 4),
    class: (bytes[6] ?? 0) >> 4,
    tpduSize,
    callingSelector: found.get(PARAMETER.callingSelector) ?? null,
    calledSelector: found.get(PARAMETER.calledSelector) ?? null,
  };
}

/** A CR or CC with its parameters in the order size, called selector, calling selector. Selectors have at most 32 octets. */
export function encodeConnect(tpdu: ConnectTpdu): Uint8Array {
  const parameters: number[] = [];
  const put = (code: number, value: Iterable<number>) => {
    const octets = [...value];
    parameters.push(code, octets.length, ...octets);
  };
  if (tpdu.tpduSize !== null) put(PARAMETER.tpduSize, [Math.log2(tpdu.tpduSize)]);
  if (tpdu.calledSelector) put(PARAMETER.calledSelector, tpdu.calledSelector);
  if (tpdu.callingSelector) put(PARAMETER.callingSelector, tpdu.callingSelector);
  const bytes = Uint8Array.from([6 + parameters.length, CODE[tpdu.kind], 0, 0, 0, 0, tpdu.class << 4, ...parameters]);
  putU16(bytes, 2, tpdu.destination);
  putU16(bytes, 4, tpdu.source);
  return bytes;
}

/** A disconnect request. */
export function encodeDisconnect(destination: number, source: number, reason: number): Uint8Array {
  const bytes = Uint8Array.from([6, CODE.dr, 0, 0, 0, 0, reason]);
  putU16(bytes, 2, destination);
  putU16(bytes, 4, source);
  return bytes;
}

const DT_LAST = Uint8Array.from([2, CODE.dt, 0x80]);
const DT_MORE = Uint8Array.from([2, CODE.dt, 0]);

/** Header of a DT: of the last or only segment, or of one that others follow. */
export function dtHeader(isLast: boolean): Uint8Array {
  return isLast ? DT_LAST : DT_MORE;
}

/** Joins the segments of a TSDU; bounded. */
export class TsduAssembler {
  #parts: Uint8Array[] = [];
  #length = 0;

  /** Octets of the TSDU that is not complete yet; segments without data count as one octet each, so that they are bounded too. */
  get buffered(): number {
    return this.#length;
  }

  /** Takes the data of a DT; answers the whole TSDU with the last one, else null. Throws `FRAME_LENGTH` beyond `maxOctets`. */
  push(data: Uint8Array, isLast: boolean, maxOctets: number): Uint8Array | null {
    const length = this.#length + data.length;
    if (length > maxOctets) {
      throw new AppError('FRAME_LENGTH', say('osi.joined_large', { count: length, most: maxOctets }));
    }
    if (isLast) {
      const parts = this.#parts;
      this.#parts = [];
      this.#length = 0;
      return parts.length === 0 ? data : concatBytes(...parts, data);
    }
    // a copy: it must not hold the chunk it came in
    this.#parts.push(new Uint8Array(data));
    this.#length += Math.max(1, data.length);
    return null;
  }
}
