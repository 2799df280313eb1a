import type { CheckEntry } from '#shared/contract/check.ts';
import type { ExplainNode, FrameEntry } from '#shared/contract/frames.ts';
import type { CompactNode, ExplainedIndex } from '#shared/domain/check-explained.ts';
import { isServing } from '#shared/domain/enums.ts';
import type { DriverChannelSettings, ProtocolDriver } from '../../drivers/spi/index.ts';
import type { StoredChannel } from '../../persistence/repositories.ts';
import { Turns } from '../../platform/turns.ts';
import { toDriverSettings } from '../../runtime/settings.ts';
import type { DriverRegistry } from '../../runtime/types.ts';
import { explainedNodes } from '../frame-entries.ts';
import { digestOf } from './chain.ts';
import { readRecord } from './record-file.ts';

/** Octets of explanations in one record: those of what failed come first, and what is over is left out and counted. */
const MOST_OCTETS = 16 * 1024 * 1024;

/** What the drivers say of the frames of a record, as lines of JSON: one an explanation, equal ones once, and last which frame has which. */
export async function* explainedLines(path: string, drivers: DriverRegistry, most = MOST_OCTETS): AsyncGenerator<string> {
  const known = new Map<string, number>();
  const parts: Record<string, (readonly (number | null)[])[]> = {};
  const turns = new Turns();
  let octets = 0;
  let omitted = 0;
  for (const isFailure of [true, false]) {
    for await (const piece of readRecord(path)) {
      if (piece.is !== 'entry' || (piece.entry.verdict === 'failed') !== isFailure) continue;
      const { entry, part } = piece;
      const explain = explainerOf(entry, drivers);
      const numbers: (number | null)[] = [];
      for (const frame of entry.frames) {
        await turns.breathe();
        const key = digestOf(JSON.stringify([entry.channel, frame.kind, frame.hex, requestOf(entry, frame)]));
        const there = known.get(key);
        const text = there === undefined ? textOf(explain(frame)) : null;
        const room = text === null ? 0 : Buffer.byteLength(text);
        if (octets + room > most) omitted += 1;
        else if (text !== null) {
          known.set(key, known.size);
          octets += room;
          yield text;
        }
        numbers.push(known.get(key) ?? null);
      }
      const own = parts[part] ?? [];
      own[entry.seq - 1] = numbers;
      parts[part] = own;
    }
  }
  yield `${JSON.stringify({ parts, omitted } satisfies ExplainedIndex)}\n`;
}

function textOf(nodes: readonly ExplainNode[]): string | null {
  return nodes.length === 0 ? null : `${JSON.stringify(nodes.map(compact))}\n`;
}

/** The least that says the same: what is English in `name` follows from its message. */
function compact({ name, name_message, value, value_message, start, end, severity, children }: ExplainNode): CompactNode {
  const node = [name_message ?? name, value_message ?? value, start, end, severity] as const;
  return children.length === 0 ? node : [...node, children.map(compact)];
}

/** Octets of the request that a frame answers, in hex; empty where it is not among the evidence. */
function requestOf({ frames }: CheckEntry, { link, connection }: FrameEntry): string {
  if (link === null) return '';
  return frames.find((frame) => frame.seq === link && frame.connection === connection)?.hex ?? '';
}

/** Explains frames of one result as their driver does; nothing of one whose octets are masked or cut, and of one that is an event. */
function explainerOf(entry: CheckEntry, drivers: DriverRegistry): (frame: FrameEntry) => readonly ExplainNode[] {
  const channel = entry.channel as unknown as StoredChannel;
  const driver = drivers.find(channel.protocol_type);
  const settings = driver ? settingsOf(channel, driver) : null;
  const sendsRequests = !isServing(channel.conn_type);
  return (frame) => {
    const bytes = octetsOf(frame.hex);
    if (!driver || !settings || !bytes || bytes.length !== frame.length) return [];
    if (frame.kind === 'opened' || frame.kind === 'closed') return [];
    return explainedNodes(driver, bytes, {
      kind: frame.kind,
      isRequest: (frame.kind === 'tx') === sendsRequests,
      request: octetsOf(requestOf(entry, frame)),
      settings,
    });
  };
}

/** Settings as the evidence has them; null where this program reads them otherwise. What is left out of the evidence explains no frame. */
function settingsOf(channel: StoredChannel, driver: ProtocolDriver): DriverChannelSettings | null {
  try {
    return toDriverSettings({ ...channel, retries: 0, request_gap_ms: null, max_gap: 0 }, driver);
  } catch {
    return null;
  }
}

function octetsOf(hex: string): Uint8Array | null {
  return /^[0-9A-F]{2}( [0-9A-F]{2})*$/.test(hex) ? Buffer.from(hex.replaceAll(' ', ''), 'hex') : null;
}
