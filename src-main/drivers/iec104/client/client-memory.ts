/** What the connections of a channel share. */
import type { DriverMemory } from '../../spi/index.ts';
import { EventMemory } from './event-memory.ts';
import { UnknownObjects } from './unknown-objects.ts';

const UNKNOWN_OBJECTS = 'unknown objects';
const EVENTS = 'events';
const UNREADABLE = 'unreadable';

/** The objects that no table has. */
export function unknownObjectsOf(memory: DriverMemory): UnknownObjects {
  const known = memory.get(UNKNOWN_OBJECTS);
  if (known instanceof UnknownObjects) return known;
  const made = new UnknownObjects();
  memory.set(UNKNOWN_OBJECTS, made);
  return made;
}

/** An ASDU of the station that could not be read; undefined for none. */
export function unreadableOf(memory: ReadonlyMap<string, unknown>): Uint8Array | undefined {
  const kept = memory.get(UNREADABLE);
  return kept instanceof Uint8Array ? kept : undefined;
}

export function keepUnreadable(memory: DriverMemory, asdu: Uint8Array): void {
  memory.set(UNREADABLE, Uint8Array.from(asdu));
}

/** The events of the connection before. */
export function eventMemoryOf(memory: DriverMemory): EventMemory {
  const known = memory.get(EVENTS);
  if (known instanceof EventMemory) return known;
  const made = new EventMemory();
  memory.set(EVENTS, made);
  return made;
}
