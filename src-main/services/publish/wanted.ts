import type { PublisherSettings } from '#shared/contract/publish.ts';
import type { PointConfig } from '../../drivers/spi/index.ts';
import type { AboutPoint } from './record-queue.ts';

/** Which points a publisher sends. */
export type Wanted = Pick<PublisherSettings, 'devices' | 'frame_types' | 'codes'>;

export function isWantedDevice(name: string, { devices }: Wanted): boolean {
  return devices.length === 0 || devices.includes(name);
}

/** Of a point of a device that is wanted. */
export function isWantedPoint({ code, frame_type }: Pick<PointConfig, 'code' | 'frame_type'>, { frame_types, codes }: Wanted): boolean {
  if (frame_types.length > 0 && !frame_types.includes(frame_type)) return false;
  return codes.length === 0 || codes.some((pattern) => fits(pattern, code));
}

export function aboutPoint(device: string, { code, frame_type, name, unit }: PointConfig): AboutPoint {
  return { device, code, frameType: frame_type, name, unit };
}

/**
 * True for a text that a pattern with * for any characters fits. Each piece between stars is taken at its first place, so the time grows with the lengths
 * alone; a regular expression would take for ever with many stars.
 */
function fits(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}
