import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { protocol } from 'electron';
import { readPacked } from '../platform/packed-file.ts';

const SCHEME = 'app';
const HOST = 'loopcheck';

/** Address of the pages in the window. */
export const PAGE_URL = `${SCHEME}://${HOST}/index.html`;

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/** True for addresses of our own pages: the `app` scheme, or the development server where one is given. */
export function isOwnPage(url: string, devServer: string | null): boolean {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed) return false;
  if (parsed.protocol === `${SCHEME}:`) return parsed.host === HOST;
  return devServer !== null && parsed.origin === new URL(devServer).origin;
}

/** Makes `app://` a scheme with an origin of its own. Call it before the app is ready. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

/** Serves the files below `pagesDir` at `app://loopcheck/`, every answer with `headers` (content security policy and the like). */
export function servePages(pagesDir: string, headers: Readonly<Record<string, string>>): void {
  protocol.handle(SCHEME, async (request) => {
    const file = pageFile(pagesDir, request.url);
    if (request.method !== 'GET' || !file) return new Response(null, { status: 404 });
    try {
      const type = MEDIA_TYPES[extname(file)] ?? 'application/octet-stream';
      return new Response(await readPage(file), { headers: { ...headers, 'content-type': type } });
    } catch {
      return new Response(null, { status: 404 });
    }
  });
}

/** Of most texts the build keeps only a packed copy. */
async function readPage(file: string): Promise<Buffer<ArrayBuffer>> {
  try {
    return await readFile(file);
  } catch {
    return readPacked(file);
  }
}

/** The file an address stands for; null for other hosts, and for places outside the pages. */
function pageFile(pagesDir: string, url: string): string | null {
  if (!isOwnPage(url, null)) return null;
  try {
    const path = decodeURIComponent(new URL(url).pathname);
    const file = normalize(join(pagesDir, path === '/' ? 'index.html' : path));
    return file.startsWith(normalize(pagesDir) + sep) && !file.includes('\0') ? file : null;
  } catch {
    return null;
  }
}
