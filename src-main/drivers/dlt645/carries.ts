import type { CarriedPoints, PointConfig } from '../spi/index.ts';
import { encodeAddress, isMeant } from './codec/address.ts';
import { editionOf, functionOf } from './codec/control.ts';
import { checkFrame, type Dlt645Frame, PREAMBLE } from './codec/frame.ts';
import { blockOf, encodeDi } from './dictionary/dictionary.ts';
import { targetOf } from './meter-point.ts';

/** An octet of an identifier that stands for each of a block (DL/T 645-2007, annex A). */
const EACH = 0xff;

/** Points of the meter that a frame is from or for, whose identifier or block it names. Refusals name none: their `request` does. */
export function carriedItems(bytes: Uint8Array, request: Uint8Array | null): CarriedPoints | null {
  const frames = [frameOf(bytes), request && frameOf(request)].filter((frame) => frame !== null);
  return frames.length === 0 ? null : (point) => frames.some((frame) => names(frame, point));
}

function frameOf(bytes: Uint8Array): Dlt645Frame | null {
  let at = 0;
  while (bytes[at] === PREAMBLE) at += 1;
  const check = checkFrame(bytes, at);
  return check.kind === 'frame' ? check.frame : null;
}

function names(frame: Dlt645Frame, point: PointConfig): boolean {
  const { address, edition } = targetOf(point);
  if (editionOf(functionOf(frame.control)) !== edition || !isMeant(frame.address, encodeAddress(address))) return false;
  const isNamed = (di: Uint8Array) =>
    frame.data.length >= di.length && di.every((octet, at) => frame.data[at] === octet || frame.data[at] === EACH);
  const block = blockOf(edition, point.address);
  return isNamed(encodeDi(point.address, edition)) || (block !== null && isNamed(encodeDi(block.blockDi, edition)));
}
