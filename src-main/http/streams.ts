import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Stream, streams } from '#shared/contract/live.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { StreamSink } from '../services/live/stream-answer.ts';
import type { StreamHandlers } from '../services/live/streams.ts';
import type { AccessBook } from '../services/ports.ts';
import { isFromWindow } from './bridge.ts';
import { callerOf } from './caller.ts';
import { requestParser } from './request-parser.ts';

const HEAD = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // a proxy in between must not keep it back
  'x-accel-buffering': 'no',
} as const;

/** Registers every stream of the contract. What refuses a request is answered in the envelope. */
export function registerStreams(app: FastifyInstance, handlers: StreamHandlers, accesses: AccessBook): void {
  for (const name of Object.keys(streams) as (keyof typeof streams)[]) {
    const stream: Stream = streams[name];
    const parse = requestParser(stream);
    app.route({
      method: stream.method,
      url: stream.path,
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        if (isFromWindow(request)) throw new AppError('STATE_CONFLICT', say('live.only_http'));
        const { request: input, warnings } = await parse(request.query, undefined);
        const lastEventId = headerText(request.headers['last-event-id']);
        const answer = handlers[name](input, { lastEventId, warnings: warnings.list() });
        const { name: access } = callerOf(request);
        const raw = begun(reply);
        // who has lost the access hears no more
        if (access !== null)
          raw.on(
            'close',
            accesses.whenRemoved(access, () => raw.destroy()),
          );
        answer.open(sinkOf(raw));
      },
    });
  }
}

/** The first of several; a header may come twice. */
function headerText(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.[0];
}

function begun(reply: FastifyReply): ServerResponse {
  reply.hijack();
  const { raw } = reply;
  raw.socket?.setNoDelay(true);
  // it may be silent for long; what is dead is found out by what is written to it
  raw.socket?.setTimeout(0);
  raw.writeHead(200, HEAD);
  return raw;
}

function sinkOf(raw: ServerResponse): StreamSink {
  raw.on('error', () => {});
  return {
    write: (octets) => raw.write(octets),
    onDrained: (call) => void raw.on('drain', call),
    onClosed: (call) => void raw.on('close', call),
    end: () => void raw.end(),
    destroy: () => void raw.destroy(),
  };
}
