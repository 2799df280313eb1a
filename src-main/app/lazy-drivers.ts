import { ProtocolType } from '#shared/domain/enums.ts';
import type { ProtocolDriver } from '../drivers/spi/index.ts';
import type { DriverRegistry } from '../runtime/types.ts';
import { createLazyRegistry } from './driver-registry.ts';

/** Loads one driver: it, its tables and its schemas of settings are some megabytes of memory. */
export const DRIVER_LOADERS: Readonly<Record<ProtocolType, () => Promise<ProtocolDriver>>> = {
  [ProtocolType.modbusTcp]: async () => (await import('../drivers/modbus/driver.ts')).modbusTcpDriver,
  [ProtocolType.modbusRtu]: async () => (await import('../drivers/modbus/rtu/driver.ts')).modbusRtuDriver,
  [ProtocolType.iec104]: async () => (await import('../drivers/iec104/driver.ts')).iec104Driver,
  [ProtocolType.dlt645]: async () => (await import('../drivers/dlt645/driver.ts')).dlt645Driver,
  [ProtocolType.iec61850]: async () => (await import('../drivers/iec61850/driver.ts')).iec61850Driver,
};

/** Every protocol of this version, each loaded with the first channel or question that needs it. */
export function createLazyDrivers(): DriverRegistry {
  return createLazyRegistry(Object.values(ProtocolType).map((type) => [type, DRIVER_LOADERS[type]]));
}
