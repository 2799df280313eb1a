/** Codes of points that have none, made from their names: the same list makes the same codes, whatever the order of its rows. */

const LONGEST = 100;

/** What is known of a point that needs a code. */
export interface CodeSource {
  /** As the list has it; empty where it has none. */
  readonly code: string;
  readonly name: string;
  /** What tells it from another point of the same name: its address and bit. */
  readonly place: string;
  /** End of the code of what stands beside a point of the list: a command, a bit. */
  readonly end: string;
}

export interface MadeCodes {
  /** In the order of the sources, each once. */
  readonly codes: readonly string[];
  /** Codes of the list that stand there for several points. */
  readonly twice: readonly string[];
  readonly made: number;
}

/** The code of each point. A name that several have gets the place of each of them behind it. */
export function makeCodes(sources: readonly CodeSource[]): MadeCodes {
  const bases = sources.map((source) => cut(source.code === '' ? codeOf(source) : source.code.trim(), source.end));
  const counts = new Map<string, number>();
  for (const base of bases) counts.set(base, (counts.get(base) ?? 0) + 1);
  const used = new Set<string>();
  const codes = sources.map((source, at) => {
    const base = bases[at] ?? '';
    const wanted = (counts.get(base) ?? 0) > 1 ? cut(base, `_${source.place}`) : base;
    return unique(wanted, used);
  });
  const twice = [...new Set(sources.flatMap(({ code }, at) => (code !== '' && (counts.get(bases[at] ?? '') ?? 0) > 1 ? [code] : [])))];
  return { codes, twice, made: sources.filter(({ code }) => code === '').length };
}

/** The name in letters and digits of any script, with a line between the words; the place where the name has neither. */
function codeOf({ name, place }: CodeSource): string {
  const words =
    name
      .normalize('NFKC')
      .match(/[\p{L}\p{N}]+/gu)
      ?.join('_') ?? '';
  return words === '' ? `P_${place}` : words;
}

function cut(base: string, end: string): string {
  return base.slice(0, LONGEST - end.length).replace(/[\uD800-\uDBFF]$/, '') + end;
}

function unique(wanted: string, used: Set<string>): string {
  let code = wanted;
  for (let number = 2; used.has(code); number++) code = cut(wanted, `_${number}`);
  used.add(code);
  return code;
}
