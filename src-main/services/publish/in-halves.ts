/** Parcels that one batch may be cut into; what is left then counts as refused. */
const MOST_TRIES = 100;

/**
 * Sends a batch that may hold a value that is refused for good: where the whole is refused, its halves are sent, and so on, until the refused ones stand alone.
 * `send` must change nothing when it answers `refused`, or the same again. Answers how many were refused. Throws what `send` throws.
 */
export async function sendInHalves<Value>(
  values: readonly Value[],
  send: (part: readonly Value[]) => Promise<'taken' | 'refused' | number>,
): Promise<number> {
  const parts: (readonly Value[])[] = [values];
  let refused = 0;
  for (let tries = 0; parts.length > 0; tries++) {
    const part = parts.shift() as readonly Value[];
    if (tries >= MOST_TRIES) {
      refused += part.length;
      continue;
    }
    const outcome = await send(part);
    if (typeof outcome === 'number') refused += outcome;
    else if (outcome === 'refused' && part.length <= 1) refused += part.length;
    else if (outcome === 'refused') parts.unshift(part.slice(0, part.length >> 1), part.slice(part.length >> 1));
  }
  return refused;
}
