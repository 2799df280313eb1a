/** An Ethernet frame read back, its checksums computed anew over the octets as they lie there; what is wrong is thrown. */

export interface ReadFrame {
  readonly protocol: 'tcp' | 'udp';
  /** `address:port` of both ends. */
  readonly from: string;
  readonly to: string;
  readonly seq: number;
  readonly ack: number;
  readonly payload: Uint8Array;
  /** Octets of the payload by the length of the packet. */
  readonly length: number;
  /** Null where the packet says that it has none. */
  readonly isChecksumRight: boolean | null;
}

/** RFC 1071: a header with its checksum adds up to all ones. */
function addsUp(...parts: readonly Uint8Array[]): boolean {
  const octets = Buffer.concat(parts);
  let sum = 0;
  for (let at = 0; at < octets.length; at += 2) {
    sum += (octets[at] ?? 0) * 256 + (octets[at + 1] ?? 0);
    if (sum > 0xffff) sum -= 0xffff;
  }
  return sum === 0xffff;
}

export function readFrame(frame: Uint8Array): ReadFrame {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  if (view.getUint16(12) !== 0x0800 || view.getUint8(14) !== 0x45) throw new Error('no IPv4 with a header of 20 octets');
  if (!addsUp(frame.subarray(14, 34))) throw new Error('the checksum of the IPv4 header is wrong');
  const total = view.getUint16(16);
  const content = frame.subarray(34);
  const number = view.getUint8(23);
  const protocol = number === 6 ? 'tcp' : 'udp';
  const header = protocol === 'tcp' ? (view.getUint8(46) >>> 4) * 4 : 8;
  const pseudo = Uint8Array.of(...frame.subarray(26, 34), 0, number, (total - 20) >>> 8, (total - 20) & 0xff);
  const given = view.getUint16(protocol === 'tcp' ? 50 : 40);
  if (protocol === 'udp' && view.getUint16(38) !== total - 20) throw new Error('the lengths of UDP and IPv4 differ');
  const end = (at: number, port: number) => `${frame.subarray(at, at + 4).join('.')}:${view.getUint16(port)}`;
  return {
    protocol,
    from: end(26, 34),
    to: end(30, 36),
    seq: protocol === 'tcp' ? view.getUint32(38) : 0,
    ack: protocol === 'tcp' ? view.getUint32(42) : 0,
    payload: content.slice(header),
    length: total - 20 - header,
    isChecksumRight: given === 0 ? null : addsUp(pseudo, content),
  };
}
