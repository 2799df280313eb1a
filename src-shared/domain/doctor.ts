/**
 * What the connection doctor can say: one verdict a layer, each with a stable code, the parameters of its sentence and, where something is
 * to be done, the next step. The English sentences are those of the API; the pages translate by code. docs/guide/doctor.md lists them.
 */
import type { MessageParams } from '../messages/message.ts';
import { IEC104_DOCTOR_MESSAGES } from './doctor-iec104.ts';
import { IEC61850_DOCTOR_MESSAGES } from './doctor-iec61850.ts';
import { TLS_DOCTOR_MESSAGES } from './doctor-tls.ts';
import { type SentenceTemplate, speak } from './sentence.ts';

/** Layers of protocols that ask one address after the other (Modbus, DL/T 645), from the wire up. */
export const ASKING_LAYERS = ['line', 'bytes', 'framing', 'address', 'table'] as const;
/** Layers below every protocol that talks over a connection (IEC 104, IEC 61850). */
export const CONNECTION_LAYERS = ['host', 'port', 'tls'] as const;

/** From the wire up: the doctor stops being sure at the first layer that fails. An examination has those of its protocol. */
export const DOCTOR_LAYERS = [
  ...ASKING_LAYERS,
  ...CONNECTION_LAYERS,
  // IEC 104
  'startdt',
  'sizes',
  'station',
  // IEC 61850
  'selectors',
  'association',
  'initiate',
  'model',
] as const;
export type DoctorLayer = (typeof DOCTOR_LAYERS)[number];

/** `skipped`: the layers below gave no ground to look at this one. */
export const VERDICT_STATES = ['good', 'warning', 'bad', 'skipped'] as const;
export type VerdictState = (typeof VERDICT_STATES)[number];

/** Names of protocols that are recognised by their octets. */
export const FOREIGN_PROTOCOLS = {
  'modbus-rtu': 'Modbus RTU',
  'modbus-tcp': 'Modbus TCP',
  'modbus-ascii': 'Modbus ASCII',
  http: 'HTTP',
  tls: 'TLS',
  ssh: 'SSH',
  iec104: 'IEC 60870-5-104',
  dlt645: 'DL/T 645',
  tpkt: 'TPKT (IEC 61850 MMS, S7)',
  text: 'plain text',
} as const;
export type ForeignProtocol = keyof typeof FOREIGN_PROTOCOLS;

/** Sentences by code; `{{name}}` is a parameter. */
export const DOCTOR_MESSAGES = {
  // line: the route or the adapter
  LINE_CONNECTED: { text: '{{target}} accepted the connection after {{ms}} ms.' },
  LINE_ACCEPTED: { text: '{{target}} accepted the connection.' },
  LINE_STANDS: { text: 'The channel is running; the connection stands.' },
  LINE_DATAGRAMS: { text: 'UDP has no connection: only an answer shows that {{target}} is there.' },
  LINE_REACHED: { text: '{{target}} answers.' },
  LINE_UNPROVED: {
    text: 'Nothing came back from {{target}}, neither an answer nor a refusal.',
    next: 'Ping {{target}}. Where it answers, only the port is closed to this computer; where it does not, check cable, switch, power and address.',
  },
  LINE_NAME_UNKNOWN: {
    text: 'The name {{target}} has no address.',
    next: 'Enter the IP address of the device, or check the name and the name service of this computer.',
  },
  LINE_NO_ROUTE: {
    text: 'There is no way from this computer to {{target}} ({{detail}}).',
    next: 'Check cable, switch and power; this computer needs an address in the network of the device. Then ping the device.',
  },
  LINE_REFUSED: {
    text: '{{target}} is reachable and refuses the connection: nothing listens on this port.',
    next: 'Check the port number ({{protocol}}: {{usual}}), and that the service is enabled in the device and not blocked by its access list.',
  },
  LINE_TIMEOUT: {
    text: '{{target}} did not answer the connection request within {{ms}} ms.',
    next: 'Check the address and that the device has power. A firewall that drops packets looks the same; a ping tells them apart.',
  },
  LINE_FORBIDDEN: {
    text: 'This computer does not allow the connection to {{target}}.',
    next: 'Check the firewall of this computer.',
  },
  LINE_DROPPED: {
    text: '{{target}} accepted the connection and closed it at once.',
    next: 'The device may take one connection only, and another master has it; or its access list lacks this computer.',
  },
  PORT_OPEN: { text: '{{port}} is open with {{format}}.' },
  PORT_NOT_SET: { text: 'The channel has no serial port.', next: 'Choose the port of the adapter in the settings of the channel.' },
  PORT_MISSING: {
    text: 'There is no serial port {{port}}. There are: {{present}}.',
    next: 'Plug the adapter in, and choose its port in the settings of the channel. A port that never appears lacks its driver.',
  },
  PORT_BUSY: {
    text: '{{port}} is open in another program.',
    next: 'Close the other program, e.g. a terminal, the maker’s tool or a second master.',
  },
  PORT_FORBIDDEN: {
    text: 'This user may not open {{port}}.',
    next: 'On Linux add the user to the group "dialout" and log in anew; on Windows check who else has the port open.',
  },
  PORT_HUNG: {
    text: '{{port}} did not open within {{ms}} ms: its driver does not answer.',
    next: 'Unplug the adapter and plug it in again; another USB socket or a newer driver may help.',
  },
  PORT_FAILED: { text: '{{port}} could not be opened: {{detail}}', next: 'Check the settings of the port, and try another adapter.' },
  // bytes: does anything arrive
  BYTES_SEEN: { text: '{{count}} octets arrived.' },
  BYTES_NONE_TCP: {
    text: 'The connection stands, and the device sent nothing: {{asked}} questions, {{ms}} ms each.',
    next: 'Check the slave address (unit id). Behind a serial gateway the device itself may be off, or set to another baud rate; see the timeout of the gateway.',
  },
  BYTES_NONE_UDP: {
    text: 'No datagram came back from {{target}}: {{asked}} questions, {{ms}} ms each.',
    next: 'Ping the device, and check the port, the slave address (unit id) and that it serves Modbus over UDP; many serve TCP alone. A firewall may drop datagrams without a word.',
  },
  BYTES_UDP_REFUSED: {
    text: '{{target}} is reachable, and nothing takes datagrams on this port (ICMP port unreachable).',
    next: 'Check the port number, and that the device serves Modbus over UDP; many serve TCP alone.',
  },
  BYTES_NONE_SERIAL: {
    text: 'Nothing arrived on {{port}}: {{asked}} questions with {{format}}, {{ms}} ms each.',
    next: 'Check power of the device, A and B (swap them once), ground, and the address. If they are right, search the line for baud rate and parity.',
  },
  BYTES_ECHO_ONLY: {
    text: 'Only the own questions came back on {{port}}: the adapter works and hears itself, no device answered.',
    next: 'Check A and B, power and address of the device. A short between A and B or a loop plug also looks like this.',
  },
  BYTES_CLOSED: {
    text: 'The device closed the connection when it was asked.',
    next: 'It may speak another protocol on this port, or take one connection only. Check port and protocol.',
  },
  BYTES_STRAY: {
    text: 'Before anything was asked an answer of address {{answering}} came: a late one to an earlier question.',
  },
  BYTES_OTHER_MASTER: {
    text: 'Another master is asking on this line (addresses {{addresses}}); nothing was sent.',
    next: 'A serial line has one master. Disconnect or stop the other one, then run the doctor again.',
  },
  // framing: are the octets frames
  FRAMING_GOOD: { text: '{{frames}} valid {{protocol}} frames arrived.' },
  FRAMING_MIXED: {
    text: '{{frames}} valid {{protocol}} frames arrived, and {{noise}} octets that belong to none.',
    next: 'Check termination (120 Ω at both ends), bias, ground and shield; long stubs and a second device on one address look the same.',
  },
  FRAMING_FOREIGN: {
    text: 'The octets are {{found}}, not {{protocol}}.',
    next: 'Check the port number and the protocol of the channel; this port belongs to another service of the device.',
  },
  FRAMING_RTU_OVER_TCP: {
    text: 'The device answers with Modbus RTU frames over TCP.',
    next: 'Set the protocol of the channel to Modbus RTU with connection type TCP client.',
  },
  FRAMING_TCP_NOT_RTU: {
    text: 'The device answers with Modbus TCP frames, not with RTU frames.',
    next: 'Set the protocol of the channel to Modbus TCP.',
  },
  FRAMING_FORMAT_SEEN: {
    text: 'Octets arrive, but as {{seen}} would look on {{set}}.',
    next: 'Set parity and stop bits of the channel to {{seen}}, or search the line.',
  },
  FRAMING_FORMAT_PROVED: {
    text: 'The line can be read with {{works}}, not with {{set}}.',
    next: 'Set the serial parameters of the channel to {{works}}.',
  },
  FRAMING_BAUD_SEEN: {
    text: 'Octets arrive, but as a line of about {{seen}} baud would look at {{set}} baud.',
    next: 'Set the baud rate of the channel to that of the device, or search the line.',
  },
  FRAMING_BREAK: {
    text: 'Only zero octets arrive: the line is held low.',
    next: 'A and B may be swapped or shorted, or the baud rate is far too high. Swap A and B once, then search the line.',
  },
  FRAMING_BROKEN: {
    text: 'Answers begin as they should and end too early or with a wrong checksum ({{broken}} of {{asked}} questions): baud rate and format are right.',
    next: 'Two devices with this address answer at once, or the line is disturbed: disconnect the devices one by one. Then check termination (120 Ω at both ends), bias and ground, and whether adapter or gateway switch the direction too early.',
  },
  FRAMING_CUT: {
    text: 'The device answers with the beginning of a {{protocol}} frame and never sends its end ({{count}} octets).',
    next: 'A gateway in between may cut its answers: check its settings and firmware, and ask for fewer registers at once.',
  },
  FRAMING_UNSTEADY: {
    text: '{{count}} octets arrived, other ones after each of {{asked}} questions, none of them in a valid {{protocol}} frame.',
    next: 'Two devices with one address that answer at once look like this, and a disturbed line: disconnect the devices one by one, check termination, bias and ground. A wrong baud rate alone brings the same octets each time.',
  },
  FRAMING_NOISE: {
    text: '{{count}} octets arrived, none of them in a valid {{protocol}} frame.',
    next: 'Search the line for baud rate and parity. If nothing is found, check A and B, termination, bias and ground.',
  },
  // address: does the device answer
  ADDRESS_GOOD: { text: 'Address {{answering}} answers.' },
  ADDRESS_HEARD: { text: 'Address {{answering}} was heard answering another master.' },
  ADDRESS_SOME: {
    text: 'Address {{answering}} answers, {{silent}} does not.',
    next: 'Check power and address of the silent ones, or correct slave_id of their points.',
  },
  ADDRESS_LATE: {
    text: 'Address {{address}} answers, but after {{ms}} ms; the timeout is {{timeout}} ms.',
    next: 'Set timeout_ms of the channel to {{suggested}} or more. A gateway in between adds its own time.',
  },
  ADDRESS_UNSTEADY: {
    text: 'Address {{address}} answered {{answered}} of {{asked}} questions.',
    next: 'Check termination (120 Ω at both ends), bias, ground and power of the device; set retries of the channel until it is cured.',
  },
  ADDRESS_SILENT: {
    text: 'No answer from address {{asked}}.',
    next: 'Search the line for addresses, and compare with the address set at the device.',
  },
  ADDRESS_OTHER: {
    text: 'Address {{asked}} is silent, but {{answering}} answers.',
    next: 'Set slave_id of the points to {{answering}}, or set the address at the device.',
  },
  ADDRESS_MISMATCH: {
    text: 'Address {{asked}} was asked, and an answer came in the name of {{answering}}.',
    next: 'Use slave_id {{answering}}; some gateways answer with their own address.',
  },
  ADDRESS_GATEWAY: {
    text: 'A gateway answered for address {{asked}}: it does not reach the device ({{detail}}).',
    next: 'Check the serial side of the gateway: baud rate, parity, wiring, and the address of the device behind it.',
  },
  ADDRESS_TWO: {
    text: 'Two answers came to one question to address {{address}}: two devices have this address.',
    next: 'Disconnect one of them and give it another address.',
  },
  ADDRESS_COLLISION: {
    text: 'Address {{address}} answers in fragments while others answer cleanly: two devices may have this address.',
    next: 'Disconnect the devices one by one; the one whose absence cures the line needs another address.',
  },
  ADDRESS_EDITION: {
    text: 'Address {{address}} answers in the edition {{answering}}, and its points have {{set}}.',
    next: 'Set protocol.edition of its points to {{answering}}; identifiers of 1997 have four digits, those of 2007 eight.',
  },
  ADDRESS_CROWD: {
    text: 'Address {{asked}} is silent, and several others answer a wildcard at once.',
    next: 'Search the line for their addresses, and correct slave_id of the points.',
  },
  // table: do points and device fit
  TABLE_GOOD: { text: '{{good}} of {{asked}} points that were tried gave plausible values.' },
  TABLE_EMPTY: {
    text: 'The channel has no points to try.',
    next: 'Import a point table, or scan the registers and make points from them.',
  },
  TABLE_MISSING: {
    text: 'The device has no {{missing}} of the {{asked}} points that were tried, e.g. {{code}} at address {{address}}.',
    next: 'Compare the table with the device: address base (0 or 1), function code, and model or firmware the table was made for.',
  },
  TABLE_MISSING_ITEM: {
    text: 'The device has no {{missing}} of the {{asked}} points that were tried, e.g. {{code}} with {{item}}.',
    next: 'Compare identifiers and edition with the manual of the device; not every meter has every item.',
  },
  TABLE_FAILED: {
    text: '{{failed}} of {{asked}} points that were tried could not be read: {{detail}}',
    next: 'Read these points one by one and look at the frames.',
  },
  TABLE_ORDER: {
    text: '{{decode}} makes {{shown}} of {{code}}; with {{suggested}} it is {{instead}}, and {{count}} others look right too.',
    next: 'Change the decode of these points to {{suggested}} and compare with the display of the device.',
  },
  TABLE_BASE: {
    text: 'The addresses look like register numbers (e.g. {{address}}), which count from {{base}}.',
    next: 'Set the address base of the channel to {{base}}.',
  },
  TABLE_FUNCTION_OTHER: {
    text: 'The device does not know function {{function}} that the table uses ({{code}}); with function {{works}} the address is there.',
    next: 'Set func_code of these points to {{works}}.',
  },
  TABLE_FUNCTION: {
    text: 'The device does not know function {{function}} that the table uses ({{code}}).',
    next: 'Try the other register type: function 3 (holding) or 4 (input), 1 (coils) or 2 (discrete inputs).',
  },
  // any layer
  NOT_REACHED: { text: 'Not looked at: the layer before comes first.' },
  LAYER_FAILED: {
    text: 'The examination ended here: {{detail}}',
    next: 'Look at the frames of connection 0 in the frame log, and run the doctor again.',
  },
  ...TLS_DOCTOR_MESSAGES,
  ...IEC104_DOCTOR_MESSAGES,
  ...IEC61850_DOCTOR_MESSAGES,
} as const satisfies Record<string, SentenceTemplate>;

export type DoctorCode = keyof typeof DOCTOR_MESSAGES;
export const DOCTOR_CODES = Object.keys(DOCTOR_MESSAGES) as [DoctorCode, ...DoctorCode[]];

/** Values that stand in a sentence. */
export type DoctorParams = MessageParams;

/** The English sentence of a code, and its next step; null where nothing is to be done. */
export function doctorSentence(code: DoctorCode, params: DoctorParams): { readonly text: string; readonly next: string | null } {
  return speak(DOCTOR_MESSAGES[code], params);
}
