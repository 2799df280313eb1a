/** Password and operator code of a protected request, out of the secrets of the channel. */

import { AppError, fieldIssue } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { DriverSecrets } from '../../spi/index.ts';
import { encodeBcd } from '../codec/bcd.ts';
import type { Edition } from '../codec/control.ts';
import type { SecretName } from '../secrets.ts';

/** Levels that protected functions ask for: parameters and demand; relay, meter and events. A smaller one may do as well. */
export const PARAMETER_LEVEL = 4;
export const CONTROL_LEVEL = 2;

/** What stands in front of the data of a protected request. */
export interface Credentials {
  /** PA P0 P1 P2: the level, then the password with its lowest pair first. */
  readonly password: Uint8Array;
  /** C0 to C3; empty in the 1997 edition. */
  readonly operator: Uint8Array;
}

/** Which password is wanted: one of this level, or, without `level`, the one that is set and nearest below `needed`. */
export interface CredentialsWanted {
  readonly edition: Edition;
  readonly needed: number;
  readonly level: number | undefined;
}

/** Throws `CONFIG_INVALID` that names every secret to be set; nothing was sent then. */
export function credentialsFor(secrets: DriverSecrets | undefined, { edition, needed, level }: CredentialsWanted): Credentials {
  const used = level ?? nearestLevel(secrets, needed);
  const [digits, operator] = [secrets?.[passwordName(used)], secrets?.operator_code];
  const missing: SecretName[] = [];
  if (digits === undefined) missing.push(passwordName(used));
  if (edition === 2007 && operator === undefined) missing.push('operator_code');
  if (missing.length > 0) throw missingSecrets(missing);
  return { password: passwordOctets(used, digits ?? ''), operator: edition === 2007 ? secretOctets(operator ?? '') : new Uint8Array(0) };
}

/** The old password of a level and the new one, for a change. Throws as `credentialsFor` does. */
export function passwordChange(secrets: DriverSecrets | undefined, level: number): { readonly old: Uint8Array; readonly next: Uint8Array } {
  const [old, next] = [secrets?.[passwordName(level)], secrets?.new_password];
  const missing: SecretName[] = [];
  if (old === undefined) missing.push(passwordName(level));
  if (next === undefined) missing.push('new_password');
  if (missing.length > 0) throw missingSecrets(missing);
  return { old: passwordOctets(level, old ?? ''), next: passwordOctets(level, next ?? '') };
}

/** Name of the secret that is the password of a level, 0 to 9. */
export function passwordName(level: number): SecretName {
  return `password_0${level}` as SecretName;
}

/** PA P0 P1 P2 of six digits. */
export function passwordOctets(level: number, digits: string): Uint8Array {
  return Uint8Array.of(level, ...secretOctets(digits));
}

/** Octets of digits as they travel, the lowest pair first. */
function secretOctets(digits: string): Uint8Array {
  return encodeBcd(digits);
}

/** The smaller the level the more it may; the one that may least is taken. */
function nearestLevel(secrets: DriverSecrets | undefined, needed: number): number {
  for (let level = needed; level >= 0; level--) if (secrets?.[passwordName(level)] !== undefined) return level;
  return needed;
}

function missingSecrets(names: readonly SecretName[]): AppError {
  const said = names.length > 1 ? say('dlt645.secret_many', { names }) : say('dlt645.secret_single', { names });
  const data = names.map((name) => fieldIssue(`secrets.${name}`, say('dlt645.not_set')));
  return new AppError('CONFIG_INVALID', said, { data });
}
