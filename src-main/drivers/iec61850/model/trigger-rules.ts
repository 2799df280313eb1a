/**
 * Which attributes make a report or a log entry: as an SCL file marks them (IEC 61850-6, dchg, qchg, dupd), else by the common data classes (IEC 61850-7-3, clause
 * 7): changes of values and settings are data changes, those of quality are quality changes, times and what goes with a command are none; numbers are also updates
 * when they are set again.
 */
import { TRIGGER } from '../reports/bits.ts';

/** What setting an attribute is, as bits `1 << TRIGGER`. */
export interface AttributeTriggers {
  /** Its value is another one. */
  readonly changed: number;
  /** It is set, to whatever value. */
  readonly updated: number;
}

const DATA_CHANGE = 1 << TRIGGER.data_change;
const QUALITY_CHANGE = 1 << TRIGGER.quality_change;
const DATA_UPDATE = 1 << TRIGGER.data_update;
const NONE: AttributeTriggers = { changed: 0, updated: 0 };
const CHANGE: AttributeTriggers = { changed: DATA_CHANGE, updated: 0 };
const QUALITY: AttributeTriggers = { changed: QUALITY_CHANGE, updated: 0 };

/** Quality beside a value, and of a substituted one. */
const QUALITIES: ReadonlySet<string> = new Set(['q', 'subQ']);
/** Times, values before dead band, and what tells of a command. */
const SILENT: ReadonlySet<string> = new Set([
  't',
  'T',
  'frTm',
  'strTm',
  'actTm',
  'instMag',
  'instCVal',
  'origin',
  'ctlNum',
  'operTm',
  'tOpOk',
]);
/** Numbers that are news when they come again. */
const UPDATED: ReadonlySet<string> = new Set(['mag', 'cVal', 'mxVal', 'actVal']);
/** A frozen value is news when it comes, and no change. */
const FROZEN = 'frVal';

/** Rules of the common data classes for the attribute at the end of a path `FC$DO$…$DA`, whose value is an integer or not. */
export function triggersOf(path: readonly string[], isInteger: boolean): AttributeTriggers {
  const names = path.slice(2).map((part) => part.replace(/\(\d+\)$/, ''));
  if (names.some((name) => SILENT.has(name))) return NONE;
  if (QUALITIES.has(names.at(-1) ?? '')) return QUALITY;
  if (names.includes(FROZEN)) return { changed: 0, updated: DATA_UPDATE };
  const isUpdated = names.some((name) => UPDATED.has(name)) || (isInteger && names.at(-1) === 'stVal');
  return isUpdated ? { changed: DATA_CHANGE, updated: DATA_UPDATE } : CHANGE;
}

/** The marks of an attribute in a file; null where it has none of them: files of tools that do not know them leave all out. A mark that is missing beside others is false. */
export function writtenTriggers(mark: (name: 'dchg' | 'qchg' | 'dupd') => string | null): AttributeTriggers | null {
  const [dchg, qchg, dupd] = [mark('dchg'), mark('qchg'), mark('dupd')];
  if (dchg === null && qchg === null && dupd === null) return null;
  const isSet = (written: string | null) => written === 'true' || written === '1';
  return { changed: (isSet(dchg) ? DATA_CHANGE : 0) | (isSet(qchg) ? QUALITY_CHANGE : 0), updated: isSet(dupd) ? DATA_UPDATE : 0 };
}

/** Triggers as a file marks them. */
export function triggerMarks({ changed, updated }: AttributeTriggers): Readonly<Partial<Record<'dchg' | 'qchg' | 'dupd', true>>> {
  return {
    ...((changed & DATA_CHANGE) !== 0 && { dchg: true as const }),
    ...((changed & QUALITY_CHANGE) !== 0 && { qchg: true as const }),
    ...((updated & DATA_UPDATE) !== 0 && { dupd: true as const }),
  };
}
