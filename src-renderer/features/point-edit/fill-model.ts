import type { ProtocolDescriptor } from '#shared/contract/channels.ts';
import type { Point } from '#shared/contract/points.ts';
import type { FieldSpec } from '../../ui/form/schema-field.ts';
import { bulkSpecs, exact, heldBy } from '../point-form/bulk-model.ts';
import { type BulkChange, type EditPlan, keyOf, NOTHING, type PlannedLine } from './edit-plan.ts';

/** Fields that can be filled down: those that every one of the points has, without the code, which is unique. */
export function fillSpecs(descriptor: ProtocolDescriptor, points: readonly Point[]): readonly FieldSpec[] {
  return bulkSpecs(descriptor, points).filter(({ key }) => key !== 'code');
}

/** True where a step from row to row means something. */
export function hasSteps({ key, kind }: FieldSpec): boolean {
  return key === 'address' || kind === 'integer' || kind === 'number';
}

/** The value of the first point in all others, `step` more from row to row. */
export function fillPlan(points: readonly Point[], spec: FieldSpec, step: number, textOf: (value: unknown) => string): EditPlan {
  const [first, ...others] = points;
  if (!first) return NOTHING;
  const start = heldBy(first, spec.key);
  const changes: BulkChange[] = [];
  const lines: PlannedLine[] = [];
  for (const [index, point] of others.entries()) {
    const before = heldBy(point, spec.key);
    const after = hasSteps(spec) && typeof start === 'number' ? exact(start + step * (index + 1)) : start;
    if (after === before) continue;
    // the contract says what may stand in the field
    changes.push({ op: 'edit', ...keyOf(point), [spec.key]: after } as BulkChange);
    lines.push({ key: String(point.id), code: point.code, before: textOf(before), after: textOf(after) });
  }
  return { changes, lines };
}
