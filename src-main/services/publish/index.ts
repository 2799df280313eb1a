import type { Publisher } from '#shared/contract/publish.ts';
import { english } from '#shared/messages/index.ts';
import type { Handlers } from '../handlers.ts';
import type { ServiceDeps } from '../ports.ts';
import { isoTime } from '../rows.ts';
import type { PublisherNow } from './publishers.ts';
import { secretName } from './settings.ts';
import type { BufferState } from './waiting.ts';

type PublishHandlers = Pick<
  Handlers,
  'publishers' | 'setPublisher' | 'deletePublisher' | 'setPublisherSecrets' | 'confirmPublisher' | 'testPublisher'
>;

/** Where values are published, and how that goes. */
export function publishHandlers({ projects, clock }: ServiceDeps): PublishHandlers {
  const all = () => projects.current().publishers;
  return {
    publishers: () => ({ items: all().list().map(publisherOf) }),
    setPublisher: (given) => publisherOf(all().set(given)),
    deletePublisher({ id }) {
      all().delete(id);
      return { deleted: id };
    },
    setPublisherSecrets: ({ id, secrets }) => publisherOf(all().setSecrets(id, secrets)),
    confirmPublisher: ({ id }) => publisherOf(all().confirm(id)),
    async testPublisher({ id }) {
      const began = clock.monotonicMs();
      await all().test(id);
      return { reached_in_ms: Math.round(clock.monotonicMs() - began) };
    },
  };
}

function publisherOf({ settings, session, isSecretSet, state, buffer }: PublisherNow): Publisher {
  const { error, since, ...counts } = state;
  return {
    ...settings,
    secrets: { [secretName(settings)]: isSecretSet },
    ...counts,
    since: isoTime(since),
    error: error && english(error),
    ...(error && { error_message: error }),
    session,
    buffer: buffer && bufferOf(buffer),
  };
}

function bufferOf({ records, octets, oldest, dropped, error }: BufferState): NonNullable<Publisher['buffer']> {
  return {
    records,
    octets,
    oldest: oldest === null ? null : isoTime(oldest),
    dropped,
    error: error && english(error),
    ...(error && { error_message: error }),
  };
}
