import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { ProjectSession } from '../ports.ts';

/** Channels of unknown protocols keep their names as well. */
function idOf({ channels, store }: ProjectSession, name: string): number | null {
  return channels.byName(name)?.id ?? store.channels.unknown().find((channel) => channel.name === name)?.id ?? null;
}

/** The name, with the first number behind it that makes it free. */
export function freeName(session: ProjectSession, name: string): string {
  for (let number = 1; ; number++) {
    const tried = number === 1 ? name : `${name} ${number}`;
    if (idOf(session, tried) === null) return tried;
  }
}

/** Throws `STATE_CONFLICT` for a name that a channel has. */
export function requireFreeName(session: ProjectSession, name: string): void {
  const channel = idOf(session, name);
  if (channel !== null) throw new AppError('STATE_CONFLICT', say('service.name_taken', { name, channel }));
}
