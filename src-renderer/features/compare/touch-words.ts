import type { TFunction } from 'i18next';
import type { Comparison, RowTouches } from '#shared/contract/table-compare.ts';

type Tables = TFunction<'tables'>;

/** What a row touches, a line each. */
export function touchLines(
  { value_lost, tasks, related, related_count, related_lost, checks, setpoint_lost }: RowTouches,
  t: Tables,
): string[] {
  const more = related_count - related.length;
  const list = related.join(', ');
  const codes = more > 0 ? t('compare.touch.more', { codes: list, count: more }) : list;
  const lines = [
    ...(value_lost ? [t('compare.touch.value_lost')] : []),
    ...tasks.map(({ kind, effect }) => t(`compare.touch.${effect}_${kind}`)),
    ...(related_count > 0 ? [t(related_lost ? 'compare.touch.related_lost' : 'compare.touch.related', { codes })] : []),
    ...checks.map(({ session, becomes }) => t(`compare.touch.${becomes}`, { session })),
    ...(setpoint_lost ? [t('compare.touch.setpoint_lost')] : []),
  ];
  return lines.length > 0 ? lines : [t('compare.touch.nothing')];
}

/** The same in one short line, for a cell. */
export function touchMarks({ value_lost, tasks, related_count, checks, setpoint_lost }: RowTouches, t: Tables): string {
  return [
    value_lost ? t('compare.short.value') : '',
    tasks.length > 0 ? t('compare.short.task') : '',
    related_count > 0 ? t('compare.short.related', { count: related_count }) : '',
    checks.length > 0 ? t('compare.short.check') : '',
    setpoint_lost ? t('compare.short.setpoint') : '',
  ]
    .filter((text) => text !== '')
    .join(', ');
}

/** What all of it would touch, in one line. */
export function touchSum({ values_lost, tasks, related, checks, setpoints }: NonNullable<Comparison['touches']>, t: Tables): string {
  const inTask = tasks.reduce((sum, task) => sum + task.read_otherwise + task.enters + task.leaves, 0);
  const results = checks.check_again + checks.passed_again + checks.point_gone;
  const parts = [
    values_lost > 0 ? t('compare.sum.values', { count: values_lost }) : '',
    inTask > 0 ? t('compare.sum.task', { count: inTask }) : '',
    related > 0 ? t('compare.sum.related', { count: related }) : '',
    results > 0 ? t('compare.sum.check', { count: results }) : '',
    setpoints > 0 ? t('compare.sum.setpoints', { count: setpoints }) : '',
  ].filter((text) => text !== '');
  return parts.length > 0 ? parts.join(' · ') : t('compare.sum.nothing');
}
