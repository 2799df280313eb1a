import { dlt645Driver } from '../drivers/dlt645/driver.ts';
import { iec104Driver } from '../drivers/iec104/driver.ts';
import { iec61850Driver } from '../drivers/iec61850/driver.ts';
import { modbusTcpDriver } from '../drivers/modbus/driver.ts';
import { modbusRtuDriver } from '../drivers/modbus/rtu/driver.ts';
import { createDriverRegistry } from './driver-registry.ts';

/** Every protocol of this version. */
export const builtInDrivers = createDriverRegistry([modbusTcpDriver, modbusRtuDriver, iec104Driver, dlt645Driver, iec61850Driver]);
