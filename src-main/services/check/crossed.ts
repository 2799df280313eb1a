import type { CheckFinding, CheckReference, CheckSeen } from '#shared/contract/check.ts';
import { say } from '#shared/messages/index.ts';
import type { StoredCheckItem } from '../../persistence/check-repositories.ts';
import { finding, withUnit } from './findings.ts';
import type { Compared } from './references.ts';
import { toleranceOf } from './sight.ts';

/**
 * Tells whether a value is the reference of one other item and of no more: wires, or rows of a table, are crossed. References are as they are when the first value that does not fit is looked at.
 */
export function crossedWith(items: readonly Compared[]) {
  let known: { readonly item: string; readonly code: string; readonly value: number; readonly tolerance: number }[] | null = null;
  return (own: StoredCheckItem, { value, unit }: CheckSeen, wanted: CheckReference): CheckFinding | null => {
    if (value === null || value === 0) return null;
    known ??= items.flatMap(({ item, wanted: of }) => {
      const reference = of();
      return reference ? [{ item: item.uuid, code: item.code, value: reference.value, tolerance: toleranceOf(reference) }] : [];
    });
    const others = known.filter((other) => other.item !== own.uuid && Math.abs(value - other.value) <= other.tolerance);
    const [only] = others;
    if (!only || others.length > 1) return null;
    return finding(
      'crossed',
      say('check.found_crossed_value', { value: withUnit(value, unit), wanted: withUnit(wanted.value, unit), code: only.code }),
    );
  };
}
