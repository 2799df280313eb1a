import type { ProjectSession } from '../ports.ts';

/** Up to where a reader has seen what happened in a project: number of the last change, and of the last event. */
export interface Place {
  readonly change: number;
  readonly event: number;
}

/** Enough of the id of a session to tell it from all others of this computer. */
const nameOf = ({ id }: Pick<ProjectSession, 'id'>) => id.replaceAll('-', '').slice(-12);

/** The place behind everything that has happened. */
export function presentPlace({ changes, events }: Pick<ProjectSession, 'changes' | 'events'>): Place {
  return { change: changes.last, event: events.lastSeq };
}

/** A place as text; it means something in this session of the project only. */
export function placeText(session: Pick<ProjectSession, 'id'>, { change, event }: Place): string {
  return `${nameOf(session)}-${change}-${event}`;
}

/** The place a text stands for; null for one of another session, one that is not reached yet, and any other text. */
export function placeOf(session: Pick<ProjectSession, 'id' | 'changes' | 'events'>, text: string): Place | null {
  const match = /^([0-9a-z]{1,12})-(\d{1,15})-(\d{1,15})$/.exec(text);
  if (!match || match[1] !== nameOf(session)) return null;
  const place = { change: Number(match[2]), event: Number(match[3]) };
  const present = presentPlace(session);
  return place.change <= present.change && place.event <= present.event ? place : null;
}
