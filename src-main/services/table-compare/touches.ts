import type { RowTouches, Touches } from '#shared/contract/table-compare.ts';
import type { PointConfig } from '../../drivers/spi/index.ts';
import { Turns } from '../../platform/turns.ts';
import { selectPoints } from '../../runtime/tasks/point-selection.ts';
import type { ChannelRuntime, TaskKind } from '../../runtime/types.ts';
import { configsInTurns } from '../../runtime/values/configs-in-turns.ts';
import { isReadAlike } from '../../runtime/values/reading-settings.ts';
import { canonical } from '../check/chain.ts';
import { CheckBook } from '../check/check-book.ts';
import { type Mapping, mappingChanges, mappingOf, pointThen } from '../check/mapping.ts';
import { itemsByPoint } from '../check/point-states.ts';
import { stateOfItem } from '../check/states.ts';
import type { ProjectSession, ServiceDeps } from '../ports.ts';
import { obstacleAs } from '../setpoints.ts';
import { type DifferenceRow, ROWS_A_LOOK } from './comparison.ts';

/** Codes of related points that a row names. */
const NAMED = 5;
const TASKS: readonly TaskKind[] = ['automatic', 'manual'];

/** Codes of the points that name a code as their related one, as long as the table stands. */
interface Relations {
  readonly revision: number;
  readonly by: ReadonlyMap<string, readonly string[]>;
}
const relations = new WeakMap<ChannelRuntime, Relations>();

async function relationsOf(channel: ChannelRuntime): Promise<Relations['by']> {
  const { points } = channel;
  const known = relations.get(channel);
  if (known?.revision === points.configRevision) return known.by;
  const revision = points.configRevision;
  const turns = new Turns();
  const by = new Map<string, string[]>();
  for (const [index, { code, related_code: related }] of (await configsInTurns(points, turns.breathe)).entries()) {
    if (index % ROWS_A_LOOK === 0) await turns.breathe();
    if (related === '') continue;
    const naming = by.get(related);
    if (naming) naming.push(code);
    else by.set(related, [code]);
  }
  relations.set(channel, { revision, by });
  return by;
}

/** What becomes of the item of a point in one session. */
type CheckLook = (point: PointConfig, after: PointConfig | undefined) => RowTouches['checks'];

/** What taking differences over would touch in a channel: tasks, related points, results of checks, written setpoints. All from memory and the project. */
export class ChannelTouches {
  readonly #channel: ChannelRuntime;
  readonly #by: Relations['by'];
  /** What becomes of the items of a point, session by session. */
  readonly #checks: readonly CheckLook[];
  readonly #setpoints: ReadonlyMap<number, readonly ReturnType<ProjectSession['store']['setpoints']['list']>[number][]>;

  private constructor(session: ProjectSession, channel: ChannelRuntime, by: Relations['by'], checks: readonly CheckLook[]) {
    this.#channel = channel;
    this.#by = by;
    this.#checks = checks;
    this.#setpoints = Map.groupBy(session.store.setpoints.list(channel.id), ({ point }) => point.id);
  }

  static async of(deps: ServiceDeps, channel: ChannelRuntime): Promise<ChannelTouches> {
    const session = deps.projects.current();
    const book = CheckBook.of(deps);
    const checks: CheckLook[] = [];
    for (const { id, name } of book.list()) {
      const marks = await book.marks(id);
      const items = itemsByPoint(book.items(id));
      checks.push((point, after) => {
        const item = items.get(point.id);
        if (item?.channelId !== channel.id || item.frameType !== point.frame_type) return [];
        if (!after || after.frame_type !== point.frame_type) return [{ session_id: id, session: name, becomes: 'point_gone' }];
        const mark = marks.get(item.uuid);
        if (mark?.verdict !== 'passed' && mark?.verdict !== 'accepted') return [];
        const mapping = mappingOf(pointThen({ channel, point: after }));
        const isOther = canonical(mapping) !== mark.mapping && mappingChanges(JSON.parse(mark.mapping) as Mapping, mapping).length > 0;
        const wasOther = stateOfItem(session, item, mark).state === 'check_again';
        if (isOther === wasOther) return [];
        return [{ session_id: id, session: name, becomes: isOther ? 'check_again' : 'passed_again' }];
      });
    }
    return new ChannelTouches(session, channel, await relationsOf(channel), checks);
  }

  /** What one row touches; null for one that cannot be taken over. */
  ofRow(row: DifferenceRow): RowTouches | null {
    if (row.kind === 'faulty') return null;
    const { before, after } = this.#points(row);
    const naming = before ? (this.#by.get(before.code) ?? []) : [];
    const isSamePlace = before !== undefined && after !== undefined && before.frame_type === after.frame_type;
    return {
      value_lost: before !== undefined && !(isSamePlace && isReadAlike(before, after)),
      tasks: this.#tasks().flatMap(({ kind, config }): RowTouches['tasks'] => {
        const { driver } = this.#channel;
        const reads = (point: PointConfig | undefined) => point !== undefined && selectPoints([point], config, driver).readable.length > 0;
        const [did, does] = [reads(before), reads(after)];
        if (did && does && before && after) return isReadAlike(before, after) ? [] : [{ kind, effect: 'read_otherwise' }];
        return did === does ? [] : [{ kind, effect: does ? 'enters' : 'leaves' }];
      }),
      related: naming.slice(0, NAMED),
      related_count: naming.length,
      related_lost: naming.length > 0 && before?.code !== after?.code,
      checks: before ? this.#checks.flatMap((of) => of(before, after)) : [],
      setpoint_lost: before !== undefined && this.#losesSetpoint(before, after),
    };
  }

  /** What all rows touch together. */
  async ofAll(rows: readonly DifferenceRow[]): Promise<Touches> {
    const turns = new Turns();
    const tasks = new Map(this.#tasks().map(({ kind }) => [kind, { kind, restarts: false, read_otherwise: 0, enters: 0, leaves: 0 }]));
    const sum = { values_lost: 0, related: 0, checks: { check_again: 0, passed_again: 0, point_gone: 0 }, setpoints: 0 };
    for (const [index, row] of rows.entries()) {
      if (index % ROWS_A_LOOK === 0) await turns.breathe();
      const touched = this.ofRow(row);
      if (!touched) continue;
      if (touched.value_lost) sum.values_lost += 1;
      if (touched.related_lost) sum.related += touched.related_count;
      if (touched.setpoint_lost) sum.setpoints += 1;
      for (const { kind, effect } of touched.tasks) {
        const task = tasks.get(kind);
        if (task) task[effect] += 1;
      }
      for (const { becomes } of touched.checks) sum.checks[becomes] += 1;
    }
    return { ...sum, tasks: [...tasks.values()] };
  }

  /** The point as it is in the channel, and as it would be; a point of another type is a new one. */
  #points({ before, after }: DifferenceRow): { before: PointConfig | undefined; after: PointConfig | undefined } {
    const present = before?.id == null ? undefined : this.#channel.points.config(before.id);
    return { before: present, after: after ? { ...after.point, id: present?.id ?? 0, channel_id: this.#channel.id } : undefined };
  }

  #tasks() {
    return TASKS.flatMap((kind) => {
      const { state, config } = this.#channel.taskSnapshot(kind);
      return state === 'running' || state === 'stopping' ? [{ kind, config }] : [];
    });
  }

  #losesSetpoint(before: PointConfig, after: PointConfig | undefined): boolean {
    const setpoints = this.#setpoints.get(before.id) ?? [];
    const isLeft = after?.frame_type === before.frame_type ? after : undefined;
    return setpoints.some((each) => obstacleAs(this.#channel, each, before) === null && obstacleAs(this.#channel, each, isLeft) !== null);
  }
}
