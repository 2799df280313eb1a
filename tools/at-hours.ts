/**
 * `npm run test:hours [-- FILTER …]`: the unit tests at other hours, days and places: midnight, the end of a year, a leap day, the hour that summer
 * time leaves out. Each run has the time of the system moved by libfaketime, the monotonic clock left as it is. The exit code is 1 when one fails.
 */
import { existsSync } from 'node:fs';
import { projectEnv } from './lib/run.ts';
import { installPackages } from './lib/system-packages.ts';
import { runUnitTests } from './lib/unit-results.ts';

const FAKETIME = '/usr/bin/faketime';

/** Six hours of the day as they stand on the wall, each zone twice: half an hour beside the others, far ahead, UTC itself. */
const MOMENTS = [
  { zone: 'America/St_Johns', wall: '2026-03-08 01:59', utc: '2026-03-08T05:29:30Z' },
  { zone: 'Asia/Shanghai', wall: '2026-12-31 23:58', utc: '2026-12-31T15:58:00Z' },
  { zone: 'UTC', wall: '2028-02-29 00:00', utc: '2028-02-29T00:00:05Z' },
  { zone: 'America/St_Johns', wall: '2026-11-01 17:20', utc: '2026-11-01T20:50:00Z' },
  { zone: 'Asia/Shanghai', wall: '2026-06-30 07:45', utc: '2026-06-29T23:45:00Z' },
  { zone: 'UTC', wall: '2026-10-25 12:30', utc: '2026-10-25T12:30:00Z' },
] as const;
type Moment = (typeof MOMENTS)[number];

if (!existsSync(FAKETIME)) installPackages(['faketime']);
if (!existsSync(FAKETIME)) {
  console.error('No test ran at another hour: install the package faketime.');
  process.exit(1);
}

/** The environment in which all programs of a run have the same time, from the moment on. */
function movedTo({ zone, utc }: Moment): NodeJS.ProcessEnv {
  const seconds = Math.round((Date.parse(utc) - Date.now()) / 1000);
  const moved = { FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}`, FAKETIME_DONT_FAKE_MONOTONIC: '1', LD_PRELOAD: library() };
  return { ...projectEnv(), ...moved, TZ: zone, LOOPCHECK_PROPERTY_SEED: 'random' };
}

function library(): string {
  const places = ['x86_64', 'aarch64'].map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`);
  return places.find((place) => existsSync(place)) ?? '';
}

const rows: string[] = [];
let failures = 0;
for (const moment of MOMENTS) {
  const place = `${moment.wall} in ${moment.zone}`;
  console.log(`\n== ${place}`);
  const began = performance.now();
  const { ended, failed } = await runUnitTests(process.argv.slice(2), movedTo(moment));
  if (ended.code !== 0) failures += 1;
  rows.push(
    `${place.padEnd(36)} ${ended.code === 0 ? 'passed' : 'FAILED'} in ${((performance.now() - began) / 1000).toFixed(1)} s`,
    ...failed,
  );
}
console.log(`\n${rows.join('\n')}`);
process.exitCode = failures === 0 ? 0 : 1;
