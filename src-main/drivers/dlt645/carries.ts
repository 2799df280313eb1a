import type { PointConfig } from '../spi/index.ts';
import { encodeAddress, isMeant } from './codec/address.ts';
import { editionOf, functionOf } from './codec/control.ts';
import { checkFrame, type Dlt645Frame, PREAMBLE } from './codec/frame.ts';
import { blockOf, encodeDi } from './dictionary/dictionary.ts';
import { targetOf } from './meter-point.ts';

/** An octet of an identifier that stands for each of a block (DL/T 645-2007, annex A). */
const EACH = 0xff;

/** True for a frame from or to the meter of the point that names its identifier, or the block it lies in. Refusals name none: `request` does. */
export function carriesItem(bytes: Uint8Array, point: PointConfig, request: Uint8Array | null): boolean {
  return names(frameOf(bytes), point) || (request !== null && names(frameOf(request), point));
}

function frameOf(bytes: Uint8Array): Dlt645Frame | null {
  let at = 0;
  while (bytes[at] === PREAMBLE) at += 1;
  const check = checkFrame(bytes, at);
  return check.kind === 'frame' ? check.frame : null;
}

function names(frame: Dlt645Frame | null, point: PointConfig): boolean {
  const { address, edition } = targetOf(point);
  if (!frame || editionOf(functionOf(frame.control)) !== edition || !isMeant(frame.address, encodeAddress(address))) return false;
  const isNamed = (di: Uint8Array) =>
    frame.data.length >= di.length && di.every((octet, at) => frame.data[at] === octet || frame.data[at] === EACH);
  const block = blockOf(edition, point.address);
  return isNamed(encodeDi(point.address, edition)) || (block !== null && isNamed(encodeDi(block.blockDi, edition)));
}
