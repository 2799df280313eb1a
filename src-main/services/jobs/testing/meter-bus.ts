import { encodeAddress, isMeant } from '../../../drivers/dlt645/codec/address.ts';
import { encodeFrame } from '../../../drivers/dlt645/codec/frame.ts';
import { Dlt645Framer } from '../../../drivers/dlt645/link/framer.ts';
import { answersOf, collision } from '../../../drivers/dlt645/meter/answers.ts';
import { SimulatedMeter } from '../../../drivers/dlt645/meter/meter.ts';
import { meterPoint } from '../../../drivers/dlt645/meter-point.ts';
import { testPoint } from '../../../drivers/testing/points.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { BusAnswer } from './serial-bus.ts';

/** One meter of a line. */
export interface BusMeter {
  readonly number: number;
  readonly edition?: 2007 | 1997;
  /** Time from a question to the answer, 20 ms where it is left out. */
  readonly delayMs?: number;
  /** Answers a wildcard with the wildcard. */
  readonly copiesWildcard?: boolean;
  /** Has another energy than its number would give it, as a second meter of the same number has. */
  readonly otherEnergy?: boolean;
  /** Open pairs that it takes; all where it is left out, and AAAAAAAAAAAA always. */
  readonly mostOpenPairs?: number;
}

/** Data octets of an energy of 2007: identifier and four octets. */
const ENERGY_ANSWER = 8;

/**
 * Meters of a line: answers of several that fall together destroy each other, later ones follow. No two begin at the same moment, unless
 * `isAligned` says so: then a 0 of any of them wins, bit by bit, and two may look like one.
 */
export function metersOn(clock: Clock, meters: readonly BusMeter[], isAligned = false): (heard: Uint8Array) => readonly BusAnswer[] {
  const simulated = meters.map((meter) => ({ meter, device: deviceOf(meter, clock) }));
  return (heard) => {
    const framer = new Dlt645Framer();
    const byDelay = new Map<number, Uint8Array[]>();
    for (const item of [...framer.push(heard), ...framer.silence()]) {
      if (item.kind !== 'frame') continue;
      for (const { meter, device } of simulated) {
        if (!takes(meter, item.address)) continue;
        for (const answer of answersOf(item, [device], { wallMs: clock.wallMs(), partOctets: 195 })) {
          const address = meter.copiesWildcard ? item.address : answer.address;
          if (meter.otherEnergy && answer.data.length === ENERGY_ANSWER) answer.data[4] = ((answer.data[4] ?? 0) + 1) % 10;
          const delayMs = meter.delayMs ?? 20;
          byDelay.set(delayMs, [...(byDelay.get(delayMs) ?? []), encodeFrame({ ...answer, address }, 4)]);
        }
      }
    }
    return [...byDelay].map(([delayMs, answers]) => ({ delayMs, octets: collision(isAligned ? answers : answers.map(staggered)) }));
  };
}

/** The line is high until an answer begins, an octet later for each. */
function staggered(answer: Uint8Array, index: number): Uint8Array {
  return Uint8Array.from([...Array.from({ length: index }, () => 0xff), ...answer]);
}

function deviceOf({ number, edition = 2007 }: BusMeter, clock: Clock): SimulatedMeter {
  const address = String(number).padStart(12, '0');
  const device = new SimulatedMeter(address, clock.wallMs(), 0);
  const point = testPoint({
    frame_type: 0,
    address: edition === 2007 ? 0x00010000 : 0x9010,
    slave_id: number,
    decode: '',
    protocol: { edition },
  });
  device.update([meterPoint(point)]);
  return device;
}

function takes({ number, mostOpenPairs = 6 }: BusMeter, asked: Uint8Array): boolean {
  const open = asked.filter((octet) => octet === 0xaa).length;
  return isMeant(asked, encodeAddress(String(number).padStart(12, '0'))) && (open === 6 || open <= mostOpenPairs);
}
