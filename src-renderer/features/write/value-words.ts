import { useTranslation } from 'react-i18next';
import { FrameType } from '#shared/domain/enums.ts';
import { exactNumber } from '../points/point-text.ts';
import { withUnit } from './target-summary.tsx';
import type { WriteTarget } from './write-store.ts';

/** A value to write in words: on or off for states, the number with its unit for others; empty for null. */
export function useValueWords({ point }: WriteTarget, value: number | null): string {
  const { t } = useTranslation('points');
  if (value === null) return '';
  const isState = point.frame_type === FrameType.yk || point.frame_type === FrameType.yx;
  if (isState && (value === 0 || value === 1)) return value === 1 ? t('write.on') : t('write.off');
  return withUnit(exactNumber(value), point.unit);
}
