import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyReply } from 'fastify';

/** Where the build writes the description, below the pages. */
export const DESCRIPTION_FILE = 'docs/openapi.json';

/**
 * What sends the description of the interface: the file that the build wrote beside the pages. Where there is none (as source) it is made at the first
 * request, which holds the thread for some tenths of a second.
 *
 * @param version version of the program
 */
export function describer(pagesDir: string | null, version: string): (reply: FastifyReply) => Promise<FastifyReply> {
  if (pagesDir !== null && existsSync(join(pagesDir, DESCRIPTION_FILE))) return async (reply) => reply.sendFile(DESCRIPTION_FILE);
  let made: Promise<string> | null = null;
  return async (reply) => {
    made ??= import('./openapi.ts').then(({ buildOpenApi }) => JSON.stringify(buildOpenApi(version)));
    return reply.header('content-type', 'application/json; charset=utf-8').send(await made);
  };
}
