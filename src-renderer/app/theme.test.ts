import { describe, expect, it } from 'vitest';
import { theme, tokens } from './theme.ts';

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.03928 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Contrast ratio of WCAG 2.1, 1.4.3. */
function contrast(a: string, b: string): number {
  const [light = 0, dim = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dim + 0.05);
}

describe('contrast', () => {
  it.each(['steel', 'red', 'green', 'amber'] as const)('white on the filled shade of %s meets AA', (name) => {
    expect(contrast('#ffffff', theme.colors?.[name]?.[7] ?? '#ffffff')).toBeGreaterThanOrEqual(4.5);
  });

  it.each(['light', 'dark'] as const)('every text token meets AA on every ground of the %s theme', (scheme) => {
    const colours = tokens[scheme];
    const missed: string[] = [];
    for (const text of ['text', 'muted', 'ok', 'warn', 'bad', 'busy'] as const) {
      for (const ground of ['panel', 'panel-alt', 'page', 'hover', 'selected'] as const) {
        const ratio = contrast(colours[text], colours[ground]);
        if (ratio < 4.5) missed.push(`${text} on ${ground}: ${ratio.toFixed(2)}`);
      }
    }
    for (const [text, ground] of [
      ['bad', 'bad-soft'],
      ['warn', 'warn-soft'],
      ['text', 'bad-soft'],
    ] as const) {
      expect(contrast(colours[text], colours[ground]), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    }
    expect(missed).toEqual([]);
  });
});
