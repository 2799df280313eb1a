import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { OperationName } from '#shared/contract/index.ts';
import { operations } from '#shared/contract/index.ts';
import { silentLogger } from '../../platform/logger.ts';
import type { CallContext, Handlers } from '../../services/handlers.ts';
import { noAccesses } from '../../services/testing/no-accesses.ts';
import { noRemotes } from '../../services/testing/no-remotes.ts';
import { buildServer, type ServerOptions } from '../server.ts';

/** One call that reached a use case. */
export interface SeenCall {
  readonly name: OperationName;
  readonly request: Record<string, unknown>;
  readonly context: CallContext;
}

type Answer = (call: SeenCall) => unknown;

/** Use cases that record their calls and answer what the test says; null by default. */
export function recordingHandlers(answer: Answer = () => null): { handlers: Handlers; calls: SeenCall[] } {
  const calls: SeenCall[] = [];
  const entries = (Object.keys(operations) as OperationName[]).map((name) => [
    name,
    (request: Record<string, unknown>, context: CallContext) => {
      const call = { name, request, context };
      calls.push(call);
      return answer(call);
    },
  ]);
  return { handlers: Object.fromEntries(entries) as Handlers, calls };
}

/** A router on a free loopback port over recording use cases. */
export async function listeningServer(options: Partial<ServerOptions> = {}): Promise<{ app: FastifyInstance; url: string; port: number }> {
  const app = await buildServer({
    handlers: recordingHandlers().handlers,
    streams: { eventStream: () => ({ open: (sink) => sink.end() }) },
    logger: silentLogger,
    version: '1.2.3',
    host: '127.0.0.1',
    token: null,
    extraOrigins: [],
    accesses: noAccesses,
    remotes: noRemotes,
    certificate: null,
    pagesDir: null,
    checkResponses: false,
    isClosing: () => false,
    requireSession: () => {},
    newDraft: () => join(tmpdir(), `loopcheck-${process.pid}-${randomUUID()}.draft`),
    ...options,
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { app, url, port: Number(new URL(url).port) };
}
