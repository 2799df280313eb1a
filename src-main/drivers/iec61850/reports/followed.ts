/** What of a point a block reports when it changes: the rest comes by the way, and may differ from what was reported last. */
import type { BoundPoint } from '../binding.ts';
import { attributeNotes, type ModelIndex } from '../model/places.ts';
import { hasBit } from '../model/quality.ts';
import { triggersOf } from '../model/trigger-rules.ts';
import { typeAt } from '../model/types.ts';
import { TRIGGER } from './bits.ts';

/** Whether a change of value and of quality makes a report. */
export interface Followed {
  readonly value: boolean;
  readonly quality: boolean;
}

/** By the marks of the SCL file, else by the common data classes: `instMag` moves without a report, and nothing is reported whose trigger the block has not set. */
export function followedOf(bound: BoundPoint, triggerOptions: Uint8Array, index: ModelIndex): Followed {
  const { path, ownerDepth } = bound;
  const isFollowed = (at: readonly string[]) => {
    const { changed, updated } = rulesOf(bound, at, index);
    return Object.values(TRIGGER).some((bit) => ((changed | updated) & (1 << bit)) !== 0 && hasBit(triggerOptions, bit));
  };
  return { value: isFollowed(path), quality: isFollowed([...path.slice(0, ownerDepth), 'q']) };
}

function rulesOf({ domain, node, constraint, type }: BoundPoint, path: readonly string[], index: ModelIndex) {
  const kind = type && typeAt(type, path)?.kind;
  const marked = attributeNotes(index.notes(domain, node), constraint, path)?.triggers;
  return marked ?? triggersOf([constraint, ...path], kind === 'integer' || kind === 'unsigned');
}
