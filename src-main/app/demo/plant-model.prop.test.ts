import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CAPACITY_AH, CELLS, restingVoltage } from './battery.ts';
import { RATED_KW } from './converter.ts';
import { PlantModel } from './plant-model.ts';
import { loadPlant } from './plant-points.ts';

const initialOrders = new Map(
  loadPlant()
    .clients.flatMap((client) => client.points)
    .flatMap(({ point, initial }) => (initial === null ? [] : [[point.code, initial] as const])),
);

function orders(change: Record<string, number> = {}): Map<string, number> {
  return new Map([...initialOrders, ...Object.entries(change)]);
}

function run(model: PlantModel, seconds: number, given: Map<string, number>): Map<string, number> {
  for (let step = 0; step < seconds * 2; step++) model.step(0.5, given);
  return model.values();
}

const get = (values: Map<string, number>, code: string): number => {
  const value = values.get(code);
  if (value === undefined) throw new Error(`The plant has no value ${code}.`);
  return value;
};

const anyOrders = fc.record({
  PCS_P_SET: fc.integer({ min: -250, max: 250 }),
  PCS_Q_SET: fc.integer({ min: -120, max: 120 }),
  PCS_RAMP_SET: fc.integer({ min: 1, max: 200 }),
  PCS_START: fc.integer({ min: 0, max: 1 }),
  PCS_BREAKER: fc.integer({ min: 0, max: 1 }),
  BMS1_CONTACTOR: fc.integer({ min: 0, max: 1 }),
  BMS2_CONTACTOR: fc.integer({ min: 0, max: 1 }),
  BMS3_CONTACTOR: fc.integer({ min: 0, max: 1 }),
  BMS4_CONTACTOR: fc.integer({ min: 0, max: 1 }),
});

describe('plant model, whatever is ordered', () => {
  it('gives values that belong together', () => {
    fc.assert(
      fc.property(fc.integer(), fc.array(anyOrders, { minLength: 1, maxLength: 6 }), (seed, sequence) => {
        const model = new PlantModel(seed);
        for (const change of sequence) {
          const values = run(model, 3, orders(change));
          expectCircuitLaws(values);
          expect(Math.abs(get(values, 'PCS_P'))).toBeLessThanOrEqual(RATED_KW);
          if (get(values, 'PCS_QF') === 0) expect([get(values, 'PCS_P'), get(values, 'PCS_IA')]).toEqual([0, 0]);
          for (const value of values.values()) expect(Number.isFinite(value)).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });
});

function expectCircuitLaws(values: Map<string, number>): void {
  const mean = (codes: string[]) => codes.reduce((sum, code) => sum + get(values, code), 0) / codes.length;
  const voltage = mean(['PCS_UAB', 'PCS_UBC', 'PCS_UCA']);
  const current = mean(['PCS_IA', 'PCS_IB', 'PCS_IC']);
  const power = (Math.sqrt(3) * voltage * current * get(values, 'PCS_PF')) / 1000;
  expect(Math.abs(power - get(values, 'PCS_P'))).toBeLessThanOrEqual(0.01 * Math.abs(power) + 0.01);
  const racks = [1, 2, 3, 4];
  const rackCurrent = racks.reduce((sum, rack) => sum + get(values, `BMS${rack}_I`), 0);
  expect(rackCurrent).toBeCloseTo(get(values, 'PCS_IDC'), 6);
  for (const rack of racks) {
    const cells = Array.from({ length: CELLS }, (_, index) => get(values, `BMS${rack}_CELL_${index + 1}`));
    expect(cells.reduce((sum, cell) => sum + cell, 0)).toBeCloseTo(get(values, `BMS${rack}_U`), 6);
    expect(Math.max(...cells)).toBe(get(values, `BMS${rack}_UCELL_MAX`));
    if (get(values, `BMS${rack}_CONTACTOR_ON`) === 0) expect(get(values, `BMS${rack}_I`)).toBe(0);
  }
  const phases = ['A', 'B', 'C'].reduce((sum, phase) => sum + get(values, `MTR_U${phase}`) * get(values, `MTR_I${phase}`), 0);
  expect(phases / 1000).toBeCloseTo(get(values, 'MTR_S'), 6);
}

describe('plant model', () => {
  it('is the same for the same seed and orders', () => {
    expect(run(new PlantModel(7), 20, orders())).toEqual(run(new PlantModel(7), 20, orders()));
  });

  it('follows its power setpoint with the ordered ramp', () => {
    const model = new PlantModel(1);
    run(model, 30, orders({ PCS_P_SET: 0 }));
    const ramp = orders({ PCS_P_SET: 100, PCS_RAMP_SET: 10 });
    expect(get(run(model, 5, ramp), 'PCS_P')).toBeCloseTo(50, 6);
    expect(get(run(model, 6, ramp), 'PCS_P')).toBe(100);
    expect(get(run(model, 30, orders({ PCS_P_SET: -80 })), 'PCS_P')).toBe(-80);
  });

  it('takes the load off the meter', () => {
    const idle = get(run(new PlantModel(3), 30, orders({ PCS_P_SET: 0, PCS_Q_SET: 0 })), 'MTR_P');
    const feeding = get(run(new PlantModel(3), 30, orders({ PCS_P_SET: 100, PCS_Q_SET: 0 })), 'MTR_P');
    expect(idle - feeding).toBeCloseTo(100, 0);
  });

  it('integrates current into the state of charge, and power into energy', () => {
    const model = new PlantModel(1);
    const given = orders({ PCS_P_SET: 100, PCS_RAMP_SET: 200 });
    const before = run(model, 10, given);
    const after = run(model, 360, given);
    const current = (get(before, 'BMS1_I') + get(after, 'BMS1_I')) / 2;
    const expected = ((current * 360) / 3600 / CAPACITY_AH) * 100;
    expect(get(before, 'BMS1_SOC') - get(after, 'BMS1_SOC')).toBeCloseTo(expected, 2);
    expect(get(after, 'PCS_E_DIS') - get(before, 'PCS_E_DIS')).toBeCloseTo(10, 6);
    expect(get(after, 'BMS1_T_MAX')).toBeGreaterThan(get(before, 'BMS1_T_MAX'));
  });

  it('opens the breaker after its delay, and power and current are gone', () => {
    const model = new PlantModel(1);
    run(model, 30, orders());
    const open = orders({ PCS_BREAKER: 0 });
    expect(get(run(model, 0.5, open), 'PCS_QF')).toBe(1);
    const opened = run(model, 0.5, open);
    expect(['PCS_QF', 'PCS_P', 'PCS_IA', 'BMS1_I'].map((code) => get(opened, code))).toEqual([0, 0, 0, 0]);
    expect(get(run(model, 10, orders()), 'PCS_P')).toBe(60);
  });

  it('stops discharging at the lowest ordered charge, and says that it is derated', () => {
    const lowest = { BMS1_SOC_MIN_SET: 50, BMS2_SOC_MIN_SET: 50, BMS3_SOC_MIN_SET: 50, BMS4_SOC_MIN_SET: 50 };
    const values = run(new PlantModel(1), 7200, orders({ PCS_P_SET: 200, ...lowest }));
    expect(get(values, 'PCS_P')).toBeLessThan(40);
    expect(get(values, 'PCS_DERATED')).toBe(1);
    expect(get(values, 'BMS1_SOC')).toBeGreaterThan(50);
  });

  it('stands still with a fault when every rack is off', () => {
    const off = { BMS1_CONTACTOR: 0, BMS2_CONTACTOR: 0, BMS3_CONTACTOR: 0, BMS4_CONTACTOR: 0 };
    const values = run(new PlantModel(1), 5, orders(off));
    expect(['PCS_FAULT', 'PCS_RUNNING', 'PCS_P', 'PCS_UDC'].map((code) => get(values, code))).toEqual([1, 0, 0, 0]);
  });

  it('has a frequency that wanders, and leaves its limits now and then', () => {
    const model = new PlantModel(20_260_101);
    const samples = Array.from({ length: 1200 }, () => get(run(model, 1, orders()), 'MTR_F'));
    const outside = samples.filter((frequency) => frequency < 49.97 || frequency > 50.03).length;
    expect(outside).toBeGreaterThan(0);
    expect(outside).toBeLessThan(samples.length / 4);
    expect(Math.max(...samples) - Math.min(...samples)).toBeLessThan(0.13);
  });

  it('switches fan and light as ordered', () => {
    const values = run(new PlantModel(1), 1, orders({ IO_FAN: 1, IO_LIGHT: 1 }));
    expect([get(values, 'IO_FAN_ON'), get(values, 'IO_LIGHT_ON')]).toEqual([1, 1]);
    const warm = run(new PlantModel(1), 600, orders({ IO_FAN_SET: 22 }));
    expect(get(warm, 'IO_FAN_ON')).toBe(1);
  });

  it('has cells whose voltage rises with their charge', () => {
    const voltages = Array.from({ length: 101 }, (_, percent) => restingVoltage(percent / 100));
    expect(voltages.every((voltage, index) => index === 0 || voltage > (voltages[index - 1] ?? 0))).toBe(true);
  });
});
