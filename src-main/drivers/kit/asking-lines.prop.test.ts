import { describe, expect, it } from 'vitest';
import { meterScheme } from '../dlt645/testing/trial-scheme.ts';
import { modbusScheme } from '../modbus/testing/trial-scheme.ts';
import { runTrial, type TrialPlan, type TrialScheme } from './testing/asking-trial.ts';

const SCALE = Number(process.env.LOOPCHECK_SOAK ?? 1);

/** With each line the share of returns that may take longer than promised: where no request tells, and where the line doubles. */
const trials: readonly [string, TrialScheme, TrialPlan, number][] = [
  ['Modbus RTU on a serial line', modbusScheme({ framing: 'serial' }), { seed: 1, exchanges: 14_000, timeoutMs: 200 }, 0.01],
  [
    'Modbus RTU, an adapter that echoes',
    modbusScheme({ framing: 'serial', hasEcho: true }),
    { seed: 2, exchanges: 8000, timeoutMs: 200 },
    0.01,
  ],
  [
    'Modbus RTU, slaves that know no loopback',
    modbusScheme({ framing: 'serial', loopback: 'exception' }),
    { seed: 3, exchanges: 12_000, timeoutMs: 200 },
    0.05,
  ],
  [
    'Modbus RTU, slaves silent to a loopback',
    modbusScheme({ framing: 'serial', loopback: 'silent' }),
    { seed: 4, exchanges: 8000, timeoutMs: 200 },
    0.1,
  ],
  [
    'Modbus RTU without telling requests',
    modbusScheme({ framing: 'serial', tellingRequests: false }),
    { seed: 5, exchanges: 8000, timeoutMs: 200 },
    0.1,
  ],
  ['Modbus RTU over TCP', modbusScheme({ framing: 'socket' }), { seed: 6, exchanges: 14_000, timeoutMs: 1000 }, 0.01],
  [
    'Modbus RTU over TCP, slaves that know no loopback',
    modbusScheme({ framing: 'socket', loopback: 'exception' }),
    { seed: 7, exchanges: 8000, timeoutMs: 200 },
    0.05,
  ],
  ['Modbus TCP', modbusScheme({ framing: 'mbap' }), { seed: 8, exchanges: 8000, timeoutMs: 1000 }, 0],
  ['DL/T 645-2007', meterScheme(2007), { seed: 9, exchanges: 8000, timeoutMs: 1000 }, 0.01],
  ['DL/T 645-1997', meterScheme(1997), { seed: 10, exchanges: 12_000, timeoutMs: 1000 }, 0.15],
  ['DL/T 645-1997, an adapter that echoes', meterScheme(1997, true), { seed: 11, exchanges: 6000, timeoutMs: 1000 }, 0.15],
];

describe('a line with devices that are late, silent, half, double, and well again', () => {
  it.each(trials)(
    'gives no value but the asked one, and values soon: %s',
    { timeout: 120_000 * SCALE },
    async (name, scheme, plan, slowShare) => {
      const tally = await runTrial(scheme, { ...plan, exchanges: plan.exchanges * SCALE });
      if (process.env.LOOPCHECK_TELL) console.log(name, JSON.stringify({ ...tally, complaints: tally.complaints.slice(0, 6) }));
      expect(tally.complaints.filter((complaint) => complaint.startsWith('wrong'))).toEqual([]);
      expect(tally.wrong).toBe(0);
      expect(tally.slowReturns / tally.returns).toBeLessThanOrEqual(slowShare);
      expect(tally.returns).toBeGreaterThan(100);
      expect(tally.right).toBeGreaterThan(plan.exchanges / 4);
    },
  );
});
