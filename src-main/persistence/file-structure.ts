import Database from 'better-sqlite3';
import { say } from '#shared/messages/index.ts';
import { storeError } from './store-error.ts';

/** Tables, indexes, triggers and views by type and name, each with its statement; blanks count as one, and small letters as capitals where they mean the same. */
type Structure = ReadonlyMap<string, string>;

/** What SQLite makes for itself is left out. */
const PARTS = `SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY 1`;

/** What each number of steps makes; it depends on the program alone. */
const made = new WeakMap<readonly string[], Map<number, Structure>>();

/**
 * Refuses a file of this version whose structure is not the one that the steps make: a project may come from anybody, and a trigger in it could let entries of the audit vanish, or one
 * that holds results as they are could be missing. Throws `STATE_STORE`.
 */
export function requireOwnStructure(path: string, db: Database.Database, version: number, migrations: readonly string[]): void {
  const wanted = madeBy(migrations, version);
  const found = structureOf(db);
  const part = [...new Set([...found.keys(), ...wanted.keys()])].find((name) => found.get(name) !== wanted.get(name));
  if (part !== undefined) throw storeError(path, say('store.other_structure', { part }));
}

function madeBy(migrations: readonly string[], version: number): Structure {
  const byVersion = made.get(migrations) ?? new Map<number, Structure>();
  made.set(migrations, byVersion);
  const known = byVersion.get(version) ?? structureAfter(migrations.slice(0, version));
  byVersion.set(version, known);
  return known;
}

function structureAfter(steps: readonly string[]): Structure {
  const db = new Database(':memory:');
  try {
    for (const step of steps) db.exec(step);
    return structureOf(db);
  } finally {
    db.close();
  }
}

function structureOf(db: Database.Database): Structure {
  const rows = db.prepare<[], [string, string]>(PARTS).raw().all();
  return new Map(
    rows.map(([name, sql]) => {
      const plain = sql.replaceAll(/\s+/g, ' ');
      return [name, name.startsWith('trigger ') ? plain : plain.toLowerCase()];
    }),
  );
}
