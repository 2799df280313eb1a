import { ConnType } from '#shared/domain/enums.ts';
import type { DriverChannelSettings } from '../spi/index.ts';

/** Settings of a channel for tests: a TCP client with the defaults of the service and without retries, unless told otherwise. */
export function clientSettings(changes: Partial<DriverChannelSettings> = {}): DriverChannelSettings {
  return {
    connType: ConnType.tcpClient,
    timeoutMs: 1000,
    retries: 0,
    requestGapMs: null,
    maxGap: 0,
    addressBase: 0,
    baudRate: 9600,
    dataBits: 8,
    stopBits: 1,
    parity: 'N',
    protocol: {},
    ...changes,
  };
}
