/** `npm run release:notes -- VERSION`: prints what CHANGELOG.md says of a version. */
import { readFileSync } from 'node:fs';
import { inRoot } from './lib/paths.ts';
import { releaseNotes } from './lib/release-notes.ts';

const [version] = process.argv.slice(2);
try {
  if (version === undefined) throw new Error('Say which version: npm run release:notes -- 0.2.0');
  process.stdout.write(releaseNotes(readFileSync(inRoot('CHANGELOG.md'), 'utf8'), version));
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : String(thrown));
  process.exitCode = 1;
}
