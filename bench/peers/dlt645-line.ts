/**
 * A line of meters as a process of its own on the other side of a pseudo terminal (its standard input and output): octets take their time by the
 * baud rate, answers come after the turn-round, and every octet is stamped. Every meter number answers every read of 2007 with zeros, but one.
 *
 * Arguments: baud rate, bits an octet takes, turn-round in milliseconds, number of the meter that is silent, file for the stamps. The file
 * gets one JSON object a line for each request: `{"meter": 7, "rx": [...], "tx": [...]}`, when the octets of request and answer were there,
 * in milliseconds of one clock.
 */
import { openSync, writeSync } from 'node:fs';
import { decodeAddress } from '../../src-main/drivers/dlt645/codec/address.ts';
import { FROM_METER } from '../../src-main/drivers/dlt645/codec/control.ts';
import { encodeFrame } from '../../src-main/drivers/dlt645/codec/frame.ts';
import { decodeDi, findItem } from '../../src-main/drivers/dlt645/dictionary/dictionary.ts';
import { Dlt645Framer, type ReceivedFrame } from '../../src-main/drivers/dlt645/link/framer.ts';
import { receive, waitUntil } from './line-end.ts';

const [baudRate, bits, turnRoundMs, silent] = process.argv.slice(2, 6).map(Number) as [number, number, number, number];
const octetMs = (bits * 1000) / baudRate;
const stamps = openSync(process.argv[6] ?? '/dev/null', 'a');
const PREAMBLES = 4;

function answerTo({ address, control, data }: ReceivedFrame): Uint8Array {
  const di = decodeDi(data, 2007) ?? 0;
  const value = new Uint8Array(findItem(2007, di)?.octets ?? 4);
  return encodeFrame({ address, control: control | FROM_METER, data: Uint8Array.from([...data, ...value]) }, PREAMBLES);
}

const chunk = Buffer.alloc(256);
const framer = new Dlt645Framer();
let rx: number[] = [];
for (;;) {
  const count = receive(chunk);
  const now = performance.now();
  if (count === 0) continue;
  for (let at = 0; at < count; at++) rx.push(now);
  for (const item of framer.push(Uint8Array.from(chunk.subarray(0, count)))) {
    if (item.kind !== 'frame') continue;
    const meter = Number(decodeAddress(item.address));
    const answer = meter === silent ? new Uint8Array(0) : answerTo(item);
    // the octets came at once through the pseudo terminal; on a line they would have taken their time
    const begin = (rx[0] ?? now) + item.bytes.length * octetMs + turnRoundMs;
    const tx: number[] = [];
    for (let at = 0; at < answer.length; at++) {
      waitUntil(begin + (at + 1) * octetMs);
      tx.push(performance.now());
      writeSync(1, answer, at, 1);
    }
    writeSync(stamps, `${JSON.stringify({ meter, rx, tx })}\n`);
    rx = [];
  }
}
