/** Registers that hold words: texts, addresses of networks, octets as they are. */
import { hexText, u16 } from '../../../protocol-kit/bytes.ts';

/** Character sets of texts in registers. */
export const TEXT_ENCODINGS = ['ascii', 'gb18030', 'utf8'] as const;
export type TextEncoding = (typeof TEXT_ENCODINGS)[number];

/** GB 18030 holds GBK and GB 2312. Octets that are no characters become U+FFFD. */
const decoders: Readonly<Record<TextEncoding, { decode(octets: Uint8Array): string }>> = {
  ascii: { decode: (octets) => Array.from(octets, (octet) => (octet < 0x80 ? String.fromCharCode(octet) : '\ufffd')).join('') },
  gb18030: new TextDecoder('gb18030'),
  utf8: new TextDecoder('utf-8'),
};

/** The text up to its first NUL, without the blanks around it; other control characters are shown as U+FFFD. */
export function textOf(octets: Uint8Array, encoding: TextEncoding): string {
  const end = octets.indexOf(0);
  const text = decoders[encoding].decode(end < 0 ? octets : octets.subarray(0, end));
  return text.trim().replaceAll(CONTROL, '\ufffd');
}

const CONTROL = /\p{Cc}/gu;

/** IPv4 of two registers, IPv6 of eight, the longest run of zeros shortened (RFC 5952). */
export function ipOf(octets: Uint8Array): string {
  if (octets.length <= 4) return octets.join('.');
  const groups = Array.from({ length: octets.length / 2 }, (_, at) => u16(octets, 2 * at).toString(16));
  const runs = [
    ...groups
      .map((group) => (group === '0' ? '0' : '1'))
      .join('')
      .matchAll(/0{2,}/g),
  ];
  const longest = runs.reduce<RegExpExecArray | null>((best, run) => (best && best[0].length >= run[0].length ? best : run), null);
  if (!longest) return groups.join(':');
  return `${groups.slice(0, longest.index).join(':')}::${groups.slice(longest.index + longest[0].length).join(':')}`;
}

/** Six octets; of four registers the first is empty (SunSpec eui48). */
export function macOf(octets: Uint8Array): string {
  return hexText(octets.subarray(-6)).replaceAll(' ', ':');
}
