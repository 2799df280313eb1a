import { createHash, X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { MOST_PUBLISHERS, StoredPublisher } from '#shared/contract/publish.ts';
import { invalidField } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { ProjectStore, SecretValues } from '../../persistence/repositories.ts';

/** Name of the setting with the publishers of a project. */
const NAME = 'publishers';
/** Name under which it is kept, among the secrets, what was confirmed. */
export const CONFIRMED = 'confirmed';

const Given = z.array(z.unknown()).catch([]);

/** Publishers of a project in id order; what is not valid there is left out. */
export function readPublishers({ read }: Pick<ProjectStore['settings'], 'read'>): StoredPublisher[] {
  const given = Given.parse(read(NAME)).flatMap((one) => StoredPublisher.safeParse(one).data ?? []);
  const byId = new Map(given.map((one) => [one.id, one]));
  return [...byId.values()].sort((one, other) => one.id - other.id).slice(0, MOST_PUBLISHERS);
}

/** Throws what keeps the project from being written. */
export function writePublishers(settings: ProjectStore['settings'], publishers: readonly StoredPublisher[]): void {
  settings.write(NAME, publishers);
}

/** Name of the secret of a publisher. */
export function secretName({ target }: Pick<StoredPublisher, 'target'>): 'password' | 'key' | 'token' {
  if (target.kind === 'webhook') return 'key';
  return target.kind === 'influxdb' && target.version === 2 ? 'token' : 'password';
}

/**
 * What a person confirms: to where, and as whom. It is kept outside the project, so another target in the same file, and the file on another computer,
 * are not confirmed.
 */
export function confirmation({ id, target }: Pick<StoredPublisher, 'id' | 'target'>): string {
  const whereTo = [target.kind, target.url, ...asWhomOf(target), ...(target.ca === undefined ? [] : [target.ca])];
  return createHash('sha256')
    .update(JSON.stringify([id, ...whereTo]))
    .digest('hex');
}

function asWhomOf(target: StoredPublisher['target']): string[] {
  if (target.kind === 'mqtt') return [target.user, target.prefix, ...(target.home_assistant ? [target.home_assistant.prefix] : [])];
  if (target.kind === 'sparkplug') return [target.user, target.group, target.node];
  if (target.kind === 'influxdb') return [target.user, target.org, target.database, target.measurement];
  return target.kind === 'postgresql' ? [target.user, target.table] : [];
}

export function isConfirmed(publisher: StoredPublisher, secrets: SecretValues): boolean {
  return secrets[CONFIRMED] === confirmation(publisher);
}

/** What encrypted addresses begin with, by kind of target; a database says it by a setting of its own. */
const ENCRYPTED = { mqtt: 'mqtts://', sparkplug: 'mqtts://', webhook: 'https://', influxdb: 'https://' } as const;

/** Throws `CONFIG_INVALID` for certificates of authorities that are none, or are for nothing. */
export function requireAuthority({ target }: Pick<StoredPublisher, 'target'>): void {
  if (target.ca === undefined) return;
  const isEncrypted = target.kind === 'postgresql' ? target.tls : target.url.startsWith(ENCRYPTED[target.kind]);
  const schemes = target.kind === 'postgresql' ? 'tls' : ENCRYPTED[target.kind];
  if (!isEncrypted) throw invalidField('target.ca', say('publish.authority_plain', { schemes }));
  for (const pem of target.ca.split(/(?<=-----END CERTIFICATE-----)/)) {
    try {
      if (pem.trim() !== '') new X509Certificate(pem);
    } catch {
      throw invalidField('target.ca', say('publish.authority_unreadable'));
    }
  }
}
