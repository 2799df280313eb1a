import type { PublisherSettings, PublisherTarget, StoredPublisher } from '#shared/contract/publish.ts';

type Kind = PublisherTarget['kind'];

/** A publisher in the form. */
export interface PublisherDraft extends PublisherSettings {
  /** Null: a new one. */
  readonly id: number | null;
  readonly isSecretSet: boolean;
  /** What is to be set; empty: as it is. */
  readonly secret: string;
}

const TARGETS: { readonly [K in Kind]: Extract<PublisherTarget, { kind: K }> } = {
  mqtt: { kind: 'mqtt', url: 'mqtt://', client_id: '', user: '', prefix: 'loopcheck', qos: 0, retain: true },
  sparkplug: { kind: 'sparkplug', url: 'mqtt://', client_id: '', user: '', group: '', node: '', host: '' },
  webhook: { kind: 'webhook', url: 'https://', every_ms: 1000 },
  influxdb: {
    kind: 'influxdb',
    version: 2,
    url: 'http://',
    database: '',
    retention_policy: '',
    org: '',
    user: '',
    measurement: 'loopcheck',
    every_ms: 1000,
  },
  postgresql: {
    kind: 'postgresql',
    url: 'postgresql://',
    user: '',
    table: 'loopcheck_values',
    create_table: true,
    tls: false,
    every_ms: 1000,
  },
};

/** A new one of a kind, or one that is there. */
export function draftOf(what: Kind | (StoredPublisher & { readonly secrets: Readonly<Record<string, boolean>> })): PublisherDraft {
  const empty = { devices: [], frame_types: [], codes: [], secret: '', keep: undefined };
  if (typeof what === 'string') return { ...empty, id: null, name: '', enabled: true, target: targetOf(what), isSecretSet: false };
  const { id, name, enabled, target, devices, frame_types, codes, keep, secrets } = what;
  return { id, name, enabled, target, devices, frame_types, codes, keep, isSecretSet: secrets[secretOf(target)] ?? false, secret: '' };
}

/** Two that publish under the same topics overwrite each other, so the first proposal is one of its own. */
function targetOf(kind: Kind): PublisherTarget {
  if (kind !== 'mqtt') return TARGETS[kind];
  const own = crypto.getRandomValues(new Uint16Array(1))[0] ?? 0;
  return { ...TARGETS.mqtt, prefix: `loopcheck-${own.toString(16).padStart(4, '0')}` };
}

/** Name of the secret of a kind. */
export function secretOf(target: PublisherTarget): 'password' | 'key' | 'token' {
  if (target.kind === 'webhook') return 'key';
  return target.kind === 'influxdb' && target.version === 2 ? 'token' : 'password';
}

/** The settings as they are sent; what is wrong with them says the service. */
export function settingsOf({ name, enabled, target, devices, frame_types, codes, keep }: PublisherDraft): PublisherSettings {
  return { name: name.trim(), enabled, target, devices, frame_types, codes, ...(keep && { keep }) };
}
