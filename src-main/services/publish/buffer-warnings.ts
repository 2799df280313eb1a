import type { ServiceWarning } from '#shared/contract/service.ts';
import type { Publishers } from './publishers.ts';

/** What is wrong with the buffers of publishers now. */
export function bufferWarnings(publishers: Pick<Publishers, 'list' | 'bufferAside'>): Pick<ServiceWarning, 'code' | 'params'>[] {
  const kept = publishers.list().flatMap(({ settings: { name }, buffer }) => (buffer ? [{ name, buffer }] : []));
  const { bufferAside } = publishers;
  return [
    ...kept.flatMap(({ name, buffer: { error } }) =>
      error ? [{ code: 'publishing_not_kept' as const, params: { publisher: name, detail: error } }] : [],
    ),
    ...kept.flatMap(({ name, buffer: { lost } }) =>
      lost > 0 ? [{ code: 'publishing_dropped' as const, params: { publisher: name, count: lost } }] : [],
    ),
    ...(bufferAside === null ? [] : [{ code: 'publishing_aside' as const, params: { file: bufferAside } }]),
  ];
}
