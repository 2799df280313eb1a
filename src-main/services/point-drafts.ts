import type { NewPoint } from '#shared/contract/points.ts';
import { type FieldIssue, invalidInput } from '#shared/domain/errors.ts';
import type { DriverChannelSettings, NormalPoint, PointConfig, PointDraft, ProtocolDriver } from '../drivers/spi/index.ts';
import type { DeviceModelView } from '../drivers/spi/model.ts';
import { checkProtocolSettings } from './channel-settings.ts';
import { boundedIssues } from './field-messages.ts';
import type { CallContext } from './handlers.ts';
import { normalPoint } from './normal-point.ts';

/** Changes of a point in the names of the contract; what is undefined stays. */
export type PointChanges = { readonly [Field in keyof NewPoint]?: NewPoint[Field] | undefined };

/** A new point as it was written, in the names of the drivers. */
export function draftOf(point: NewPoint): PointDraft {
  return {
    frameType: point.frame_type,
    code: point.code,
    name: point.name,
    address: point.address,
    slaveId: point.slave_id,
    funcCode: point.func_code,
    decode: point.decode,
    mulCoe: point.mul_coe,
    addCoe: point.add_coe,
    unit: point.unit,
    minLimit: point.min_limit,
    maxLimit: point.max_limit,
    bit: point.bit,
    reverse: point.reverse,
    reference: point.reference,
    category: point.category,
    item: point.item,
    relatedCode: point.related_code,
    commandType: point.command_type,
    note: point.note,
    protocol: point.protocol,
  };
}

/** A stored point with some fields changed, to be checked like a new one. Null is a value: it clears a limit. */
export function changedDraft(point: PointConfig, changes: PointChanges, driver: ProtocolDriver): PointDraft {
  const keep = <Value>(changed: Value | undefined, present: Value): Value => (changed === undefined ? present : changed);
  return {
    frameType: point.frameType,
    code: keep(changes.code, point.code),
    name: keep(changes.name, point.name),
    address: keep(changes.address, point.address),
    // a meter that is named anew is not held against the one the point has
    slaveId: changes.slave_id ?? (namesSlave(changes, driver) ? undefined : point.slaveId),
    funcCode: keep(changes.func_code, point.funcCode),
    decode: keep(changes.decode, point.decode),
    mulCoe: keep(changes.mul_coe, point.mulCoe),
    addCoe: keep(changes.add_coe, point.addCoe),
    unit: keep(changes.unit, point.unit),
    minLimit: keep(changes.min_limit, point.minLimit),
    maxLimit: keep(changes.max_limit, point.maxLimit),
    bit: keep(changes.bit, point.bit),
    reverse: keep(changes.reverse, point.reverse),
    reference: keep(changes.reference, point.reference),
    category: keep(changes.category, point.category),
    item: keep(changes.item, point.item),
    relatedCode: keep(changes.related_code, point.relatedCode),
    commandType: keep(changes.command_type, point.commandType),
    note: keep(changes.note, point.note),
    protocol: keep(changes.protocol, point.protocol),
  };
}

/** True when a setting of the point says its slave as text. */
function namesSlave({ protocol }: PointChanges, { descriptor }: ProtocolDriver): boolean {
  const setting = descriptor.notation?.slave?.setting ?? '';
  const text = setting === '' ? undefined : protocol?.[setting];
  return typeof text === 'string' && text !== '';
}

/** A draft and where it stands in the request: `points.3`, or empty for the whole body. */
export interface PlacedDraft {
  readonly path: string;
  readonly draft: PointDraft;
}

/** What drafts of one channel are checked with. */
export interface DraftRules {
  readonly driver: ProtocolDriver;
  readonly settings: DriverChannelSettings;
  readonly context: CallContext;
  readonly model: DeviceModelView | null;
}

/** Fills in defaults and checks drafts by the rules of their protocol; protocol settings that are not known are left out with a warning. */
export class DraftCheck {
  readonly #rules: DraftRules;
  readonly #issues: FieldIssue[] = [];
  readonly #points: NormalPoint[] = [];

  constructor(rules: DraftRules) {
    this.#rules = rules;
  }

  add({ path, draft }: PlacedDraft): void {
    const { driver, settings, context, model } = this.#rules;
    const below = (field: string) => (path ? `${path}.${field}` : field);
    const protocol = hasFields(draft.protocol)
      ? checkProtocolSettings(driver.descriptor.pointSettings, draft.protocol, below('protocol'), this.#issues, context)
      : draft.protocol;
    const normal = normalPoint(driver, { ...draft, protocol }, settings, model);
    for (const issue of normal.issues) this.#issues.push({ path: below(issue.path), message: issue.message });
    for (const warning of normal.warnings ?? []) context.warn(below(warning.path), warning.message);
    this.#points.push(normal.point);
  }

  /** The points in the order of the drafts. Throws `CONFIG_INVALID` with every wrong place of every draft. */
  end(): NormalPoint[] {
    if (this.#issues.length > 0) throw invalidInput(boundedIssues(this.#issues));
    return this.#points;
  }
}

function hasFields(value: object): boolean {
  return Object.keys(value).length > 0;
}
