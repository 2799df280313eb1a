import { openAsdu } from './asdu.ts';
import type { AsduSizes } from './sizes.ts';

/** All combinations, those that devices use before the others. */
export const SIZES_IN_USE: readonly AsduSizes[] = ([3, 2, 1] as const)
  .flatMap((objectAddress) =>
    ([1, 2] as const).flatMap((commonAddress) => ([1, 2] as const).map((cause) => ({ cause, commonAddress, objectAddress }))),
  )
  .sort((a, b) => usage(a) - usage(b));

/** 2/2/3 is the standard; 1/1/2 and 2/1/2 come from serial lines; an object address of one octet is rare. */
function usage(sizes: AsduSizes): number {
  const place = ['2/2/3', '1/1/2', '2/1/2', '2/2/2', '1/2/2'].indexOf(sizesText(sizes));
  if (place >= 0) return place;
  return sizes.objectAddress === 1 ? 20 : 10;
}

/**
 * The sizes under which an ASDU of a known type has exactly the right length, a cause that the standard knows and a common address other than
 * 0; empty when none has. For the hint that a channel may be set to the wrong sizes, not for decoding: one ASDU alone may fit several.
 */
export function fittingSizes(octets: Uint8Array, at = 0): readonly AsduSizes[] {
  return SIZES_IN_USE.filter((sizes) => {
    try {
      const view = openAsdu(octets, sizes, at);
      return view.type !== null && view.count > 0 && view.cause > 0 && view.cause < 48 && view.commonAddress > 0;
    } catch {
      return false;
    }
  });
}

/** `1/1/2`: cause, common address, object address. */
export function sizesText(sizes: AsduSizes): string {
  return `${sizes.cause}/${sizes.commonAddress}/${sizes.objectAddress}`;
}
