import type { ServiceWarning } from '#shared/contract/service.ts';
import type { PublisherNow } from './publishers.ts';

/** What is wrong with the buffers of publishers now. */
export function bufferWarnings(publishers: readonly PublisherNow[]): Pick<ServiceWarning, 'code' | 'params'>[] {
  const kept = publishers.flatMap(({ settings: { name }, buffer }) => (buffer ? [{ name, buffer }] : []));
  const aside = kept.find(({ buffer }) => buffer.aside !== null)?.buffer.aside ?? null;
  return [
    ...kept.flatMap(({ name, buffer: { error } }) =>
      error ? [{ code: 'publishing_not_kept' as const, params: { publisher: name, detail: error } }] : [],
    ),
    ...kept.flatMap(({ name, buffer: { lost } }) =>
      lost > 0 ? [{ code: 'publishing_dropped' as const, params: { publisher: name, count: lost } }] : [],
    ),
    ...(aside === null ? [] : [{ code: 'publishing_aside' as const, params: { file: aside } }]),
  ];
}
