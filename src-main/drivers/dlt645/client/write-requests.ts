/** Requests that change something in a meter, and that of its address. Each is sent once. Pure. */

import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { concatBytes } from '../../../protocol-kit/bytes.ts';
import { ANY_METER, BROADCAST, encodeAddress } from '../codec/address.ts';
import { encodeBcd } from '../codec/bcd.ts';
import { type Edition, Function1997, Function2007 } from '../codec/control.ts';
import { encodeDi } from '../dictionary/dictionary.ts';
import type { MeterRequest, MeterTarget } from '../meter-request.ts';
import type { Credentials } from './credentials.ts';

const NO_BYTES = new Uint8Array(0);
/** Functions that both editions have, under codes of their own. */
const CODES = {
  write: [Function2007.write, Function1997.write],
  writeAddress: [Function2007.writeAddress, Function1997.writeAddress],
  changeRate: [Function2007.changeRate, Function1997.changeRate],
  changePassword: [Function2007.changePassword, Function1997.changePassword],
  clearDemand: [Function2007.clearDemand, Function1997.clearDemand],
} as const;

function codeOf(name: keyof typeof CODES, edition: Edition): number {
  return CODES[name][edition === 2007 ? 0 : 1];
}

function request({ slaveId, address }: Omit<MeterTarget, 'edition'>, control: number, data: Uint8Array): MeterRequest {
  return { slaveId, address: encodeAddress(address), control, data, repeated: 0, sequence: null };
}

/** A meter by the twelve characters of its address; slave 0 stands for no meter in particular. */
export function targetOfAddress(address: string, edition: Edition): MeterTarget {
  return { slaveId: /^\d+$/.test(address) && address !== BROADCAST ? Number(address) : 0, address, edition };
}

/** Writes an item (14H; 1997: 04H): identifier, password, operator code (2007), value. */
export function writeRequest(target: MeterTarget, di: number, { password, operator }: Credentials, value: Uint8Array): MeterRequest {
  const data = concatBytes(encodeDi(di, target.edition), password, operator, value);
  return request(target, codeOf('write', target.edition), data);
}

/** What relay control can be told (1CH, N1). */
export const RELAY_COMMANDS = {
  trip: 0x1a,
  close_permit: 0x1b,
  close: 0x1c,
  alarm_on: 0x2a,
  alarm_off: 0x2b,
  hold: 0x3a,
  release: 0x3b,
} as const;
export type RelayCommand = keyof typeof RELAY_COMMANDS;

/** Relay control (1CH): password, operator code, command, a reserved octet, and until when it is valid, as YYMMDDhhmmss. */
export function relayRequest(target: MeterTarget, command: RelayCommand, validUntil: string, credentials: Credentials): MeterRequest {
  const { password, operator } = credentials;
  const data = concatBytes(password, operator, Uint8Array.of(RELAY_COMMANDS[command], 0), encodeBcd(validUntil));
  return request(target, Function2007.control, data);
}

/** Clock of one meter or, by broadcast, of all (08H): YYMMDDhhmmss. Never answered. */
export function timeRequest(address: string, time: string): MeterRequest {
  return { ...request(targetOfAddress(address, 2007), Function2007.setTime, encodeBcd(time)), isAnswered: false };
}

/** When meters freeze: MMDDhhmm, where 99 stands for every one; 99999999 is now (16H). A broadcast is not answered. */
export function freezeRequest(address: string, moment: string): MeterRequest {
  const asked = request(targetOfAddress(address, 2007), Function2007.freeze, encodeBcd(moment));
  return address === BROADCAST ? { ...asked, isAnswered: false } : asked;
}

/** Asks the only meter of a line for its address (13H). */
export function readAddressRequest(address: string = ANY_METER): MeterRequest {
  return request(targetOfAddress(address, 2007), Function2007.readAddress, NO_BYTES);
}

/** Gives a meter another address (15H; 1997: 0AH). It answers with the new one or with the old one. */
export function writeAddressRequest(address: string, next: string, edition: Edition): MeterRequest {
  const asked = request(targetOfAddress(address, edition), codeOf('writeAddress', edition), encodeAddress(next));
  const answersAs = address === BROADCAST ? [ANY_METER, BROADCAST] : [next];
  return { ...asked, answersAs: answersAs.map(encodeAddress) };
}

/** Baud rates and the bits that mean them. */
export const RATE_BITS: ReadonlyMap<number, number> = new Map([
  [600, 0x02],
  [1200, 0x04],
  [2400, 0x08],
  [4800, 0x10],
  [9600, 0x20],
  [19_200, 0x40],
]);

/** Changes the baud rate of a meter (17H; 1997: 0CH). The answer still comes with the old one. */
export function rateRequest(target: MeterTarget, baudRate: number): MeterRequest {
  return request(target, codeOf('changeRate', target.edition), Uint8Array.of(RATE_BITS.get(baudRate) ?? 0));
}

/** Changes a password (18H with the identifier of its level; 1997: 0FH without): the old one, the new one. */
export function passwordRequest(target: MeterTarget, old: Uint8Array, next: Uint8Array): MeterRequest {
  const level = next[0] ?? 0;
  const di = target.edition === 2007 ? encodeDi(0x04000c01 + level, 2007) : NO_BYTES;
  return request(target, codeOf('changePassword', target.edition), concatBytes(di, old, next));
}

/** Clears maximum demands (19H; 1997: 10H). */
export function clearDemandRequest(target: MeterTarget, { password, operator }: Credentials): MeterRequest {
  return request(target, codeOf('clearDemand', target.edition), concatBytes(password, operator));
}

/** Clears energies, demands, freezes and records of a meter (1AH). */
export function clearMeterRequest(target: MeterTarget, { password, operator }: Credentials): MeterRequest {
  return request(target, Function2007.clearMeter, concatBytes(password, operator));
}

/** All event records. */
export const ALL_EVENTS = 0xffff_ffff;

/** Clears event records (1BH): all of them, or those of an identifier. */
export function clearEventsRequest(target: MeterTarget, { password, operator }: Credentials, di: number): MeterRequest {
  return request(target, Function2007.clearEvents, concatBytes(password, operator, encodeDi(di, 2007)));
}

/** What a multi-function output can give (1DH). */
export const OUTPUTS = { second_pulse: 0, demand_period: 1, slot_switch: 2 } as const;

/** Sets the multi-function output (1DH). */
export function outputRequest(target: MeterTarget, output: keyof typeof OUTPUTS): MeterRequest {
  return request(target, Function2007.outputPort, Uint8Array.of(OUTPUTS[output]));
}

/** Text of the meter that a request is for. */
export function meterText(address: string): Message {
  return address === BROADCAST
    ? say('dlt645.every_meter')
    : address === ANY_METER
      ? say('dlt645.only_meter')
      : say('dlt645.meter', { meter: address });
}
