/** Profiles of lists: which of them a list fits. */
import type { ListProfile } from '#shared/contract/list-operations.ts';
import { headerKey } from './header-words.ts';
import type { ListFormat } from './list-file.ts';

/** A profile with how much of what it looks for a list has. */
export interface FittingProfile {
  readonly profile: ListProfile;
  /** Share of its headers that the list has, 0 to 1. */
  readonly share: number;
}

/** So much is proposed. */
const LEAST_SHARE = 0.6;
/** So much is used without being asked for. */
const ENOUGH_SHARE = 0.9;

/** Profiles whose headers a list has, the best first; of equal ones those with more headers. */
export function fittingProfiles(headers: readonly string[], format: ListFormat, profiles: readonly ListProfile[]): FittingProfile[] {
  const keys = new Set(headers.map(headerKey));
  return profiles
    .filter(({ formats }) => formats.length === 0 || formats.includes(format))
    .map((profile) => ({ profile, share: shareOf(profile, keys) }))
    .filter(({ share }) => share >= LEAST_SHARE)
    .sort((a, b) => b.share - a.share || b.profile.headers.length - a.profile.headers.length);
}

function shareOf({ headers }: ListProfile, keys: ReadonlySet<string>): number {
  const wanted = [...new Set(headers.map(headerKey))].filter((key) => key !== '');
  return wanted.length === 0 ? 0 : wanted.filter((key) => keys.has(key)).length / wanted.length;
}

/** The profile that is used where nobody chose one; null for none. */
export function usedProfile(fitting: readonly FittingProfile[]): ListProfile | null {
  const [best] = fitting;
  return best && best.share >= ENOUGH_SHARE ? best.profile : null;
}
