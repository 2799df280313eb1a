import { existsSync, readdirSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { packedPath, readPacked } from '../platform/packed-file.ts';
import { PAGE_HEADERS } from './security-headers.ts';

const NOT_BUILT =
  'The pages of Loopcheck are not built. Run "npm run build", then start the service again. The API is described at /docs/json.\n';

const TEXT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Answers a GET that no route took with the page or its absence; true when it did. */
export type PageFallback = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply> | null;

/**
 * Serves the built pages, every path without a file being a place inside them. Files with a hash in their name are kept by the browser
 * for ever, the page itself is asked for each time. Of most texts the build keeps only a packed copy: it is sent to whoever takes gzip, and unpacked for
 * others.
 */
export async function registerPages(app: FastifyInstance, pagesDir: string | null): Promise<PageFallback> {
  const hasPages = pagesDir !== null && existsSync(join(pagesDir, 'index.html'));
  if (hasPages) {
    await app.register(fastifyStatic, {
      root: pagesDir,
      cacheControl: false,
      preCompressed: true,
      setHeaders(reply, path) {
        for (const [name, value] of Object.entries(headersOf(path))) reply.header(name, value);
      },
    });
  }
  const packedOnly = hasPages ? filesWithoutOriginal(pagesDir) : new Map<string, string>();
  return (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    // Browsers ask for it by themselves; the pages name their icon.
    if (path === '/favicon.ico') return reply.code(204).headers(PAGE_HEADERS).send();
    const isAsked = request.method === 'GET' || request.method === 'HEAD';
    const packed = packedOnly.get(path);
    if (isAsked && packed !== undefined) {
      reply.headers({ ...headersOf(packed), vary: 'accept-encoding' }).type(TEXT_TYPES[extname(packed)] ?? 'application/octet-stream');
      return readPacked(packed).then((octets) => reply.send(octets));
    }
    const isPage = isAsked && !/\.\w+$/.test(path);
    if (!isPage) return null;
    if (hasPages) return reply.sendFile(placeOf(path));
    return reply.code(404).headers(PAGE_HEADERS).type('text/plain; charset=utf-8').send(NOT_BUILT);
  };
}

/** The page of a path that names no file. The contents of the guide come in the language of the path, else in English. */
function placeOf(path: string): string {
  if (/^\/docs\/?$/.test(path)) return 'docs/index.html';
  const guide = /^\/guide(?:\/(en|zh))?\/?$/.exec(path);
  return guide === null ? 'index.html' : `guide/${guide[1] ?? 'en'}/index.html`;
}

function headersOf(file: string): Readonly<Record<string, string>> {
  const isHashed = /[\\/]assets[\\/][^\\/]+-[\w-]{8,}\.\w+(?:\.gz)?$/.test(file);
  return { ...PAGE_HEADERS, 'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache' };
}

/** Path in the address and file of each page file of which there is only a packed copy. */
function filesWithoutOriginal(pagesDir: string): ReadonlyMap<string, string> {
  const files = new Set(filesBelow(pagesDir));
  const copies = [...files].filter((file) => file.endsWith(packedPath(''))).map((file) => file.slice(0, -packedPath('').length));
  return new Map(copies.filter((file) => !files.has(file)).map((file) => [`/${relative(pagesDir, file).split(sep).join('/')}`, file]));
}

function filesBelow(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}
