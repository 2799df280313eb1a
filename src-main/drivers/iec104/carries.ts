import type { CarriedPoints } from '../spi/index.ts';
import { decodeObjects, openAsdu } from './codec/asdu.ts';
import type { AsduSizes } from './codec/sizes.ts';
import { APCI_LENGTH, decodeApdu } from './link/apci.ts';

/** Points at the addresses of the information objects of an I frame, of or for its station. */
export function carriedObjects(bytes: Uint8Array, sizes: AsduSizes): CarriedPoints | null {
  try {
    const apdu = decodeApdu(bytes);
    if (apdu.kind !== 'frame' || apdu.format !== 'I') return null;
    const asdu = openAsdu(bytes, sizes, APCI_LENGTH);
    const addresses = new Set(decodeObjects(asdu).map(({ address }) => address));
    return (point) => asdu.commonAddress === point.slave_id && addresses.has(point.address);
  } catch {
    return null;
  }
}
