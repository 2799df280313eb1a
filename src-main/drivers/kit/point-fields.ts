import { FrameType } from '#shared/domain/enums.ts';
import { type PointFieldKey, pointFieldsWhere } from '#shared/domain/point-fields.ts';

const SCALE = ['mul_coe', 'add_coe', 'unit', 'min_limit', 'max_limit'] as const satisfies readonly PointFieldKey[];
const FILING = pointFieldsWhere(({ form }) => form?.section === 'filing');

/**
 * Contract names of the point fields that mean something to a protocol, by frame type, in form order. `place`: those that say where the value is;
 * `ofState`: those that say which state of it is a signal.
 */
export function pointFieldsOf(
  place: readonly PointFieldKey[],
  ofState: readonly PointFieldKey[],
): Readonly<Record<FrameType, readonly PointFieldKey[]>> {
  return {
    [FrameType.yc]: [...place, ...SCALE, ...FILING],
    [FrameType.yx]: [...place, ...ofState, ...FILING],
    [FrameType.yk]: [...place, 'related_code', 'command_type', ...FILING],
    [FrameType.yt]: [...place, ...SCALE, 'related_code', ...FILING],
  };
}
