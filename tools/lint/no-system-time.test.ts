import { describe, expect, it } from 'vitest';
import { findingsOf } from './testing/findings.ts';

const found = (lines: readonly string[]) => findingsOf('no-system-time', 'a.test.ts', lines);

describe('the lint rule for time in tests', () => {
  it('finds every way to the time of the system, and every sleep', () => {
    const lines = [
      "import { systemClock } from '../platform/system-clock.ts';",
      "import { setTimeout as sleep } from 'node:timers/promises';",
      'export const a = Date.now();',
      'export const b = { wallMs: Date.now };',
      'export const c = new Date();',
      'export const d = Date();',
      'export const e = performance.now();',
      'export const f = process.hrtime.bigint();',
      'setTimeout(() => {}, 5);',
      'await new Promise((resolve) => setTimeout(resolve, 5));',
      'setInterval(() => {}, 5);',
    ];
    expect(found(lines).toSorted((a, b) => a - b)).toEqual(lines.map((_, index) => index + 1));
  });

  it('leaves a date that the test names, a manual clock, words, and what says why', () => {
    const lines = [
      "import { ManualClock } from '../platform/manual-clock.ts';",
      'export const a = new Date(5);',
      'export const b = Date.UTC(2026, 0, 1);',
      "export const c = 'Date.now()'; // new Date()",
      'client.setTimeout(5);',
      'export const d = new ManualClock().wallMs();',
      'export const e = clock.performance;',
      '// biome-ignore lint/plugin: the other end is a device on a desk',
      'export const f = Date.now();',
    ];
    expect(found(lines)).toEqual([]);
  });
});
