import { readFileSync } from 'node:fs';
import { AppError, type FieldIssue, fieldIssue } from '#shared/domain/errors.ts';
import { JsonGuard } from '../http/json-guard.ts';
import { openProject } from '../persistence/index.ts';
import { discard, moveIntoPlace, unfinishedName } from '../persistence/into-place.ts';
import { requireNewPlace } from '../persistence/new-place.ts';
import { toStoreError } from '../persistence/store-error.ts';
import { toDriverSettings } from '../runtime/settings.ts';
import type { DriverRegistry } from '../runtime/types.ts';
import { ProjectReader, type ReadProject } from '../services/project-text/read-text.ts';
import { parseText } from '../services/project-text/text-content.ts';
import type { TextFacts } from '../services/project-text/text-work.ts';

/** What a text may hold: 500,000 points with every key. */
const BOUNDS = { entries: 100_000, fields: 10_000, depth: 64, values: 12_000_000 };

/** Reads and checks a text form, bounded before it is built in memory. */
export function readText(file: string, drivers: DriverRegistry): ReadProject {
  const octets = readFileSync(file);
  const refused = (errors: readonly FieldIssue[]): ReadProject => ({ version: null, settings: null, channels: [], errors, warnings: [] });
  try {
    new JsonGuard(BOUNDS).push(octets);
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    return refused(Array.isArray(thrown.data) ? (thrown.data as FieldIssue[]) : [fieldIssue('', thrown.said)]);
  }
  const parsed = parseText(octets, { hasNamesOnce: true });
  return 'refusal' in parsed ? refused([parsed.refusal]) : new ProjectReader(drivers, toDriverSettings).read(parsed.content);
}

/** What a text holds, without its points. */
export function factsOf({ version, settings, channels, errors, warnings }: ReadProject): TextFacts {
  return {
    version,
    hasSettings: settings !== null,
    channels: channels.map(({ at, settings: { name, protocol_type }, points }) => ({
      at,
      name,
      protocol: protocol_type,
      points: points.length,
    })),
    errors,
    warnings,
  };
}

/** Makes a new project file of a text without errors; it appears under its name when it is whole. Throws as the making of a project does. */
export function makeProject(read: ReadProject, target: string, holder: string, wallMs: number): void {
  requireNewPlace(target);
  const unfinished = unfinishedName(target);
  discard(unfinished);
  try {
    fill(read, unfinished, holder, wallMs);
    moveIntoPlace(unfinished, target);
  } catch (thrown) {
    throw toStoreError(target, thrown);
  } finally {
    for (const ending of ['', '-wal', '-shm', '.lock']) discard(`${unfinished}${ending}`);
  }
}

function fill({ settings, channels }: ReadProject, path: string, holder: string, wallMs: number): void {
  const store = openProject(path, { create: true, holder, wallMs: () => wallMs });
  try {
    store.atomically(() => {
      for (const [name, value] of Object.entries(settings ?? {})) store.settings.write(name, value);
      for (const channel of channels) {
        const { id } = store.channels.add(channel.settings);
        if (channel.points.length > 0) store.points.add(id, channel.points);
      }
    });
  } finally {
    store.close();
  }
}
