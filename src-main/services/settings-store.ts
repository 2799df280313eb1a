import { ProjectSettings } from '#shared/contract/service.ts';
import type { SettingsRepository } from '../persistence/repositories.ts';

/** What holds until somebody sets it: writes allowed, 4 MiB of frames a channel, ten thousand events, a million entries of the audit. */
const DEFAULTS: ProjectSettings = { read_only: false, frame_log_bytes: 4 * 1024 * 1024, events_kept: 10_000, audit_kept: 1_000_000 };

/** Settings of the service from the project; what is missing or not valid there has its default. */
export function readSettings(repository: SettingsRepository): ProjectSettings {
  const { shape } = ProjectSettings;
  return {
    read_only: shape.read_only.safeParse(repository.read('read_only')).data ?? DEFAULTS.read_only,
    frame_log_bytes: shape.frame_log_bytes.safeParse(repository.read('frame_log_bytes')).data ?? DEFAULTS.frame_log_bytes,
    events_kept: shape.events_kept.safeParse(repository.read('events_kept')).data ?? DEFAULTS.events_kept,
    audit_kept: shape.audit_kept.safeParse(repository.read('audit_kept')).data ?? DEFAULTS.audit_kept,
  };
}
