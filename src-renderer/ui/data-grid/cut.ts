import { isValidElement, type ReactNode } from 'react';

/** Pixels of an em of the cells (`--lc-font`), and of the room at both sides of what they show (`--lc-cell`). */
const EM = 13;
const SIDES = 12;
/** Widest signs of the common fonts of screens, in em: small letters and digits, capitals, all others. */
const NARROW = 0.65;
const CAPITAL = 0.8;
const WIDE = 1;
/** Scripts whose signs are joined, or wider than their height. */
const UNKNOWN = /[\u0300-\u036f\u0590-\u1fff\ufb50-\ufdff\ufe70-\ufeff]/u;

function emOf(code: number): number {
  if ((code >= 48 && code <= 57) || (code >= 97 && code <= 122 && code !== 109 && code !== 119)) return NARROW;
  if (code === 32 || (code >= 39 && code <= 41) || (code >= 44 && code <= 47) || code === 58 || code === 59 || code === 95) return NARROW;
  return code >= 65 && code <= 90 && code !== 77 && code !== 87 ? CAPITAL : WIDE;
}

/** The text of a cell that shows nothing else, plain or in one element; null for what is more. */
function textIn(content: ReactNode): string | null {
  if (typeof content === 'string') return content;
  if (content === null || content === undefined || typeof content === 'boolean') return '';
  if (!isValidElement<{ readonly children?: ReactNode }>(content) || content.type !== 'span') return null;
  return typeof content.props.children === 'string' ? content.props.children : null;
}

/**
 * True where a cell may be wider than its column, and has to be cut off. Each cell that is cut is a window of its own to the browser, to be painted and
 * layered: those that surely fit are none.
 */
export function mayBeCut(content: ReactNode, width: number): boolean {
  const text = textIn(content);
  if (text === null || UNKNOWN.test(text)) return true;
  let left = (width - SIDES) / EM;
  for (let at = 0; at < text.length && left >= 0; at++) left -= emOf(text.charCodeAt(at));
  return left < 0;
}
