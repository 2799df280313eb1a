/** One direction of a recorded conversation of MMS: its PDUs, wherever the recording begins. */
import { concatBytes, u16 } from '../../../protocol-kit/bytes.ts';
import { decodeMms, invokeIdOf } from '../mms/codec.ts';
import type { MmsPdu } from '../mms/pdu.ts';
import { decodeTpdu, type Tpdu, TsduAssembler } from '../osi/cotp.ts';
import { decodeUserData } from '../osi/presentation.ts';
import { decodeSpdu } from '../osi/session.ts';
import { MOST_LENGTH, TPKT_HEADER, TpktFramer, tpktPayload } from '../osi/tpkt.ts';

/** Octets and segments of the longest PDU that is put together; negotiated ones have 64 KiB at most nearly everywhere. */
const MOST_OCTETS = 256 * 1024;
const MOST_SEGMENTS = 4096;
/** Octets by which a TPKT is known: its header, and that of a TPDU. */
const KNOWN_BY = TPKT_HEADER + 3;
const VERSION = 3;
const CODE = { dt: 0xf0, cr: 0xe0, cc: 0xd0, dr: 0x80 } as const;
/** Tag of a confirmed request. */
const REQUEST = 0xa0;
const NONE = new Uint8Array(0);

/** `associating`: a new association; what was asked before belongs to one that has ended. `torn`: octets here were no TPKT. `broken`: a request, or an answer to one, that cannot be read. */
export type Heard =
  | { readonly kind: 'pdu'; readonly pdu: MmsPdu }
  | { readonly kind: 'associating' | 'torn' }
  | { readonly kind: 'broken'; readonly isRequest: boolean; readonly invokeId: number };

export class RecordedSide {
  /** Null while it is not known where TPKTs begin. */
  #framer: TpktFramer | null = null;
  /** The last octets, too few to tell whether a TPKT begins there. */
  #held: Uint8Array = NONE;
  #assembler = new TsduAssembler();
  #segments = 0;

  /** Octets are missing here. */
  lose(): void {
    this.#framer = null;
    this.#held = NONE;
    this.#tear();
  }

  /** What these octets complete. */
  push(bytes: Uint8Array): readonly Heard[] {
    const heard: Heard[] = [];
    let rest: Uint8Array | null = bytes;
    while (rest) {
      const from: Uint8Array | null = this.#framer ? rest : this.#begin(rest);
      if (!from) return heard;
      this.#framer ??= new TpktFramer();
      rest = null;
      for (const item of this.#framer.push(from)) {
        if (item.kind === 'tpkt') this.#take(item.bytes, heard);
        else rest = item.bytes;
      }
      if (!rest) return heard;
      // where a TPKT was thought to begin none does
      this.lose();
      heard.push({ kind: 'torn' });
      rest = rest.subarray(1);
    }
    return heard;
  }

  /** The octets from the first TPKT on; null where none begins yet. */
  #begin(bytes: Uint8Array): Uint8Array | null {
    const all = this.#held.length === 0 ? bytes : concatBytes(this.#held, bytes);
    for (let at = all.indexOf(VERSION); at >= 0; at = all.indexOf(VERSION, at + 1)) {
      if (at + KNOWN_BY > all.length) {
        this.#held = all.slice(at);
        return null;
      }
      if (isTpkt(all, at)) {
        this.#held = NONE;
        return all.subarray(at);
      }
    }
    this.#held = NONE;
    return null;
  }

  #take(tpkt: Uint8Array, heard: Heard[]): void {
    const tpdu = tpduOf(tpkt);
    if (tpdu?.kind !== 'dt') {
      // of a conversation that goes on, or of one that begins
      this.#tear();
      return;
    }
    const { data, isLast } = tpdu;
    // a segment without data is counted by nothing else
    this.#segments = isLast ? 0 : this.#segments + 1;
    if (this.#segments > MOST_SEGMENTS) this.#tear();
    try {
      const tsdu = this.#assembler.push(data, isLast, MOST_OCTETS);
      // segments whose beginning is missing are no SPDU
      if (tsdu) readTsdu(tsdu, heard);
    } catch {
      this.#tear();
    }
  }

  #tear(): void {
    this.#assembler = new TsduAssembler();
    this.#segments = 0;
  }
}

/** Whether a TPKT with a TPDU of class 0 begins there, and another one behind it where the octets are there. */
function isTpkt(bytes: Uint8Array, at: number): boolean {
  const length = u16(bytes, at + 2);
  if (bytes[at + 1] !== 0 || length < KNOWN_BY || length > MOST_LENGTH) return false;
  const [indicator = 0, code = 0, third = 0] = bytes.subarray(at + TPKT_HEADER);
  const isWhole = indicator + TPKT_HEADER + 1 === length;
  const isTpdu =
    code === CODE.dt ? indicator === 2 && (third & 0x7f) === 0 : isWhole && [CODE.cr, CODE.cc, CODE.dr].some((one) => one === code);
  const next = bytes[at + length];
  return isTpdu && (next === undefined || (next === VERSION && (bytes[at + length + 1] ?? 0) === 0));
}

function tpduOf(tpkt: Uint8Array): Tpdu | null {
  try {
    return decodeTpdu(tpktPayload(tpkt));
  } catch {
    return null;
  }
}

/** What cannot be read is left out; the rest of it stays. */
function readTsdu(tsdu: Uint8Array, heard: Heard[]): void {
  const spdu = decodeSpdu(tsdu);
  if (spdu.kind === 'connect') heard.push({ kind: 'associating' });
  if (spdu.kind !== 'data') return;
  for (const { octets } of decodeUserData(spdu.userData)) {
    try {
      heard.push({ kind: 'pdu', pdu: decodeMms(octets) });
    } catch {
      const invokeId = invokeIdOf(octets);
      if (invokeId !== null) heard.push({ kind: 'broken', isRequest: octets[0] === REQUEST, invokeId });
    }
  }
}
