/** What somebody with an access may do, each including the ones before: look, work on the plant as it is set up, change how it is set up. */
export const ROLES = ['view', 'operate', 'configure'] as const;
export type Role = (typeof ROLES)[number];

/** Who asks: the name of an access, null for the token of the start, this computer without a token, or the window. */
export interface Caller {
  readonly name: string | null;
  readonly role: Role;
}

/** True when `role` includes what `needed` asks for. */
export function includesRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
