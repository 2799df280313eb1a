import { expect, it } from 'vitest';
import { releaseNotes } from './release-notes.ts';

const LOG =
  '# Changelog\n\nWords.\n\n## Unreleased\n\n- next\n\n## 0.2.0 - 2026-12-01\n\n### Tables\n\n- new\n\n## 0.1.0\n\n- first\n\n## 0.0.9\n\n## 0.0.8\n';

it('are what the change log says of this very version', () => {
  expect(releaseNotes(LOG, '0.2.0')).toBe('### Tables\n\n- new\n');
  expect(releaseNotes(LOG.replaceAll('\n', '\r\n'), '0.1.0')).toBe('- first\n');
});

it.each(['0.3.0', '0.2', 'Unreleased', '0.0.9', '0.0.8'])('are refused for %s, of which it says nothing', (version) => {
  expect(() => releaseNotes(LOG, version)).toThrow('CHANGELOG.md');
});
