import { ProtocolType } from '#shared/domain/enums.ts';
import type { DriverRegistry } from '../runtime/types.ts';
import { createLazyRegistry } from './driver-registry.ts';

/** Every protocol of this version, each loaded with the first channel or question that needs it. */
export function createLazyDrivers(): DriverRegistry {
  return createLazyRegistry([
    [ProtocolType.modbusTcp, async () => (await import('../drivers/modbus/driver.ts')).modbusTcpDriver],
    [ProtocolType.modbusRtu, async () => (await import('../drivers/modbus/rtu/driver.ts')).modbusRtuDriver],
    [ProtocolType.iec104, async () => (await import('../drivers/iec104/driver.ts')).iec104Driver],
    [ProtocolType.dlt645, async () => (await import('../drivers/dlt645/driver.ts')).dlt645Driver],
    [ProtocolType.iec61850, async () => (await import('../drivers/iec61850/driver.ts')).iec61850Driver],
  ]);
}
