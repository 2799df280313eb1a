/** What tshark has to tell of a frame, worked out from its octets by the standards alone. */

/** Numbers that fields of tshark have to have, in their order; and the end of the chain of protocols. */
export interface Expectation {
  readonly protocols: string;
  readonly numbers: Readonly<Record<string, readonly number[]>>;
  /** A text that a field has to have among others. */
  readonly texts?: Readonly<Record<string, string>>;
}

const MODBUS_FIELDS = ['modbus.func_code', 'modbus.reference_num', 'modbus.word_cnt', 'modbus.regval_uint16', 'modbus.exception_code'];
const READ_REGISTERS = 3;
const WRITE_REGISTERS = 16;

/** Fields that are looked at, by the protocol. */
export const MODBUS_TCP_FIELDS = ['mbtcp.trans_id', 'mbtcp.len', 'mbtcp.unit_id', ...MODBUS_FIELDS];
export const MODBUS_RTU_FIELDS = ['mbrtu.unit_id', 'mbrtu.crc16', ...MODBUS_FIELDS];
export const IEC104_FIELDS = [
  ...['type', 'apdulen', 'tx', 'rx', 'utype'].map((name) => `iec60870_104.${name}`),
  ...['typeid', 'causetx', 'addr', 'ioa', 'numix'].map((name) => `iec60870_asdu.${name}`),
];
export const MMS_FIELDS = ['tpkt.length', 'cotp.type', 'mms.invokeID', 'mms.domainId'];

const word = (octets: Uint8Array, at: number) => ((octets[at] ?? 0) << 8) | (octets[at + 1] ?? 0);
const lowWord = (octets: Uint8Array, at: number) => (octets[at] ?? 0) | ((octets[at + 1] ?? 0) << 8);
const words = (octets: Uint8Array, from: number, count: number) =>
  Array.from({ length: count }, (_, index) => word(octets, from + 2 * index));

/** MODBUS Application Protocol V1.1b3, 6.3 and 6.12, and 7 for refusals. */
function modbusPdu(pdu: Uint8Array, isRequest: boolean): Expectation['numbers'] {
  const code = pdu[0] ?? 0;
  if (code >= 0x80) return { 'modbus.func_code': [code - 0x80], 'modbus.exception_code': [pdu[1] ?? 0] };
  const numbers = { 'modbus.func_code': [code] };
  if (code === READ_REGISTERS && !isRequest) return { ...numbers, 'modbus.regval_uint16': words(pdu, 2, (pdu[1] ?? 0) / 2) };
  const range = { ...numbers, 'modbus.reference_num': [word(pdu, 1)], 'modbus.word_cnt': [word(pdu, 3)] };
  if (code === WRITE_REGISTERS && isRequest) return { ...range, 'modbus.regval_uint16': words(pdu, 6, (pdu[5] ?? 0) / 2) };
  if (code === READ_REGISTERS || code === WRITE_REGISTERS) return range;
  throw new Error(`function ${code} is none of the exchange`);
}

/** MODBUS Messaging on TCP/IP V1.0b, 3.1.3. */
export function expectModbusTcp(octets: Uint8Array, isRequest: boolean): Expectation {
  return {
    protocols: ':tcp:mbtcp:modbus',
    numbers: {
      'mbtcp.trans_id': [word(octets, 0)],
      'mbtcp.len': [word(octets, 4)],
      'mbtcp.unit_id': [octets[6] ?? 0],
      ...modbusPdu(octets.subarray(7), isRequest),
    },
  };
}

/** MODBUS over Serial Line V1.02, 2.5.1. */
export function expectModbusRtu(octets: Uint8Array, isRequest: boolean): Expectation {
  return {
    protocols: ':mbrtu:modbus',
    numbers: {
      'mbrtu.unit_id': [octets[0] ?? 0],
      'mbrtu.crc16': [word(octets, octets.length - 2)],
      ...modbusPdu(octets.subarray(1, -2), isRequest),
    },
  };
}

/** IEC 60870-5-104, 5: the APCI, and of an ASDU type, cause, common address and its first object. */
export function expectIec104(octets: Uint8Array): Expectation {
  const [control = 0] = octets.subarray(2);
  const numbers = { 'iec60870_104.apdulen': [octets[1] ?? 0] };
  const receive = { 'iec60870_104.rx': [lowWord(octets, 4) >>> 1] };
  if ((control & 3) === 3) {
    const told = { 'iec60870_104.type': [3], 'iec60870_104.utype': [control >>> 2] };
    return { protocols: ':tcp:iec60870_104', numbers: { ...numbers, ...told } };
  }
  if ((control & 3) === 1) return { protocols: ':tcp:iec60870_104', numbers: { ...numbers, 'iec60870_104.type': [1], ...receive } };
  const asdu = octets.subarray(6);
  return {
    protocols: ':tcp:iec60870_104:iec60870_asdu',
    numbers: {
      ...numbers,
      ...receive,
      'iec60870_104.type': [0],
      'iec60870_104.tx': [lowWord(octets, 2) >>> 1],
      'iec60870_asdu.typeid': [asdu[0] ?? 0],
      'iec60870_asdu.numix': [(asdu[1] ?? 0) & 0x7f],
      'iec60870_asdu.causetx': [(asdu[2] ?? 0) & 0x3f],
      'iec60870_asdu.addr': [lowWord(asdu, 4)],
      'iec60870_asdu.ioa': objectAddresses(asdu),
    },
  };
}

/** Addresses of the objects of an ASDU: three octets in front of each, or in front of the first of a sequence. All of our exchange have elements of one size. */
function objectAddresses(asdu: Uint8Array): number[] {
  const count = (asdu[1] ?? 0) & 0x7f;
  const isSequence = (asdu[1] ?? 0) >= 0x80;
  const addressAt = (at: number) => lowWord(asdu, at) | ((asdu[at + 2] ?? 0) << 16);
  const size = (asdu.length - 6) / count;
  return Array.from({ length: count }, (_, index) => (isSequence ? addressAt(6) + index : addressAt(6 + index * size)));
}

const CONNECT_REQUEST = 0x0e;
const CONNECT_CONFIRM = 0x0d;
/** SPDUs that end a session (ISO 8327-1, 8.3): their content is of ACSE alone. */
const FINISH = 0x09;
const DISCONNECT = 0x0a;

/** RFC 1006, 6 and ISO 8073, 13; the number of the request by our own explanation (`Read request 12: …`). */
export function expectMms(octets: Uint8Array, _isRequest: boolean, text: string): Expectation {
  const type = (octets[5] ?? 0) >>> 4;
  const numbers = { 'tpkt.length': [word(octets, 2)], 'cotp.type': [type] };
  if (type === CONNECT_REQUEST || type === CONNECT_CONFIRM) return { protocols: ':tcp:tpkt:cotp', numbers };
  if (octets[7] === FINISH || octets[7] === DISCONNECT) return { protocols: ':ses:pres:acse', numbers };
  const invoke = /\b(?:request|response) (\d+)\b/.exec(text)?.[1];
  const named = Buffer.from(octets).includes('BAY1MEAS\u001a') ? { texts: { 'mms.domainId': 'BAY1MEAS' } } : {};
  const told = invoke === undefined ? numbers : { ...numbers, 'mms.invokeID': [Number(invoke)] };
  return { protocols: ':mms', numbers: told, ...named };
}
