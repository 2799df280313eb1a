/** Functional constraints (IEC 61850-7-2, 5.5; IEC 61850-8-1, 8.1.3.9) and what lies under them. */

/** Constraints in the order in which a model lists them: process data, settings, the rest, control blocks. */
export const CONSTRAINTS = [
  'ST',
  'MX',
  'CO',
  'SP',
  'SG',
  'SE',
  'SV',
  'CF',
  'DC',
  'EX',
  'OR',
  'BL',
  'SR',
  'RP',
  'BR',
  'LG',
  'GO',
  'GS',
  'MS',
  'US',
] as const;
export type Constraint = (typeof CONSTRAINTS)[number];

const KNOWN: ReadonlySet<string> = new Set(CONSTRAINTS);
const OF_CONTROL_BLOCKS: ReadonlySet<string> = new Set(['RP', 'BR', 'LG', 'GO', 'GS', 'MS', 'US']);
const WRITABLE: ReadonlySet<string> = new Set(['SP', 'SG', 'SE', 'SV', 'CF', 'DC', 'BL', 'CO']);

/** True for the two letters of a functional constraint, upper case. */
export function isConstraint(text: string): text is Constraint {
  return KNOWN.has(text);
}

/** True where the members of a logical node are control blocks and not data objects. The setting group control block is `SGCB` under `SP`. */
export function isControlBlock(constraint: string, name: string): boolean {
  return OF_CONTROL_BLOCKS.has(constraint) || (constraint === 'SP' && name === 'SGCB');
}

/** True where the standard lets a client write: settings, substitution, configuration, description, blocking, control. */
export function isWritable(constraint: string): boolean {
  return WRITABLE.has(constraint);
}

/** Place of a constraint in `CONSTRAINTS`; behind all of them for one that is not known. */
export function constraintOrder(constraint: string): number {
  const place = (CONSTRAINTS as readonly string[]).indexOf(constraint);
  return place < 0 ? CONSTRAINTS.length : place;
}
