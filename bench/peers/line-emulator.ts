/**
 * A serial line with slaves on it, as a process of its own on the master side of a pseudo terminal (its standard input and output): octets take
 * their time by the baud rate, answers come after the turn-round, and every octet is stamped. Slaves of all addresses answer reads of registers
 * (function 3) with the address of each register.
 *
 * Arguments: baud rate, bits an octet takes, turn-round in milliseconds, file for the stamps. The file gets one JSON object a line for each
 * exchange: `{"rx": [...], "tx": [...]}`, when the octets of request and answer were there, in milliseconds of one clock.
 */
import { openSync, writeSync } from 'node:fs';
import { crc16 } from '../../src-main/protocol-kit/crc.ts';
import { receive, waitUntil } from './line-end.ts';

const [baudRate, bits, turnRoundMs] = process.argv.slice(2, 5).map(Number) as [number, number, number];
const octetMs = (bits * 1000) / baudRate;
const stamps = openSync(process.argv[5] ?? '/dev/null', 'a');
const REQUEST_OCTETS = 8;

function answerTo(request: Buffer): Buffer {
  const start = request.readUInt16BE(2);
  const quantity = request.readUInt16BE(4);
  const answer = Buffer.alloc(5 + 2 * quantity);
  request.copy(answer, 0, 0, 2);
  answer[2] = 2 * quantity;
  for (let at = 0; at < quantity; at++) answer.writeUInt16BE((start + at) & 0xffff, 3 + 2 * at);
  answer.writeUInt16LE(crc16(answer, 0, answer.length - 2), answer.length - 2);
  return answer;
}

const chunk = Buffer.alloc(256);
let request = Buffer.alloc(0);
let rx: number[] = [];
for (;;) {
  const count = receive(chunk);
  const now = performance.now();
  if (count === 0) continue;
  request = Buffer.concat([request, chunk.subarray(0, count)]);
  for (let at = 0; at < count; at++) rx.push(now);
  if (request.length < REQUEST_OCTETS) continue;
  if (request.length === REQUEST_OCTETS && crc16(request) === 0) {
    const answer = answerTo(request);
    // the octets came at once through the pseudo terminal; on a line they would have taken their time
    const begin = (rx[0] ?? now) + REQUEST_OCTETS * octetMs + turnRoundMs;
    const tx: number[] = [];
    for (let at = 0; at < answer.length; at++) {
      waitUntil(begin + (at + 1) * octetMs);
      tx.push(performance.now());
      writeSync(1, answer, at, 1);
    }
    writeSync(stamps, `${JSON.stringify({ rx, tx })}\n`);
  }
  request = Buffer.alloc(0);
  rx = [];
}
