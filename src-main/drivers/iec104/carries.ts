import type { PointConfig } from '../spi/index.ts';
import { decodeObjects, openAsdu } from './codec/asdu.ts';
import type { AsduSizes } from './codec/sizes.ts';
import { APCI_LENGTH, decodeApdu } from './link/apci.ts';

/** True for an I frame with an information object at the address of the point, from or to its station. */
export function carriesObject(bytes: Uint8Array, point: PointConfig, sizes: AsduSizes): boolean {
  try {
    const apdu = decodeApdu(bytes);
    if (apdu.kind !== 'frame' || apdu.format !== 'I') return false;
    const asdu = openAsdu(bytes, sizes, APCI_LENGTH);
    return asdu.commonAddress === point.slave_id && decodeObjects(asdu).some(({ address }) => address === point.address);
  } catch {
    return false;
  }
}
