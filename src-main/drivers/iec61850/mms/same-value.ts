/** Values compared by their octets. */
import { BerWriter } from '../../../protocol-kit/ber/writer.ts';
import { hexText } from '../../../protocol-kit/bytes.ts';
import { encodeValue } from './data.ts';
import type { MmsValue } from './types.ts';

/** True for two values with the same octets. */
export function isSameValue(first: MmsValue, second: MmsValue): boolean {
  const octets = (value: MmsValue) => hexText(encodeValue(new BerWriter(), value).finish());
  return octets(first) === octets(second);
}
