import type { EventEntry } from '#shared/contract/events.ts';
import type { EventRecord } from '../runtime/logs/event-log.ts';
import type { Handlers } from './handlers.ts';
import { findChannel } from './lookup.ts';
import type { ProjectSession, ServiceDeps } from './ports.ts';
import { detailFields, isoTime } from './rows.ts';

const DEFAULT_EVENTS = 200;
const DEFAULT_AUDIT_PAGE = 100;

/** The sequence of events from memory, and the audit of writes from the project file. */
export function eventHandlers(deps: ServiceDeps): Pick<Handlers, 'listEvents' | 'listAudit'> {
  return {
    listEvents({ channel_id, system, after_seq, limit }) {
      const session = deps.projects.current();
      if (channel_id !== undefined) findChannel(session, channel_id);
      const { events } = session;
      const query = { channelId: channel_id, withSystem: system === 'true', afterSeq: after_seq, limit: limit ?? DEFAULT_EVENTS };
      const records = events.list(query);
      const items = records.map((record) => {
        const rawHex = events.rawHex(record.seq);
        return { ...eventEntry(session, record), ...(rawHex !== '' && { raw_hex: rawHex }) };
      });
      return { items, last_seq: events.lastSeq, dropped: events.dropped };
    },
    listAudit({ channel_id, page = 1, page_size = DEFAULT_AUDIT_PAGE }) {
      const { audit } = deps.projects.current().store;
      return audit.list({ channelId: channel_id, offset: (page - 1) * page_size, limit: page_size });
    },
  };
}

/** An entry of the sequence of events, in the names of the contract. */
export function eventEntry(session: ProjectSession, record: EventRecord): EventEntry {
  const { channelId, pointId } = record;
  const point = channelId === null || pointId === null ? undefined : session.channels.get(channelId)?.points.config(pointId);
  return {
    seq: record.seq,
    channel_id: channelId,
    kind: record.kind,
    point_id: pointId,
    frame_type: record.frameType,
    code: record.code,
    ...(point && { name: point.name, unit: point.unit }),
    value: record.value,
    flags: [...record.flags],
    device_time: isoTime(record.deviceTime),
    received_at: isoTime(record.receivedAt),
    text: record.text,
    ...(record.said && { text_message: record.said }),
    ...(record.isNoValue && { no_value: true as const }),
    ...(record.isInvalid && { invalid: true as const }),
    ...detailFields(record.detail),
  };
}
