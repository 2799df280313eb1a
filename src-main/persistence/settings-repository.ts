import type Database from 'better-sqlite3';
import type { SettingsRepository } from './repositories.ts';
import { guarded } from './store-error.ts';

/** The settings table: one JSON value for each name; `read` of an unknown name is undefined. */
export function settingsRepository(path: string, db: Database.Database): SettingsRepository {
  const read = db.prepare<[string], string>('SELECT value FROM settings WHERE name = ?').pluck();
  const write = db.prepare<[string, string]>(
    'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  return {
    read: (name) =>
      guarded(path, () => {
        const json = read.get(name);
        return json === undefined ? undefined : (JSON.parse(json) as unknown);
      }),
    write: (name, value) => guarded(path, () => void write.run(name, JSON.stringify(value ?? null))),
  };
}
