import type { FastifyRequest } from 'fastify';
import { type Caller, includesRole, type Role } from '#shared/domain/access.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';

const callers = new WeakMap<FastifyRequest, Caller>();

/** Keeps who sends a request; asked for by its token before. */
export function noteCaller(request: FastifyRequest, caller: Caller): void {
  callers.set(request, caller);
}

/** Who sends a request. One that nobody looked at is a fault of ours, and not let in. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request);
  if (!caller) throw new AppError('INTERNAL', say('http.no_caller'));
  return caller;
}

/** Throws `ACCESS_ROLE` where the caller's role does not include `needed`. */
export function requireRole(request: FastifyRequest, needed: Role): void {
  const { name, role } = callerOf(request);
  if (includesRole(role, needed)) return;
  throw new AppError(
    'ACCESS_ROLE',
    say('http.role', { name: name ?? '', role: say(`http.role_${role}`), needed: say(`http.role_${needed}`) }),
  );
}
