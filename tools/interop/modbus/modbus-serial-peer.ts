/**
 * Modbus RTU slave on modbus-serial, told what to do by lines on standard input as pymodbus_peer.py is.
 *
 *   modbus-serial-peer.ts serial-server PATH BAUD    prints `listening 0`; then `set FC ADDRESS VALUE...`, answered by `ok`
 *
 * Unit 1, holding and input registers 0 to 299.
 */
import { createInterface } from 'node:readline';
import { ServerSerial } from 'modbus-serial';

const SIZE = 300;
/** The package ends a request by a pause; 30 ms where it is not told. */
const PAUSE_MS = 4;

const [, path = '', baudRate] = process.argv.slice(2);
const tables = new Map([3, 4].map((table) => [table, new Uint16Array(SIZE)]));
const registersOf = (table: number) => (address: number) => tables.get(table)?.[address] ?? 0;
const options = { path, baudRate: Number(baudRate), unitID: 1, interval: PAUSE_MS };
const server = new ServerSerial({ getHoldingRegister: registersOf(3), getInputRegister: registersOf(4) }, options);
server.on('initialized', () => console.log('listening 0'));

for await (const line of createInterface({ input: process.stdin })) {
  const [table = 0, address = 0, ...values] = line.trim().split(/\s+/).slice(1).map(Number);
  tables.get(table)?.set(values, address);
  console.log('ok');
}
process.exit(0);
