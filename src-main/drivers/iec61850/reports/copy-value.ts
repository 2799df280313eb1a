import type { MmsResult } from '../mms/types.ts';

/** A value that outlives the PDU it came in. */
export function copyValue<Value extends MmsResult>(value: Value): Value {
  if ('items' in value) return { ...value, items: value.items.map(copyValue) };
  return 'octets' in value ? { ...value, octets: Uint8Array.from(value.octets) } : value;
}
