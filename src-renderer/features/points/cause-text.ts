import type { TFunction } from 'i18next';
import type { EventEntry } from '#shared/contract/events.ts';
import type { events } from '../../i18n/en/events.ts';

type Cause = NonNullable<EventEntry['cause']>;
type NamedCause = Exclude<keyof (typeof events)['causeOf'], 'group' | 'counterGroup'>;

const GROUP = /^interrogated by group (\d+) interrogation$/;
const COUNTER_GROUP = /^requested by group (\d+) counter request$/;

/** The cause of a reading in the words of the reader; as the driver names it where there are no other words. */
export function causeText({ name }: Cause, t: TFunction<'events'>): string {
  const [, group] = GROUP.exec(name) ?? [];
  if (group !== undefined) return t('causeOf.group', { group });
  const [, counterGroup] = COUNTER_GROUP.exec(name) ?? [];
  if (counterGroup !== undefined) return t('causeOf.counterGroup', { group: counterGroup });
  return t(`causeOf.${name as NamedCause}`, { defaultValue: name });
}
