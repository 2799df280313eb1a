import { describe, expect, it } from 'vitest';
import type { RecordingSettings } from '#shared/contract/history.ts';
import type { SettingsRepository } from '../../persistence/repositories.ts';
import { readRecording, writeRecording } from './settings.ts';

const DEFAULTS: RecordingSettings = {
  ...{ mode: 'off', dead_band: 0, dead_bands: [], trigger: '', before_s: 10, after_s: 30, retention_days: 30, max_mb: 500 },
};
const SET: RecordingSettings = {
  ...{ mode: 'changed', dead_band: 0.5, dead_bands: [{ code: 'P', dead_band: 2, kind: 'absolute' }], trigger: 'U < 200' },
  ...{ before_s: 5, after_s: 6, retention_days: 7, max_mb: 100 },
};

function kept(): SettingsRepository & { readonly all: Map<string, unknown> } {
  const all = new Map<string, unknown>();
  return { all, read: (name) => all.get(name), write: (name, value) => void all.set(name, value) };
}

describe('settings of recording', () => {
  it('are read as they were set, each channel its own', () => {
    const settings = kept();
    writeRecording(settings, 3, SET);
    expect([readRecording(settings, 3), readRecording(settings, 4)]).toEqual([SET, DEFAULTS]);
  });

  it.each([undefined, null, 'off', 7])('that are %j record nothing', (stored) => {
    const settings = kept();
    settings.write('recording_of_channel_1', stored);
    expect(readRecording(settings, 1)).toEqual(DEFAULTS);
  });

  it.each(Object.keys(SET))('with a damaged or missing %s have its default, and all others as they were set', (name) => {
    const settings = kept();
    for (const damaged of [{ ...SET, [name]: {} }, Object.fromEntries(Object.entries(SET).filter(([key]) => key !== name))]) {
      settings.write('recording_of_channel_1', damaged);
      expect(readRecording(settings, 1)).toEqual({ ...SET, [name]: DEFAULTS[name as keyof RecordingSettings] });
    }
  });
});
