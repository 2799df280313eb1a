import { FrameType } from '#shared/domain/enums.ts';
import type { PointConfig } from '../spi/index.ts';

/** A stored point for tests: a YC at address 0 of unit 1, uint16, unscaled, unless told otherwise. */
export function testPoint(changes: Partial<PointConfig> = {}): PointConfig {
  const id = changes.id ?? 1;
  return {
    id,
    channelId: 1,
    frameType: FrameType.yc,
    code: `P${id}`,
    name: `P${id}`,
    address: 0,
    slaveId: 1,
    funcCode: 3,
    decode: '0x20',
    mulCoe: 1,
    addCoe: 0,
    unit: '',
    minLimit: null,
    maxLimit: null,
    bit: null,
    reverse: false,
    reference: '',
    category: '',
    item: '',
    relatedCode: '',
    commandType: '',
    note: '',
    protocol: {},
    ...changes,
  };
}
