import { say } from '../../messages/index.ts';
import type { Message } from '../../messages/message.ts';

/** A piece of a filter; `at` and `end` (excluded) are places in its text. */
export interface Token {
  readonly kind: 'word' | 'number' | 'quoted' | 'sign' | 'end';
  /** As it was written; of a quoted one what stands between the quotes. */
  readonly text: string;
  readonly at: number;
  readonly end: number;
}

/** What is wrong with a filter, and where: places in its text, `end` excluded. */
export class FilterFault extends Error {
  readonly said: Message;
  readonly at: number;
  readonly end: number;

  constructor(said: Message, at: number, end: number) {
    super(said.code);
    this.said = said;
    this.at = at;
    this.end = end;
  }
}

const SPACE = /\s*/y;
const NUMBER = /-?(?:0x[0-9a-f]+|\d+(?:\.\d+)?)(?![\w$])/iy;
/** Names as protocols write them: M_ME_NC_1, LD0/MMXU1$MX$TotW, PCS 1 needs quotes. Two dots in a row end one: they make a range. */
const WORD = /[\p{L}_@](?:[\p{L}\p{N}_$/#-]|\.(?!\.))*/uy;
/** Digits with letters: a meter address such as 12AA. */
const DIGITS_AND_LETTERS = /\d[\p{L}\p{N}_]*/uy;
const SIGN = /==|!=|<=|>=|&&|\|\||\.\.|[<>!(){},]/y;

/** Takes a filter apart. Throws `FilterFault` for a text without its closing quote, and for signs that are none. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  for (;;) {
    at += take(SPACE)?.length ?? 0;
    const begin = at;
    const add = (kind: Token['kind'], found: string, length = found.length) => {
      at = begin + length;
      tokens.push({ kind, text: found, at: begin, end: at });
    };
    const quote = text[at];
    if (quote === undefined) {
      add('end', '', 0);
      return tokens;
    }
    if (quote === '"' || quote === "'") {
      const close = text.indexOf(quote, at + 1);
      if (close < 0) throw new FilterFault(say('filter.no_quote', { quote }), at, text.length);
      add('quoted', text.slice(at + 1, close), close + 1 - at);
      continue;
    }
    const number = take(NUMBER);
    if (number !== undefined) add('number', number);
    else {
      const word = take(WORD) ?? take(DIGITS_AND_LETTERS);
      const sign = word === undefined ? take(SIGN) : undefined;
      if (word !== undefined) add('word', word);
      else if (sign !== undefined) add('sign', sign);
      else throw new FilterFault(say(quote === '=' ? 'filter.one_equals' : 'filter.no_sign', { sign: quote }), at, at + 1);
    }
  }
}
