import type { NewPoint } from '#shared/contract/points.ts';
import { type FieldIssue, invalidInput, issueMessage } from '#shared/domain/errors.ts';
import { likeRecords } from '#shared/domain/like-records.ts';
import { POINT_FIELD_KEYS, type PointFieldKey } from '#shared/domain/point-fields.ts';
import type { DriverChannelSettings, NormalPoint, PointConfig, PointDraft, ProtocolDriver } from '../drivers/spi/index.ts';
import type { DeviceModelView } from '../drivers/spi/model.ts';
import { checkProtocolSettings } from './channel-settings.ts';
import { boundedIssues } from './field-messages.ts';
import type { CallContext } from './handlers.ts';
import { normalPoint } from './normal-point.ts';

/** Changes of a point; what is undefined stays. */
export type PointChanges = { readonly [Field in keyof NewPoint]?: NewPoint[Field] | undefined };

/** A new point as it was written. What it leaves to the protocol is not there, which is undefined as well. */
export function draftOf(point: NewPoint): PointDraft {
  return point as PointDraft;
}

const makeDraft = likeRecords(POINT_FIELD_KEYS);

/** A stored point with some fields changed, to be checked like a new one. Null is a value: it clears a limit. */
export function changedDraft(point: PointConfig, changes: PointChanges, driver: ProtocolDriver): PointDraft {
  const fieldOf = (key: PointFieldKey) => (changes[key] === undefined || key === 'frame_type' ? point[key] : changes[key]);
  const draft = makeDraft(fieldOf) as unknown as PointDraft;
  // a meter that is named anew is not held against the one the point has
  if (changes.slave_id === undefined && namesSlave(changes, driver)) return { ...draft, slave_id: undefined };
  // and a number that is given anew is not held against the name the point has
  if (changes.slave_id !== undefined && changes.slave_id !== point.slave_id && changes.protocol === undefined) {
    const name = driver.descriptor.notation?.slave?.setting ?? '';
    const { [name]: _, ...protocol } = point.protocol;
    return { ...draft, protocol };
  }
  return draft;
}

/** True when a setting of the point says its slave as text. */
function namesSlave({ protocol }: PointChanges, { descriptor }: ProtocolDriver): boolean {
  const setting = descriptor.notation?.slave?.setting ?? '';
  const text = setting === '' ? undefined : protocol?.[setting];
  return typeof text === 'string' && text !== '';
}

/** A draft and where it stands in the request, asked for when something is told of it: `points.3`, or empty for the whole body. */
export interface PlacedDraft {
  path(): string;
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
  readonly #issues: FieldIssue[];
  readonly #points: NormalPoint[] = [];

  /** `issues`: shared by the checks of several channels, so that all wrong places are told at once. */
  constructor(rules: DraftRules, issues: FieldIssue[] = []) {
    this.#rules = rules;
    this.#issues = issues;
  }

  add({ path, draft }: PlacedDraft): void {
    const { driver, settings, context, model } = this.#rules;
    const below = (field: string) => [path(), field].filter(Boolean).join('.');
    const protocol = hasFields(draft.protocol)
      ? checkProtocolSettings(driver.descriptor.pointSettings, draft.protocol, below('protocol'), this.#issues, context)
      : draft.protocol;
    const normal = normalPoint(driver, { ...draft, protocol }, settings, model);
    for (const issue of normal.issues) this.#issues.push({ ...issue, path: below(issue.path) });
    for (const warning of normal.warnings ?? []) context.warn(below(warning.path), issueMessage(warning));
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
