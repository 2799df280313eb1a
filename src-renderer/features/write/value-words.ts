import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { Point } from '#shared/contract/points.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { exactNumber } from '../points/point-text.ts';
import type { WriteTarget } from './write-store.ts';

const STATES = ['off', 'on', 'intermediate', 'bad'] as const;
/** A control is off or on alone. */
const CONTROL_STATES = 2;

/** Word of a state under `write` of the points texts; null for values that are no state, and where the driver has a word of its own. */
export function stateWordOf(value: number | null, frameType: FrameType | null | undefined, text = ''): (typeof STATES)[number] | null {
  const most = frameType === FrameType.yx ? STATES.length : frameType === FrameType.yk ? CONTROL_STATES : 0;
  const word = value === null || value >= most ? undefined : STATES[value];
  return word !== undefined && (text === '' || text === word) ? word : null;
}

/** A value with the unit of its point. */
export function withUnit(text: string, unit: string): string {
  return unit ? `${text} ${unit}` : text;
}

/** Words of a value of a point: a state in a word, everything else as `plain` has it. */
export function useStateText() {
  const { t } = useTranslation('points');
  return useCallback(
    (value: number | null, frameType: FrameType | null | undefined, plain: string, text = '') => {
      const word = stateWordOf(value, frameType, text);
      return word ? t(`write.${word}`) : text || plain;
    },
    [t],
  );
}

/** A value to write in words: on or off for states, the number with its unit for others; empty for null. */
export function useValueWords({ point }: Pick<WriteTarget, 'point'>, value: number | null): string {
  const stateText = useStateText();
  return value === null ? '' : stateText(value, point.frame_type, withUnit(exactNumber(value), point.unit));
}

/** What a row shows of a point now, in words where it is a state. */
export function useRowText(): (point: Point, plain: string) => string {
  const stateText = useStateText();
  return useCallback(
    (point, plain) =>
      point.updated_at === null || point.quality === 'never' ? plain : stateText(point.value, point.frame_type, plain, point.value_text),
    [stateText],
  );
}
