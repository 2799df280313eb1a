import { ConnType, ProtocolType } from './enums.ts';

/** What decisions.md fixes for each protocol of the contract, whether or not a driver for it is built in yet. */
export interface ProtocolFacts {
  readonly type: ProtocolType;
  readonly name: string;
  readonly connTypes: readonly ConnType[];
  readonly defaultPort: number;
  readonly defaultBaudRate: number;
  readonly defaultParity: 'N' | 'E' | 'O';
}

export const PROTOCOLS: readonly ProtocolFacts[] = [
  {
    type: ProtocolType.modbusTcp,
    name: 'Modbus TCP',
    connTypes: [ConnType.tcpServer, ConnType.tcpClient],
    defaultPort: 502,
    defaultBaudRate: 9600,
    defaultParity: 'N',
  },
  {
    type: ProtocolType.modbusRtu,
    name: 'Modbus RTU',
    connTypes: [ConnType.rtuMaster, ConnType.rtuSlave, ConnType.tcpServer, ConnType.tcpClient],
    defaultPort: 502,
    defaultBaudRate: 9600,
    defaultParity: 'N',
  },
  {
    type: ProtocolType.iec104,
    name: 'IEC 104',
    connTypes: [ConnType.tcpServer, ConnType.tcpClient],
    defaultPort: 2404,
    defaultBaudRate: 9600,
    defaultParity: 'N',
  },
  {
    type: ProtocolType.dlt645,
    name: 'DL/T 645',
    connTypes: [ConnType.rtuMaster, ConnType.rtuSlave, ConnType.tcpServer, ConnType.tcpClient],
    defaultPort: 8899,
    defaultBaudRate: 2400,
    defaultParity: 'E',
  },
  {
    type: ProtocolType.iec61850,
    name: 'IEC 61850',
    connTypes: [ConnType.tcpServer, ConnType.tcpClient],
    defaultPort: 102,
    defaultBaudRate: 9600,
    defaultParity: 'N',
  },
];

/** The facts of one protocol. The type is closed, so there is always an entry. */
export function protocolFacts(type: ProtocolType): ProtocolFacts {
  const found = PROTOCOLS.find((item) => item.type === type);
  if (!found) throw new RangeError(`protocol_type ${type} is unknown`);
  return found;
}
