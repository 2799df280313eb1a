import { ConnType } from './enums.ts';

/** Port of a simulated device: ports below 1024 are often not free, and never on a usual Linux. */
export function simulatedPort(port: number): number {
  return port < 1024 ? port + 10_000 : port;
}

const OTHER_ENDS: Readonly<Record<ConnType, ConnType>> = {
  [ConnType.rtuMaster]: ConnType.rtuSlave,
  [ConnType.rtuSlave]: ConnType.rtuMaster,
  [ConnType.tcpClient]: ConnType.tcpServer,
  [ConnType.tcpServer]: ConnType.tcpClient,
};

/** The connection with the ends changed: of one that asks the one that is asked, and the other way round. */
export function otherEnd(connType: ConnType): ConnType {
  return OTHER_ENDS[connType];
}
