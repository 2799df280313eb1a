/** A serial receiver and sender bit by bit, for octets as they look with other settings than those they were sent with. */

export interface Format {
  readonly dataBits: 7 | 8;
  readonly parity: 'N' | 'E' | 'O';
  readonly stopBits: 1 | 2;
}

/** What a receiver does with a character whose stop bit is 0, or whose parity is wrong. */
export type OnError = 'keep' | 'drop' | 'zero';

export function formatOf(text: string): Format {
  return {
    dataBits: text[0] === '7' ? 7 : 8,
    parity: text[1] === 'E' ? 'E' : text[1] === 'O' ? 'O' : 'N',
    stopBits: text[2] === '2' ? 2 : 1,
  };
}

function parityBit(octet: number, dataBits: number, parity: 'E' | 'O'): number {
  let ones = 0;
  for (let bit = 0; bit < dataBits; bit++) ones += (octet >> bit) & 1;
  return (ones + (parity === 'O' ? 1 : 0)) % 2;
}

/** The levels of the line, one a bit, of octets sent back to back; the line is idle (1) before and after. */
export function transmit(octets: Uint8Array, { dataBits, parity, stopBits }: Format): number[] {
  const bits: number[] = [1, 1];
  for (const octet of octets) {
    bits.push(0);
    for (let bit = 0; bit < dataBits; bit++) bits.push((octet >> bit) & 1);
    if (parity !== 'N') bits.push(parityBit(octet, dataBits, parity));
    for (let stop = 0; stop < stopBits; stop++) bits.push(1);
  }
  return [...bits, ...Array.from({ length: 30 }, () => 1)];
}

/**
 * Octets that a receiver makes of the levels when one bit of the sender lasts `ratio` of its own: it waits for the falling edge of a start
 * bit and samples in the middle of each of its bits; after the stop bit it waits for the line to be high, then for the next edge.
 */
export function receive(levels: readonly number[], ratio: number, { dataBits, parity }: Format, onError: OnError): Uint8Array {
  const total = levels.length * ratio;
  const at = (time: number) => levels[Math.floor(time / ratio)] ?? 1;
  const octets: number[] = [];
  let time = 0;
  while (time < total) {
    if (at(time) === 1) {
      time = nextEdge(levels, time, ratio, total);
      continue;
    }
    let octet = 0;
    for (let bit = 0; bit < dataBits; bit++) octet |= at(time + bit + 1.5) << bit;
    const parityAt = time + dataBits + 1.5;
    const stopAt = parityAt + (parity === 'N' ? 0 : 1);
    const isWrong = at(stopAt) === 0 || (parity !== 'N' && at(parityAt) !== parityBit(octet, dataBits, parity));
    if (!isWrong || onError === 'keep') octets.push(octet);
    else if (onError === 'zero') octets.push(0);
    time = stopAt;
    while (time < total && at(time) === 0) time = nextLevel(levels, time, ratio);
  }
  return Uint8Array.from(octets);
}

/** Octets that a receiver makes of two senders at once: a 0 of either wins. The second begins `offset` bits behind the first. */
export function collide(first: Uint8Array, second: Uint8Array, offset: number, format: string): Uint8Array {
  const setting = formatOf(format);
  const [a, b] = [transmit(first, setting), [...Array.from({ length: offset }, () => 1), ...transmit(second, setting)]];
  const levels = Array.from({ length: Math.max(a.length, b.length) }, (_, at) => (a[at] ?? 1) & (b[at] ?? 1));
  return receive(levels, 1, setting, 'keep');
}

function nextLevel(levels: readonly number[], time: number, ratio: number): number {
  const index = Math.floor(time / ratio + 1e-9);
  return (Math.min(index, levels.length) + 1) * ratio;
}

function nextEdge(levels: readonly number[], time: number, ratio: number, total: number): number {
  for (let index = Math.floor(time / ratio + 1e-9) + 1; index < levels.length; index++) {
    if (levels[index] === 0 && levels[index - 1] === 1) return index * ratio;
  }
  return total;
}

/** What was sent with one setting as it is read with another. */
export function asReadWith(
  octets: Uint8Array,
  sent: { readonly baudRate: number; readonly format: string },
  read: { readonly baudRate: number; readonly format: string },
  onError: OnError = 'keep',
): Uint8Array {
  return receive(transmit(octets, formatOf(sent.format)), read.baudRate / sent.baudRate, formatOf(read.format), onError);
}
