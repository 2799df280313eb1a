import type { LineSettings } from '../../../transport/types.ts';

/** Character formats in the order they are met in the field. */
const FORMATS = [
  { parity: 'N', stopBits: 1 },
  { parity: 'E', stopBits: 1 },
  { parity: 'O', stopBits: 1 },
  { parity: 'N', stopBits: 2 },
] as const;

/** The line with each other format than its own, at the same baud rate. */
export function otherFormats(line: LineSettings): LineSettings[] {
  return FORMATS.filter((format) => format.parity !== line.parity || format.stopBits !== line.stopBits).map((format) => ({
    ...line,
    ...format,
  }));
}
