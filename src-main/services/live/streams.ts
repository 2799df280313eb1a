import type { Streams } from '#shared/contract/live.ts';
import type { FieldIssue } from '#shared/domain/errors.ts';
import type { ServiceDeps } from '../ports.ts';
import type { LiveHub } from './hub.ts';
import type { StreamAnswer } from './stream-answer.ts';
import { type FilterRequest, StreamFilter } from './stream-filter.ts';

/** What a stream knows about its request. */
export interface StreamContext {
  /** Header Last-Event-ID, which a reader sends that comes back. */
  readonly lastEventId: string | undefined;
  readonly warnings: readonly FieldIssue[] | undefined;
}

type StreamHandler<Request> = (request: Request, context: StreamContext) => StreamAnswer;

/** All streams of the contract. They throw what refuses a request before anything is answered. */
export type StreamHandlers = { readonly [Name in keyof Streams]: StreamHandler<FilterRequest & { readonly since?: string | undefined }> };

export function streamHandlers({ projects }: Pick<ServiceDeps, 'projects'>, hub: LiveHub): StreamHandlers {
  return {
    eventStream({ since, ...wanted }, { lastEventId, warnings }) {
      const session = projects.current();
      const filter = new StreamFilter(session, wanted);
      hub.requireRoom();
      // a browser that comes back sends both: the address it began with, and how far it came
      const begin = { since: lastEventId || since, hello: warnings ? { warnings } : {} };
      return { open: (sink) => hub.join(session, filter, sink, begin) };
    },
  };
}
