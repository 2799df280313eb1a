/** How much there is to parse in a JSON text, before it is parsed: what somebody wrote into a file may be small values without end, which take far longer than as many octets of text. */

/** Octets that are looked at before other work gets its turn. */
const OCTETS_A_TURN = 256 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `,` `[` `{`: each is followed by a value. */
const SEPARATORS: ReadonlySet<number> = new Set([0x2c, 0x5b, 0x7b]);

/** True where the text has `most` values at most. */
export async function hasFewValues(text: Uint8Array, most: number, breathe: () => Promise<void>): Promise<boolean> {
  // each value has an octet of its own
  if (text.length <= most) return true;
  let count = 0;
  let isInside = false;
  for (let from = 0, at = 0; from < text.length; from += OCTETS_A_TURN) {
    const end = Math.min(text.length, from + OCTETS_A_TURN);
    for (; at < end; at++) {
      const octet = text[at] as number;
      if (isInside && octet === BACKSLASH) at += 1;
      else if (octet === QUOTE) isInside = !isInside;
      else if (!isInside && SEPARATORS.has(octet)) count += 1;
    }
    if (count > most) return false;
    await breathe();
  }
  return true;
}
