import { FrameType } from '#shared/domain/enums.ts';
import type { PointConfig } from '../spi/index.ts';

/** A stored point for tests: a YC at address 0 of unit 1, uint16, unscaled, unless told otherwise. */
export function testPoint(changes: Partial<PointConfig> = {}): PointConfig {
  const id = changes.id ?? 1;
  return {
    id,
    channel_id: 1,
    frame_type: FrameType.yc,
    code: `P${id}`,
    name: `P${id}`,
    address: 0,
    slave_id: 1,
    func_code: 3,
    decode: '0x20',
    mul_coe: 1,
    add_coe: 0,
    unit: '',
    min_limit: null,
    max_limit: null,
    bit: null,
    reverse: false,
    reference: '',
    category: '',
    item: '',
    related_code: '',
    command_type: '',
    note: '',
    protocol: {},
    ...changes,
  };
}
