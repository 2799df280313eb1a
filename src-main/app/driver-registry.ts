import type { ProtocolType } from '#shared/domain/enums.ts';
import type { ProtocolDriver } from '../drivers/spi/index.ts';
import { Turns } from '../platform/turns.ts';
import type { DriverRegistry } from '../runtime/types.ts';

/** The protocols built into this version, found by their number. */
export function createDriverRegistry(drivers: readonly ProtocolDriver[]): DriverRegistry {
  const byType = new Map(drivers.map((driver) => [driver.descriptor.protocolType, driver]));
  return { all: drivers, find: (type) => byType.get(type) };
}

/** Loads the driver of one protocol. */
type LoadDriver = () => Promise<ProtocolDriver>;

/** Protocols that are loaded when they are asked for: a service without channels holds none of them in memory. */
export function createLazyRegistry(loaders: readonly (readonly [ProtocolType, LoadDriver])[]): DriverRegistry {
  const byType = new Map(loaders);
  const loading = new Map<ProtocolType, Promise<void>>();
  const loaded = new Map<ProtocolType, ProtocolDriver>();
  const loadOne = (type: ProtocolType, load: LoadDriver): Promise<void> => {
    const known = loading.get(type);
    if (known) return known;
    const made = load().then(
      (driver) => void loaded.set(type, driver),
      (error) => {
        // a file that could not be read may be there at the next try
        loading.delete(type);
        throw error;
      },
    );
    loading.set(type, made);
    return made;
  };
  const there = (type: ProtocolType): ProtocolDriver => {
    const driver = loaded.get(type);
    if (!driver) throw new Error(`The driver of protocol ${type} was not loaded.`);
    return driver;
  };
  return {
    async load(type) {
      const one = type === undefined ? undefined : byType.get(type);
      if (type !== undefined && one) return loadOne(type, one);
      const turns = new Turns();
      for (const [each, load] of byType) {
        if (loaded.has(each)) continue;
        await loadOne(each, load);
        // each is some 20 ms of work, and the lines wait
        await turns.next();
      }
    },
    get all() {
      return [...byType.keys()].map(there);
    },
    find: (type) => (byType.has(type) ? there(type) : undefined),
  };
}
