import type { SettingsRepository } from '../../persistence/repositories.ts';

/** Findings of one channel that can be ignored; the oldest come back when more are. */
const MOST_IGNORED = 20_000;

const nameOf = (channelId: number) => `ignored_findings.${channelId}`;

/** As long as a project is open nobody else changes what is ignored in it. */
const known = new WeakMap<SettingsRepository, Map<number, ReadonlySet<string>>>();

function knownOf(settings: SettingsRepository): Map<number, ReadonlySet<string>> {
  const channels = known.get(settings) ?? new Map<number, ReadonlySet<string>>();
  known.set(settings, channels);
  return channels;
}

/** Keys of the findings of a channel that somebody ignores, the oldest first; the same set as long as nothing changes. */
export function ignoredOf(settings: SettingsRepository, channelId: number): ReadonlySet<string> {
  const channels = knownOf(settings);
  const before = channels.get(channelId);
  if (before) return before;
  const stored = settings.read(nameOf(channelId));
  const ignored = new Set(Array.isArray(stored) ? stored.filter((key): key is string => typeof key === 'string') : []);
  channels.set(channelId, ignored);
  return ignored;
}

/** Adds keys, or takes them away; answers what is ignored from now on. Throws as every change of the project does. */
export function changeIgnored(
  settings: SettingsRepository,
  channelId: number,
  keys: readonly string[],
  isIgnored: boolean,
): ReadonlySet<string> {
  const ignored = new Set(ignoredOf(settings, channelId));
  for (const key of keys) {
    if (isIgnored) ignored.add(key);
    else ignored.delete(key);
  }
  const kept = new Set([...ignored].slice(-MOST_IGNORED));
  settings.write(nameOf(channelId), [...kept]);
  knownOf(settings).set(channelId, kept);
  return kept;
}
