import type { ReadTaskConfig } from '#shared/contract/tasks.ts';
import type { PointConfig, ProtocolDriver } from '../../drivers/spi/index.ts';
import { idsOf } from './task-config.ts';

/** Points of a round: those to be asked for, and those that were named by type although the protocol cannot read them. */
export interface PointSelection {
  readonly readable: readonly PointConfig[];
  readonly unreadable: readonly PointConfig[];
}

/** DI3, the highest byte of a data identifier. */
function prefixOf(address: number): number {
  return (address >>> 24) & 0xff;
}

/** DI0, the lowest byte of a data identifier. */
function settlementOf(address: number): number {
  return address & 0xff;
}

function matches(point: PointConfig, config: ReadTaskConfig): boolean {
  return (
    (config.slave_id === null || point.slave_id === config.slave_id) &&
    (config.channel_id === null || point.channel_id === config.channel_id) &&
    (config.category === '' || point.category === config.category) &&
    (config.item === '' || point.item === config.item) &&
    (config.point_types.length === 0 || config.point_types.includes(point.frame_type)) &&
    (config.dlt645_prefix === null || prefixOf(point.address) === config.dlt645_prefix) &&
    (config.dlt645_settlement === null || settlementOf(point.address) === config.dlt645_settlement)
  );
}

/**
 * Selects the points of a round, in the order given. Filters combine with AND. Points the protocol cannot read are selected only
 * when `point_types` names their type, and then they fail (decisions, "Read tasks").
 */
export function selectPoints(
  points: readonly PointConfig[],
  config: ReadTaskConfig,
  driver: Pick<ProtocolDriver, 'isReadable'>,
): PointSelection {
  const readable: PointConfig[] = [];
  const unreadable: PointConfig[] = [];
  const named = config.points && idsOf(config);
  for (const point of points) {
    if (!matches(point, config) || (named && !named.has(point.id))) continue;
    if (driver.isReadable(point)) readable.push(point);
    else if (config.point_types.length > 0) unreadable.push(point);
  }
  return { readable, unreadable };
}
