import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/** Where the build keeps the copy of a file that it packed by gzip. */
export function packedPath(file: string): string {
  return `${file}.gz`;
}

/** The octets of a file of which only the packed copy is kept. Throws as `readFile` does where there is no copy. */
export async function readPacked(file: string): Promise<Buffer<ArrayBuffer>> {
  return promisify(gunzip)(await readFile(packedPath(file)));
}
