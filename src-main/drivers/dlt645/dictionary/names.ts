/** Names of single identifiers, out of the names of the families that the tables have. */
import { type DiPattern, isOpen, octetOf } from './pattern.ts';

/** `3rd last`. */
function ordinal(count: number): string {
  if (count === 1) return 'last';
  const tens = count % 100;
  const ending = tens > 10 && tens < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][count % 10] ?? 'th');
  return `${count}${ending} last`;
}

/** The family of energies and demands: DI1 is the rate, DI0 the settlement day (DL/T 645-2007, A.1 and A.2). */
function isFamily(name: string): boolean {
  return name.endsWith('rate/settlement family');
}

/** English name of one identifier of a table row. */
export function englishName(name: string, pattern: DiPattern, di: number): string {
  const [nth, part] = [octetOf(di, 0), octetOf(di, 1)];
  if (isFamily(name)) {
    const base = name.slice(0, -'rate/settlement family'.length).trim();
    return `${base} ${part === 0 ? 'total' : `rate ${part}`}, ${nth === 0 ? 'current' : `${ordinal(nth)} settlement day`}`;
  }
  const isNthOpen = isOpen(pattern, 0);
  const number = isNthOpen ? nth : part;
  const filled = name
    .replace('xx-th last', ordinal(nth))
    .replace('nth last', ordinal(nth))
    .replace(/phase 1-3$/, `phase ${'ABC'[part - 1] ?? part}`)
    .replace('level x-1', `level ${nth - 1}`)
    .replace(/\b(rate|zone|slot|schedule|page|holiday|order) xx?\b/, `$1 ${number & (pattern.octets.length === 2 ? 15 : 255)}`)
    .replace('class x', `class ${octetOf(di, 2)}`);
  return filled !== name || !isNthOpen || pattern.octets.length === 2 ? filled : `${name}, ${nth === 0 ? 'current' : ordinal(nth)}`;
}

/** Chinese name of one identifier of a table row. */
export function chineseName(name: string, pattern: DiPattern, di: number): string {
  const [nth, part] = [octetOf(di, 0), octetOf(di, 1)];
  const number = isOpen(pattern, 0) ? nth & (pattern.octets.length === 2 ? 15 : 255) : part;
  const when = nth === 0 ? '(当前)' : `(上${nth}结算日)`;
  const rate = part === 0 ? '总' : `费率${part}`;
  const filled = name
    .replace('(上n结算日)', when)
    .replace(/\(上(?:n|xx)(次|月)\)/, `(上${nth}$1)`)
    .replace('A/B/C相', `${'ABC'[part - 1] ?? part}相`)
    .replace(/费率(电能|最大需量)/, `${rate}$1`)
    .replace('x-1级', `${nth - 1}级`)
    .replace('第x类', `第${octetOf(di, 2)}类`)
    .replace(/第1日时段表第x/, `第1日时段表第${number}`)
    .replace(/xx|x/, String(number));
  return filled !== name || !isOpen(pattern, 0) || pattern.octets.length === 2 ? filled : `${when}${name}`;
}
