import { viewOf } from './capture-packet.ts';
import type { Carriage } from './carriage.ts';

const END = 0;
/** Names of the dissector: as Wireshark writes it today, and as it did before version 4. */
const DISSECTOR_NAMES: readonly number[] = [12, 14];
const SOURCE_PORT = 25;
const DESTINATION_PORT = 26;
const PROTOCOL_TEXT = 33;
const FIRST_EPHEMERAL_PORT = 49_152;

/**
 * A frame behind the tags of LINKTYPE_WIRESHARK_UPPER_PDU (Wireshark, epan/exported_pdu.h). It is a request where it goes from a port of a client to one that is known;
 * null as `isRequest` where no ports are told. Null where the tags are not whole. `length`: octets that the packet had.
 */
export function readUpperPdu(bytes: Uint8Array, length: number): Carriage | null {
  const view = viewOf(bytes);
  let dissector = '';
  let protocol = '';
  let source: number | null = null;
  let destination: number | null = null;
  for (let at = 0; at + 4 <= bytes.length; ) {
    const code = view.getUint16(at);
    const size = view.getUint16(at + 2);
    const from = at + 4;
    at = from + size;
    if (at > bytes.length) return null;
    if (code === END) {
      const isRequest =
        source === null || destination === null ? null : destination < FIRST_EPHEMERAL_PORT && source >= FIRST_EPHEMERAL_PORT;
      return { kind: 'line', dissector, protocol, isRequest, payload: bytes.slice(at), length: length - at };
    }
    if (DISSECTOR_NAMES.includes(code)) dissector = textOf(bytes.subarray(from, at));
    if (code === PROTOCOL_TEXT) protocol = textOf(bytes.subarray(from, at));
    if (code === SOURCE_PORT && size >= 4) source = view.getUint32(from);
    if (code === DESTINATION_PORT && size >= 4) destination = view.getUint32(from);
  }
  return null;
}

/** Filled up with zeros. */
function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
}
