/**
 * `npm run --silent release:update -- VERSION DATE FOLDER NOTES > loopcheck-update.json`: the signed notice of a version, of the installers in FOLDER and the text in NOTES.
 * LOOPCHECK_UPDATE_SIGNING_KEY is the private key, LOOPCHECK_UPDATE_KEY the public one that programs are built with. `--new-key` makes a pair.
 */
import { readFileSync } from 'node:fs';
import { updateKey } from './lib/update-key.ts';
import { makeNotice, newKeys } from './lib/update-notice.ts';

function run([version, date, folder, notes]: readonly string[]): string {
  if (version === '--new-key') {
    const { signing, key } = newKeys();
    return `LOOPCHECK_UPDATE_SIGNING_KEY=${signing}\nLOOPCHECK_UPDATE_KEY=${key}\n`;
  }
  if (version === undefined || date === undefined || folder === undefined || notes === undefined) {
    throw new Error('Say which version, of which day, made where: release:update -- 0.3.0 2026-12-01 made notes.md; or --new-key.');
  }
  const signing = process.env.LOOPCHECK_UPDATE_SIGNING_KEY ?? '';
  return makeNotice({ version, date, folder, notes: readFileSync(notes, 'utf8'), signing, key: updateKey(process.env) });
}

try {
  process.stdout.write(run(process.argv.slice(2)));
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : String(thrown));
  process.exitCode = 1;
}
