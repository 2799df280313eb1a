import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ServiceSettings } from '#shared/contract/service.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { errorCode, guarded } from '../persistence/store-error.ts';
import { removeDrafts, writeWhole } from '../persistence/whole-file.ts';
import type { DataPaths } from '../platform/paths.ts';
import type { StartSettings, StartSettingsStore } from '../services/ports.ts';
import { DEFAULT_PORT, isToken } from './command-line.ts';

const StartFile = z.object({
  port: ServiceSettings.shape.port.default(DEFAULT_PORT),
  token: z.string().refine(isToken).nullable().default(null),
  updates: z.string().default(''),
});

/**
 * What is kept in the data folder for the next start; the defaults where nothing is. Throws `CONFIG_INVALID` for a file that is not as it was written:
 * a start that passed over it could be one without the token that somebody has set.
 */
export function readStartSettings({ startFile }: Pick<DataPaths, 'startFile'>): StartSettings {
  let text: string;
  try {
    text = readFileSync(startFile, 'utf8');
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT') return StartFile.parse({});
    throw new AppError('CONFIG_INVALID', say('app.start_file_unreadable', { file: startFile, reason: errorCode(thrown) }), {
      cause: thrown,
    });
  }
  try {
    return StartFile.parse(JSON.parse(text));
  } catch {
    // its text is not repeated: it may hold the token
    throw new AppError('CONFIG_INVALID', say('app.start_file_wrong', { file: startFile }));
  }
}

/** The settings of the next start of the service on this data folder, each time as the file has them. */
export function startSettingsStore(paths: Pick<DataPaths, 'startFile'>): StartSettingsStore {
  removeDrafts(paths.startFile);
  return {
    read: () => readStartSettings(paths),
    write(change) {
      const settings: StartSettings = { ...readStartSettings(paths), ...change };
      guarded(paths.startFile, () => writeWhole(paths.startFile, `${JSON.stringify(settings, null, 2)}\n`));
    },
  };
}
