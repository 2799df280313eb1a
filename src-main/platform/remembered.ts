/** Texts that are remembered; then all are forgotten, so that memory stays bounded. */
const MOST = 10_000;

/** A pure function of a text that is asked for the same texts again and again. */
export function remembered<Answer>(answer: (text: string) => Answer): (text: string) => Answer {
  const known = new Map<string, { readonly answer: Answer }>();
  return (text) => {
    const found = known.get(text);
    if (found) return found.answer;
    if (known.size >= MOST) known.clear();
    const made = answer(text);
    known.set(text, { answer: made });
    return made;
  };
}
