import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';

/** Where the build writes the description, below the pages; of the file only the compressed copy (`.gz`) is kept. */
export const DESCRIPTION_FILE = 'docs/openapi.json';

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * What sends the description of the interface: the copy that the build wrote beside the pages, unpacked for whoever does not take gzip. Where there is
 * none (as source) it is made at the first request, which holds the thread for some tenths of a second.
 *
 * @param version version of the program
 */
export function describer(pagesDir: string | null, version: string): (reply: FastifyReply) => Promise<FastifyReply> {
  const copy = pagesDir === null ? null : join(pagesDir, `${DESCRIPTION_FILE}.gz`);
  if (copy !== null && existsSync(copy)) return (reply) => sendCopy(reply, copy);
  let made: Promise<string> | null = null;
  return async (reply) => {
    made ??= import('./openapi.ts').then(({ buildOpenApi }) => JSON.stringify(buildOpenApi(version)));
    return reply.type(JSON_TYPE).send(await made);
  };
}

async function sendCopy(reply: FastifyReply, copy: string): Promise<FastifyReply> {
  reply.type(JSON_TYPE).header('vary', 'accept-encoding').header('cache-control', 'no-cache');
  const packed = await readFile(copy);
  if (takesGzip(reply.request.headers['accept-encoding'])) return reply.header('content-encoding', 'gzip').send(packed);
  return reply.send(await promisify(gunzip)(packed));
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
