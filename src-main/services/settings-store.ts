import { ServiceSettings } from '#shared/contract/service.ts';
import type { SettingsRepository } from '../persistence/repositories.ts';

/** What holds until somebody sets it: writes allowed, 4 MiB of frames a channel. */
const DEFAULTS: ServiceSettings = { read_only: false, frame_log_bytes: 4 * 1024 * 1024 };

/** Settings of the service from the project; what is missing or not valid there has its default. */
export function readSettings(repository: SettingsRepository): ServiceSettings {
  const readOnly = ServiceSettings.shape.read_only.safeParse(repository.read('read_only'));
  const bytes = ServiceSettings.shape.frame_log_bytes.safeParse(repository.read('frame_log_bytes'));
  return { read_only: readOnly.data ?? DEFAULTS.read_only, frame_log_bytes: bytes.data ?? DEFAULTS.frame_log_bytes };
}
