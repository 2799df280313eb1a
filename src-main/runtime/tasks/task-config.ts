import { ReadTaskConfig } from '#shared/contract/tasks.ts';

/** What the snapshot shows before a first task: every default of service document 2.3. */
export const DEFAULT_CONFIG: ReadTaskConfig = Object.freeze(ReadTaskConfig.parse({}));

/**
 * The immutable snapshot of a configuration that a task keeps while it runs (service document 2.3); fields that do not belong
 * to it are left behind.
 */
export function freezeConfig(config: ReadTaskConfig): ReadTaskConfig {
  const { mode, cycle_interval_ms, request_interval_ms, slave_id, channel_id, category, item, dlt645_prefix, dlt645_settlement } = config;
  const point_types = Object.freeze([...config.point_types]) as ReadTaskConfig['point_types'];
  const points = config.points && (Object.freeze(config.points.map(frozenKey)) as ReadTaskConfig['points']);
  return Object.freeze({
    mode,
    cycle_interval_ms,
    request_interval_ms,
    slave_id,
    channel_id,
    category,
    item,
    point_types,
    dlt645_prefix,
    dlt645_settlement,
    ...(points && { points }),
  });
}

function frozenKey({ frame_type, id }: NonNullable<ReadTaskConfig['points']>[number]) {
  return Object.freeze({ frame_type, id });
}

/** Same configuration: compared after defaults, `point_types` and `points` as sets (decisions, "Read tasks"). */
export function isSameConfig(a: ReadTaskConfig, b: ReadTaskConfig): boolean {
  return (
    a.mode === b.mode &&
    a.cycle_interval_ms === b.cycle_interval_ms &&
    a.request_interval_ms === b.request_interval_ms &&
    a.slave_id === b.slave_id &&
    a.channel_id === b.channel_id &&
    a.category === b.category &&
    a.item === b.item &&
    a.dlt645_prefix === b.dlt645_prefix &&
    a.dlt645_settlement === b.dlt645_settlement &&
    isSameSet(new Set(a.point_types), new Set(b.point_types)) &&
    (a.points === undefined) === (b.points === undefined) &&
    isSameSet(idsOf(a), idsOf(b))
  );
}

/** Ids are unique over the service, so they stand for the points. */
export function idsOf({ points = [] }: Pick<ReadTaskConfig, 'points'>): ReadonlySet<number> {
  return new Set(points.map((point) => point.id));
}

function isSameSet(a: ReadonlySet<unknown>, b: ReadonlySet<unknown>): boolean {
  return a.size === b.size && [...a].every((item) => b.has(item));
}
