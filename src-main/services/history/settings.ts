import { RecordingSettings } from '#shared/contract/history.ts';
import type { SettingsRepository } from '../../persistence/repositories.ts';

/** What holds until somebody sets it: nothing is recorded; a month and 500 MiB would be kept. */
const DEFAULTS: RecordingSettings = {
  mode: 'off',
  dead_band: 0,
  dead_bands: [],
  trigger: '',
  before_s: 10,
  after_s: 30,
  retention_days: 30,
  max_mb: 500,
};

const nameOf = (channelId: number) => `recording_of_channel_${channelId}`;

/** Settings of recording, among those of the project; ids of channels are never used again. */
export function readRecording(settings: SettingsRepository, channelId: number): RecordingSettings {
  const stored = settings.read(nameOf(channelId));
  const given = typeof stored === 'object' && stored !== null ? (stored as Readonly<Record<string, unknown>>) : {};
  const { shape } = RecordingSettings;
  return {
    mode: shape.mode.safeParse(given.mode).data ?? DEFAULTS.mode,
    dead_band: shape.dead_band.safeParse(given.dead_band).data ?? DEFAULTS.dead_band,
    dead_bands: shape.dead_bands.safeParse(given.dead_bands).data ?? DEFAULTS.dead_bands,
    trigger: shape.trigger.safeParse(given.trigger).data ?? DEFAULTS.trigger,
    before_s: shape.before_s.safeParse(given.before_s).data ?? DEFAULTS.before_s,
    after_s: shape.after_s.safeParse(given.after_s).data ?? DEFAULTS.after_s,
    retention_days: shape.retention_days.safeParse(given.retention_days).data ?? DEFAULTS.retention_days,
    max_mb: shape.max_mb.safeParse(given.max_mb).data ?? DEFAULTS.max_mb,
  };
}

/** Throws what keeps the project from being written. */
export function writeRecording(settings: SettingsRepository, channelId: number, what: RecordingSettings): void {
  settings.write(nameOf(channelId), what);
}
