import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PAGE_HEADERS } from './security-headers.ts';

const NOT_BUILT =
  'The pages of Loopcheck are not built. Run "npm run build", then start the service again. The API is described at /docs/json.\n';

/** Answers a GET that no route took with the page or its absence; true when it did. */
export type PageFallback = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | null;

/**
 * Serves the built pages, every path without a file being a place inside them. Files with a hash in their name are kept by the browser
 * for ever, the page itself is asked for each time. Copies that the build has compressed are sent to whoever takes them.
 */
export async function registerPages(app: FastifyInstance, pagesDir: string | null): Promise<PageFallback> {
  const hasPages = pagesDir !== null && existsSync(join(pagesDir, 'index.html'));
  if (hasPages) {
    await app.register(fastifyStatic, {
      root: pagesDir,
      cacheControl: false,
      preCompressed: true,
      setHeaders(reply, path) {
        const isHashed = /[\\/]assets[\\/][^\\/]+-[\w-]{8,}\.\w+(?:\.br|\.gz)?$/.test(path);
        reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
        for (const [name, value] of Object.entries(PAGE_HEADERS)) reply.header(name, value);
      },
    });
  }
  return (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    // Browsers ask for it by themselves; the pages name their icon.
    if (path === '/favicon.ico') return reply.code(204).headers(PAGE_HEADERS).send();
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !/\.\w+$/.test(path);
    if (!isPage) return null;
    if (hasPages) return reply.sendFile(/^\/docs\/?$/.test(path) ? 'docs/index.html' : 'index.html');
    return reply.code(404).headers(PAGE_HEADERS).type('text/plain; charset=utf-8').send(NOT_BUILT);
  };
}
