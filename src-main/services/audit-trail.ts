import type { AuditEntry } from '#shared/contract/events.ts';
import type { CommandStep } from '#shared/domain/enums.ts';
import type { NewAudit } from '../persistence/repositories.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
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
  return enter(deps, channel, {
    point_id: point.id,
    frame_type: point.frameType,
    code: point.code,
    operation: null,
    step: write.step,
    value: write.value ?? null,
    source: write.source,
  });
}

/** As `openAudit`, for an operation by name. Its parameters are kept as they are: nothing secret may be among them. */
export function openOperationAudit(
  deps: ServiceDeps,
  channel: ChannelRuntime,
  operation: NonNullable<AuditEntry['operation']>,
  source: CallSource,
): AuditTrail {
  return enter(deps, channel, { point_id: null, frame_type: null, code: '', operation, step: 'operate', value: null, source });
}

function enter(deps: ServiceDeps, channel: ChannelRuntime, entry: Omit<NewAudit, 'at' | 'channel_id' | 'channel_name'>): AuditTrail {
  const { audit } = deps.projects.current().store;
  const at = isoTime(deps.clock.wallMs());
  const id = audit.open({ at, channel_id: channel.id, channel_name: channel.settings.name, ...entry });
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
