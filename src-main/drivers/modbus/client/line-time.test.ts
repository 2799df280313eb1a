import { describe, expect, it } from 'vitest';
import { testPoint } from '../../testing/points.ts';
import { rtuFraming } from '../rtu/framing.ts';
import { characterMs, LineTime, silentGapMs } from './line-time.ts';
import { planBatches } from './planner.ts';

const EVEN_9600 = { baudRate: 9600, dataBits: 8, stopBits: 1, parity: 'E', requestGapMs: null } as const;

describe('serial line', () => {
  it('has 11 bits a character, 10 for 8N1', () => {
    expect(characterMs(EVEN_9600)).toBeCloseTo(1.1458, 4);
    expect(characterMs({ ...EVEN_9600, parity: 'N' })).toBeCloseTo(1.0417, 4);
  });

  it('MODBUS over Serial Line V1.02, 2.5.1.1: is silent for 3.5 characters, 1.75 ms above 19200 baud', () => {
    expect(silentGapMs(EVEN_9600)).toBeCloseTo(4.0104, 4);
    expect(silentGapMs({ ...EVEN_9600, baudRate: 19_200 })).toBeCloseTo(2.0052, 4);
    expect(silentGapMs({ ...EVEN_9600, baudRate: 38_400 })).toBe(1.75);
  });

  it('needs bits × (13 + 2N) / baud and two gaps for N registers, and what the unit takes', () => {
    const line = new LineTime(EVEN_9600, rtuFraming);
    expect(line.readMs(3, 2, 0)).toBeCloseTo(27.5, 1);
    expect(line.readMs(3, 125, 0)).toBeCloseTo(309.4, 1);
    expect(line.readMs(3, 125, 30)).toBeCloseTo(339.4, 1);
  });

  it('takes for the turn-round what an exchange lasted beyond its octets and one gap', () => {
    const line = new LineTime(EVEN_9600, rtuFraming);
    const exchange = { slaveId: 1, functionCode: 3, txOctets: 8, rxOctets: 9, turnRoundMs: null };
    expect(line.turnRoundMs({ ...exchange, durationMs: 17 * line.characterMs + silentGapMs(EVEN_9600) + 12 })).toBeCloseTo(12, 9);
    expect(line.turnRoundMs({ ...exchange, durationMs: 5 })).toBe(0);
  });

  it('carries eight coils an octet', () => {
    const line = new LineTime(EVEN_9600, rtuFraming);
    expect(line.readMs(1, 8, 0)).toBe(line.readMs(1, 1, 0));
    expect(line.readMs(1, 9, 0) - line.readMs(1, 8, 0)).toBeCloseTo(line.characterMs, 9);
    expect(line.readMs(1, 2000, 0)).toBe(line.readMs(3, 125, 0));
  });

  it('waits for the pause of the channel where that is longer than the gap', () => {
    const plain = new LineTime(EVEN_9600, rtuFraming);
    expect(new LineTime({ ...EVEN_9600, requestGapMs: 2 }, rtuFraming).readMs(3, 1, 0)).toBe(plain.readMs(3, 1, 0));
    expect(new LineTime({ ...EVEN_9600, requestGapMs: 50 }, rtuFraming).readMs(3, 1, 0) - plain.readMs(3, 1, 0)).toBeCloseTo(50 - 4.01, 2);
  });

  it('reads across up to 9 registers at 9600 baud when the unit answers at once, across up to 23 when it takes 30 ms', () => {
    const requests = (gap: number, turnRoundMs: number) => {
      const points = [testPoint({ id: 1, address: 0 }), testPoint({ id: 2, address: 1 + gap })];
      const cost = new LineTime(EVEN_9600, rtuFraming).cost(() => turnRoundMs);
      return planBatches(points, { maxGap: 124, addressBase: 0, mode: 'batch', cost }).batches.length;
    };
    expect([requests(9, 0), requests(11, 0)]).toEqual([1, 2]);
    expect([requests(23, 30), requests(24, 30)]).toEqual([1, 2]);
  });
});
