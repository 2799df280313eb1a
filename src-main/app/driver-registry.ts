import type { ProtocolDriver } from '../drivers/spi/index.ts';
import type { DriverRegistry } from '../runtime/types.ts';

/** The protocols built into this version, found by their number. */
export function createDriverRegistry(drivers: readonly ProtocolDriver[]): DriverRegistry {
  const byType = new Map(drivers.map((driver) => [driver.descriptor.protocolType, driver]));
  return { all: drivers, find: (type) => byType.get(type) };
}
