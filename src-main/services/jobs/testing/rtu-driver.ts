import { isSerial, ProtocolType } from '#shared/domain/enums.ts';
import { ModbusClient } from '../../../drivers/modbus/client.ts';
import { rtuDiagnostics } from '../../../drivers/modbus/diagnostics/index.ts';
import { modbusTcpDriver } from '../../../drivers/modbus/driver.ts';
import { RtuSession } from '../../../drivers/modbus/rtu/session.ts';
import { serialTiming, socketTiming } from '../../../drivers/modbus/rtu/timing.ts';
import type { ProtocolDriver } from '../../../drivers/spi.ts';

/** Modbus RTU as far as the jobs need it. */
export const rtuDriver: ProtocolDriver = {
  ...modbusTcpDriver,
  descriptor: { ...modbusTcpDriver.descriptor, protocolType: ProtocolType.modbusRtu, key: 'modbus-rtu' },
  async connect(io) {
    const { clock, line, frames, settings, sink } = io;
    return new ModbusClient(io, ({ health, slowestMs }) => {
      const timing = isSerial(settings.connType) ? serialTiming(settings) : socketTiming(settings.timeoutMs);
      const common = { clock, line, frames, health, timing, timeoutMs: settings.timeoutMs, requestGapMs: 0, turnAroundMs: 100 };
      return new RtuSession({ ...common, echo: 'unknown', notice: (text) => sink.notice(text), slowestMs });
    });
  },
  diagnostics: rtuDiagnostics,
};
