import { describe, expect, it } from 'vitest';
import { meterScheme } from '../dlt645/testing/trial-scheme.ts';
import { asciiFraming } from '../modbus/rtu/ascii.ts';
import { modbusScheme } from '../modbus/testing/trial-scheme.ts';
import { runTrial, type TrialScheme } from './testing/asking-trial.ts';

/** LOOPCHECK_SOAK times as many exchanges; LOOPCHECK_SEED other ones, and a failure names its seed. */
const SCALE = Number(process.env.LOOPCHECK_SOAK ?? 1);
const SEED = Number(process.env.LOOPCHECK_SEED ?? 0);

/** Line, exchanges, timeout in milliseconds. */
const trials: readonly [string, TrialScheme, number, number][] = [
  ['Modbus RTU on a serial line', modbusScheme({ framing: 'serial' }), 14_000, 200],
  ['Modbus RTU on a serial line, a long timeout', modbusScheme({ framing: 'serial' }), 6000, 3000],
  ['Modbus RTU, an adapter that echoes', modbusScheme({ framing: 'serial', hasEcho: true }), 6000, 200],
  ['Modbus RTU, slaves that know no loopback', modbusScheme({ framing: 'serial', loopback: 'exception' }), 10_000, 200],
  ['Modbus RTU, slaves silent to a loopback', modbusScheme({ framing: 'serial', loopback: 'silent' }), 8000, 1000],
  ['Modbus RTU without telling requests', modbusScheme({ framing: 'serial', tellingRequests: false }), 8000, 200],
  ['Modbus RTU without telling requests, a long timeout', modbusScheme({ framing: 'serial', tellingRequests: false }), 6000, 3000],
  ['Modbus RTU over TCP', modbusScheme({ framing: 'socket' }), 14_000, 1000],
  ['Modbus RTU over TCP, slaves that know no loopback', modbusScheme({ framing: 'socket', loopback: 'exception' }), 8000, 200],
  ['Modbus RTU over TCP, slaves silent to a loopback', modbusScheme({ framing: 'socket', loopback: 'silent' }), 6000, 1000],
  ['Modbus ASCII on a serial line', modbusScheme({ framing: 'serial', characters: asciiFraming }), 4000, 1000],
  [
    'Modbus ASCII over TCP, slaves that know no loopback',
    modbusScheme({ framing: 'socket', loopback: 'exception', characters: asciiFraming }),
    4000,
    200,
  ],
  ['Modbus RTU on a serial line that is opened anew now and then', modbusScheme({ framing: 'serial', reopens: true }), 8000, 200],
  ['Modbus RTU over TCP, connections that are made anew', modbusScheme({ framing: 'socket', reopens: true }), 8000, 1000],
  ['Modbus TCP', modbusScheme({ framing: 'mbap' }), 8000, 1000],
  ['DL/T 645-2007', meterScheme(2007), 6000, 1000],
  ['DL/T 645-1997', meterScheme(1997), 6000, 1000],
  ['DL/T 645-1997 on a line that is opened anew now and then', meterScheme(1997, { reopens: true }), 4000, 1000],
  ['DL/T 645-1997, an adapter that echoes', meterScheme(1997, { hasEcho: true }), 3000, 1000],
];

describe('a line with devices that are late, silent, half, double, and well again', () => {
  it.each(trials)(
    'gives no value but the asked one, and the first within three timeouts or 3 s: %s',
    { timeout: 240_000 * SCALE },
    async (name, scheme, exchanges, timeoutMs) => {
      const seed = SEED + trials.findIndex(([each]) => each === name) + 1;
      const { complaints, traces, ...tally } = await runTrial(scheme, { seed, exchanges: exchanges * SCALE, timeoutMs });
      if (process.env.LOOPCHECK_TELL) console.log(name, JSON.stringify({ seed: SEED, ...tally }));
      expect(complaints, `LOOPCHECK_SEED=${SEED}\n${traces[0] ?? ''}`).toEqual([]);
      expect(tally.wrong).toBe(0);
      expect(tally.slowReturns).toBe(0);
      // a device that tells is hardly ever left alone
      if (scheme.isTold) expect(tally.quietTimes).toBeLessThan(tally.exchanges / 100);
      expect(tally.returns).toBeGreaterThan(100);
      expect(tally.right).toBeGreaterThan(exchanges / 4);
    },
  );
});
