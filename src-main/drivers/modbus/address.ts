import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { DriverChannelSettings, PointConfig } from '../spi/index.ts';
import { MAX_ADDRESS } from './codec/functions.ts';

/** Address of a point on the wire: its own less the channel's address base. Throws CONFIG_RANGE outside 0 to 65535. */
export function wireAddress(point: PointConfig, settings: Pick<DriverChannelSettings, 'addressBase'>): number {
  const address = point.address - settings.addressBase;
  if (Number.isInteger(address) && address >= 0 && address <= MAX_ADDRESS) return address;
  const [least, most] = [settings.addressBase, settings.addressBase + MAX_ADDRESS];
  throw new AppError('CONFIG_RANGE', say('modbus.address_range', { address: point.address, point: point.code, least, most }));
}

/** An address as people look for it, decimal and hex: `107 (0x006B)`. */
export function addressText(address: number): string {
  return `${address} (0x${address.toString(16).toUpperCase().padStart(4, '0')})`;
}
