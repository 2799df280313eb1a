import { AppError, type FieldIssue, fieldIssue, invalidInput } from '#shared/domain/errors.ts';
import { firstOf, say } from '#shared/messages/index.ts';
import type { PointConfig } from '../../drivers/spi/index.ts';
import type { Turns } from '../../platform/turns.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { boundedIssues } from '../field-messages.ts';

/** Points that are looked at between two questions whether the lines should have their turn. */
export const POINTS_A_LOOK = 64;

/** Something of a request with its place in it: `points.3`. */
export interface Placed {
  readonly path: string;
}

const below = (path: string, field: string) => (path === '' ? field : `${path}.${field}`);

/** A code may stand once in a request. Answers the codes, each with its place among them. Throws `CONFIG_INVALID`; `pathOf` is where the point of a code stands. */
export async function requireDistinctCodes(
  codes: readonly string[],
  pathOf: (index: number) => string,
  turns: Turns,
): Promise<ReadonlyMap<string, number>> {
  const first = new Map<string, number>();
  const issues: FieldIssue[] = [];
  for (const [index, code] of codes.entries()) {
    if (index % POINTS_A_LOOK === 0) await turns.breathe();
    const place = first.get(code);
    if (place === undefined) first.set(code, index);
    else issues.push(fieldIssue(below(pathOf(index), 'code'), say('point.code_twice', { code, place: pathOf(place) })));
  }
  if (issues.length > 0) throw invalidInput(boundedIssues(issues));
  return first;
}

/** A point may stand once in a request. Throws `CONFIG_INVALID`. */
export async function requireDistinctPoints(points: readonly (Placed & { readonly id: number })[], turns: Turns): Promise<void> {
  const first = new Map<number, string>();
  const issues: FieldIssue[] = [];
  for (const [index, { path, id }] of points.entries()) {
    if (index % POINTS_A_LOOK === 0) await turns.breathe();
    const place = first.get(id);
    if (place === undefined) first.set(id, path);
    else issues.push(fieldIssue(below(path, 'point_id'), say('point.edited_twice', { id, place })));
  }
  if (issues.length > 0) throw invalidInput(boundedIssues(issues));
}

/** Throws `STATE_CONFLICT` that names the codes another point of the channel has; those of `own` are theirs to change. */
export async function requireFreeCodes(
  channel: ChannelRuntime,
  codes: readonly string[],
  own: ReadonlySet<number>,
  turns: Turns,
): Promise<void> {
  const taken: string[] = [];
  for (const [index, code] of codes.entries()) {
    if (index % POINTS_A_LOOK === 0) await turns.breathe();
    const holder = channel.points.byCode(code);
    if (holder !== undefined && !own.has(holder)) taken.push(code);
  }
  if (taken.length === 0) return;
  const named = firstOf(taken.map((code) => `"${code}"`));
  throw new AppError('STATE_CONFLICT', say('service.codes_taken', { channel: channel.settings.name, codes: named }));
}

/**
 * The points in an order in which each code is free when a point takes it over from another one of them. Throws `STATE_CONFLICT` for codes that
 * go round: no order would do.
 */
export async function inCodeOrder(channel: ChannelRuntime, edited: readonly PointConfig[], turns: Turns): Promise<PointConfig[]> {
  const byId = new Map(edited.map((point) => [point.id, point]));
  const ordered = new Set<PointConfig>();
  for (const [index, start] of edited.entries()) {
    if (index % POINTS_A_LOOK === 0) await turns.breathe();
    const chain = new Set<PointConfig>();
    let next: PointConfig | undefined = start;
    while (next && !ordered.has(next)) {
      if (chain.has(next))
        throw new AppError('STATE_CONFLICT', say('service.codes_go_round', { codes: firstOf([...chain].map(({ code }) => `"${code}"`)) }));
      chain.add(next);
      const holder = channel.points.byCode(next.code);
      next = holder === undefined || holder === next.id ? undefined : byId.get(holder);
    }
    for (const point of [...chain].reverse()) ordered.add(point);
  }
  return [...ordered];
}
