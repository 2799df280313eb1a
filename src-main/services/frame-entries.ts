import type { ExplainNode, FrameEntry } from '#shared/contract/frames.ts';
import { isServing } from '#shared/domain/enums.ts';
import { isListening } from '#shared/domain/listening.ts';
import type { DriverChannelSettings, ExplainContext, Explanation, FrameKind, ProtocolDriver } from '../drivers/spi/index.ts';
import type { FrameRecord } from '../runtime/logs/frame-log.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
import { pairOf } from './frame-pairs.ts';
import { entryTexts, spokenNode } from './frame-texts.ts';
import { maskedHex, maskedNodes } from './masking.ts';
import { isoTime } from './rows.ts';

const FRAME_KINDS: readonly string[] = ['tx', 'rx', 'noise', 'late', 'note'] satisfies FrameKind[];

/** The tree of what a frame means, without its secrets. */
export function explainedNodes(driver: ProtocolDriver, bytes: Uint8Array, context: ExplainContext): ExplainNode[] {
  return maskedNodes(driver.explain(bytes, context)).map(spokenNode);
}

/** What tells the points of a frame; null for octets that were none, and for one that has none. */
export function carriedBy(channel: ChannelRuntime, record: FrameRecord, settings: DriverChannelSettings) {
  const context = record.kind === 'noise' ? null : contextOf(channel, record, settings);
  return (context && channel.driver.carries?.(record.bytes, context)) ?? null;
}

/** Explanation by the driver; null for entries without octets, which are events. */
export function explain(
  channel: ChannelRuntime,
  record: FrameRecord,
  settings: DriverChannelSettings,
  isSummaryOnly: boolean,
): Explanation | null {
  const context = contextOf(channel, record, settings);
  return context && channel.driver.explain(record.bytes, { ...context, isSummaryOnly });
}

/** What is known of a frame beside its octets; null for an event. */
export function contextOf(
  channel: Pick<ChannelRuntime, 'frames' | 'settings' | 'model'>,
  record: FrameRecord,
  settings: DriverChannelSettings,
): ExplainContext | null {
  if (record.bytes.length === 0 || !FRAME_KINDS.includes(record.kind)) return null;
  const sendsRequests = !isServing(channel.settings.conn_type);
  return {
    kind: record.kind as FrameKind,
    // of what was overheard an answer has its request, one that nobody asked for is late, and a request is neither
    isRequest: isListening(channel.settings) ? record.link === null && record.kind !== 'late' : (record.kind === 'tx') === sendsRequests,
    request: record.link === null ? null : (channel.frames.get(record.link)?.bytes ?? null),
    settings,
    dataSets: () => channel.model()?.dataSets() ?? [],
  };
}

/** An entry as the API tells it. */
export function frameEntry(record: FrameRecord, explanation: Explanation | null): FrameEntry {
  return {
    seq: record.seq,
    at: isoTime(record.wallMs),
    monotonic_ms: record.monotonicMs,
    kind: record.kind,
    hex: maskedHex(record.bytes, explanation?.secrets ?? []),
    length: record.length,
    link: record.link,
    connection: record.connection,
    peer: record.peer,
    ...entryTexts(explanation, record.text),
  };
}

/** An entry of the list: with its answer, and the times that belong to it. */
export function pairedEntry(channel: ChannelRuntime, record: FrameRecord, explanation: Explanation | null): FrameEntry {
  const { answer, latencyMs, sinceMs } = pairOf(channel.frames, record);
  return { ...frameEntry(record, explanation), answer, latency_ms: latencyMs, since_ms: sinceMs };
}
