import type { DriverConnection, ExchangeContext } from '../../../drivers/spi/index.ts';
import type { ProbeLine } from '../../../runtime/connection/probe-line.ts';
import type { ChannelRuntime } from '../../../runtime/types.ts';
import { concatOctets } from './octets.ts';

/** What came and went on a line since it was looked at last. */
export interface LineTraffic {
  readonly heard: Uint8Array;
  /** What of it came without having been waited for: late answers, noise. On a line of the examination's own that is everything. */
  readonly unasked: Uint8Array;
  /** When the first of that came, monotonic milliseconds; null: nothing did. */
  readonly unaskedAt: number | null;
  readonly sent: readonly Uint8Array[];
}

/** How an examination asks the device, whoever holds the line. */
export interface Asker {
  ask<T>(exchange: (connection: DriverConnection, context: ExchangeContext) => Promise<T>): Promise<T>;
  /** Traffic since the last call. */
  take(): LineTraffic;
  /** True when the line has ended by itself. */
  readonly hasEnded: boolean;
}

/** Asks over a line that was opened for the examination. */
export function askerOver(line: ProbeLine, connection: DriverConnection, signal: AbortSignal): Asker {
  const context: ExchangeContext = { signal, retries: 0, isStopping: () => signal.aborted };
  return {
    ask: (exchange) => exchange(connection, context),
    take() {
      const { heard, sent, firstAt } = line.take();
      return { heard, unasked: heard, unaskedAt: firstAt, sent };
    },
    get hasEnded() {
      return line.ended !== null;
    },
  };
}

const INCOMING: readonly string[] = ['rx', 'noise', 'late'];
const UNASKED: readonly string[] = ['noise', 'late'];
const LOOKED_AT = 1000;

/** Asks over the connection of a running channel, one exchange under its lock at a time; what was heard is taken from its frame log. */
export function askerOf(channel: ChannelRuntime, signal: AbortSignal): Asker {
  let seq = channel.frames.lastSeq;
  return {
    ask: (exchange) => channel.diagnose(exchange, signal),
    take() {
      const records = channel.frames.list({ afterSeq: seq, limit: LOOKED_AT });
      seq = channel.frames.lastSeq;
      const octetsOf = (kinds: readonly string[]) =>
        concatOctets(records.filter((record) => kinds.includes(record.kind)).map((record) => record.bytes));
      return {
        heard: octetsOf(INCOMING),
        unasked: octetsOf(UNASKED),
        unaskedAt: records.find(({ kind }) => UNASKED.includes(kind))?.monotonicMs ?? null,
        sent: records.filter((record) => record.kind === 'tx').map((record) => record.bytes),
      };
    },
    hasEnded: false,
  };
}
