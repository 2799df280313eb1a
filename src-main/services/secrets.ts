import type { ChannelSecrets } from '#shared/contract/secrets.ts';
import { type FieldIssue, fieldIssue, invalidInput } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { type Message, names } from '#shared/messages/message.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
import type { Handlers } from './handlers.ts';
import { findChannel } from './lookup.ts';
import type { ProjectSession, ServiceDeps } from './ports.ts';
import { nearestName } from './unknown-fields.ts';

/** Passwords and codes of a channel: which are set, and their change. A value that came in never goes out again, neither in a refusal. */
export function secretHandlers(deps: ServiceDeps): Pick<Handlers, 'channelSecrets' | 'updateChannelSecrets'> {
  return {
    channelSecrets({ channel_id }) {
      const session = deps.projects.current();
      return whichAreSet(session, findChannel(session, channel_id));
    },
    updateChannelSecrets({ channel_id, secrets }) {
      const session = deps.projects.current();
      const channel = findChannel(session, channel_id);
      checkSecrets(channel, secrets);
      if (Object.keys(secrets).length > 0) session.secrets.write(channel_id, secrets);
      return whichAreSet(session, channel);
    },
  };
}

function whichAreSet({ secrets }: ProjectSession, channel: ChannelRuntime): ChannelSecrets {
  const set = secrets.read(channel.id);
  return { channel_id: channel.id, secrets: Object.fromEntries(secretNames(channel).map((name) => [name, set[name] !== undefined])) };
}

function secretNames(channel: ChannelRuntime): string[] {
  return Object.keys(channel.driver.descriptor.secrets?.shape ?? {});
}

/** Throws `CONFIG_INVALID` for names the protocol has not, and for values without the form its schema describes. */
function checkSecrets(channel: ChannelRuntime, given: Readonly<Record<string, string | null>>): void {
  const known = secretNames(channel);
  const issues: FieldIssue[] = Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => fieldIssue(`secrets.${name}`, unknownSecret(name, known)));
  const values = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const { secrets } = channel.driver.descriptor;
  for (const { path } of secrets?.safeParse(values).error?.issues ?? []) {
    const name = String(path[0] ?? '');
    issues.push(fieldIssue(`secrets.${name}`, say('service.secret_form', { form: names(`: ${describe(secrets, name)}`, '') })));
  }
  if (issues.length > 0) throw invalidInput(issues);
}

function unknownSecret(name: string, names: readonly string[]): Message {
  const near = nearestName(name, names);
  if (near) return say('service.secret_near', { near });
  return say('service.secret_unknown', { names: names.length === 0 ? say('runtime.none') : names });
}

function describe(secrets: ChannelRuntime['driver']['descriptor']['secrets'], name: string): string {
  const field = secrets?.shape[name];
  return (field && 'description' in field && typeof field.description === 'string' && field.description) || 'text';
}
