import { invalidField } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';

/** Octets at the beginning of a file in which an XML declaration stands. */
const DECLARATION_OCTETS = 200;
const DECLARED = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']/;

const MARKS: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * The text of an XML file: in the encoding of its byte order mark, else of its declaration, else UTF-8. Throws `CONFIG_INVALID` for an
 * encoding that is not known, and octets that it cannot have.
 */
export function xmlText(octets: Uint8Array): string {
  const encoding = encodingOf(octets);
  let decoder: InstanceType<typeof TextDecoder>;
  try {
    decoder = new TextDecoder(encoding, { fatal: true });
  } catch {
    throw invalidField('file', say('service.xml_encoding', { encoding }));
  }
  try {
    return decoder.decode(octets);
  } catch {
    throw invalidField('file', say('service.xml_text', { encoding }));
  }
}

function encodingOf(octets: Uint8Array): string {
  const marked = MARKS.find(([, mark]) => mark.every((octet, index) => octets[index] === octet));
  if (marked) return marked[0];
  const begin = new TextDecoder('latin1').decode(octets.subarray(0, DECLARATION_OCTETS));
  const declared = DECLARED.exec(begin)?.[1]?.toLowerCase() ?? 'utf-8';
  // A declaration that can be read octet by octet is not written in two octets a character, whatever it says.
  return declared.startsWith('utf-16') ? 'utf-8' : declared;
}
