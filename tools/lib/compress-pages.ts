import { readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Texts; pictures and woff2 fonts are compressed already. */
const TEXTS = /\.(?:html|js|css|svg|json)$/;
/** Of the largest only the copy is kept: browsers, which alone ask for swagger-ui, take it, and the description is unpacked for whoever does not. */
const COPIES_ONLY = /[\\/]docs[\\/](?:swagger-ui[^\\/]*|openapi\.json)$/;
/** Smaller files fit into one packet anyway. */
const LEAST_OCTETS = 1024;

/** Writes a gzip copy (`.gz`), which every browser takes over every kind of connection, beside each text of the built pages, for the service to send as they are. */
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
    .filter((entry) => entry.isFile() && TEXTS.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

function compress(file: string): void {
  const octets = readFileSync(file);
  if (octets.length < LEAST_OCTETS) return;
  writeFileSync(`${file}.gz`, gzipSync(octets, { level: constants.Z_BEST_COMPRESSION }));
  if (COPIES_ONLY.test(file)) unlinkSync(file);
}
