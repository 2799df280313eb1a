/** Why a search text cannot be used; the words are in the `edit` texts under `find.problem`. */
export type PatternProblem = 'syntax' | 'nested' | 'many' | 'back' | 'long';

const LONGEST = 200;
/** Length of a text for which the work of a pattern is counted. */
const TEXT = 100;
/** Steps that a search of one such text may take at most: below 50 ms. */
const MOST_STEPS = 10_000_000;

interface Group {
  hasQuantifier: boolean;
  /** In it, or in a group in it. */
  hasChoice: boolean;
  /** Ways through it, without those of the groups in it. */
  choices: number;
}

interface Quantifier {
  readonly length: number;
  readonly least: number;
  readonly most: number;
}

/** The quantifier that stands at `at`; of length 0: none does. */
function quantifierAt(pattern: string, at: number): Quantifier {
  const [whole = '', least, comma, most] = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(pattern.slice(at)) ?? [];
  const { length } = whole;
  if (whole === '') return { length, least: 1, most: 1 };
  if (whole.startsWith('?')) return { length, least: 0, most: 1 };
  if (!whole.startsWith('{')) return { length, least: whole.startsWith('+') ? 1 : 0, most: Number.POSITIVE_INFINITY };
  const end = comma === '' ? Number(least) : most === '' ? Number.POSITIVE_INFINITY : Number(most);
  return { length, least: Number(least), most: end };
}

/** The ways in which a pattern can be laid over a text, as far as it is read. */
class Work {
  /** Parts that may take any number of characters: together they share the text. */
  #unbounded = 0;
  /** Ways of all other parts that have several. */
  #ways = 1;
  /** Characters that are compared one by one on each way; those that are written out cost nothing. */
  #compared = 1;

  repeat({ least, most }: Quantifier, isGroup: boolean): void {
    const range = Math.min(most, TEXT) - Math.min(least, TEXT) + 1;
    if (range >= TEXT) this.#unbounded += 1;
    else this.#ways *= range;
    if (least < 2) return;
    if (isGroup) this.#compared *= least;
    else this.#compared += least;
  }

  compare(): void {
    this.#compared += 1;
  }

  choose(choices: number): void {
    this.#ways *= choices;
  }

  /** From every place of the text on, until none is left. */
  steps(): number {
    let steps = 1;
    for (let part = 1; part <= this.#unbounded + 1; part++) steps *= (TEXT + part) / part;
    return steps * this.#ways * this.#compared;
  }
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

/** The work of a pattern that has no repeats within repeats; null for one that has. */
function workOf(pattern: string): Work | null {
  const work = new Work();
  const open: Group[] = [{ hasQuantifier: false, hasChoice: false, choices: 1 }];
  for (let at = 0; at < pattern.length; ) {
    const top = open.at(-1);
    if (pattern[at] === '(') {
      open.push({ hasQuantifier: false, hasChoice: false, choices: 1 });
      at += /^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/.exec(pattern.slice(at))?.[0].length ?? 1;
      continue;
    }
    if (pattern[at] === '|') {
      if (top) {
        top.hasChoice = true;
        top.choices += 1;
      }
      at += 1;
      continue;
    }
    const closed = pattern[at] === ')' ? open.pop() : undefined;
    const isCompared = /^(?:\\[dswp]|[[.])/i.test(pattern.slice(at));
    at += closed ? 1 : atomAt(pattern, at);
    const quantifier = quantifierAt(pattern, at);
    at += quantifier.length;
    if (closed && quantifier.most > 1 && (closed.hasQuantifier || closed.hasChoice)) return null;
    if (quantifier.length > 0) work.repeat(quantifier, closed !== undefined);
    else if (isCompared) work.compare();
    if (closed) work.choose(closed.choices);
    const around = open.at(-1);
    if (around && (quantifier.length > 0 || closed?.hasQuantifier)) around.hasQuantifier = true;
    if (around && closed?.hasChoice) around.hasChoice = true;
  }
  work.choose(open[0]?.choices ?? 1);
  return work;
}

/**
 * What is wrong with a regular expression before it is run over the texts of a table; null: nothing. Repeated groups that hold repeats or choices
 * can take longer than anybody waits, and so can many parts in a row that may be long or short, there or not, and references back: these are refused.
 */
export function patternProblem(pattern: string): PatternProblem | null {
  if (pattern.length > LONGEST) return 'long';
  try {
    new RegExp(pattern, 'u');
  } catch {
    return 'syntax';
  }
  if (/\\(?:[1-9]|k<)/.test(pattern.replaceAll('\\\\', ''))) return 'back';
  const work = workOf(pattern);
  if (work === null) return 'nested';
  return work.steps() > MOST_STEPS ? 'many' : null;
}
