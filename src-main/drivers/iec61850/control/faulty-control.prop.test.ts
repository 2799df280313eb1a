import { describe, expect, it } from 'vitest';
import { toAppError } from '#shared/domain/errors.ts';
import { createRandom } from '../../../platform/seeded-random.ts';
import { TrialClock } from '../../kit/testing/trial-clock.ts';
import type { DriverCommandResult } from '../../spi/index.ts';
import { ENDINGS, FAULTS, FaultyControlDevice, SERVICES } from './testing/faulty-control-device.ts';

const SCALE = Number(process.env.LOOPCHECK_SOAK ?? 1);
/** Of each control model; ten times as many in a long run. */
const COMMANDS = 250;
const LIMITS = { timeoutMs: 1000, terminationMs: 3000 };
/** Promise callbacks between two timers of a client that is put together as a whole. */
const MICROTASKS = 80;

type End = DriverCommandResult['outcome'] | 'not sent';
type Told = { readonly end: End; readonly words: string };

function any<Item>(random: () => number, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

async function told(run: Promise<DriverCommandResult>): Promise<Told> {
  try {
    const { outcome, stages } = await run;
    return { end: outcome, words: stages.map(({ name }) => name).join(' ') };
  } catch (thrown) {
    return { end: 'not sent', words: toAppError(thrown).code };
  }
}

/** A whole command, at times in two steps, with the line lost between them or not. */
async function commanded(device: FaultyControlDevice, clock: TrialClock, serial: string, isInSteps: boolean): Promise<Told> {
  if (!isInSteps) return clock.finish(told(device.run(serial, 'operate')));
  const selected = await clock.finish(told(device.run(serial, 'select')));
  if (selected.end !== 'accepted') return selected;
  return clock.finish(told(device.run(serial, 'execute')));
}

describe('commands to a device that is late, silent, half, double and gone', () => {
  it.each([1, 2, 3, 4])(
    'control model %i: operated once at most, counted at the device, and each outcome is that of its own command',
    { timeout: 120_000 * SCALE },
    async (model) => {
      const random = createRandom(model);
      const services = SERVICES.filter((each) => (each !== 'SBO' || model === 2) && (each !== 'SBOw' || model === 4));
      const tally = { accepted: 0, rejected: 0, unknown: 0, 'not sent': 0 };
      const wrong: string[] = [];
      for (let sent = 0; sent < COMMANDS * SCALE; ) {
        const clock = new TrialClock(MICROTASKS);
        const device = new FaultyControlDevice(clock, model, LIMITS);
        for (let serial = 1; serial <= 300 && sent < COMMANDS * SCALE; serial++, sent++) {
          device.trouble = {
            fault: random() < 0.5 ? null : any(random, FAULTS),
            at: random() < 0.5 ? 'Oper' : any(random, services),
            ending: random() < 0.4 ? 'prompt' : any(random, ENDINGS),
            hasReport: random() < 0.3,
          };
          const name = `S${serial}`;
          const isInSteps = model % 2 === 0 && random() < 0.3;
          const { end, words } = await commanded(device, clock, name, isInSteps);
          tally[end] += 1;
          const times = device.count.operated.get(name) ?? 0;
          const isRefused = device.count.refused.has(name);
          const isRight = {
            accepted: times === 1 && !isRefused,
            rejected: times === 0 || isRefused,
            unknown: true,
            'not sent': times === 0,
          }[end];
          if (times > 1 || !isRight) wrong.push(`${name} ${end} (${words}), ${times} times, ${JSON.stringify(device.trouble)}`);
          if (random() < 0.2) await clock.advance(random() * 2 * LIMITS.terminationMs);
        }
      }
      if (process.env.LOOPCHECK_TELL) console.log(model, JSON.stringify(tally));
      expect(wrong).toEqual([]);
      for (const end of ['accepted', 'rejected', 'unknown'] as const) expect(tally[end]).toBeGreaterThan(COMMANDS / 50);
    },
  );
});
