/** The id of a project, by which files and secrets beside it are known as its own. It gets one when it first needs it. */

/** Settings of a project. */
export interface IdSettings {
  read(name: string): unknown;
  write(name: string, value: unknown): void;
}

const NAME = 'project_id';

/** Null where it has none: then nothing can be its own. */
export function knownProjectId(settings: Pick<IdSettings, 'read'>): string | null {
  const id = settings.read(NAME);
  return typeof id === 'string' ? id : null;
}

/** Gives it one where it has none. */
export function projectId(settings: IdSettings, newId: () => string): string {
  const known = knownProjectId(settings);
  if (known !== null) return known;
  const id = newId();
  settings.write(NAME, id);
  return id;
}
