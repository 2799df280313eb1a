/** Point tables as plants have them, each over 1,000 points on one serial line, with the holes that manuals have. */
import { FrameType } from '#shared/domain/enums.ts';
import type { PointConfig } from '../../spi/index.ts';
import { testPoint } from '../../testing/points.ts';

/** Repeatable numbers from 0 up to 1. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

class MapBuilder {
  readonly points: PointConfig[] = [];
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = numbersFrom(seed);
  }

  /** `count` points of `length` registers one after the other from `address`; each is left out with the probability `sparse`. */
  block(slaveId: number, address: number, count: number, sparse = 0, changes: Partial<PointConfig> = {}): void {
    const decode = changes.decode ?? '0x20';
    const length = decode === '0x20' ? 1 : 2;
    for (let index = 0; index < count; index += 1) {
      if (this.#random() < sparse) continue;
      this.points.push(testPoint({ id: this.points.length + 1, slave_id: slaveId, address: address + index * length, ...changes, decode }));
    }
  }
}

/** A battery container: 8 racks behind one unit, cell voltages in a row, temperatures, summaries with reserved registers, alarm words. */
function batteryContainer(): PointConfig[] {
  const map = new MapBuilder(1);
  for (let rack = 0; rack < 8; rack += 1) {
    const base = 1000 + rack * 600;
    map.block(1, base, 40, 0.3);
    map.block(1, base + 60, 240, 0.02);
    map.block(1, base + 310, 96, 0.1);
    map.block(1, base + 430, 30, 0.45);
  }
  return map.points;
}

/** 30 meters on one line: phase values, energies and demands as 32-bit floats with unused ones between. */
function meterRow(): PointConfig[] {
  const map = new MapBuilder(2);
  for (let meter = 1; meter <= 30; meter += 1) {
    map.block(meter, 0x0000, 27, 0.25, { decode: '0x42' });
    map.block(meter, 0x0048, 12, 0.1, { decode: '0x42' });
    map.block(meter, 0x0070, 8, 0.5, { decode: '0x42' });
    map.block(meter, 0x00c8, 15, 0.4, { decode: '0x42' });
  }
  return map.points;
}

/** 20 feeder terminals: discrete inputs with unused ones, measurements with reserved registers, setpoints, coils to read back. */
function feederTerminals(): PointConfig[] {
  const map = new MapBuilder(3);
  const signal = { frame_type: FrameType.yx, func_code: 2 } as const;
  for (let feeder = 1; feeder <= 20; feeder += 1) {
    map.block(feeder, 0, 96, 0.6, signal);
    map.block(feeder, 400, 32, 0.5, signal);
    map.block(feeder, 0, 48, 0.35, { func_code: 4 });
    map.block(feeder, 90, 24, 0.2, { func_code: 4, decode: '0x42' });
    map.block(feeder, 200, 20, 0.6, { frame_type: FrameType.yt, func_code: 6 });
    map.block(feeder, 0, 24, 0.5, { frame_type: FrameType.yk, func_code: 5 });
  }
  return map.points;
}

/** The three maps by name. */
export const REALISTIC_MAPS: readonly { readonly name: string; readonly points: readonly PointConfig[] }[] = [
  { name: 'battery container', points: batteryContainer() },
  { name: '30 meters', points: meterRow() },
  { name: '20 feeder terminals', points: feederTerminals() },
];
