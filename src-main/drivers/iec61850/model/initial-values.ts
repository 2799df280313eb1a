/** Values that a file gives a logical node. */
import type { MmsValue } from '../mms/types.ts';
import type { LogicalNode } from './ied-model.ts';
import { attributeNotes, writtenValue } from './places.ts';
import { filledValue } from './text-values.ts';

/**
 * The whole logical node as a value of its type: the values of the instance, else the defaults of the types, else empty. Attributes without a
 * value in the file are false, 0 or empty; qualities are good, times never set.
 */
export function initialValue({ type, notes }: LogicalNode): MmsValue {
  return filledValue(
    type,
    ([constraint = '', ...path]) => writtenValue(notes, constraint, path),
    ([constraint = '', ...path]) => attributeNotes(notes, constraint, path)?.words ?? null,
  );
}
