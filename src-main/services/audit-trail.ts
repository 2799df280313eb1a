import type { AuditEntry } from '#shared/contract/events.ts';
import { english } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { AuditRepository, NewAudit, SetpointTouch, StoredChannel } from '../persistence/repositories.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
import type { CallContext } from './handlers.ts';
import type { CommandJournal } from './live/command-journal.ts';
import type { ServiceDeps } from './ports.ts';
import { isoTime } from './rows.ts';

/** One write in the audit: entered before it is sent, closed with its outcome whatever happens. */
export interface AuditTrail {
  readonly id: number;
  close(outcome: Exclude<AuditEntry['outcome'], 'open'>, detail: Message): void;
}

/** What an entry says of a write, beside when and where. Parameters of an operation are kept as they are: nothing secret may be among them. */
export type AuditFields = Omit<NewAudit, 'at' | 'channel_id' | 'channel_name'>;

/** What an audit entry says where no point is written. */
export const NO_POINT = { point_id: null, frame_type: null, code: '', step: 'operate', value: null } as const;

/** Who asked, as an entry says it. */
export function askedBy({ source, caller }: CallContext): Pick<AuditFields, 'source' | 'caller'> {
  return { source, ...(caller?.name ? { caller: caller.name } : {}) };
}

/** Where entries go, and by which clock. */
export interface AuditBook {
  readonly audit: AuditRepository;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Told of each entry when it is made and when it is closed. */
  readonly commands: Pick<CommandJournal, 'add'>;
}

/**
 * Enters a write into the audit of the project, and with `touch` the setpoint that it changes. Throws `STATE_STORE` when the file cannot be written; nothing may be sent then. A failure to
 * close is logged and does not hide the outcome: the entry stays `open`.
 */
export function openAudit(
  { projects, clock, logger }: ServiceDeps,
  { id, settings }: ChannelRuntime,
  fields: AuditFields,
  touch?: SetpointTouch,
): AuditTrail {
  const { store, commands } = projects.current();
  return enterAudit({ audit: store.audit, clock, logger, commands }, { id, name: settings.name }, fields, touch);
}

/** The same for a channel that acts by its settings. */
export function enterAudit(
  { audit, clock, logger, commands }: AuditBook,
  channel: Pick<StoredChannel, 'id' | 'name'>,
  fields: AuditFields,
  touch?: SetpointTouch,
): AuditTrail {
  const at = isoTime(clock.wallMs());
  const entered = { at, channel_id: channel.id, channel_name: channel.name, ...fields };
  const id = audit.open(entered, touch);
  const entry: AuditEntry = { id, closed_at: null, outcome: 'open', detail: '', ...entered };
  commands.add(entry);
  return {
    id,
    close(outcome, detail) {
      const closedAt = isoTime(clock.wallMs());
      commands.add({ ...entry, closed_at: closedAt, outcome, detail: english(detail), detail_message: detail });
      try {
        audit.close(id, outcome, detail, closedAt, touch);
      } catch (error) {
        logger.error({ err: error, auditId: id, outcome }, 'audit entry could not be closed');
      }
    },
  };
}
