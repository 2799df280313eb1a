/** Octets at the end of a capture in which `countedPackets` looks: some interfaces, with room for what others write beside the count. */
export const COUNTS_AT_END = 1024;

const INTERFACE_STATISTICS = 5;
const RECEIVED = 4;
/** Type, length, number of the interface and time; the length once more stands at the end. */
const HEAD = 20;
const LEAST = HEAD + 4;
const OPTION_HEAD = 4;

/**
 * Packets of a capture as it counts them itself, from its last octets: the sum over its interfaces. Null where it tells no count, as most files of other programs, and what is
 * written high octet first.
 */
export function countedPackets(end: Uint8Array): number | null {
  const view = new DataView(end.buffer, end.byteOffset, end.byteLength);
  let sum: number | null = null;
  for (let until = end.length; until >= LEAST; ) {
    const length = view.getUint32(until - 4, true);
    const from = until - length;
    if (length < LEAST || length % 4 !== 0 || from < 0) break;
    if (view.getUint32(from, true) !== INTERFACE_STATISTICS || view.getUint32(from + 4, true) !== length) break;
    const count = receivedIn(view, from + HEAD, until - 4);
    if (count === null) break;
    sum = (sum ?? 0) + count;
    until = from;
  }
  return sum;
}

function receivedIn(view: DataView, from: number, until: number): number | null {
  for (let at = from; at + OPTION_HEAD <= until; ) {
    const length = view.getUint16(at + 2, true);
    if (view.getUint16(at, true) === RECEIVED && length === 8 && at + OPTION_HEAD + 8 <= until) {
      return Number(view.getBigUint64(at + OPTION_HEAD, true));
    }
    at += OPTION_HEAD + ((length + 3) & ~3);
  }
  return null;
}
