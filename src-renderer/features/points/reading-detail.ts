import type { TFunction } from 'i18next';
import type { EventEntry } from '#shared/contract/events.ts';
import type { Point } from '#shared/contract/points.ts';
import type { QualityFlag } from '#shared/domain/enums.ts';
import { causeText } from './cause-text.ts';

type Told = Pick<
  Point | EventEntry,
  'flags' | 'cause' | 'negative' | 'sequence' | 'adjusted' | 'carry' | 'source_time_text' | 'time_accuracy'
>;

/** Flags of the clock behind a time tag: they say nothing of the value. */
const CLOCK_FLAGS: ReadonlySet<QualityFlag> = new Set(['clock_failure', 'clock_not_synchronised', 'leap_second_known']);

/** Flags of the value, without those of the clock. */
export function valueFlags(flags: readonly QualityFlag[]): readonly QualityFlag[] {
  return flags.filter((flag) => !CLOCK_FLAGS.has(flag));
}

/** Flags of the clock behind the time tag alone. */
export function clockFlags(flags: readonly QualityFlag[]): readonly QualityFlag[] {
  return flags.filter((flag) => CLOCK_FLAGS.has(flag));
}

/** Marks of a reading as short as IEC 60870-5-101 names them: the flags, P/N, SQ, CA and CY. */
export function shortMarks({ flags, negative, sequence, adjusted, carry }: Told): readonly string[] {
  return [
    ...valueFlags(flags),
    ...(negative ? ['P/N'] : []),
    ...(sequence === undefined ? [] : [`SQ ${sequence}`]),
    ...(adjusted ? ['CA'] : []),
    ...(carry ? ['CY'] : []),
  ];
}

/** What the device told of the value beside it, a line each in the words of the reader. */
export function valueDetails({ flags, cause, negative, sequence, adjusted, carry }: Told, t: TFunction<'events'>): readonly string[] {
  return [
    ...valueFlags(flags).map((flag) => `${flag}: ${t(`flagOf.${flag}`)}`),
    ...(cause ? [t('told.cause', { code: cause.code, name: causeText(cause, t) })] : []),
    ...(negative === undefined ? [] : [negative ? t('told.negative') : t('told.positive')]),
    ...(sequence === undefined ? [] : [t('told.sequence', { sequence })]),
    ...(adjusted ? [t('told.adjusted')] : []),
    ...(carry ? [t('told.carry')] : []),
  ];
}

/** What the device told of its time, a line each: the tag that is no valid time, how exact it is, and its clock. */
export function timeDetails({ flags, source_time_text, time_accuracy }: Told, t: TFunction<'events'>): readonly string[] {
  return [
    ...(source_time_text === undefined ? [] : [t('told.timeText', { text: source_time_text })]),
    ...(time_accuracy === undefined ? [] : [t('told.accuracy', { bits: time_accuracy })]),
    ...clockFlags(flags).map((flag) => t(`flagOf.${flag}`)),
  ];
}
