import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyReply } from 'fastify';
import { packedPath, readPacked } from '../platform/packed-file.ts';

/** Where the build writes the description, below the pages; only its packed copy is kept. */
export const DESCRIPTION_FILE = 'docs/openapi.json';

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * What sends the description of the interface: the copy that the build wrote beside the pages, unpacked for whoever does not take gzip. Where there is
 * none (as source) it is made at the first request, which holds the thread for some tenths of a second.
 *
 * @param version version of the program
 */
export function describer(pagesDir: string | null, version: string): (reply: FastifyReply) => Promise<FastifyReply> {
  const file = pagesDir === null ? null : join(pagesDir, DESCRIPTION_FILE);
  if (file !== null && existsSync(packedPath(file))) return (reply) => sendCopy(reply, file);
  let made: Promise<string> | null = null;
  return async (reply) => {
    made ??= import('./openapi.ts').then(({ buildOpenApi }) => JSON.stringify(buildOpenApi(version)));
    return reply.type(JSON_TYPE).send(await made);
  };
}

async function sendCopy(reply: FastifyReply, file: string): Promise<FastifyReply> {
  reply.type(JSON_TYPE).header('vary', 'accept-encoding').header('cache-control', 'no-cache');
  if (!takesGzip(reply.request.headers['accept-encoding'])) return reply.send(await readPacked(file));
  return reply.header('content-encoding', 'gzip').send(await readFile(packedPath(file)));
}

/** True for a client that names gzip, or everything, and does not rule it out by a weight of 0 (RFC 9110, 12.5.3). */
function takesGzip(accepted: string | string[] | undefined): boolean {
  const named = new Map(
    String(accepted ?? '')
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [coding = '', ...parameters] = part.split(';').map((word) => word.trim());
        return [coding, !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))] as const;
      }),
  );
  return named.get('gzip') ?? named.get('*') ?? false;
}
