/** Frames without a network: the tags that LINKTYPE_WIRESHARK_UPPER_PDU has in front of them (Wireshark, epan/exported_pdu.h), high octet first. */

const END = 0;
const DISSECTOR_NAME = 12;
const IPV4_SOURCE = 20;
const IPV4_DESTINATION = 21;
const PORT_TYPE = 24;
const SOURCE_PORT = 25;
const DESTINATION_PORT = 26;
const PROTOCOL_TEXT = 33;
const TYPE_TCP = 2;
const MASTER = { address: [198, 18, 0, 0], port: 49_152 } as const;
const SLAVE_ADDRESS = [192, 0, 2, 1] as const;

/** What Wireshark is told of a frame. */
export interface UpperPdu {
  /** Name of the dissector in Wireshark. */
  readonly dissector: string;
  /** What the column of the protocol shows; left out: what the dissector says. */
  readonly protocol?: string;
  /** Port by which the dissector tells requests from answers. Left out: it needs none. */
  readonly port?: number;
}

/** The tags of a frame, to stand in front of its octets. */
export function upperPduTags({ dissector, protocol, port }: UpperPdu, isRequest: boolean): Uint8Array {
  const octets = [...tag(DISSECTOR_NAME, [...new TextEncoder().encode(dissector)])];
  if (protocol !== undefined) octets.push(...tag(PROTOCOL_TEXT, [...new TextEncoder().encode(protocol)]));
  if (port !== undefined) {
    const master = { address: MASTER.address, port: MASTER.port };
    const slave = { address: SLAVE_ADDRESS, port };
    const [from, to] = isRequest ? [master, slave] : [slave, master];
    octets.push(
      ...tag(IPV4_SOURCE, from.address),
      ...tag(IPV4_DESTINATION, to.address),
      ...tag(PORT_TYPE, word(TYPE_TCP)),
      ...tag(SOURCE_PORT, word(from.port)),
      ...tag(DESTINATION_PORT, word(to.port)),
    );
  }
  return Uint8Array.from([...octets, ...tag(END, [])]);
}

function word(value: number): readonly number[] {
  return [0, 0, value >>> 8, value & 0xff];
}

/** Code, length and value, filled up to a multiple of four octets, which the length tells as well. */
function tag(code: number, value: readonly number[]): readonly number[] {
  const length = (value.length + 3) & ~3;
  return [0, code, length >>> 8, length & 0xff, ...value, ...new Array<number>(length - value.length).fill(0)];
}
