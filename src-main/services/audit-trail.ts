import type { AuditEntry } from '#shared/contract/events.ts';
import type { Message } from '#shared/messages/message.ts';
import type { NewAudit } from '../persistence/repositories.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
import type { ServiceDeps } from './ports.ts';
import { isoTime } from './rows.ts';

/** One write in the audit: entered before it is sent, closed with its outcome whatever happens. */
export interface AuditTrail {
  readonly id: number;
  close(outcome: Exclude<AuditEntry['outcome'], 'open'>, detail: Message): void;
}

/** What an entry says of a write, beside when and where. Parameters of an operation are kept as they are: nothing secret may be among them. */
export type AuditFields = Omit<NewAudit, 'at' | 'channel_id' | 'channel_name'>;

/**
 * Enters a write into the audit of the project. Throws `STATE_STORE` when the file cannot be written; nothing may be sent then. A failure to
 * close is logged and does not hide the outcome: the entry stays `open`.
 */
export function openAudit(deps: ServiceDeps, channel: ChannelRuntime, fields: AuditFields): AuditTrail {
  const { audit } = deps.projects.current().store;
  const at = isoTime(deps.clock.wallMs());
  const id = audit.open({ at, channel_id: channel.id, channel_name: channel.settings.name, ...fields });
  return {
    id,
    close(outcome, detail) {
      try {
        audit.close(id, outcome, detail, isoTime(deps.clock.wallMs()));
      } catch (error) {
        deps.logger.error({ err: error, auditId: id, outcome }, 'audit entry could not be closed');
      }
    },
  };
}
