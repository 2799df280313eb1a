import type { NewPoint } from '#shared/contract/points.ts';
import type { FrameType } from '#shared/domain/enums.ts';
import { AppError, type FieldIssue } from '#shared/domain/errors.ts';
import { firstOf, say } from '#shared/messages/index.ts';
import type { NormalPoint, PointConfig, PointDraft } from '../../drivers/spi/index.ts';
import type { Turns } from '../../platform/turns.ts';
import { toDriverSettings } from '../../runtime/settings.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import type { CallContext } from '../handlers.ts';
import { findPointOf } from '../lookup.ts';
import { changedDraft, DraftCheck, draftOf, type PointChanges } from '../point-drafts.ts';
import type { ChannelChange } from '../table-changes.ts';
import { inCodeOrder, POINTS_A_LOOK, requireDistinctCodes, requireDistinctPoints, requireFreeCodes } from './code-rules.ts';
import { type LeftPoint, warnOfRelations } from './relations.ts';

/** One change of a point, as a request asks for it. */
export type PointOp =
  | { readonly op: 'add'; readonly point: NewPoint }
  | { readonly op: 'edit'; readonly id: number; readonly frameType: FrameType; readonly changes: PointChanges }
  | { readonly op: 'delete'; readonly id: number; readonly frameType: FrameType | null }
  | {
      readonly op: 'move';
      readonly id: number;
      readonly frameType: FrameType;
      readonly to: ChannelRuntime;
      readonly changes: PointChanges;
    };

export interface ChangeRequest {
  readonly channel: ChannelRuntime;
  readonly ops: readonly PointOp[];
  /** Where a change stands in the request: `points.3`; empty for the request itself. */
  pathOf(index: number): string;
  /** The list that they stand in. */
  readonly placeOfAll: string;
  readonly context: CallContext;
  /** Throws when the tables are not as they were when the request was made; asked when nobody else changes them any more. */
  requireStill?(turns: Turns): void | Promise<void>;
  /** Makes what the points need, once nothing more speaks against them; what it throws refuses them. */
  beforeMade?(turns: Turns): void | Promise<void>;
}

/** Where the point of a change is afterwards: among the changed or added ones of a channel. */
export type Outcome =
  | { readonly kind: 'gone' }
  | { readonly kind: 'changed'; readonly id: number }
  | { readonly kind: 'added'; readonly channel: ChannelRuntime; readonly index: number };

/** What a request does, checked. */
export interface ChangePlan {
  readonly changes: readonly ChannelChange[];
  readonly outcomes: readonly Outcome[];
}

/** Where a draft comes from: its place in the request, and the point it changes. */
type DraftPlace = Pick<LeftPoint, 'index' | 'before'>;

/** What comes of one channel. */
interface Side {
  readonly channel: ChannelRuntime;
  readonly check: DraftCheck;
  /** In the order of the drafts of its check. */
  readonly drafts: DraftPlace[];
  readonly removed: PointConfig[];
}

/**
 * Checks a request against the tables as they are and what each protocol asks; nobody may change them before it is made. Throws `CONFIG_NOT_FOUND`,
 * `CONFIG_INVALID` with every wrong place, `STATE_CONFLICT` for codes that are taken.
 */
export async function planChanges(request: ChangeRequest, turns: Turns): Promise<ChangePlan> {
  const planner = new Planner(request);
  for (const [index, op] of request.ops.entries()) {
    planner.take(op, index);
    if (index % POINTS_A_LOOK === 0) await turns.breathe();
  }
  if (request.ops.length > POINTS_A_LOOK) await turns.next();
  return planner.end(turns);
}

class Planner {
  readonly #request: ChangeRequest;
  readonly #issues: FieldIssue[] = [];
  readonly #sides = new Map<ChannelRuntime, Side>();
  readonly #named: { readonly path: string; readonly id: number }[] = [];
  readonly #missing: number[] = [];
  readonly #outcomes: Outcome[] = [];
  /** Added points so far, by channel. */
  readonly #added = new Map<ChannelRuntime, number>();

  constructor(request: ChangeRequest) {
    this.#request = request;
  }

  take(op: PointOp, index: number): void {
    const { channel, pathOf } = this.#request;
    if (op.op === 'add') {
      this.#bring(channel, { index }, draftOf(op.point));
      this.#outcomes.push(this.#addedTo(channel));
      return;
    }
    if (op.op === 'delete' && channel.points.config(op.id) === undefined) {
      this.#missing.push(op.id);
      return;
    }
    const point = op.frameType === null ? channel.points.config(op.id) : findPointOf(channel, op.id, op.frameType).point;
    if (!point) return;
    this.#named.push({ path: pathOf(index), id: op.id });
    if (op.op === 'edit') {
      this.#bring(channel, { index, before: point }, changedDraft(point, op.changes, channel.driver));
      this.#outcomes.push({ kind: 'changed', id: op.id });
      return;
    }
    this.#side(channel).removed.push(point);
    if (op.op === 'delete') {
      this.#outcomes.push({ kind: 'gone' });
      return;
    }
    this.#bring(op.to, { index }, changedDraft(point, op.changes, op.to.driver));
    this.#outcomes.push(this.#addedTo(op.to));
  }

  async end(turns: Turns): Promise<ChangePlan> {
    const { channel } = this.#request;
    if (this.#missing.length > 0) {
      const asked = { channel: channel.settings.name, points: firstOf(this.#missing) };
      throw new AppError('CONFIG_NOT_FOUND', say('service.no_points_to_delete', asked));
    }
    await requireDistinctPoints(this.#named, turns);
    const changes: ChannelChange[] = [];
    for (const side of this.#sides.values()) changes.push(await this.#changeOf(side, turns));
    return { changes, outcomes: this.#outcomes };
  }

  async #changeOf({ channel, check, drafts, removed }: Side, turns: Turns): Promise<ChannelChange> {
    const { context, placeOfAll, pathOf } = this.#request;
    const points = check.end();
    const taken: LeftPoint[] = [];
    const codes: string[] = [];
    const edited: PointConfig[] = [];
    const added: NormalPoint[] = [];
    for (const [at, { index, before }] of drafts.entries()) {
      if (at % POINTS_A_LOOK === 0) await turns.breathe();
      const after = points[at];
      if (!after) continue;
      taken.push({ index, before, after });
      codes.push(after.code);
      if (before) edited.push({ ...after, id: before.id, channel_id: channel.id });
      else added.push(after);
    }
    const distinct = await requireDistinctCodes(codes, (at) => pathOf(taken[at]?.index ?? 0), turns);
    const own = new Set<number>();
    for (const list of [edited, removed]) {
      for (const [index, { id }] of list.entries()) {
        if (index % POINTS_A_LOOK === 0) await turns.breathe();
        own.add(id);
      }
    }
    await requireFreeCodes(channel, codes, own, turns);
    const left = { channel, points: taken, removed, codes: distinct, relatedPathOf: (index: number) => this.#relatedPathOf(index) };
    await warnOfRelations(left, placeOfAll, context, turns);
    const changed = await inCodeOrder(channel, edited, turns);
    return { channel, change: { removed: removed.map(({ id }) => id), changed, added } };
  }

  #bring(channel: ChannelRuntime, place: DraftPlace, draft: PointDraft): void {
    const side = this.#side(channel);
    side.check.add({ path: () => this.#request.pathOf(place.index), draft });
    side.drafts.push(place);
  }

  /** The place of the related code; a request that adds one point tells it by the name of the field alone. */
  #relatedPathOf(index: number): string {
    const { ops, pathOf } = this.#request;
    const path = ops.length === 1 && ops[0]?.op === 'add' ? '' : pathOf(index);
    return path === '' ? 'related_code' : `${path}.related_code`;
  }

  #addedTo(channel: ChannelRuntime): Outcome {
    const index = this.#added.get(channel) ?? 0;
    this.#added.set(channel, index + 1);
    return { kind: 'added', channel, index };
  }

  #side(channel: ChannelRuntime): Side {
    const present = this.#sides.get(channel);
    if (present) return present;
    const { driver, settings } = channel;
    const rules = { driver, settings: toDriverSettings(settings, driver), context: this.#request.context, model: channel.model() };
    const side: Side = { channel, check: new DraftCheck(rules, this.#issues), drafts: [], removed: [] };
    this.#sides.set(channel, side);
    return side;
  }
}
