import { FrameType } from '#shared/domain/enums.ts';
import type { PointConfig, PointDraft } from '../spi/index.ts';

/** What a point has that nobody said anything about. */
const UNTOLD = {
  frame_type: FrameType.yc,
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
} as const;

/** A stored point for tests: a YC at address 0 of unit 1, uint16, unscaled, unless told otherwise. */
export function testPoint(changes: Partial<PointConfig> = {}): PointConfig {
  const id = changes.id ?? 1;
  const place = { address: 0, slave_id: 1, func_code: 3, decode: '0x20' };
  return { id, channel_id: 1, code: `P${id}`, name: `P${id}`, ...place, ...UNTOLD, ...changes };
}

/** A draft with the defaults of the contract; what the protocol fills in is undefined, unless told otherwise. */
export function testDraft(changes: Partial<PointDraft> = {}): PointDraft {
  const byProtocol = { name: undefined, address: undefined, slave_id: undefined, func_code: undefined, decode: undefined };
  return { code: 'P', ...byProtocol, ...UNTOLD, ...changes };
}
