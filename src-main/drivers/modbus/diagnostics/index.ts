/** The diagnostics of Modbus for the services, by framing. */
import { type ConnType, isSerial } from '#shared/domain/enums.ts';
import type { DriverDiagnostics, RawQuestion } from '../../spi/diagnostics.ts';
import type { DriverChannelSettings } from '../../spi/index.ts';
import { refusalOf } from '../client/refusal.ts';
import { encodeMbap } from '../link/mbap.ts';
import { asciiFraming, encodeAscii } from '../rtu/ascii.ts';
import { encodeRtu } from '../rtu/framing.ts';
import { framingOf } from '../rtu/settings.ts';
import { PROBE_PDU, SCAN_FUNCTIONS } from './questions.ts';
import { recogniseAscii, recogniseMbap, recogniseRtu } from './recognise.ts';
import { judgeModbusTable } from './table.ts';

/** Transaction id of a raw question; a device gives it back, whatever it is. */
const RAW_TRANSACTION = 0x4c43;

const shared = {
  scanFunctions: SCAN_FUNCTIONS,
  isMissingAddress: (error) => refusalOf(error)?.exception === 2,
  judgeTable: judgeModbusTable,
} satisfies Partial<DriverDiagnostics>;

/** Modbus TCP: unit ids 0 to 255; 1, 255 and 0 are what most devices answer to (Messaging on TCP/IP V1.0b, 4.4.1.3). */
export const mbapDiagnostics: DriverDiagnostics = {
  ...shared,
  addresses: { least: 0, most: 255, usual: [1, 255, 0, 2, 3] },
  questions: (slaveId) => [mbapQuestion(slaveId), rtuQuestion(slaveId)],
  recognise: (octets, sent) => recogniseMbap(octets, sent),
};

/** Modbus RTU, or ASCII by the channel: slaves 1 to 247 (MODBUS over Serial Line V1.02, 2.2). Over TCP a device may speak MBAP instead, on a serial line not. */
export const rtuDiagnostics: DriverDiagnostics = {
  ...shared,
  addresses: { least: 1, most: 247, usual: [1, 2, 3] },
  questions: (slaveId, settings) => {
    if (isAscii(settings)) return [{ framing: 'modbus-ascii', octets: encodeAscii(slaveId, PROBE_PDU) }];
    return [rtuQuestion(slaveId), ...(isOverTcp(settings) ? [mbapQuestion(slaveId)] : [])];
  },
  recognise: (octets, sent, settings) => (isAscii(settings) ? recogniseAscii : recogniseRtu)(octets, sent),
};

function isAscii({ protocol }: Pick<DriverChannelSettings, 'protocol'>): boolean {
  return framingOf(protocol) === asciiFraming;
}

function isOverTcp({ connType }: Pick<DriverChannelSettings, 'connType'> & { readonly connType: ConnType }): boolean {
  return !isSerial(connType);
}

function mbapQuestion(slaveId: number): RawQuestion {
  return { framing: 'modbus-tcp', octets: encodeMbap(RAW_TRANSACTION, slaveId, PROBE_PDU) };
}

function rtuQuestion(slaveId: number): RawQuestion {
  return { framing: 'modbus-rtu', octets: encodeRtu(slaveId, PROBE_PDU) };
}
