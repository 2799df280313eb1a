/** The pulse that a control gives out (pulseConfig; IEC 61850-7-3, 6.9). */
import type { MmsResult, MmsType } from '../mms/types.ts';
import { componentIndex } from '../model/types.ts';

/** Times in milliseconds. */
export interface Pulse {
  readonly onMs: number;
  readonly offMs: number;
  readonly count: number;
}

/** cmdQual of a pulse; 1 is an output that stays. */
const PULSE = 0;

/** The pulse of a pulseConfig of this type; null where the output stays, or the device does not tell. */
export function pulseOf(result: MmsResult | undefined, type: MmsType | null): Pulse | null {
  if (result?.kind !== 'structure' || type?.kind !== 'structure') return null;
  const number = (name: string) => {
    const value = result.items[componentIndex(type, name)];
    return (value?.kind === 'integer' || value?.kind === 'unsigned') && typeof value.value === 'number' ? value.value : null;
  };
  if (number('cmdQual') !== PULSE) return null;
  const [onMs, offMs, count] = [number('onDur'), number('offDur'), number('numPls')];
  // without a length there is no pulse that could be told
  return onMs === null || onMs === 0 ? null : { onMs, offMs: offMs ?? 0, count: Math.max(1, count ?? 1) };
}
