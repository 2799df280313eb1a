/** Why a search text cannot be used; the words are in the `edit` texts under `find.problem`. */
export type PatternProblem = 'syntax' | 'nested' | 'many' | 'back' | 'long';

const LONGEST = 200;
/** Parts of a pattern that may take any number of characters: the work grows with the length of the text to this power. */
const MOST_UNBOUNDED = 3;

interface Group {
  hasQuantifier: boolean;
  hasChoice: boolean;
}

/** Length of a quantifier that stands at `at`, and whether it repeats; 0: none does. */
function quantifierAt(pattern: string, at: number): { readonly length: number; readonly isUnbounded: boolean; readonly isRepeat: boolean } {
  const [whole = '', least, comma, most] = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(pattern.slice(at)) ?? [];
  if (whole === '') return { length: 0, isUnbounded: false, isRepeat: false };
  if (whole.startsWith('?')) return { length: whole.length, isUnbounded: false, isRepeat: false };
  if (!whole.startsWith('{')) return { length: whole.length, isUnbounded: true, isRepeat: true };
  const end = comma === '' ? Number(least) : most === '' ? Number.POSITIVE_INFINITY : Number(most);
  // a long bounded repeat is as much work as one without end
  return { length: whole.length, isUnbounded: end > 20, isRepeat: end > 1 };
}

/** Length of what stands for one character at `at`: an escape, a class, a character. */
function atomAt(pattern: string, at: number): number {
  if (pattern[at] === '\\') return 2;
  if (pattern[at] !== '[') return 1;
  for (let end = at + 1; end < pattern.length; end++) {
    if (pattern[end] === '\\') end += 1;
    else if (pattern[end] === ']') return end + 1 - at;
  }
  return pattern.length - at;
}

/**
 * What is wrong with a regular expression before it is run over the texts of a table; null: nothing. Repeated groups that hold repeats or choices
 * can take longer than anybody waits, and so can many repeats in a row and references back: these are refused.
 */
export function patternProblem(pattern: string): PatternProblem | null {
  if (pattern.length > LONGEST) return 'long';
  try {
    new RegExp(pattern, 'u');
  } catch {
    return 'syntax';
  }
  if (/\\(?:[1-9]|k<)/.test(pattern.replaceAll('\\\\', ''))) return 'back';
  const open: Group[] = [{ hasQuantifier: false, hasChoice: false }];
  let unbounded = 0;
  for (let at = 0; at < pattern.length; ) {
    const top = open.at(-1);
    if (pattern[at] === '(') {
      open.push({ hasQuantifier: false, hasChoice: false });
      at += /^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/.exec(pattern.slice(at))?.[0].length ?? 1;
      continue;
    }
    if (pattern[at] === '|') {
      if (top) top.hasChoice = true;
      at += 1;
      continue;
    }
    const closed = pattern[at] === ')' ? open.pop() : undefined;
    at += closed ? 1 : atomAt(pattern, at);
    const { length, isUnbounded, isRepeat } = quantifierAt(pattern, at);
    at += length;
    if (closed && isRepeat && (closed.hasQuantifier || closed.hasChoice)) return 'nested';
    if (isUnbounded) unbounded += 1;
    const around = open.at(-1);
    if (around && (length > 0 || closed?.hasQuantifier)) around.hasQuantifier = true;
    if (around && closed?.hasChoice) around.hasChoice = true;
  }
  return unbounded > MOST_UNBOUNDED ? 'many' : null;
}
