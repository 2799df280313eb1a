/** Line and column of a character, from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

const BLANKS = /[ \t\n\r]*/y;
const WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** What may come next: a value, a value or the end of its list, a name, a name or the end of its object, a colon, what follows a value. */
type Next = 'value' | 'first' | 'name' | 'firstName' | 'colon' | 'after';

/** An open list, or an open object with the names that it has so far; they are collected only where somebody asks for those that stand twice. */
interface Level {
  readonly closes: '}' | ']';
  readonly names: Set<string> | null;
}

/**
 * Where a text stops being JSON (RFC 8259): the first character that cannot be, or the end of a text that breaks off; null for one that is JSON. The words
 * of the parser differ between engines, and are English.
 */
export function jsonPlace(text: string): TextPlace | null {
  const at = faultOf(text, null);
  return at === null ? null : placeOf(text, at);
}

/** A name that its object has already. */
export interface NameTwice extends TextPlace {
  readonly name: string;
}

/** The first name that its object has already, in a text that is JSON; null: there is none. A parser takes the last of the two without a word. */
export function nameTwice(text: string): NameTwice | null {
  return namesTwice(text, 1)[0] ?? null;
}

/** Names that their objects have already, in a text that is JSON, in its order, as many as `most`. */
export function namesTwice(text: string, most: number): NameTwice[] {
  const found: number[] = [];
  faultOf(text, { found, most });
  let [line, begin] = [1, 0];
  return found.map((at) => {
    for (let end = text.indexOf('\n', begin); end >= 0 && end < at; end = text.indexOf('\n', begin)) {
      line += 1;
      begin = end + 1;
    }
    return { line, column: at - begin + 1, name: nameIn(text, at, quotedText(text, at).end) };
  });
}

function placeOf(text: string, at: number): TextPlace {
  const before = text.slice(0, at);
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') };
}

function nameIn(text: string, at: number, end: number): string {
  const plainText = text.slice(at + 1, end - 1);
  return plainText.includes('\\') ? String(JSON.parse(text.slice(at, end))) : plainText;
}

/** `twice`: collects where names stand that their objects have already, and ends with the last of as many as are wanted. */
function faultOf(text: string, twice: { readonly found: number[]; readonly most: number } | null): number | null {
  const levels: Level[] = [];
  let next: Next = 'value';
  for (let at = past(BLANKS, text, 0); ; at = past(BLANKS, text, at)) {
    const sign = text[at];
    if (next === 'after' && levels.length === 0) return sign === undefined ? null : at;
    const open = levels.at(-1);
    if (next === 'colon') {
      if (sign !== ':') return at;
      next = 'value';
    } else if (next === 'after' && sign === ',') next = open?.closes === '}' ? 'name' : 'value';
    else if ((next === 'after' || next === 'first' || next === 'firstName') && sign === open?.closes) {
      levels.pop();
      next = 'after';
    } else if (next === 'after') return at;
    else if ((sign === '{' || sign === '[') && (next === 'value' || next === 'first')) {
      const isObject = sign === '{';
      levels.push({ closes: isObject ? '}' : ']', names: isObject && twice ? new Set() : null });
      next = isObject ? 'firstName' : 'first';
    } else {
      const isName: boolean = next === 'name' || next === 'firstName';
      if (isName && sign !== '"') return at;
      const { end, isWhole } = sign === '"' ? quotedText(text, at) : word(text, at);
      if (!isWhole) return end;
      if (twice && isName && open?.names && open.names.size === open.names.add(nameIn(text, at, end)).size) {
        twice.found.push(at);
        if (twice.found.length >= twice.most) return at;
      }
      next = isName ? 'colon' : 'after';
      at = end;
      continue;
    }
    at += 1;
  }
}

/** Where a text in quotes ends, or stops being one. */
function quotedText(text: string, from: number): { readonly end: number; readonly isWhole: boolean } {
  for (let end = plain(text, from + 1); ; end = plain(text, end)) {
    if (text[end] === '"') return { end: end + 1, isWhole: true };
    const behind = past(ESCAPE, text, end);
    if (behind === end) return { end, isWhole: false };
    end = behind;
  }
}

/** Past the characters that stand for themselves in a text in quotes; one by one, because a pattern would fill the stack over megabytes of them. */
function plain(text: string, from: number): number {
  for (let at = from; ; at++) {
    const code = text.charCodeAt(at);
    if (!(code >= 0x20) || code === 0x22 || code === 0x5c) return at;
  }
}

function word(text: string, from: number): { readonly end: number; readonly isWhole: boolean } {
  const end = past(WORD, text, from);
  return { end, isWhole: end > from };
}

/** The end of what the pattern finds at this place; the place itself where it finds nothing. */
function past(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
