/** The value of a YK or YT as a station takes it, and back. */

import { FrameType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { scaled, unscaled, unscaledWhole } from '../../protocol-kit/scaling.ts';
import type { PointConfig } from '../spi/index.ts';
import { TypeId, typeText } from './codec/types.ts';
import { pointFacts } from './point-rules.ts';
import { plainType } from './point-types.ts';

type CommandPoint = Pick<PointConfig, 'frame_type' | 'protocol' | 'mul_coe' | 'add_coe' | 'code'>;

/** Greatest finite value of an IEEE 754 single. */
const GREATEST_SINGLE = 3.4028234663852886e38;

/**
 * The value in the element of the point's command: SCO 0, 1; DCO 1 off, 2 on; RCO 1 lower, 2 higher; set points the raw value,
 * integers rounded. Throws `CONFIG_RANGE` for a value that the type cannot carry.
 */
export function commandValue(point: CommandPoint, value: number): number {
  const { typeId } = pointFacts(point);
  const plain = plainType(typeId);
  if (point.frame_type === FrameType.yk) {
    if (value !== 0 && value !== 1) {
      const facts = { type: typeText(typeId), value };
      const said = plain === TypeId.C_RC_NA_1 ? say('iec104.step_takes', facts) : say('iec104.command_takes', facts);
      throw new AppError('CONFIG_RANGE', said);
    }
    return plain === TypeId.C_SC_NA_1 ? value : value + 1;
  }
  return setPointRaw(point, plain, typeText(typeId), value);
}

function setPointRaw(point: CommandPoint, plain: number, name: string, value: number): number {
  const raw = unscaled(point, value);
  const whole = () => unscaledWhole(point, value);
  switch (plain) {
    case TypeId.C_SE_NA_1:
      return within(raw, -1, 1, name, value);
    case TypeId.C_SE_NB_1:
      return within(whole(), -32_768, 32_767, name, value);
    case TypeId.C_BO_NA_1:
      return within(whole(), 0, 0xffff_ffff, name, value);
    default:
      return within(raw, -GREATEST_SINGLE, GREATEST_SINGLE, name, value);
  }
}

function within(raw: number, least: number, most: number, name: string, value: number): number {
  if (raw >= least && raw <= most) return raw;
  throw new AppError('CONFIG_RANGE', say('iec104.value_is_raw', { value, raw, type: name, least, most }));
}

/**
 * The engineering value of a command that arrived, one that `commandValue` takes; null where its state is not permitted (DCO and RCO 0 and 3), and
 * where it is no finite number or lies outside of the range once it is scaled and rounded.
 */
export function arrivedValue(point: CommandPoint, raw: number): number | null {
  const value = engineeringValue(point, raw);
  if (value === null || !Number.isFinite(value)) return null;
  try {
    commandValue(point, value);
    return value;
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'CONFIG_RANGE') return null;
    throw thrown;
  }
}

/** The engineering value of a command that arrived; null where its state is not permitted (DCO and RCO 0 and 3). */
export function engineeringValue(point: CommandPoint, raw: number): number | null {
  if (point.frame_type !== FrameType.yk) return scaled(point, raw);
  if (plainType(pointFacts(point).typeId) === TypeId.C_SC_NA_1) return raw;
  return raw === 1 || raw === 2 ? raw - 1 : null;
}
