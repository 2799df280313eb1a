/** Points of the table that stand for control objects of the simulated device: what these do wrong on purpose, and what a command shows in them. */
import { FrameType } from '#shared/domain/enums.ts';
import type { Steps } from '../../../platform/steps.ts';
import { BerWriter } from '../../../protocol-kit/ber/writer.ts';
import type { PointConfig, PointReading } from '../../spi/index.ts';
import { ADD_CAUSE } from '../control/add-causes.ts';
import { controlledObject, objectKey } from '../control/control-object.ts';
import { encodeValue } from '../mms/data.ts';
import type { MmsValue } from '../mms/types.ts';
import { isControlPoint } from '../point-rules.ts';
import { leavesOf } from './control/control-effect.ts';
import type { ControlRequest } from './control/control-request.ts';
import type { ControlFault } from './control/control-rules.ts';

/** Points that are looked at before other work may get its turn. */
const POINTS_A_STEP = 32;

/** Control points of a table by the key of their object (`LD/LN$CO$DO`). */
export function* commandPoints(points: readonly PointConfig[]): Steps<Map<string, PointConfig[]>> {
  const byObject = new Map<string, PointConfig[]>();
  for (const [at, point] of points.entries()) {
    if (at % POINTS_A_STEP === 0) yield;
    if (!isControlPoint(point)) continue;
    const key = objectKey(controlledObject(point));
    byObject.set(key, [...(byObject.get(key) ?? []), point]);
  }
  return byObject;
}

/** Control points by the key of their object (`LD/LN$CO$DO`). */
export class ServedCommands {
  #points = new Map<string, PointConfig[]>();

  /** Takes over a changed table. */
  update(points: Map<string, PointConfig[]>): void {
    this.#points = points;
  }

  /** What the points of an object want it to do wrong; undefined for nothing. */
  faultOf(key: string): ControlFault | undefined {
    const point = this.#points.get(key)?.find(({ protocol }) => 'control_fault' in protocol || 'termination_delay_ms' in protocol);
    return point && faultIn(point.protocol);
  }

  /** The value of a command in the points of its object. */
  readings(key: string, { value, isTest }: ControlRequest, wallMs: number): readonly PointReading[] {
    const [leaf] = leavesOf(value);
    const number = leaf ? numberOf(leaf) : null;
    if (!leaf || number === null) return [];
    return (this.#points.get(key) ?? []).map(({ id, frame_type: frameType }) => ({
      kind: 'value',
      pointId: id,
      value: number,
      form: frameType === FrameType.yk ? 'state' : undefined,
      valueText: '',
      raw: encodeValue(new BerWriter(), leaf).finish(),
      quality: 'good',
      flags: isTest ? ['test'] : [],
      sourceTime: wallMs,
    }));
  }
}

function faultIn({ control_fault: fault, add_cause: given, termination_delay_ms: delay }: PointConfig['protocol']): ControlFault {
  const cause = (fallback: number) => ({ addCause: typeof given === 'number' ? given : fallback });
  const refuses = (service: 'select' | 'operate') => ({ refuses: { service, cause: cause(ADD_CAUSE.process) } });
  return {
    ...(fault === 'select_refused' && refuses('select')),
    ...(fault === 'operate_refused' && refuses('operate')),
    ...(fault === 'not_moved' && { fails: cause(ADD_CAUSE.timeLimit) }),
    ...(fault === 'not_terminated' && { isNotTerminated: true }),
    ...(typeof delay === 'number' && { terminationMs: delay }),
  };
}

/** Value of a command as points have it: 0 and 1, the bits of a step command, a number. */
function numberOf(value: MmsValue): number | bigint | null {
  switch (value.kind) {
    case 'boolean':
      return value.value ? 1 : 0;
    case 'bit-string':
      return (value.octets[0] ?? 0) >> 6;
    case 'integer':
    case 'unsigned':
    case 'float':
      return value.value;
    default:
      return null;
  }
}
