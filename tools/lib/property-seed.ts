/**
 * Set-up of every test file: property tests begin from one stated seed, so that a commit passes or fails the same way on every machine. `LOOPCHECK_PROPERTY_SEED`
 * is another number, or `random`: a new one each time, as the long runs (`npm run soak -- fuzz`) and the runs at other hours have it. A failure prints its seed.
 */
import fc from 'fast-check';

const DEFAULT_SEED = 20_261_123;
const asked = process.env.LOOPCHECK_PROPERTY_SEED ?? String(DEFAULT_SEED);

if (asked !== 'random') {
  if (!/^-?\d+$/.test(asked)) throw new Error(`LOOPCHECK_PROPERTY_SEED is "${asked}"; it is a whole number, or "random".`);
  fc.configureGlobal({ seed: Number(asked) | 0 });
}
