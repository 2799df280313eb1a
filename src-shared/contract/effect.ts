import type { Role } from '../domain/access.ts';

/**
 * What an operation does to the world, in three words. `query`: answers from memory; changes nothing and sends nothing. `repeatable`: changes what
 * the service keeps or asks a device; asked twice, the second finds it done, is refused, or reads again. `command`: changes something in a device,
 * or what we serve.
 */
export const EFFECTS = ['query', 'repeatable', 'command'] as const;
export type Effect = (typeof EFFECTS)[number];

/** What follows from an effect. Nothing else decides these. */
export interface EffectRules {
  /** The client of the pages asks again by itself when the service did not answer. */
  readonly isAskedAgain: boolean;
  /** Requests of it that time out may be sent again, as often as the channel's `retries` say. */
  readonly isSentAgain: boolean;
  /** Octets may go to a device: never, where the operation declares it, always. */
  readonly line: 'never' | 'declared' | 'always';
  /** It is entered into the audit before anything is sent, and closed with its outcome. */
  readonly isAudited: boolean;
  /** A read-only service or channel refuses it (409). */
  readonly needsWritable: boolean;
  /** The pages send it to a device only while its channel is armed. */
  readonly needsArming: boolean;
  /** Role of those who may ask it, where the operation names no other one. */
  readonly role: Role;
}

export const EFFECT_RULES: Readonly<Record<Effect, EffectRules>> = {
  query: {
    isAskedAgain: true,
    isSentAgain: false,
    line: 'never',
    isAudited: false,
    needsWritable: false,
    needsArming: false,
    role: 'view',
  },
  repeatable: {
    isAskedAgain: false,
    isSentAgain: true,
    line: 'declared',
    isAudited: false,
    needsWritable: false,
    needsArming: false,
    role: 'configure',
  },
  command: {
    isAskedAgain: false,
    isSentAgain: false,
    line: 'always',
    isAudited: true,
    needsWritable: true,
    needsArming: true,
    role: 'operate',
  },
};

/** Role of those who may ask an operation. */
export function roleOf(operation: { readonly effect: Effect; readonly role?: Role }): Role {
  return operation.role ?? EFFECT_RULES[operation.effect].role;
}
