import type { SettingsRepository } from './repositories.ts';
import type { StoreFile } from './store-file.ts';

/** The settings table: one JSON value for each name; `read` of an unknown name is undefined. */
export function settingsRepository(file: StoreFile): SettingsRepository {
  const read = file.db.prepare<[string], string>('SELECT value FROM settings WHERE name = ?').pluck();
  const write = file.db.prepare<[string, string]>(
    'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  return {
    read: (name) =>
      file.read(() => {
        const json = read.get(name);
        return json === undefined ? undefined : (JSON.parse(json) as unknown);
      }),
    write: (name, value) => file.change(() => void write.run(name, JSON.stringify(value ?? null))),
  };
}
