/** Linear expressions as lists write them beside a value: `raw*0.1-40`, `(x-1000)/10`, `/10`, `x10^-1`. */

/** value = raw × factor + offset. */
export interface Linear {
  readonly factor: number;
  readonly offset: number;
}

type Token =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'raw' }
  | { readonly kind: 'sign'; readonly sign: string };

const MOST_TOKENS = 40;

/**
 * Reads an expression in which any word stands for the raw value; one that begins with a sign begins with the raw value. What stands before an `=` is left out. Null for
 * what is no linear expression, and for a number alone.
 */
export function parseLinear(text: string): Linear | null {
  const tokens = tokenize(text.replace(/^[^=]*=/, ''));
  if (!tokens) return null;
  const first = tokens[0];
  if (first?.kind === 'sign' && (first.sign === '*' || first.sign === '/')) tokens.unshift({ kind: 'raw' });
  if (!tokens.some(({ kind }) => kind === 'raw')) return null;
  const parser = new Parser(tokens);
  const result = parser.sum();
  return result && parser.isAtEnd && Number.isFinite(result.factor) && Number.isFinite(result.offset) && result.factor !== 0
    ? result
    : null;
}

function tokenize(text: string): Token[] | null {
  const tokens: Token[] = [];
  const pattern = /\s*(?:(\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+)|([*/+\-^()])|([\p{L}_][\p{L}\p{N}_]*))/iuy;
  while (pattern.lastIndex < text.length) {
    if (/^\s*$/.test(text.slice(pattern.lastIndex))) break;
    const found = pattern.exec(text);
    if (!found || tokens.length >= MOST_TOKENS) return null;
    const [, number, sign, word] = found;
    if (number !== undefined) tokens.push({ kind: 'number', value: Number(number) });
    else if (sign !== undefined) tokens.push({ kind: 'sign', sign });
    else if (word !== undefined) {
      // two words are one name
      if (tokens.at(-1)?.kind !== 'raw') tokens.push({ kind: 'raw' });
    }
  }
  return tokens;
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  sum(): Linear | null {
    let left = this.#product();
    for (let sign = this.#sign('+', '-'); left && sign; sign = this.#sign('+', '-')) {
      const right = this.#product();
      if (!right) return null;
      const by = sign === '+' ? 1 : -1;
      left = { factor: left.factor + by * right.factor, offset: left.offset + by * right.offset };
    }
    return left;
  }

  #product(): Linear | null {
    let left = this.#power();
    for (let sign = this.#sign('*', '/'); left && sign; sign = this.#sign('*', '/')) {
      const right = this.#power();
      if (!right) return null;
      left = sign === '*' ? times(left, right) : right.factor === 0 && right.offset !== 0 ? divided(left, right.offset) : null;
    }
    return left;
  }

  #power(): Linear | null {
    const base = this.#atom();
    if (!base || !this.#sign('^')) return base;
    const isNegative = this.#sign('-') !== null;
    const exponent = this.#atom();
    if (!exponent || base.factor !== 0 || exponent.factor !== 0) return null;
    const magnitude = base.offset ** exponent.offset;
    // 1 / 10^n is exact where 10^-n is not
    return { factor: 0, offset: isNegative ? 1 / magnitude : magnitude };
  }

  #atom(): Linear | null {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    if (token?.kind === 'number') return { factor: 0, offset: token.value };
    if (token?.kind === 'raw') return { factor: 1, offset: 0 };
    if (token?.sign === '-') {
      const value = this.#atom();
      return value && { factor: -value.factor, offset: -value.offset };
    }
    if (token?.sign !== '(') return null;
    const inner = this.sum();
    return this.#sign(')') ? inner : null;
  }

  #sign(...signs: readonly string[]): string | null {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'sign' || !signs.includes(token.sign)) return null;
    this.#at += 1;
    return token.sign;
  }
}

function times(a: Linear, b: Linear): Linear | null {
  if (a.factor !== 0 && b.factor !== 0) return null;
  return { factor: a.factor * b.offset + b.factor * a.offset, offset: a.offset * b.offset };
}

function divided({ factor, offset }: Linear, by: number): Linear {
  return { factor: factor / by, offset: offset / by };
}
