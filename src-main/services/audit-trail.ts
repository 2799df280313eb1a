import type { AuditEntry } from '#shared/contract/events.ts';
import type { CommandStep } from '#shared/domain/enums.ts';
import type { CallSource } from './handlers.ts';
import type { FoundPoint } from './lookup.ts';
import type { ServiceDeps } from './ports.ts';
import { isoTime } from './rows.ts';

/** One write in the audit: entered before it is sent, closed with its outcome whatever happens. */
export interface AuditTrail {
  readonly id: number;
  close(outcome: Exclude<AuditEntry['outcome'], 'open'>, detail: string): void;
}

/**
 * Enters a write into the audit of the project. Throws `STATE_STORE` when the file cannot be written; nothing may be sent then. A failure to
 * close is logged and does not hide the outcome: the entry stays `open`.
 */
export function openAudit(
  deps: ServiceDeps,
  { channel, point }: FoundPoint,
  write: { readonly step: CommandStep; readonly value: number | undefined; readonly source: CallSource },
): AuditTrail {
  const { audit } = deps.projects.current().store;
  const id = audit.open({
    at: isoTime(deps.clock.wallMs()),
    channel_id: channel.id,
    channel_name: channel.settings.name,
    point_id: point.id,
    frame_type: point.frameType,
    code: point.code,
    step: write.step,
    value: write.value ?? null,
    source: write.source,
  });
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
