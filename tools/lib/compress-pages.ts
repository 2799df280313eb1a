import { readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Texts; pictures and woff2 fonts are compressed already. */
const TEXTS = /\.(?:html|js|css|svg|json)$/;
/** What others have written of the bundle for the makers of packages. */
const NO_PAGE = /[\\/]cyclonedx[\\/]?/;
/** Smaller files fit into one packet anyway. */
const LEAST_OCTETS = 1024;

/**
 * Keeps a gzip copy (`.gz`), which every browser takes over every kind of connection, of each text of the built pages, for the service to send as it is.
 * The file itself goes, or each text would be in the package twice: window and service unpack the copy for whoever does not take it. Pages (.html) stay.
 */
export function compressPages(): Plugin {
  return {
    name: 'compress-pages',
    apply: 'build',
    writeBundle({ dir }) {
      if (dir !== undefined) for (const file of filesBelow(dir)) compress(file);
    },
  };
}

function filesBelow(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && TEXTS.test(entry.name) && !NO_PAGE.test(`${entry.parentPath}/`))
    .map((entry) => join(entry.parentPath, entry.name));
}

function compress(file: string): void {
  const octets = readFileSync(file);
  if (octets.length < LEAST_OCTETS) return;
  writeFileSync(`${file}.gz`, gzipSync(octets, { level: constants.Z_BEST_COMPRESSION }));
  if (!file.endsWith('.html')) unlinkSync(file);
}
