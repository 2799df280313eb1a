import type { LineTimes } from '../../kit/asking.ts';
import type { DriverChannelSettings } from '../../spi/index.ts';
import { characterMs, silentGapMs } from '../client/line-time.ts';

/** Times of a line that carries RTU frames. */
export type RtuTiming = LineTimes;

/** Adapters deliver in lumps of up to 16 ms. */
const SETTLE_MS = 20;
const BROKEN_MS = 200;
const SOCKET_SETTLE_MS = 50;

type LineSettings = Pick<DriverChannelSettings, 'baudRate' | 'dataBits' | 'stopBits' | 'parity'>;

/** A serial line (MODBUS over Serial Line V1.02, 2.5.1.1: 3.5 characters, 1.75 ms above 19200 baud). */
export function serialTiming(settings: LineSettings): RtuTiming {
  const gapMs = silentGapMs(settings);
  return { octetMs: characterMs(settings), gapMs, settleMs: Math.max(gapMs, SETTLE_MS), brokenMs: Math.max(BROKEN_MS, 2 * gapMs) };
}

/** RTU frames over TCP: whoever keeps the silence is at the other end. A rest may take as long as an answer. */
export function socketTiming(timeoutMs: number): RtuTiming {
  return { octetMs: 0, gapMs: 0, settleMs: SOCKET_SETTLE_MS, brokenMs: timeoutMs };
}
