import { describe, expect, it } from 'vitest';
import { ProtocolType } from '#shared/domain/enums.ts';
import type { ProtocolDriver } from '../drivers/spi/index.ts';
import { builtInDrivers } from './built-in-drivers.ts';
import { createLazyRegistry } from './driver-registry.ts';
import { createLazyDrivers } from './lazy-drivers.ts';

/** A registry of two protocols, and what of them was loaded. */
function registryOf(load: (type: ProtocolType) => Promise<ProtocolDriver> = async (type) => driverOf(type)) {
  const asked: ProtocolType[] = [];
  const loaderOf = (type: ProtocolType) =>
    [
      type,
      () => {
        asked.push(type);
        return load(type);
      },
    ] as const;
  return { asked, drivers: createLazyRegistry([loaderOf(ProtocolType.modbusTcp), loaderOf(ProtocolType.iec104)]) };
}

function driverOf(protocolType: ProtocolType): ProtocolDriver {
  return { descriptor: { protocolType } } as ProtocolDriver;
}

describe('drivers that are loaded when they are asked for', () => {
  it('loads the one that is asked for, once, however many ask', async () => {
    const { drivers, asked } = registryOf();
    await Promise.all([drivers.load?.(ProtocolType.iec104), drivers.load?.(ProtocolType.iec104)]);
    await drivers.load?.(ProtocolType.iec104);
    expect(asked).toEqual([ProtocolType.iec104]);
    expect(drivers.find(ProtocolType.iec104)?.descriptor.protocolType).toBe(ProtocolType.iec104);
  });

  it('says so when one is taken that nobody loaded, and never that the protocol is missing', () => {
    const { drivers } = registryOf();
    expect(() => drivers.find(ProtocolType.modbusTcp)).toThrow('The driver of protocol 1 was not loaded.');
    expect(() => drivers.all).toThrow('was not loaded');
  });

  it('loads all, in the order of the protocols, those that are there already not again', async () => {
    const { drivers, asked } = registryOf();
    await drivers.load?.(ProtocolType.iec104);
    await Promise.all([drivers.load?.(), drivers.load?.()]);
    expect(asked.toSorted()).toEqual([ProtocolType.modbusTcp, ProtocolType.iec104]);
    expect(drivers.all.map(({ descriptor }) => descriptor.protocolType)).toEqual([ProtocolType.modbusTcp, ProtocolType.iec104]);
  });

  it('has all of them for a refusal that names them, when a protocol has no driver', async () => {
    const { drivers } = registryOf();
    await drivers.load?.(ProtocolType.dlt645);
    expect(drivers.find(ProtocolType.dlt645)).toBeUndefined();
    expect(drivers.all).toHaveLength(2);
  });

  it('tries anew after a file could not be read', async () => {
    let isBroken = true;
    const { drivers } = registryOf(async (type) => {
      if (isBroken) throw new Error('EIO');
      return driverOf(type);
    });
    await expect(drivers.load?.(ProtocolType.modbusTcp)).rejects.toThrow('EIO');
    isBroken = false;
    await drivers.load?.(ProtocolType.modbusTcp);
    expect(drivers.find(ProtocolType.modbusTcp)).toBeDefined();
  });

  it('are those that are built in, in the same order', async () => {
    const drivers = createLazyDrivers();
    await drivers.load?.();
    expect(drivers.all).toEqual(builtInDrivers.all);
  });
});
