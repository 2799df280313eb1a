/**
 * `node tools/sunspec.ts FOLDER`: makes resources/sunspec/models.json of the definitions in a checkout of github.com/sunspec/models (folder `json`).
 * What only people read of a definition is left out, and each model is a text of its own, which is parsed when a device has it.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from './lib/paths.ts';

/** What is kept of groups, points and symbols. */
const KEPT = new Set([
  'id',
  'group',
  'groups',
  'points',
  'symbols',
  'name',
  'label',
  'type',
  'size',
  'sf',
  'units',
  'access',
  'count',
  'value',
]);

const folder = process.argv[2];
if (folder === undefined) throw new Error('Which folder holds the definitions? node tools/sunspec.ts FOLDER');
const models = readdirSync(folder)
  .filter((name) => /^model_\d+\.json$/.test(name))
  .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as { readonly id: number })
  .sort((a, b) => a.id - b.id);
const kept = (key: string, value: unknown) => (key === '' || /^\d+$/.test(key) || KEPT.has(key) ? value : undefined);
const texts = Object.fromEntries(models.map((model) => [String(model.id), JSON.stringify(model, kept)]));
writeFileSync(inRoot('resources/sunspec/models.json'), `${JSON.stringify(texts, null, 2)}\n`);
console.log(`${models.length} models`);
