import { expect, it } from 'vitest';
import { rowIcons } from './row-icons.ts';
import { tokens } from './theme.ts';

/** The drawing of an image of a style sheet. */
function drawingOf(image: string | undefined): string {
  const address = /^url\("data:image\/svg\+xml,([^"#\s]+)"\)$/.exec(image ?? '')?.[1];
  return decodeURIComponent(address ?? '');
}

it.each(['light', 'dark'] as const)(
  'icons of rows are whole drawings in the colours of the %s theme, faint where they cannot be pressed',
  (scheme) => {
    const icons = rowIcons(tokens[scheme]);
    for (const image of Object.values(icons)) {
      const drawing = new DOMParser().parseFromString(drawingOf(image), 'image/svg+xml').documentElement;
      expect(drawing.tagName).toBe('svg');
      expect(drawing.querySelector('path')?.getAttribute('d')).toMatch(/^M/);
    }
    expect(drawingOf(icons['--lc-icon-read'])).toContain(`stroke="${tokens[scheme].muted}"`);
    expect(drawingOf(icons['--lc-icon-read-off'])).toContain(`stroke="${tokens[scheme].muted}73"`);
    expect(drawingOf(icons['--lc-icon-tx'])).toContain(`stroke="${tokens[scheme].busy}"`);
  },
);
