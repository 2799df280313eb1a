import { EFFECT_RULES, type Effect } from '#shared/contract/effect.ts';
import { AppError, toAppError } from '#shared/domain/errors.ts';
import { isListening } from '#shared/domain/listening.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { SetpointTouch } from '../persistence/repositories.ts';
import { listensOnly, notStarted } from '../runtime/not-started.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
import { type AuditFields, openAudit } from './audit-trail.ts';
import type { ServiceDeps } from './ports.ts';
import { readSettings } from './settings-store.ts';

/**
 * Refuses what may not be sent through a channel as it is: a command while service or channel is read-only, or while the channel is not started.
 * Throws `STATE_READ_ONLY`, `STATE_CONFLICT` for a channel that only listens, and `STATE_NOT_STARTED`.
 */
export function admit(deps: ServiceDeps, channel: ChannelRuntime, effect: Effect): void {
  if (!EFFECT_RULES[effect].needsWritable) return;
  const { name, read_only } = channel.settings;
  if (deps.facts.forcedReadOnly) {
    throw new AppError('STATE_READ_ONLY', say('service.forced_read_only'));
  }
  if (readSettings(deps.projects.current().store.settings).read_only) {
    throw new AppError('STATE_READ_ONLY', say('service.service_read_only'));
  }
  if (read_only) {
    throw new AppError('STATE_READ_ONLY', say('service.channel_read_only', { channel: name }));
  }
  if (isListening(channel.settings)) throw listensOnly(name);
  const { status } = channel.state();
  if (status === 'running' || status === 'reconnecting') return;
  throw notStarted(name, status);
}

/** Something that goes to the device of a channel, with what its audit says. */
export interface Sending<Done> {
  readonly entry: AuditFields;
  /** The setpoint that it changes, as it stands before. */
  readonly touch?: SetpointTouch | undefined;
  send(): Promise<Done>;
  /** How it ended, for the audit. */
  outcomeOf(done: Done): { readonly outcome: 'accepted' | 'rejected' | 'unknown'; readonly detail: Message };
  /** True for an error that leaves open whether something was sent; of others nothing was. */
  isOpen(error: AppError): boolean;
}

/** Number of the audit entry; only commands have one. */
export type AuditId<Does extends Effect> = Does extends 'command' ? number : undefined;

/** Sends something once, admitted and audited as its effect asks. Throws what `admit` and `send` throw, and `STATE_STORE` before anything is sent. */
export async function perform<Done, Does extends Effect>(
  deps: ServiceDeps,
  channel: ChannelRuntime,
  effect: Does,
  { entry, touch, send, outcomeOf, isOpen }: Sending<Done>,
): Promise<{ readonly done: Done; readonly auditId: AuditId<Does> }> {
  admit(deps, channel, effect);
  const audit = EFFECT_RULES[effect].isAudited ? openAudit(deps, channel, entry, touch) : null;
  try {
    const done = await send();
    const { outcome, detail } = outcomeOf(done);
    audit?.close(outcome, detail);
    return { done, auditId: audit?.id as AuditId<Does> };
  } catch (thrown) {
    const error = toAppError(thrown);
    audit?.close(isOpen(error) ? 'unknown' : 'failed', error.said);
    throw error;
  }
}
