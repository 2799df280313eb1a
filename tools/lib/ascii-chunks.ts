import type { Plugin } from 'vite';

/** What stands around a sign, in a message. */
const AROUND = 40;

/**
 * Refuses a built file with a sign beyond ASCII: the engine would hold it with two octets for each of its signs while the program runs. The build escapes signs in
 * strings; those in the raw text of a template (`String.raw`) and in comments that are kept it leaves as they are.
 */
export function asciiChunks(): Plugin {
  return {
    name: 'ascii-chunks',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) if (file.type === 'chunk') requireAscii(file.fileName, file.code);
    },
  };
}

/** Throws with the place where `code` leaves ASCII. */
export function requireAscii(name: string, code: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant
  const at = code.search(/[^\x00-\x7f]/);
  if (at < 0) return;
  const around = code.slice(Math.max(0, at - AROUND), at + AROUND);
  throw new Error(`${name} is not plain ASCII, and would take twice the memory: "${around}". Put the sign into a string of its own.`);
}
